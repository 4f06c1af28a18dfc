public import BumpClaims
import Crypto
import GRDB

/// The money that vaults hold for claims of this store.
extension ClaimStore {
  /// Records what is known about a claim's money, unless the store knows more already.
  ///
  /// - Returns: the record in the store now: the new one, or the one that it may not replace.
  /// - Throws: `StoreError`. Then nothing was written.
  public func note(
    _ funding: Funding, of claim: Claim, expiry: Expiry, _ direction: Direction
  ) async throws -> Funding {
    try await replace(funding, of: claim, expiry: expiry, direction).funding
  }

  /// Records what is known about a claim's money, as above, and returns whether it was written. Of several processes that
  /// record one payment, one writes it.
  ///
  /// - Throws: `StoreError`, also for a final state without a receipt. Then nothing was written.
  public func replace(
    _ funding: Funding, of claim: Claim, expiry: Expiry, _ direction: Direction
  ) async throws -> (funding: Funding, isWritten: Bool) {
    let hash = Self.key(of: claim)
    return try await write { database in
      if let present = try Self.funding(hash, direction, in: database), !present.mayBecome(funding, direction) {
        return (present, false)
      }
      try Self.write(funding, of: claim, expiry: expiry, direction, in: database)
      return (funding, true)
    }
  }

  /// Replaces the record about a claim's money by one that was made from it, unless another process has written meanwhile.
  ///
  /// - Parameter before: the record that is replaced; `nil` if there was none.
  /// - Returns: whether the new one was written.
  /// - Throws: `StoreError`. Then nothing was written.
  public func replace(
    _ before: Funding?, by funding: Funding, of claim: Claim, expiry: Expiry, _ direction: Direction
  ) async throws -> Bool {
    let hash = Self.key(of: claim)
    return try await write { database in
      let present = try Self.funding(hash, direction, in: database)
      guard present == before, present?.mayBecome(funding, direction) ?? true else { return false }
      try Self.write(funding, of: claim, expiry: expiry, direction, in: database)
      return true
    }
  }

  /// Restores the record before a request that was certainly not carried out, if that request is still the current
  /// record.
  ///
  /// - Parameters:
  ///   - request: the record of the request, as it was written.
  ///   - before: the record before it; `nil` if there was none.
  /// - Throws: `StoreError`. Then nothing was written.
  public func takeBack(
    _ request: Funding, to before: Funding?, of claim: Claim, expiry: Expiry, _ direction: Direction
  ) async throws {
    let hash = Self.key(of: claim)
    try await write { database in
      guard try Self.funding(hash, direction, in: database) == request else { return }
      if let before { return try Self.write(before, of: claim, expiry: expiry, direction, in: database) }
      try database.execute(
        sql: "DELETE FROM funding WHERE direction = ? AND payloadHash = ?", arguments: [direction.rawValue, hash])
    }
  }

