public import BumpClaims
public import BumpWallet

/// What a decision changes, with the conditions under which it still may when it is carried out.
///
/// Rows may have changed since the decision read them, and time has passed. So a store checks each condition in the very
/// update that it belongs to, by its own clock, and changes all of the rows or none.
public enum Change: Hashable, Sendable {
  case draft(Draft)
  case deposit(Deposit)
  case claim(Claim)
  case refund(Refund)
  case mint(Mint)

  /// Writes a draft down, where there is no claim of that id, or only a draft that has lapsed.
  public struct Draft: Hashable, Sendable {
    public let claimID: ClaimID
    public let terms: ClaimTerms
    /// A draft's, in seconds.
    public let lifetime: Int64

    package func record(at now: Int64) -> ClaimRecord {
      ClaimRecord(claimID: claimID, terms: terms, state: .draft(since: now))
    }
  }

  /// Moves a draft to pending, where it has not lapsed, nobody else has used its ledger id, and neither its expiry nor the
  /// authorization's end has come. Counts it for the sender, who may have reached neither limit. Takes the amount from the
  /// sender's balance, which must hold it.
  public struct Deposit: Hashable, Sendable {
    public let claimID: ClaimID
    public let terms: ClaimTerms
    public let authorization: SenderAuthorization
    public let vault: Address
    public let limits: VaultLimits

    package func entry(at now: Int64) -> JournalEntry {
      JournalEntry(
        .deposit, at: now, ledgerID: terms.ledgerID, from: authorization.sender, to: vault, token: terms.token,
        amount: terms.amount, evidence: authorization.evidence)
    }

    package func record(_ entry: JournalEntry) -> ClaimRecord {
      let deposit = ClaimRecord.Deposit(authorization: authorization, transaction: entry.hash, time: entry.time)
      return ClaimRecord(claimID: claimID, terms: terms, state: .pending(deposit))
    }
  }

  /// Moves a pending claim to claimed, where its expiry has not come, and adds the amount to the receiver's balance.
  public struct Claim: Hashable, Sendable {
    public let claimID: ClaimID
    public let receiver: Address
    /// A signature that was checked.
    public let proof: [UInt8]
    public let vault: Address

    package func entry(at now: Int64, of claim: ClaimRecord) -> JournalEntry {
      JournalEntry(
        .claim, at: now, ledgerID: claim.terms.ledgerID, from: vault, to: receiver, token: claim.terms.token,
        amount: claim.terms.amount, evidence: proof)
    }
  }

  /// Moves a pending claim to refunded, where its expiry has come, and adds the amount to the sender's balance.
  public struct Refund: Hashable, Sendable {
    public let claimID: ClaimID
    public let vault: Address

    package func entry(at now: Int64, of claim: ClaimRecord, _ deposit: ClaimRecord.Deposit) -> JournalEntry {
      JournalEntry(
        .refund, at: now, ledgerID: claim.terms.ledgerID, from: vault, to: deposit.authorization.sender,
        token: claim.terms.token, amount: claim.terms.amount, evidence: deposit.transaction.bytes)
    }
  }

  /// Makes test money, where no mint has this id yet and no more than 2⁶³ − 1 base units of the token then exist.
  public struct Mint: Hashable, Sendable {
    public let id: Bytes32
    public let receiver: Address
    public let token: Address
    public let amount: Amount

    package func entry(at now: Int64) -> JournalEntry {
      JournalEntry(
        .mint, at: now, ledgerID: id, from: .zero, to: receiver, token: token, amount: amount, evidence: [])
    }
  }
}

extension ClaimRecord {
  /// This pending claim, after an entry that pays it out.
  package func settled(by entry: JournalEntry) -> ClaimRecord? {
    guard case .pending(let deposit) = state else { return nil }
    let outcome: SettlementOutcome = entry.kind == .claim ? .claimed : .refunded
    return moved(
      to: .settled(
        deposit, Settlement(outcome: outcome, receiver: entry.to, transaction: entry.hash, time: entry.time)))
  }
}

/// What a change left behind.
public struct Committed: Hashable, Sendable {
  /// The claim after the change; `nil` for a mint.
  public let claim: ClaimRecord?
  /// What was added to the journal; `nil` for a draft, which moves no money.
  public let entry: JournalEntry?

  public init(claim: ClaimRecord? = nil, entry: JournalEntry? = nil) {
    (self.claim, self.entry) = (claim, entry)
  }
}
