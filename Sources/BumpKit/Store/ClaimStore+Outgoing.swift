public import BumpWire
import GRDB

extension ClaimStore {
  /// Makes a claim of ours and writes it down as new.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - random: draws the id and the secret, 16 bytes each.
  /// - Throws: `StoreError`.
  public func create(
    amount: Amount, token: Token, expiry: Expiry, at now: Int64 = UnixTime.now(), random: RandomBytes = .system
  ) async throws -> OutgoingClaim {
    let claim = Claim(
      id: ClaimID(random: random.draw(16)), secret: try ClaimSecret(random.draw(16)), token: token, amount: amount)
    try await write { database in
      try database.execute(
        sql: "INSERT INTO outgoing VALUES (?, ?, ?, ?, ?, 'new', NULL, ?)",
        arguments: [
          claim.id.description, Blob(claim.secret.exposed), token.description, amount.baseUnits, expiry.unixSeconds,
          now,
        ])
    }
    return OutgoingClaim(claim: claim, expiry: expiry, state: .new, peer: nil, createdAt: now)
  }

  /// One compare-and-set: a new claim becomes released, once, by one process.
  ///
  /// - Parameter peer: who it is for; `nil` for its link.
  /// - Returns: whether this call did it.
  /// - Throws: `StoreError`.
  public func release(_ id: ClaimID, to peer: DisplayName? = nil) async throws -> Bool {
    try await write { database in
      try database.execute(
        sql: "UPDATE outgoing SET state = 'released', peer = ? WHERE claimId = ? AND state = 'new'",
        arguments: [peer?.text, id.description])
      return database.changesCount == 1
    }
  }

  /// Writes down what became of a released claim: delivered, or unknown. A delivered one stays delivered.
  func record(_ state: ClaimState, of id: ClaimID) async throws {
    try await write { database in
      try database.execute(
        sql: """
          UPDATE outgoing SET state = :state WHERE claimId = :id
          AND state IN ('released', 'unknown') AND :state IN ('delivered', 'unknown')
          """, arguments: ["state": state.rawValue, "id": id.description])
    }
  }

  /// A claim of ours.
  ///
  /// - Throws: `StoreError`.
  public func outgoing(_ id: ClaimID) async throws -> OutgoingClaim? {
    try await read { database in
      try Row.fetchOne(database, sql: "SELECT * FROM outgoing WHERE claimId = ?", arguments: [id.description])
        .map(OutgoingClaim.init)
    }
  }

  /// Claims of ours that may or may not have been taken, and still can be, the newest first.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `StoreError`.
  public func undecided(at now: Int64) async throws -> [OutgoingClaim] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM outgoing WHERE state IN ('released', 'unknown') AND expiry > ?
          ORDER BY createdAt DESC, rowid DESC
          """, arguments: [now]
      ).map(OutgoingClaim.init)
    }
  }
}

extension OutgoingClaim {
  init(_ row: Row) throws {
    guard let state = ClaimState(rawValue: try row.decode(forColumn: "state")) else {
      throw DamagedRow(description: "a state that is not known")
    }
    let peer: String? = try row.decode(forColumn: "peer")
    self.init(
      claim: try Claim(row), expiry: try Expiry(row), state: state, peer: try peer.map { try DisplayName($0) },
      createdAt: try row.decode(forColumn: "createdAt"))
  }
}
