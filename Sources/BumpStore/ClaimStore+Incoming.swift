public import BumpClaims
import Crypto
import GRDB

extension ClaimStore {
  /// Makes a claim durable, once: what counts is its payload's hash, so that a stranger who saw its id
  /// cannot block it with junk.
  ///
  /// A claim that a sender of this very store has sent is kept as sent and as received, and is delivered from then on,
  /// whether or not that sender hears of it. From its link it is not taken: whoever made the link gains nothing by that.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `StoreError`, such as `.ownClaim` for the link of a claim that was made in this store; then nothing was
  ///   stored.
  public func store(_ verified: VerifiedClaim, at now: Int64 = UnixTime.now()) async throws -> StoreResult {
    try await store(verified, at: now, if: { true })
  }

  /// Makes a claim durable as above, where its time is not over once the store is locked for writing.
  package func store(
    _ verified: VerifiedClaim, at now: Int64, if isTimely: @escaping @Sendable () -> Bool
  ) async throws -> StoreResult {
    try await write { database in
      guard isTimely() else { throw Overdue() }
      return try Self.store(verified, at: now, in: database)
    }
  }

  /// Makes a claim and the key of its sender durable, both or neither.
  ///
  /// - Parameters:
  ///   - name: what the key is kept under. A name that has a key already keeps that one, and the claim is stored all
  ///     the same.
  ///   - now: seconds since 1970.
  /// - Returns: what became of the claim, as in `store`, and of the key.
  /// - Throws: `StoreError`; then neither was stored.
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
      return (result, try Self.remember(key, as: name, isConfirmed: true, at: now, in: database))
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
        remedy: "Whoever takes it needs another store")
    }
    let isBesideAnother = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM incoming WHERE claimId = ?)", arguments: [claim.id.description])
    try database.execute(
      sql: "INSERT INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        hash, claim.id.description, Blob(claim.secret.exposed), claim.token.description, claim.amount.baseUnits,
        verified.expiry.unixSeconds, verified.from?.text, now,
      ])
    // STORED says that it is here: that is looked at, not inferred.
    let rows = try Row.fetchAll(database, sql: "SELECT * FROM incoming WHERE payloadHash = ?", arguments: [hash])
    let written = IncomingClaim(claim: claim, expiry: verified.expiry, from: verified.from, receivedAt: now)
    guard (try? rows.map(IncomingClaim.init)) == [written] else {
      throw StoreError(.notAsWritten, "what was written to the store is not what is read")
    }
    return isBesideAnother == true ? .storedBesideAnother : .stored
  }

  /// Whether a claim was made in this store: an id alone is nobody's.
  private static func isOwn(_ claim: Claim, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM outgoing WHERE claimId = ? AND secret = ?)",
      arguments: [claim.id.description, Blob(claim.secret.exposed)]) == true
  }

  /// A claim that was sent from this store has arrived in it: no link of it is to be shown any more, though its sender
  /// may never hear of that.
  private static func noteArrival(of claim: Claim, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE outgoing SET state = 'delivered', deadline = NULL
        WHERE claimId = ? AND secret = ? AND state IN ('released', 'unknown')
        """, arguments: [claim.id.description, Blob(claim.secret.exposed)])
  }

  /// The claims that were received under an id. More than one means that all but one are junk.
  ///
  /// - Throws: `StoreError`.
  public func incoming(_ id: ClaimID) async throws -> [IncomingClaim] {
    try await read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM incoming WHERE claimId = ?", arguments: [id.description])
        .map(IncomingClaim.init)
    }
  }
}

/// Why a claim that came in time is not stored any more: its sender may give it to somebody else by now.
struct Overdue: Error {}

extension IncomingClaim {
  init(_ row: Row) throws {
    let sender: String? = try row.decode(forColumn: "sender")
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), from: try sender.map { try DisplayName($0) },
      receivedAt: try row.decode(forColumn: "receivedAt"))
  }
}
