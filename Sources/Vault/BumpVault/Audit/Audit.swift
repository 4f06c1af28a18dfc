import BumpClaims
public import BumpWallet

/// The audit of a vault, a pure state machine. It takes the sealed batches in their order, then everything that they do
/// not contain, and compares it all with the journal. It does not trust the journal either: it computes hashes, chain
/// and signatures anew.
///
/// The entries of a claim are compared with each other at the end, since a claim's end may be in an earlier batch than
/// its deposit.
public struct Audit: Sendable {
  private var last: (number: Int64, hash: Bytes32)?
  private var count = 0
  private var ledger = AuditedLedger()
  private var findings = Findings()
  private let vaults: [Address: PinnedVault]

  /// - Parameter vaults: the vault's description, and its earlier ones from before its store was copied.
  public init(vaults: [VaultDescription]) {
    self.vaults = vaults.reduce(into: [:]) { $0[$1.address] = PinnedVault(configured: $1) }
  }

  /// Checks the next batch.
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
    findings.expect(ledger.add(entry), "\(name) occurs twice, or moves more than can be")
  }

  /// Returns whether an entry's evidence allows the entry, as far as the entry and the claim's terms show.
  private func isJustified(_ entry: JournalEntry, _ terms: ClaimTerms?) -> Bool {
    if entry.kind == .mint {
      guard entry.from == .zero, terms == nil, let signature = try? Signature(entry.evidence) else { return false }
      return vaults.values.contains { vault in
        vault.vault.tokens.contains { $0.address == entry.token }
          && MintStatement(entry, domain: vault.domain).isSigned(by: vault.vault.address, signature)
      }
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

  /// Checks everything that the sealed batches do not contain, and ends the audit.
  public consuming func finish(_ snapshot: StoreSnapshot) -> AuditReport {
    findings.expect(snapshot.batches == last?.number ?? 0, "there are other batches than were read")
    for entry in snapshot.unsealed { take(entry) }
    let sums = ledger.compare(with: snapshot, &findings)
    return AuditReport(sums: sums, entries: count, batches: snapshot.batches, findings: findings.sentences)
  }
}

/// The findings of an audit, as sentences: the first hundred.
struct Findings {
  private(set) var sentences: [String] = []

  mutating func expect(_ isSo: Bool, _ otherwise: @autoclosure () -> String) {
    if !isSo, sentences.count < 100 { sentences.append(otherwise()) }
  }
}
