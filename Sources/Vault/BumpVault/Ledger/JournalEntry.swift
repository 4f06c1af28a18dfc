public import BumpClaims
public import BumpWallet

/// One movement of money. The vault answers for its journal, to which entries are only ever added.
public struct JournalEntry: Hashable, Sendable {
  /// The kind of a movement. The raw values are those of the encoding.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Makes test money.
    case mint = 1
    /// Moves money from a sender into the vault.
    case deposit
    /// Moves money from the vault to a receiver.
    case claim
    /// Moves money from the vault back to the sender.
    case refund
  }

  /// The kind of movement, which decides what the evidence is.
  public let kind: Kind
  /// The time in seconds since 1970, by the store's clock.
  public let time: Int64
  /// The claim's ledger id; for a mint, the id in its request. An id has at most one entry of each kind.
  public let ledgerID: Bytes32
  /// The account that the money leaves; zero for a mint, the vault for a claim and a refund.
  public let from: Address
  /// The account that receives the money; the vault for a deposit.
  public let to: Address
  /// The address of the token's contract.
  public let token: Address
  /// The amount moved, which the encoding has in base units.
  public let amount: Amount
  /// The evidence that justifies the movement. For a deposit: validBefore, 8 bytes, and the authorization. For a claim:
  /// the proof. For a refund: the hash of the deposit's entry, which cannot be computed from the terms alone. For a
  /// mint: the vault's signature of its `MintStatement`.
  public let evidence: [UInt8]

  /// Makes an entry. Does not check whether the evidence justifies it: `Audit` does.
  public init(
    _ kind: Kind, at time: Int64, ledgerID: Bytes32, from: Address, to: Address, token: Address, amount: Amount,
    evidence: [UInt8]
  ) {
    (self.kind, self.time, self.ledgerID, self.evidence) = (kind, time, ledgerID, evidence)
    (self.from, self.to, self.token, self.amount) = (from, to, token, amount)
  }

  /// The entry's one encoding: `bump/1 journal` and a zero; kind (1 byte), time (8), ledgerId (32), from, to, token (20
  /// each), amount (8); length of the evidence (4), evidence.
  public var encoding: [UInt8] { encoded.bytes }

  /// The transaction's hash: SHA-256 of the encoding.
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
  /// The authorization as evidence of a journal entry. The sender is the entry's `from`.
  var evidence: [UInt8] { withUnsafeBytes(of: validBefore.unixSeconds.bigEndian, Array.init) + bytes }

  /// Reads the evidence of a deposit's entry.
  init?(_ entry: JournalEntry) {
    guard entry.kind == .deposit, entry.evidence.count >= 8 else { return nil }
    let seconds = entry.evidence.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard let validBefore = Int64(exactly: seconds).flatMap(Expiry.init(unixSeconds:)) else { return nil }
    self.init(sender: entry.from, validBefore: validBefore, bytes: Array(entry.evidence.dropFirst(8)))
  }
}