  static func write(
    _ funding: Funding, of claim: Claim, expiry: Expiry, _ direction: Direction, in database: Database
  ) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO funding
          (direction, payloadHash, vault, ledgerId, expiry, status, account, request, txHash, receiver, receipt, level,
            heldAt, updatedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        direction.rawValue, key(of: claim), funding.vault, funding.ledgerID, expiry.unixSeconds,
        funding.status.rawValue, funding.account, funding.request, funding.transaction, funding.receiver,
        funding.receipt, funding.level?.rawValue, funding.heldAt, funding.updatedAt,
      ])
  }

  /// Returns what is known about a claim's money; `nil` if no vault was asked.
  ///
  /// - Throws: `StoreError`.
  public func funding(of claim: Claim, _ direction: Direction) async throws -> Funding? {
    let hash = Self.key(of: claim)
    return try await read { try Self.funding(hash, direction, in: $0) }
  }

  /// Returns what is known about the money of history entries, in their order.
  ///
  /// - Throws: `StoreError`.
  public func funding(of entries: [HistoryEntry]) async throws -> [Funding?] {
    let keys = entries.map { entry in
      switch entry {
      case .sent(let claim): (Self.key(of: claim.claim), Direction.outgoing)
      case .received(let claim): (Self.key(of: claim.claim), Direction.incoming)
      }
    }
    return try await read { database in try keys.map { try Self.funding($0.0, $0.1, in: database) } }
  }

  /// Returns claims made in this store whose money a vault holds or may hold, or whose end may be undone, the earliest
  /// expiry first.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of claims to return.
  ///   - now: the time by which a released claim's deadline is judged.
  /// - Throws: `StoreError`.
  public func unfinished(limit: Int, at now: ClockReading = .now()) async throws -> [(OutgoingClaim, Funding)] {
    try await read { database in
      let rows = try Row.fetchAll(database, sql: Self.unfinishedQuery, arguments: [limit])
      var found: [(OutgoingClaim, Funding)] = []
      for row in rows {
        let funding = try Funding(row)
        let hash: Blob = try row.decode(forColumn: "payloadHash")
        let expiry: Int64 = try row.decode(forColumn: "expiry")
        // A store has few claims that expire in the same second.
        let claims = try Row.fetchAll(database, sql: Self.expiryQuery, arguments: [expiry])
          .map { try OutgoingClaim($0, at: now) }
        if let claim = claims.first(where: { Self.key(of: $0.claim).bytes == hash.bytes }) {
          found.append((claim, funding))
        }
      }
      return found
    }
  }

  /// Has the condition of the index `fundingUnfinished`, word for word. SQLite would prefer the primary key, and sort.
  static let unfinishedQuery = """
    SELECT * FROM funding INDEXED BY fundingUnfinished
    WHERE (status IN ('asked', 'pending', 'takingBack') OR level = 'confirmed') AND direction = 'outgoing' ORDER BY expiry LIMIT ?
    """

  static let expiryQuery = "SELECT * FROM outgoing WHERE expiry = ?"

  /// Returns the description of a vault that the owner of this store confirmed, as JSON from the vault; `nil` if none
  /// was confirmed.
  ///
  /// - Parameter url: the vault's URL.
  /// - Throws: `StoreError`.
  public func confirmedVault(at url: String) async throws -> String? {
    try await read { database in
      try String.fetchOne(database, sql: "SELECT description FROM vaults WHERE url = ?", arguments: [url])
    }
  }

  /// Returns the descriptions of all vaults that the owner of this store confirmed, by URL.
  ///
  /// - Throws: `StoreError`.
  public func confirmedVaults() async throws -> [String: String] {
    try await read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT url, description FROM vaults")
      return try rows.reduce(into: [:]) {
        $0[try $1.decode(forColumn: "url")] = try $1.decode(forColumn: "description")
      }
    }
  }

  /// Records the description of a vault that the owner of this store confirmed. It replaces the one before.
  ///
  /// - Parameters:
  ///   - former: the URL at which the same vault was confirmed before it moved. That confirmation is removed, and claims
  ///     whose money is there have it at the new URL.
  ///   - now: the time in seconds since 1970.
  /// - Throws: `StoreError`.
  public func confirm(
    vault url: String, describedAs description: String, movedFrom former: String? = nil, at now: Int64 = UnixTime.now()
  ) async throws {
    try await write { database in
      if let former {
        try database.execute(sql: "DELETE FROM vaults WHERE url = ?", arguments: [former])
        try database.execute(sql: "UPDATE funding SET vault = ? WHERE vault = ?", arguments: [url, former])
      }
      try database.execute(
        sql: "INSERT OR REPLACE INTO vaults (url, description, confirmedAt) VALUES (?, ?, ?)",
        arguments: [url, description, now])
    }
  }

  static func key(of claim: Claim) -> Blob { Blob(SHA256.hash(data: claim.payload)) }

  static func funding(_ hash: Blob, _ direction: Direction, in database: Database) throws -> Funding? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM funding WHERE direction = ? AND payloadHash = ?",
      arguments: [direction.rawValue, hash]
    ).map(Funding.init)
  }
}

extension Funding {
  init(_ row: Row) throws {
    guard let status = Status(rawValue: try row.decode(forColumn: "status")) else {
      throw DamagedRow(description: "a status that is not known")
    }
    let said: String? = try row.decode(forColumn: "level")
    let level = said.flatMap(Level.init)
    guard (said == nil) == (level == nil) else { throw DamagedRow(description: "a level that is not known") }
    self.init(
      vault: try row.decode(forColumn: "vault"), ledgerID: try row.decode(forColumn: "ledgerId"), status: status,
      account: try row.decode(forColumn: "account"), request: try row.decode(forColumn: "request"),
      transaction: try row.decode(forColumn: "txHash"), receiver: try row.decode(forColumn: "receiver"),
      receipt: try row.decode(forColumn: "receipt"), level: level, heldAt: try row.decode(forColumn: "heldAt"),
      updatedAt: try row.decode(forColumn: "updatedAt"))
  }
}
