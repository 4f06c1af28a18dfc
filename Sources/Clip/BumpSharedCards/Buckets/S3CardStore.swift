import BumpHTTP
import BumpText
import Crypto
import Synchronization

/// A store of shared cards in a bucket of S3, or of another service with its protocol: one object for each,
/// `PREFIX/UUID.card`.
package struct S3CardStore: SharedCardStore {
  /// The time limit for one answer.
  private static let limit: Duration = .seconds(30)
  /// The greatest number of pages of a list: a bad server might never end one.
  private static let pageLimit = 1000
  /// The greatest number of bytes of a page: a thousand names of up to a kilobyte, with their metadata.
  private static let pageByteLimit = 4_194_304

  private let place: BucketLocation

  package init(at place: BucketLocation) { self.place = place }

  package func put(_ card: SharedCard) async throws(SharedCardError) {
    // Names are random, so a name that is taken is a sign of something else. Nothing is overwritten.
    let answer = try await send("PUT", place.url(of: card.id), fields: [("If-None-Match", "*")], body: card.record)
    guard answer.status == 200 else { throw failure("did not take the card", answer.status) }
  }

  package func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard {
    let answer = try await send("GET", place.url(of: id), upTo: SharedCard.recordLimit)
    switch answer.status {
    case 200: break
    case 404: throw SharedCardError.absent
    case let status: throw failure("did not give the card", status)
    }
    let card = try SharedCard(record: answer.body, named: id)
    guard !card.hasExpired(at: now) else { throw SharedCardError.absent }
    return card
  }

  /// Removes the objects that are a day old: their times are by the service's clock, and `now` is the caller's.
  package func removeExpired(at now: Int64) async throws(SharedCardError) -> Int {
    var (count, token): (Int, String?) = (0, nil)
    for _ in 0..<Self.pageLimit {
      let answer = try await send("GET", place.listURL(after: token), upTo: Self.pageByteLimit)
      guard answer.status == 200 else { throw failure("did not list its cards", answer.status) }
      let page = S3Page(answer.body)
      for object in page.objects where now - object.modified >= SharedCard.lifetime {
        guard let id = place.id(of: object.key) else { continue }
        // Another process may have removed it first.
        let removal = try await send("DELETE", place.url(of: id))
        guard [200, 204, 404].contains(removal.status) else { throw failure("did not remove a card", removal.status) }
        if removal.status != 404 { count += 1 }
      }
      token = page.next
      if token == nil { break }
    }
    return count
  }

  private func send(
    _ method: String, _ url: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    upTo limit: Int = 65_536
  ) async throws(SharedCardError) -> (status: Int, body: [UInt8]) {
    let digest = Hex.text(Array(SHA256.hash(data: body ?? [])))
    let received = Mutex<[UInt8]>([])
    var request = HTTPRequest(
      url: url, body: body, accept: "*/*", roots: place.roots, connectLimit: .seconds(5), limit: Self.limit)
    request.method = method
    request.bodyType = "application/octet-stream"
    request.signature = place.signature
    // S3 requires the body's digest in the signed fields, even for an empty body.
    request.fields = [("x-amz-content-sha256", digest)] + fields + place.fields
    let answer = await request.perform { _, _, bytes in
      received.withLock { received in
        received += bytes
        return received.count <= limit
      }
    }
    switch answer.end {
    case .answered: return (answer.status, received.withLock { $0 })
    case .stopped:
      throw SharedCardError(.store, "\(place) sent a longer answer than is allowed", remedy: "Try again later")
    case .unsent, .lost:
      throw SharedCardError(.store, "\(place) was not reached: \(answer.failure.reason)", remedy: "Try again")
    }
  }

  private func failure(_ what: String, _ status: Int) -> SharedCardError {
    let remedy =
      switch status {
      case 301, 307, 400: "Check AWS_REGION and AWS_ENDPOINT_URL"
      case 401, 403: "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they are allowed"
      case 404: "Make the bucket, or name another with --store"
      default: "Try again later"
      }
    return SharedCardError(.store, "\(place) \(what) (HTTP status \(status))", remedy: remedy)
  }
}
