public import BumpClaims
public import BumpWallet

/// One movement of money. The journal of these is what the vault answers for: it is only ever added to.
public struct JournalEntry: Hashable, Sendable {
  /// What kind of movement it is. The numbers are those of the encoding.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Test money, out of nothing.
    case mint = 1
    /// From a sender into the vault.
    case deposit
    /// From the vault to a receiver.
    case claim
    /// From the vault back to the sender.
    case refund
  }

  public let kind: Kind
  /// Seconds since 1970, by the store's clock.
  public let time: Int64
  /// The claim's; of a mint, the id that its request had. One id has one entry of a kind at most.
  public let ledgerID: Bytes32
  /// Whose it was; zero for a mint, the vault for a claim and a refund.
  public let from: Address
  /// Whose it became; the vault for a deposit.
  public let to: Address
  public let token: Address
  public let amount: Amount
  /// What justifies it. For a deposit validBefore, 8 bytes, and the authorization; for a claim the proof; for a refund the
  /// hash of the deposit's entry, which nobody knows who has seen the terms alone; for a mint nothing.
  public let evidence: [UInt8]

  public init(
    _ kind: Kind, at time: Int64, ledgerID: Bytes32, from: Address, to: Address, token: Address, amount: Amount,
    evidence: [UInt8]
  ) {
    (self.kind, self.time, self.ledgerID, self.evidence) = (kind, time, ledgerID, evidence)
    (self.from, self.to, self.token, self.amount) = (from, to, token, amount)
  }

  /// Its one encoding: `bump/1 journal` and a zero; kind (1 byte), time (8), ledgerId (32), from, to, token (20 each),
  /// amount (8); how long the evidence is (4), and the evidence.
  public var encoding: [UInt8] { encoded.bytes }

  /// SHA-256 of the encoding: the transaction's hash.
  public var hash: Bytes32 { encoded.hash }

  private var encoded: Encoding {
    var encoding = Encoding("bump/1 journal")
    encoding.append(kind.rawValue)
    encoding.append(time)
    encoding.append(ledgerID.bytes)
    for address in [from, to, token] { encoding.append(address.bytes) }
    encoding.append(amount.baseUnits)
    encoding.append(UInt32(evidence.count))
    encoding.append(evidence)
    return encoding
  }
}

extension SenderAuthorization {
  /// As a journal entry keeps it; the sender is the entry's `from`.
  var evidence: [UInt8] { withUnsafeBytes(of: validBefore.unixSeconds.bigEndian, Array.init) + bytes }

  /// Reads the evidence of a deposit's entry.
  init?(_ entry: JournalEntry) {
    guard entry.kind == .deposit, entry.evidence.count >= 8 else { return nil }
    let seconds = entry.evidence.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let validBefore = Int64(exactly: seconds).flatMap(Expiry.init(unixSeconds:)) else { return nil }
    self.init(sender: entry.from, validBefore: validBefore, bytes: Array(entry.evidence.dropFirst(8)))
  }
}
