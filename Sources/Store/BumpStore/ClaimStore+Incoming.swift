public import BumpClaims
import Crypto
import GRDB

extension ClaimStore {
  /// Stores a received claim, durably and once. Claims are told apart by the hash of their payload, so that a stranger
  /// who saw a claim's id cannot block the claim with junk.
  ///
  /// If the claim was sent from this same store, it is kept both as sent and as received, and its state becomes
  /// delivered, even if the sender's session never learns of that. A link of a claim made in this store is refused: its
  /// maker gains nothing.
  ///
  /// - Parameter now: the time in seconds since 1970.
  /// - Throws: `StoreError`, such as `.ownClaim` for the link of a claim that was made in this store. Then nothing was
  ///   stored.
  public func store(_ verified: VerifiedClaim, at now: Int64 = UnixTime.now()) async throws -> StoreResult {
    try await store(verified, at: now, if: { true })
  }

  /// Stores a claim as above, if `isTimely` is still true once the store is locked for writing.
  package func store(
    _ verified: VerifiedClaim, at now: Int64, if isTimely: @escaping @Sendable () -> Bool
  ) async throws -> StoreResult {
    try await write { database in
      guard isTimely() else { throw Overdue() }
      return try Self.store(verified, at: now, in: database)
    }
  }

  /// Stores a received claim and the key of its sender, durably, both or neither.
  ///
  /// - Parameters:
  ///   - name: the name under which to keep the key. If the name has a key already, that key stays, and the claim is
  ///     stored nevertheless.
  ///   - now: the time in seconds since 1970.
  /// - Returns: the result for the claim, as in `store`, and for the key.
  /// - Throws: `StoreError`. Then neither was stored.
  public func store(
    _ verified: VerifiedClaim, remembering key: SharedKey, as name: DisplayName, at now: Int64 = UnixTime.now()
  ) async throws -> (claim: StoreResult, key: RememberResult) {
    try await store(verified, remembering: key, as: name, at: now, if: { true })
  }

  package func store(
    _ verified: VerifiedClaim, remembering key: SharedKey, as name: DisplayName, at now: Int64,
    if isTimely: @escaping @Sendable () -> Bool
  ) async throws -> (claim: StoreResult, key: RememberResult) {
    try await write { database in
      guard isTimely() else { throw Overdue() }
      let result = try Self.store(verified, at: now, in: database)
      let kept = try Self.remember(
        key, as: name, agreedOnWith: .incoming, isConfirmed: true, at: now, in: database)
      return (result, kept)
    }
  }

  /// The result of removing a received claim.
  package enum RemovalResult: Hashable, Sendable {
    case removed
    /// The claim was sent from this same store, where it is delivered: it stays, since nobody else gets it.
    case sentFromHere
  }

  /// Removes a claim whose commit took so long that its sender may have given it to another receiver.
  ///
  /// - Throws: `StoreError`. Then the claim is still here.
  package func remove(_ verified: VerifiedClaim) async throws -> RemovalResult {
    try await write { database in
      guard try !Self.isOwn(verified.claim, in: database) else { return .sentFromHere }
      try database.execute(
        sql: "DELETE FROM incoming WHERE payloadHash = ?",
        arguments: [Blob(SHA256.hash(data: verified.claim.payload))])
      return .removed
    }
  }

  private static func store(_ verified: VerifiedClaim, at now: Int64, in database: Database) throws -> StoreResult {
    let claim = verified.claim
    let hash = Blob(SHA256.hash(data: claim.payload))
    let isHere = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM incoming WHERE payloadHash = ?)", arguments: [hash])
    if case .session = verified.origin { try Self.noteArrival(of: claim, in: database) }
    if isHere == true { return .duplicate }
    if verified.from == nil, try Self.isOwn(claim, in: database) {
      throw StoreError(
        .ownClaim,
        "the claim \(claim.id) was made in this store, so nothing was received",
        remedy: "Receive it into another store, with --store")
    }
    let isBesideAnother = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM incoming WHERE claimId = ?)", arguments: [claim.id.description])
    try database.execute(
      sql: "INSERT INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        hash, claim.id.description, Blob(claim.secret.exposed), claim.token.description, claim.amount.baseUnits,
        verified.expiry.unixSeconds, verified.from?.text, now,
      ])
    // STORED tells the sender that the claim is here, so read it back instead of assuming.
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM incoming WHERE payloadHash = ?", arguments: [hash])
    let written = IncomingClaim(claim: claim, expiry: verified.expiry, from: verified.from, receivedAt: now)
    guard (try? rows.map(IncomingClaim.init)) == [written] else {
      throw StoreError(.notAsWritten, "what was written to the store is not what is read")
    }
    return isBesideAnother == true ? .storedBesideAnother : .stored
  }

  /// Whether a claim was made in this store. Compares the secret too, since anybody can use the same id.
  private static func isOwn(_ claim: Claim, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM outgoing WHERE claimId = ? AND secret = ?)",
      arguments: [claim.id.description, Blob(claim.secret.exposed)]) == true
  }

  /// Notes that a claim sent from this store has arrived in it: its link must not be shown any more, though the
  /// sender's session may never learn of that.
  private static func noteArrival(of claim: Claim, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE outgoing SET state = 'delivered', deadline = NULL
        WHERE claimId = ? AND secret = ? AND state IN ('released', 'unknown')
        """, arguments: [claim.id.description, Blob(claim.secret.exposed)])
  }

  /// Returns the claims received under an id. If there are several, all but one are junk.
  ///
  /// - Throws: `StoreError`.
  public func incoming(_ id: ClaimID) async throws -> [IncomingClaim] {
    try await read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM incoming WHERE claimId = ?", arguments: [id.description])
        .map(IncomingClaim.init)
    }
  }
}

/// The error for a claim that was received in time, but not stored in time: its sender may have given it to another
/// receiver.
struct Overdue: Error {}

extension IncomingClaim {
  init(_ row: Row) throws {
    let sender: String? = try row.decode(forColumn: "sender")
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), from: try sender.map { try DisplayName($0) },
      receivedAt: try row.decode(forColumn: "receivedAt"))
  }
}
