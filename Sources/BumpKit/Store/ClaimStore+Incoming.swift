public import BumpChannel
public import BumpWire
import Crypto
import GRDB

extension ClaimStore {
  /// Makes a claim durable, once: what counts is its payload's hash, so that a stranger who saw its id
  /// cannot block it with junk.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: `.stored`, `.duplicate` or `.storedBesideAnother`.
  /// - Throws: `StoreError`, such as `.ownClaim` for a claim that was made in this store; then nothing was stored.
  public func store(_ verified: VerifiedClaim, at now: Int64 = UnixTime.now()) async throws -> StoredStatus {
    try await store(verified, at: now, if: { true })
  }

  /// Makes a claim durable as above, where its time is not over once the store is ours to write.
  func store(
    _ verified: VerifiedClaim, at now: Int64, if isTimely: @escaping @Sendable () -> Bool
  ) async throws -> StoredStatus {
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
  /// - Returns: what became of the claim, as in `store`, and whether the key was kept.
  /// - Throws: `StoreError`; then neither was stored.
  public func store(
    _ verified: VerifiedClaim, remembering key: SharedKey, as name: DisplayName, at now: Int64 = UnixTime.now()
  ) async throws -> (status: StoredStatus, isRemembered: Bool) {
    try await store(verified, remembering: key, as: name, at: now, if: { true })
  }

  func store(
    _ verified: VerifiedClaim, remembering key: SharedKey, as name: DisplayName, at now: Int64,
    if isTimely: @escaping @Sendable () -> Bool
  ) async throws -> (status: StoredStatus, isRemembered: Bool) {
    try await write { database in
      guard isTimely() else { throw Overdue() }
      let status = try Self.store(verified, at: now, in: database)
      return (status, try Self.remember(key, as: name, isConfirmed: true, at: now, in: database))
    }
  }

  private static func store(_ verified: VerifiedClaim, at now: Int64, in database: Database) throws -> StoredStatus {
    let claim = verified.claim
    let isOwn = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM outgoing WHERE claimId = ? AND secret = ?)",
      arguments: [claim.id.description, Blob(claim.secret.exposed)])
    if isOwn == true {
      throw StoreError(
        .ownClaim,
        "the claim \(claim.id) was made in this store, so nothing was received; whoever takes it needs another")
    }
    let hash = Blob(SHA256.hash(data: claim.payload))
    let isHere = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM incoming WHERE payloadHash = ?)", arguments: [hash])
    if isHere == true { return .duplicate }
    let isBesideAnother = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM incoming WHERE claimId = ?)", arguments: [claim.id.description])
    try database.execute(
      sql: "INSERT INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        hash, claim.id.description, Blob(claim.secret.exposed), claim.token.description, claim.amount.baseUnits,
        verified.expiry.unixSeconds, verified.from?.text, now,
      ])
    // STORED says that it is here: that is looked at, not inferred.
    let kept = try Row.fetchAll(database, sql: "SELECT * FROM incoming WHERE payloadHash = ?", arguments: [hash])
      .map(IncomingClaim.init)
    guard kept == [IncomingClaim(claim: claim, expiry: verified.expiry, from: verified.from, receivedAt: now)] else {
      throw DamagedRow(description: "what was written is not what is read")
    }
    return isBesideAnother == true ? .storedBesideAnother : .stored
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
