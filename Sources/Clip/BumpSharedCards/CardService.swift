/// Answers HTTP requests for the cards in a store. It only reads: nobody can put a card into the store through it.
public struct CardService: Sendable {
  /// An answer, without the headers for its length and for the end of the connection.
  public struct Answer: Hashable, Sendable {
    /// The HTTP status: 200, 404, 405, or 500 if the card cannot be read.
    public let status: Int
    /// The fields, in order. Each answer has `Cache-Control: no-store`.
    public let headers: [Header]
    /// The card's record, still encrypted, or a line of text. The answer to HEAD has it too, for its length: do not
    /// send it.
    public let body: [UInt8]
  }

  /// A header field of an answer.
  public struct Header: Hashable, Sendable {
    /// The field's name, such as `Content-Type`.
    public let name: String
    /// The field's value, in ASCII.
    public let value: String
  }

  private let store: any SharedCardStore
  private let now: @Sendable () -> Int64

  /// Makes a service.
  ///
  /// - Parameter now: returns the seconds since 1970, by the store's clock.
  public init(_ store: any SharedCardStore, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Answers a GET or HEAD of a path that ends in a card's UUID, whatever comes before it.
  ///
  /// The answer is the same for a card that has expired, a card that never existed, and a path without a UUID.
  public func answer(_ method: String, _ path: String) async -> Answer {
    guard ["GET", "HEAD"].contains(method) else {
      return Self.text(405, "only GET and HEAD are answered", [Header(name: "Allow", value: "GET, HEAD")])
    }
    let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.count <= 2048, path.hasPrefix("/"), let id = segments.last.flatMap({ SharedCardID($0) }) else {
      return Self.absent
    }
    do throws(SharedCardError) {
      let card = try await store.card(id, at: now())
      return Answer(
        status: 200, headers: Self.headers + [Header(name: "Content-Type", value: "application/octet-stream")],
        body: card.record)
    } catch {
      return error.code == .absent ? Self.absent : Self.text(500, "the card cannot be read")
    }
  }

  private static let absent = text(404, "there is no such card, or it has expired")

  /// Neither a cache on the way nor a browser may keep a card longer than its store does.
  private static let headers = [
    Header(name: "Cache-Control", value: "no-store"), Header(name: "X-Content-Type-Options", value: "nosniff"),
  ]

  private static func text(_ status: Int, _ text: String, _ more: [Header] = []) -> Answer {
    Answer(
      status: status, headers: headers + [Header(name: "Content-Type", value: "text/plain; charset=utf-8")] + more,
      body: Array("\(text)\n".utf8))
  }
}
