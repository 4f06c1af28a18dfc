import BumpClaims
import BumpKit
import BumpWire
import Lab
import Testing

/// A key that an end keeps of the other.
struct RememberedKey: Sendable {
  let key: SharedKey
  /// Whether it is known that the other end keeps it too.
  let isConfirmed: Bool
}

extension BumpUser {
  /// The key of a name in its store.
  func key(of name: String) async throws -> RememberedKey? {
    guard let store = try await ClaimStore.openForReading(at: "\(directory)/bump.sqlite") else { return nil }
    let name = try DisplayName(name)
    guard let key = try await store.agreedKey(of: name), let isConfirmed = try await store.isConfirmed(name) else {
      return nil
    }
    return RememberedKey(key: key, isConfirmed: isConfirmed)
  }
}

extension InterceptedBump.Outcome {
  /// What an end says in the end of the other and itself remembering each other.
  private func said(by finished: ProcessResult) throws -> String? {
    let words = ["remembered", "notRemembered", "rememberingUnknown"]
    return try finished.events.compactMap { $0.string("event") }.last(where: words.contains)
  }

  /// What holds of the keys whatever happens: the receiver keeps none that the sender has not kept before, and what either
  /// end says is so.
  func expectTruthOfKeys(_ what: String) {
    let what: Comment = "\(what)\n\(self)"
    if let key = keys.ofSender?.key { #expect(keys.ofReceiver?.key == key, what) }
    #expect(throws: Never.self, what) {
      switch try said(by: sent) {
      case "remembered": #expect(keys.ofReceiver?.isConfirmed == true && keys.ofSender != nil, what)
      case "rememberingUnknown": #expect(keys.ofReceiver?.isConfirmed == false, what)
      default: #expect(keys.ofReceiver == nil && keys.ofSender == nil, what)
      }
      #expect(try (said(by: received) == "remembered") == (keys.ofSender != nil), what)
    }
  }
}
