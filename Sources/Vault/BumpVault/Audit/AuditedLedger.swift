import BumpClaims
import BumpWallet

/// The balances and claims that follow from a vault's journal.
struct AuditedLedger {
  private struct Life {
    var deposit: JournalEntry?
    var end: JournalEntry?
  }

  private var mints: Set<Bytes32> = []
  private var lives: [Bytes32: Life] = [:]
  private var balances: [BalanceKey: Int64] = [:]
  private var minted: [Address: Int64] = [:]

  /// Adds an entry.
  ///
  /// - Returns: `false` if the ledger has it already, or if a sum exceeds 64 bits.
  mutating func add(_ entry: JournalEntry) -> Bool {
    let amount = entry.amount.baseUnits
    switch entry.kind {
    case .mint:
      guard mints.insert(entry.ledgerID).inserted else { return false }
      return Self.add(amount, to: &minted[entry.token, default: 0])
        && Self.add(amount, to: &balances[BalanceKey(entry.to, entry.token), default: 0])
    case .deposit:
      guard lives[entry.ledgerID, default: Life()].deposit == nil else { return false }
      lives[entry.ledgerID, default: Life()].deposit = entry
      return Self.add(-amount, to: &balances[BalanceKey(entry.from, entry.token), default: 0])
    case .claim, .refund:
      guard lives[entry.ledgerID, default: Life()].end == nil else { return false }
      lives[entry.ledgerID, default: Life()].end = entry
      return Self.add(amount, to: &balances[BalanceKey(entry.to, entry.token), default: 0])
    }
  }

  private static func add(_ amount: Int64, to sum: inout Int64) -> Bool {
    let (value, overflow) = sum.addingReportingOverflow(amount)
    if !overflow { sum = value }
    return !overflow
  }

  /// Compares the vault's rows with the ledger, and checks that minted = balances + locked.
  func compare(with snapshot: StoreSnapshot, _ findings: inout Findings) -> [Address: AuditReport.TokenTotals] {
    findings.expect(balances.filter { $0.value != 0 } == snapshot.balances, "the balances are not the journal's")
    findings.expect(minted == snapshot.minted.filter { $0.value != 0 }, "what was minted is not what the journal says")
    compareClaims(with: snapshot, &findings)

    var sums: [Address: AuditReport.TokenTotals] = [:]
    for (token, amount) in snapshot.minted { sums[token, default: .init()].minted = amount }
    for (holding, balance) in snapshot.balances {
      findings.expect(balance >= 0, "\(holding.account) has less than nothing")
      let isSummed = Self.add(balance, to: &sums[holding.token, default: .init()].balances)
      findings.expect(isSummed, "the balances are more than can be")
    }
    for claim in snapshot.claims where claim.status == .pending {
      let isSummed = Self.add(claim.terms.amount.baseUnits, to: &sums[claim.terms.token, default: .init()].locked)
      findings.expect(isSummed, "more is locked than can be")
    }
    for (token, sum) in sums {
      let (total, overflow) = sum.balances.addingReportingOverflow(sum.locked)
      findings.expect(!overflow && total == sum.minted, "of token \(token), minted is not balances + locked")
    }
    return sums
  }

  private func compareClaims(with snapshot: StoreSnapshot, _ findings: inout Findings) {
    var pending: [Address: Int64] = [:]
    for claim in snapshot.claims {
      let life = lives[claim.terms.ledgerID]
      findings.expect(
        Self.matches(claim, life?.deposit, life?.end), "claim \(claim.terms.ledgerID) is not the journal's")
      if claim.status == .pending, let sender = claim.deposit?.authorization.sender { pending[sender, default: 0] += 1 }
    }
    let known = Set(snapshot.claims.map(\.terms.ledgerID))
    findings.expect(known.count == snapshot.claims.count, "two claims have one ledger id")
    findings.expect(known == Set(lives.keys), "the journal has claims that the vault has not")
    findings.expect(
      pending == snapshot.pending.filter { $0.value != 0 }, "the senders' counts of pending claims are wrong")
  }

  /// Returns whether a claim agrees with its entries, and they with each other.
  private static func matches(_ claim: ClaimRecord, _ deposited: JournalEntry?, _ end: JournalEntry?) -> Bool {
    guard
      let deposit = claim.deposit, let deposited, deposit.transaction == deposited.hash,
      deposit.time == deposited.time, SenderAuthorization(deposited) == deposit.authorization
    else { return false }
    guard let settlement = claim.settlement, let end else { return claim.settlement == nil && end == nil }
    guard
      settlement.transaction == end.hash, settlement.time == end.time, settlement.receiver == end.to,
      end.time >= deposited.time
    else { return false }
    switch settlement.outcome {
    case .claimed: return end.kind == .claim
    case .refunded: return end.kind == .refund && end.to == deposited.from && end.evidence == deposited.hash.bytes
    }
  }
}
