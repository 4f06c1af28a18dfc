public import BumpClaims
public import BumpWallet

/// A change that a decision asks for, with the conditions under which a store may carry it out.
///
/// Rows may have changed since the decision read them, and time has passed. So a store checks each condition in the
/// same update that depends on it, by its own clock, and changes all of the rows or none.
public enum Change: Hashable, Sendable {
  /// Stores a claim without money.
  case draft(Draft)
  /// Locks a claim's amount.
  case deposit(Deposit)
  /// Pays a claim to a receiver.
  case claim(Claim)
  /// Pays an expired claim back to its sender.
  case refund(Refund)
  /// Makes test money.
  case mint(Mint)

  /// Stores a draft, if there is no claim of that id, or only a draft that has lapsed.
  public struct Draft: Hashable, Sendable {
    /// The id under which to store the draft.
    public let claimID: ClaimID
    /// The draft's terms. Other drafts may have the same.
    public let terms: ClaimTerms
    /// How long a draft lasts, in seconds.
    public let lifetime: Int64

    /// Returns the row of the draft.
    package func record(at now: Int64) -> ClaimRecord {
      ClaimRecord(claimID: claimID, terms: terms, state: .draft(since: now))
    }
  }

  /// Moves a draft to pending and takes the amount from the sender's balance. The conditions: the draft has not lapsed,
  /// no other claim has used its ledger id, neither its expiry nor the authorization's end has come, the sender has
  /// reached neither limit, and the balance is large enough. Counts the deposit for the sender.
  public struct Deposit: Hashable, Sendable {
    /// The draft's id.
    public let claimID: ClaimID
    /// The draft's terms, by which the decision was made: a draft that has other terms by now is not deposited.
    public let terms: ClaimTerms
    /// The sender's authorization. Its signature was already checked; its end is one of the conditions.
    public let authorization: SenderAuthorization
    /// The vault's address.
    public let vault: Address
    /// The vault's limits. The update checks how long a draft lasts, and the sender's two limits.
    public let limits: VaultLimits

    /// Returns the journal entry of the deposit.
    package func entry(at now: Int64) -> JournalEntry {
      JournalEntry(
        .deposit, at: now, ledgerID: terms.ledgerID, from: authorization.sender, to: vault, token: terms.token,
        amount: terms.amount, evidence: authorization.evidence)
    }

    /// Returns the claim's row after the deposit.
    package func record(_ entry: JournalEntry) -> ClaimRecord {
      let deposit = ClaimRecord.Deposit(authorization: authorization, transaction: entry.hash, time: entry.time)
      return ClaimRecord(claimID: claimID, terms: terms, state: .pending(deposit))
    }
  }

  /// Moves a pending claim to claimed, if its expiry has not come, and adds the amount to the receiver's balance.
  public struct Claim: Hashable, Sendable {
    /// The pending claim's id.
    public let claimID: ClaimID
    /// The address to pay. The rules have ensured that it is not zero, the vault or the token.
    public let receiver: Address
    /// The claim key's signature, already checked.
    public let proof: [UInt8]
    /// The vault's address.
    public let vault: Address

    /// Returns the journal entry that pays the claim to the receiver.
    package func entry(at now: Int64, of claim: ClaimRecord) -> JournalEntry {
      JournalEntry(
        .claim, at: now, ledgerID: claim.terms.ledgerID, from: vault, to: receiver, token: claim.terms.token,
        amount: claim.terms.amount, evidence: proof)
    }
  }

  /// Moves a pending claim to refunded, if its expiry has come, and adds the amount to the sender's balance.
  public struct Refund: Hashable, Sendable {
    /// The pending claim's id. Its deposit tells the store whom to pay.
    public let claimID: ClaimID
    /// The vault's address.
    public let vault: Address

    /// Returns the journal entry that pays the claim back to the sender.
    package func entry(at now: Int64, of claim: ClaimRecord, _ deposit: ClaimRecord.Deposit) -> JournalEntry {
      JournalEntry(
        .refund, at: now, ledgerID: claim.terms.ledgerID, from: vault, to: deposit.authorization.sender,
        token: claim.terms.token, amount: claim.terms.amount, evidence: deposit.transaction.bytes)
    }
  }

  /// Makes test money, if no mint has this id yet and at most 2⁶³ − 1 base units of the token exist afterwards.
  public struct Mint: Hashable, Sendable {
    /// The id in the request for the mint.
    public let id: Bytes32
    /// The address that receives the money.
    public let receiver: Address
    /// The address of the token's contract.
    public let token: Address
    /// How much to add to the receiver's balance, and to what was made of the token.
    public let amount: Amount
    /// The vault's signature of the mint.
    public let signature: [UInt8]

    /// Returns the journal entry of the mint.
    package func entry(at now: Int64) -> JournalEntry {
      JournalEntry(
        .mint, at: now, ledgerID: id, from: .zero, to: receiver, token: token, amount: amount,
        evidence: signature)
    }
  }
}

extension ClaimRecord {
  /// Returns this claim after an entry that pays it out; `nil` unless the claim is pending.
  package func settled(by entry: JournalEntry) -> ClaimRecord? {
    guard case .pending(let deposit) = state else { return nil }
    let outcome: SettlementOutcome = entry.kind == .claim ? .claimed : .refunded
    return moved(
      to: .settled(
        deposit, Settlement(outcome: outcome, receiver: entry.to, transaction: entry.hash, time: entry.time)))
  }
}

/// The result of a change that was carried out.
public struct Committed: Hashable, Sendable {
  /// The claim after the change; `nil` for a mint.
  public let claim: ClaimRecord?
  /// The entry that was added to the journal; `nil` for a draft, which moves no money.
  public let entry: JournalEntry?

  /// Makes a result: a draft has a claim, a mint an entry, each other change both.
  public init(claim: ClaimRecord? = nil, entry: JournalEntry? = nil) {
    (self.claim, self.entry) = (claim, entry)
  }
}
