import BumpClaims
import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

/// The error for a condition that no longer holds. It rolls the transaction back.
struct Stale: Error {}

/// One change within a transaction that has the file to itself. The claim's row comes first, then the sender's count,
/// then the balance, then the journal. Each update contains its own condition.
struct VaultTransaction {
  let database: Database
  /// The store's time, read once the lock is held, so that waiting for the lock does not make it old.
  let time: StoreTime
  var now: Int64 { time.now }

  func carryOut(_ change: Change) throws -> Committed {
    switch change {
    case .draft(let draft): try write(draft)
    case .deposit(let deposit): try write(deposit)
    case .claim(let claim): try write(claim)
    case .refund(let refund): try write(refund)
    case .mint(let mint): try write(mint)
    }
  }

  /// Runs an update that must change one row.
  ///
  /// - Throws: `Stale` if it changes none.
  private func change(_ sql: String, _ arguments: StatementArguments) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.execute(arguments: arguments)
    guard database.changesCount == 1 else { throw Stale() }
  }

  private func write(_ draft: Change.Draft) throws -> Committed {
    let terms = draft.terms
    try change(
      """
      INSERT INTO claims (claimId, ledgerId, secretHash, token, amount, expiry, status, draftedAt)
      VALUES (:id, :ledgerId, :secretHash, :token, :amount, :expiry, 'none', :now)
      ON CONFLICT (claimId) DO UPDATE SET
        ledgerId = excluded.ledgerId, secretHash = excluded.secretHash, token = excluded.token,
        amount = excluded.amount, expiry = excluded.expiry, draftedAt = excluded.draftedAt
      WHERE status = 'none' AND draftedAt <= :now - :lifetime
      """,
      [
        "id": draft.claimID.description, "ledgerId": terms.ledgerID.blob, "secretHash": terms.secretHash.blob,
        "token": terms.token.blob, "amount": terms.amount.baseUnits, "expiry": terms.expiry.unixSeconds, "now": now,
        "lifetime": draft.lifetime,
      ])
    return Committed(claim: draft.record(at: now))
  }

  private func write(_ deposit: Change.Deposit) throws -> Committed {
    let (terms, word, limits) = (deposit.terms, deposit.authorization, deposit.limits)
    let entry = deposit.entry(at: now)
    try change(
      """
      UPDATE claims SET status = 'pending', draftedAt = NULL, sender = :sender, authorization = :authorization,
        validBefore = :validBefore, depositHash = :hash, depositedAt = :now
      WHERE claimId = :id AND status = 'none' AND ledgerId = :ledgerId AND draftedAt > :now - :lifetime
        AND :clock < expiry AND :clock < :validBefore
        AND NOT EXISTS (SELECT 1 FROM claims WHERE ledgerId = :ledgerId AND status <> 'none')
      """,
      [
        "id": deposit.claimID.description, "ledgerId": terms.ledgerID.blob, "sender": word.sender.blob,
        "authorization": Data(word.bytes), "validBefore": word.validBefore.unixSeconds, "hash": entry.hash.blob,
        "now": now, "clock": time.clock, "lifetime": limits.draftLifetime,
      ])
    try count(word.sender, limits)
    try change(
      "UPDATE balances SET balance = balance - :amount WHERE account = :account AND token = :token AND balance >= :amount",
      ["account": word.sender.blob, "token": terms.token.blob, "amount": terms.amount.baseUnits])
    try append(entry)
    return Committed(claim: deposit.record(entry), entry: entry)
  }

  /// Counts a deposit, if the sender has reached neither limit.
  private func count(_ sender: Address, _ limits: VaultLimits) throws {
    guard limits.pending > 0, limits.depositsPerDay > 0 else { throw Stale() }
    try change(
      """
      INSERT INTO senders (address, pending, day, deposits) VALUES (:sender, 1, :day, 1)
      ON CONFLICT (address) DO UPDATE SET
        pending = pending + 1, day = :day, deposits = CASE WHEN day = :day THEN deposits + 1 ELSE 1 END
      WHERE pending < :most AND (day <> :day OR deposits < :mostOfDay)
      """,
      ["sender": sender.blob, "day": Day.of(now), "most": limits.pending, "mostOfDay": limits.depositsPerDay])
  }

  private func write(_ change: Change.Claim) throws -> Committed {
    guard let claim = try claim(change.claimID), claim.status == .pending else { throw Stale() }
    return try pay(
      claim, by: change.entry(at: now, of: claim), where: "status = 'pending' AND :now < expiry")
  }

  private func write(_ change: Change.Refund) throws -> Committed {
    guard let claim = try claim(change.claimID), case .pending(let deposit) = claim.state else { throw Stale() }
    return try pay(
      claim, by: change.entry(at: now, of: claim, deposit), where: "status = 'pending' AND :now >= expiry")
  }

  private func claim(_ id: ClaimID) throws -> ClaimRecord? {
    try VaultReading(database: database, time: time).claim(id)
  }

  private func pay(_ claim: ClaimRecord, by entry: JournalEntry, where condition: String) throws -> Committed {
    guard let record = claim.settled(by: entry), let sender = claim.deposit?.authorization.sender else { throw Stale() }
    try change(
      """
      UPDATE claims SET status = :status, receiver = :receiver, settlementHash = :hash, settledAt = :now
      WHERE claimId = :id AND \(condition)
      """,
      [
        "id": claim.claimID.description, "status": record.status.rawValue, "receiver": entry.to.blob,
        "hash": entry.hash.blob, "now": now,
      ])
    try change("UPDATE senders SET pending = pending - 1 WHERE address = :sender", ["sender": sender.blob])
    try pay(entry)
    try append(entry)
    return Committed(claim: record, entry: entry)
  }

  private func write(_ mint: Change.Mint) throws -> Committed {
    guard try VaultReading(database: database, time: time).mint(mint.id) == nil else { throw Stale() }
    let entry = mint.entry(at: now)
    try change(
      "UPDATE tokens SET minted = minted + :amount WHERE address = :token AND minted <= :most - :amount",
      ["token": mint.token.blob, "amount": mint.amount.baseUnits, "most": Int64.max])
    try pay(entry)
    try append(entry)
    return Committed(entry: entry)
  }

  private func pay(_ entry: JournalEntry) throws {
    try change(
      """
      INSERT INTO balances (account, token, balance) VALUES (:account, :token, :amount)
      ON CONFLICT (account, token) DO UPDATE SET balance = balance + excluded.balance
      """,
      ["account": entry.to.blob, "token": entry.token.blob, "amount": entry.amount.baseUnits])
  }

  private func append(_ entry: JournalEntry) throws {
    try change(
      """
      INSERT INTO journal (hash, kind, time, ledgerId, sender, receiver, token, amount, evidence)
      VALUES (:hash, :kind, :time, :ledgerId, :sender, :receiver, :token, :amount, :evidence)
      """,
      [
        "hash": entry.hash.blob, "kind": Int64(entry.kind.rawValue), "time": entry.time,
        "ledgerId": entry.ledgerID.blob, "sender": entry.from.blob, "receiver": entry.to.blob,
        "token": entry.token.blob, "amount": entry.amount.baseUnits, "evidence": Data(entry.evidence),
      ])
  }
}
