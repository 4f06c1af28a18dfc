import BumpClaims
public import BumpWallet

/// The audit of a vault, a pure machine: it takes the sealed batches in their order, then all that stands besides, and holds
/// it all against the journal, which it believes no more than the rest: hashes, chain and signatures are computed anew.
///
/// Each claim's entries are held against each other at the end, since batches need not have a claim's deposit before its end.
public struct Audit: Sendable {
  private var last: (number: Int64, hash: Bytes32)?
  private var count = 0
  private var ledger = AuditedLedger()
  private var findings = Findings()
  private let vaults: [Address: PinnedVault]

  /// - Parameter vaults: what the vault is, and what it was before its store was copied.
  public init(vaults: [VaultDescription]) {
    self.vaults = vaults.reduce(into: [:]) { $0[$1.address] = PinnedVault(configured: $1) }
  }

  /// Takes the next batch.
  public mutating func take(_ sealed: SealedBatch) {
    let (batch, name) = (sealed.batch, "batch \(sealed.batch.number)")
    findings.expect(batch.number == (last?.number ?? 0) + 1, "\(name) does not follow the one before")
    findings.expect(batch.previous == last?.hash ?? Batch.beginning, "\(name) is not chained to the one before")
    findings.expect(!batch.entries.isEmpty, "\(name) is empty")
    findings.expect(batch.hash == sealed.hash, "\(name) has another hash")
    findings.expect(batch.entries == sealed.entries.map(\.hash), "\(name) has other entries")
    last = (batch.number, sealed.hash)
    for entry in sealed.entries { take(entry) }
  }

  private mutating func take(_ audited: AuditedEntry) {
    count += 1
    let (entry, name) = (audited.entry, "transaction \(audited.hash)")
    findings.expect(entry.hash == audited.hash, "\(name) has another hash")
    findings.expect(isJustified(entry, audited.terms), "\(name) is not justified")
    findings.expect(ledger.add(entry), "\(name) is there twice, or moves more than can be")
  }

  /// Whether an entry's evidence allows it, as far as the entry itself and the claim's terms tell.
  private func isJustified(_ entry: JournalEntry, _ terms: ClaimTerms?) -> Bool {
    if entry.kind == .mint {
      return entry.from == .zero && entry.evidence.isEmpty && terms == nil
        && vaults.values.contains { vault in vault.vault.tokens.contains { $0.address == entry.token } }
    }
    guard
      let terms, terms.ledgerID == entry.ledgerID, terms.token == entry.token, terms.amount == entry.amount,
      let vault = vaults[entry.kind == .deposit ? entry.to : entry.from]
    else { return false }
    let isExpired = terms.expiry.hasPassed(at: entry.time)
    switch entry.kind {
    case .mint: return false
    case .deposit:
      guard
        !isExpired, let word = SenderAuthorization(entry), !word.validBefore.hasPassed(at: entry.time),
        let signature = try? Signature(word.bytes),
        let message = try? vault.deposit(of: terms, from: word.sender, validBefore: word.validBefore)
      else { return false }
      return message.isAuthorized(by: signature)
    case .claim:
      guard
        !isExpired, let signature = try? Signature(entry.evidence),
        let payout = try? vault.payout(of: terms, to: entry.to)
      else { return false }
      return payout.isProven(by: signature, secretHash: terms.secretHash)
    case .refund:
      return isExpired
    }
  }

  /// Takes all that stands beside the sealed batches, and ends.
  public consuming func finish(_ standing: Standing) -> AuditReport {
    findings.expect(standing.batches == last?.number ?? 0, "there are other batches than were read")
    for entry in standing.unsealed { take(entry) }
    let sums = ledger.compare(with: standing, &findings)
    return AuditReport(sums: sums, entries: count, batches: standing.batches, findings: findings.sentences)
  }
}

/// What is wrong, as sentences.
struct Findings {
  private(set) var sentences: [String] = []

  mutating func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) {
    if !isSo, sentences.count < 100 { sentences.append(otherwise()) }
  }
}
