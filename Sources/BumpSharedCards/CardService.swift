/// What a store of shared cards answers over HTTP. Only the read side is there: nobody puts a card by it.
public struct CardService: Sendable {
  /// An answer, without the headers that say how long it is and that the connection ends.
  public struct Answer: Hashable, Sendable {
    public let status: Int
    public let headers: [Header]
    public let body: [UInt8]
  }

  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  private let store: any SharedCardStore
  private let now: @Sendable () -> Int64

  /// - Parameter now: seconds since 1970: the store's clock.
  public init(_ store: any SharedCardStore, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Answers a GET or HEAD of a path that ends in a card's UUID, whatever stands before it.
  ///
  /// A card that has expired, one that was never there, and a path without a UUID have the same answer.
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

  /// Neither a cache on the way nor a browser keeps a card for longer than its store.
  private static let headers = [
    Header(name: "Cache-Control", value: "no-store"), Header(name: "X-Content-Type-Options", value: "nosniff"),
  ]

  private static func text(_ status: Int, _ text: String, _ more: [Header] = []) -> Answer {
    Answer(
      status: status, headers: headers + [Header(name: "Content-Type", value: "text/plain; charset=utf-8")] + more,
      body: Array("\(text)\n".utf8))
  }
}
