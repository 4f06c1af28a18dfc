import ArgumentParser
import BumpHTTP
import BumpSharedCards
import BumpTerminal
import Synchronization

/// A server that serves shared cards over HTTP, such as `bump-clip card serve`.
struct HTTPCards: Sendable {
  /// The URL before `/{UUID}`.
  let base: String

  /// The time limit for an answer.
  private static let limit: Duration = .seconds(30)

  init(_ text: String) throws {
    let isURL = ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    let allowed = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#?'\"\\@".utf8.contains($0) }
    guard isURL, allowed, text.utf8.count <= 512 else {
      throw ValidationError("a server looks like https://host/path, without a query")
    }
    base = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// The server that a link itself names.
  init(of link: SharedCardLink) { base = link.base }

  /// Fetches a card. The answer is ciphertext, and is not trusted until it opens with the link's key.
  ///
  /// - Throws: `SharedCardError` `absent`, `damaged`; `CommandError` if no complete answer is received.
  func card(_ id: SharedCardID, roots: String?) async throws -> SharedCard {
    let record = Mutex<[UInt8]>([])
    let answer = await HTTPRequest(
      url: "\(base)/\(id)", accept: "application/octet-stream", roots: roots, connectLimit: .seconds(5),
      limit: Self.limit
    ).perform { status, _, bytes in
      guard status == 200 else { return false }
      return record.withLock { record in
        record += bytes
        return record.count <= SharedCard.recordLimit
      }
    }
    switch (answer.end, answer.status) {
    case (.answered, 200): return try SharedCard(record: record.withLock { $0 }, named: id)
    case (.answered, 404), (.answered, 410), (.stopped, 404), (.stopped, 410): throw SharedCardError.absent
    case (.stopped, 200): throw SharedCardError.damaged
    case (.answered, let status), (.stopped, let status):
      throw CommandError(.failure, "the server answered with HTTP status \(status)", remedy: "Try again later")
    default: throw CommandError(.failure, "the server was not reached: \(answer.failure.reason)", remedy: "Try again")
    }
  }
}
