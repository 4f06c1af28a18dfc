import BumpClaims
import BumpKit
import BumpTerminal

/// Finds claims by a unique beginning of their id.
enum ClaimLookup {
  /// Finds a claim that was made here.
  ///
  /// - Throws: `CommandError` if no claim or several match.
  static func outgoing(_ prefix: ClaimID, in store: ClaimStore) async throws -> OutgoingClaim {
    let ids = try await store.ids(beginningWith: prefix, of: .outgoing, limit: limit)
    if ids.isEmpty, let received = try await store.ids(beginningWith: prefix, of: .incoming, limit: 1).first {
      throw CommandError(
        .failure, "claim \(received) was received, and not made here", remedy: "See: bump show \(received)")
    }
    let id = try unique(ids, prefix, "made here")
    guard let claim = try await store.outgoing(id) else { throw none(prefix, "made here") }
    return claim
  }

  /// Finds the entries of one claim: sent, received, or both.
  ///
  /// - Throws: `CommandError` if no claim or several match.
  static func entries(_ prefix: ClaimID, in store: ClaimStore?) async throws -> [HistoryEntry] {
    guard let store else { throw none(prefix) }
    let sent = try await store.ids(beginningWith: prefix, of: .outgoing, limit: limit)
    let received = try await store.ids(beginningWith: prefix, of: .incoming, limit: limit)
    let id = try unique(sent + received.filter { !sent.contains($0) }, prefix)
    let entries: [HistoryEntry] = try await store.outgoing(id).map { [.sent($0)] } ?? []
    return try await entries + store.incoming(id).map { .received($0) }
  }

  /// The most claims to read: enough to list those that make a beginning ambiguous.
  static let limit = 4

  /// Returns the only one of the claims that can be meant.
  ///
  /// - Parameters:
  ///   - what: what the claims are, such as `claim to settle`.
  ///   - remedy: what to do if there is none.
  /// - Throws: `CommandError` of usage if there is none, or several.
  static func only(_ claims: [OutgoingClaim], _ what: String, orElse remedy: String) throws -> OutgoingClaim {
    guard let claim = claims.first else { throw CommandError(.usage, "there is no \(what)", remedy: remedy) }
    guard claims.count > 1 else { return claim }
    throw CommandError(
      .usage, "there is more than one \(what): \(list(claims.map(\.claim.id)))", remedy: "Name one of them")
  }

  /// Returns the first ids of a list, which has at most `limit`.
  private static func list(_ ids: [ClaimID]) -> String {
    ids.prefix(limit - 1).map(\.description).joined(separator: ", ") + (ids.count >= limit ? ", …" : "")
  }

  private static func unique(_ ids: [ClaimID], _ prefix: ClaimID, _ which: String? = nil) throws -> ClaimID {
    // A complete id wins, even if other ids begin with it.
    if ids.contains(prefix) { return prefix }
    guard let id = ids.first else { throw none(prefix, which) }
    guard ids.count > 1 else { return id }
    let claims = which.map { "claims \($0)" } ?? "claims"
    throw CommandError(
      .failure, "several \(claims) begin with \(prefix): \(list(ids))", remedy: "Give more of the id")
  }

  private static func none(_ prefix: ClaimID, _ which: String? = nil) -> CommandError {
    CommandError(.failure, "there is no claim \(prefix) \(which ?? "here")", remedy: "`bump history` lists them")
  }
}
