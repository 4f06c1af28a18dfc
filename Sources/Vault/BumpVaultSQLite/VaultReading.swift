import BumpClaims
import BumpVault
import BumpWallet
import GRDB

/// Reads a store within one transaction.
struct VaultReading {
  let database: Database
  let time: StoreTime

  private func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
  }

  private func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Row] {
    try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
  }

  func claim(_ id: ClaimID) throws -> ClaimRecord? {
    try row("SELECT * FROM claims WHERE claimId = ?", [id.description]).map(ClaimRecord.init)
  }

  func claimID(of ledgerID: Bytes32) throws -> ClaimID? {
    try row("SELECT claimId FROM claims WHERE ledgerId = ? AND status <> 'none'", [ledgerID.blob])
      .map { try ClaimID($0.decode(String.self, forColumn: "claimId")) }
  }

  func deposit(_ id: ClaimID, from sender: Address) throws -> DepositRows {
    let claim = try claim(id)
    let rows = ClaimRows(time: time, claim: claim)
    guard let terms = claim?.terms else {
      return DepositRows(claim: rows, isLedgerIDUsed: false, balance: 0, use: SenderUsage())
    }
    let other = try row(
      "SELECT 1 FROM claims WHERE ledgerId = ? AND status <> 'none' AND claimId <> ?",
      [terms.ledgerID.blob, id.description])
    let balance = try row(
      "SELECT balance FROM balances WHERE account = ? AND token = ?", [sender.blob, terms.token.blob])
    let use = try row("SELECT * FROM senders WHERE address = ?", [sender.blob])
    return DepositRows(
      claim: rows, isLedgerIDUsed: other != nil, balance: try balance?.decode(forColumn: "balance") ?? 0,
      use: try use.map(SenderUsage.init) ?? SenderUsage())
  }

  func mint(_ id: Bytes32) throws -> JournalEntry? {
    try row("SELECT * FROM journal WHERE ledgerId = ? AND kind = 1", [id.blob]).map(JournalEntry.init)
  }

  func minted(_ token: Address) throws -> Int64 {
    try row("SELECT minted FROM tokens WHERE address = ?", [token.blob])?.decode(forColumn: "minted") ?? 0
  }

  func balances(of account: Address) throws -> [Address: Int64] {
    try rows("SELECT token, balance FROM balances WHERE account = ? AND balance > 0", [account.blob])
      .reduce(into: [:]) { $0[try $1.address("token")] = try $1.decode(forColumn: "balance") }
  }

  /// In two parts, so that each uses its own index.
  func history(of account: Address, before number: Int64, limit: Int) throws -> [NumberedEntry] {
    try rows(
      """
      SELECT * FROM (SELECT * FROM journal WHERE sender = :account AND number < :number ORDER BY number DESC LIMIT :limit)
      UNION SELECT * FROM
        (SELECT * FROM journal WHERE receiver = :account AND number < :number ORDER BY number DESC LIMIT :limit)
      ORDER BY number DESC LIMIT :limit
      """, ["account": account.blob, "number": number, "limit": limit]
    ).map { NumberedEntry(number: try $0.decode(forColumn: "number"), entry: try JournalEntry($0)) }
  }

  // The journal and the audit

  func lastBatch() throws -> (number: Int64, hash: Bytes32)? {
    try row("SELECT number, hash FROM batches ORDER BY number DESC LIMIT 1", []).map {
      (try $0.decode(forColumn: "number"), try $0.bytes32("hash"))
    }
  }

  func unsealed(limit: Int) throws -> [(number: Int64, hash: Bytes32)] {
    try rows("SELECT number, hash FROM journal WHERE batch IS NULL ORDER BY number LIMIT ?", [limit]).map {
      (try $0.decode(forColumn: "number"), try $0.bytes32("hash"))
    }
  }

  func hash(ofBatch number: Int64) throws -> Bytes32? {
    try row("SELECT hash FROM batches WHERE number = ?", [number])?.bytes32("hash")
  }

  func batch(_ number: Int64) throws -> SealedBatch? {
    guard let row = try row("SELECT * FROM batches WHERE number = ?", [number]) else { return nil }
    let entries = try audited("batch = ?", [number])
    return SealedBatch(
      batch: Batch(
        number: number, previous: try row.bytes32("previous"), time: try row.decode(forColumn: "time"),
        entries: entries.map(\.hash)),
      hash: try row.bytes32("hash"), entries: entries)
  }

  private func audited(_ condition: String, _ arguments: StatementArguments) throws -> [AuditedEntry] {
    try rows(
      """
      SELECT journal.*, secretHash, expiry, claims.token AS claimToken, claims.amount AS claimAmount
      FROM journal LEFT JOIN claims ON claims.ledgerId = journal.ledgerId AND status <> 'none' AND kind <> 1
      WHERE \(condition) ORDER BY number
      """, arguments
    ).map { row in
      let hasTerms = !row.hasNull(atIndex: row.count - 1)
      return AuditedEntry(
        entry: try JournalEntry(row), hash: try row.bytes32("hash"),
        terms: hasTerms
          ? ClaimTerms(
            secretHash: try row.bytes32("secretHash"), token: try row.address("claimToken"),
            amount: try row.amount("claimAmount"), expiry: try row.moment("expiry"))
          : nil)
    }
  }

  func snapshot() throws -> StoreSnapshot {
    let (balances, minted) = (
      try rows("SELECT * FROM balances WHERE balance <> 0"), try rows("SELECT address, minted FROM tokens")
    )
    return StoreSnapshot(
      batches: try lastBatch()?.number ?? 0, unsealed: try audited("batch IS NULL", []),
      balances: try balances.reduce(into: [:]) {
        $0[BalanceKey(try $1.address("account"), try $1.address("token"))] = try $1.decode(forColumn: "balance")
      },
      minted: try minted.reduce(into: [:]) { $0[try $1.address("address")] = try $1.decode(forColumn: "minted") },
      claims: try rows("SELECT * FROM claims WHERE status <> 'none'").map(ClaimRecord.init),
      pending: try rows("SELECT address, pending FROM senders").reduce(into: [:]) {
        $0[try $1.address("address")] = try $1.decode(forColumn: "pending")
      },
      vaults: try vaults())
  }

  // The vault's identity

  func tokens() throws -> [TokenContract] {
    try rows("SELECT * FROM tokens ORDER BY rowid").map { row in
      TokenContract(
        token: try Token(row.decode(String.self, forColumn: "symbol")), address: try row.address("address"),
        domainName: try row.decode(forColumn: "domainName"), domainVersion: try row.decode(forColumn: "domainVersion"))
    }
  }

  private func vaults() throws -> [VaultDescription] {
    let tokens = try tokens()
    return try rows("SELECT chainId, address FROM vaults ORDER BY number").map { row in
      guard let chainID = UInt64(exactly: try row.decode(Int64.self, forColumn: "chainId")) else { throw DamagedRow() }
      return try VaultDescription(chainID: chainID, address: row.address("address"), tokens: tokens)
    }
  }

  func identity() throws -> VaultIdentity {
    guard
      let row = try row("SELECT * FROM vaults ORDER BY number DESC LIMIT 1", []),
      let chainID = UInt64(exactly: try row.decode(Int64.self, forColumn: "chainId"))
    else { throw DamagedRow() }
    let identity = try VaultIdentity(
      chainID: chainID, key: PrivateKey(try row.bytes("key")), tokens: tokens())
    guard try row.address("address") == identity.address else { throw DamagedRow() }
    return identity
  }
}
