import BumpClaims
import BumpSession
import BumpWire
import Crypto
import Foundation
import Samples
import Testing

/// Sessions in which the sender waits before NOISE_1 and after OFFER, made by an independent implementation of the
/// protocol: Tests/Support/Vectors/queued.json.
@Suite struct QueuedVectorTests {
  struct Vector: Decodable, CustomStringConvertible {
    let mode, nonceR, nonceS, ephemeralR, ephemeralS, offer, claim, digits: String
    let key: String?
    let places, placesInside: [UInt8]
    let frames: [String]
    var description: String { mode }

    var credential: Credential { (key.flatMap { SharedKey(bytes($0)) }).map(Credential.key) ?? .none }

    func keys(_ nonce: String, _ ephemeral: String) throws -> SessionKeys {
      SessionKeys(
        nonce: bytes(nonce), ephemeral: try .init(rawRepresentation: bytes(ephemeral)),
        scalar: SymmetricKey(data: [1] + [UInt8](repeating: 0, count: 31)))
    }

    /// The frames of each end: HELLO, WELCOME, QUEUED …, NOISE_1, NOISE_2, OFFER, QUEUED …, HOLD, ACCEPT, HOLD, CLAIM,
    /// STORED.
    func frames(ofSender isSender: Bool) -> [[UInt8]] {
      let ends = [false, true] + places.map { _ in false } + [false, true, true] + placesInside.map { _ in false }
      return zip(frames, ends + [false, false, true, true, false]).filter { $0.1 == isSender }.map { bytes($0.0) }
    }
  }

  static func vectors() throws -> [Vector] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appending(path: "Support/Vectors/queued.json")
    return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
  }

  @Test(arguments: try vectors())
  func `the sender says what the vector's sender says, and is told each place`(vector: Vector) throws {
    var session = SenderSession(
      claim: try Claim(payload: Array(vector.claim.utf8)), offer: try Offer(json: Array(vector.offer.utf8)),
      credential: vector.credential, asks: true, limit: .seconds(5),
      keys: try vector.keys(vector.nonceS, vector.ephemeralS), at: .zero)
    var (said, places): ([UInt8], [UInt8]) = ([], [])
    func perform(_ outputs: [SenderSession.Output]) {
      for output in outputs {
        switch output {
        case .send(let bytes): said += bytes
        case .placed(let place): places.append(place)
        case .secured(let digits): #expect(digits.description.filter { $0 != " " } == vector.digits)
        case .accepted: perform(session.handle(.chosen, at: .zero))
        case .ask: perform(session.handle(.decided(true), at: .zero))
        case .release: perform(session.handle(.released, at: .zero))
        default: break
        }
      }
    }
    for frame in vector.frames(ofSender: false) { perform(session.handle(.received(frame), at: .zero)) }
    #expect(said == vector.frames(ofSender: true).flatMap(\.self))
    #expect(places == vector.places + vector.placesInside)
  }

  @Test(arguments: try vectors())
  func `the receiver says what the vector's receiver says`(vector: Vector) throws {
    var session = ReceiverSession(
      .init(name: try DisplayName("bob"), asks: true, limit: .seconds(5), unixTime: { 0 }),
      credential: vector.credential, waitsToProceed: true, keys: try vector.keys(vector.nonceR, vector.ephemeralR),
      at: .zero)
    var now: Moment = .zero
    var said: [UInt8] = []
    /// Has the sender wait at these places, as long as it takes to tell them.
    func wait(at places: [UInt8]) throws {
      for place in places {
        perform(session.handle(.placed(place), at: now))
        now = try #require(session.deadline)
        perform(session.handle(.deadline, at: now))
      }
    }
    func perform(_ outputs: [ReceiverSession.Output]) {
      for output in outputs {
        switch output {
        case .request(.send(let bytes)): said += bytes
        case .request(.ask): perform(session.handle(.decided(true), at: now))
        case .request(.store): perform(session.handle(.stored(.stored), at: now))
        default: break
        }
      }
    }
    perform(session.handle(.opened, at: now))
    for frame in vector.frames(ofSender: true) {
      let outputs = session.handle(.received(frame), at: now)
      perform(outputs)
      for output in outputs {
        switch output {
        case .ready:
          try wait(at: vector.places)
          perform(session.handle(.proceed, at: now))
        case .offered:
          try wait(at: vector.placesInside)
          perform(session.handle(.chosen, at: now))
        default: break
        }
      }
    }
    #expect(said == vector.frames(ofSender: false).flatMap(\.self))
  }
}
