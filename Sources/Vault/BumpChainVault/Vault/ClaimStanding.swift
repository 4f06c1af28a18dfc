import BumpChain
import BumpClaims
import BumpVault
import BumpWallet

/// How a claim stands: what the index has of it, judged by how far the chain has come.
struct ClaimStanding {
  let row: ChainClaimRow
  let terms: ClaimTerms
  let height: ChainHeight
  /// The chain's time, and the machine's.
  let time: StoreTime

  /// The event that locked the amount, once that is confirmed.
  var deposit: IndexedEvent? { row.created.flatMap { inclusion(of: $0) == nil ? nil : $0 } }
  /// The event that paid the amount out, once that is confirmed.
  var settlement: IndexedEvent? { row.settled.flatMap { inclusion(of: $0) == nil ? nil : $0 } }

  /// Returns the block of an event, and how sure it is; `nil` until it is confirmed.
  func inclusion(of event: IndexedEvent) -> Inclusion? {
    let level: Inclusion.Level
    switch height.level(of: event.block) {
    case .seen: return nil
    case .confirmed: level = .confirmed
    case .finalized: level = .finalized
    }
    return Inclusion(blockNumber: event.block, blockHash: event.blockHash, level: level)
  }

  /// The status that is said.
  var status: ClaimStatus {
    guard deposit != nil else { return .none }
    switch settlement?.event {
    case .claimed: return .claimed
    case .refunded: return .refunded
    case .created, nil: return .pending
    }
  }

  /// The transaction that is to lock the amount: in a block that is not confirmed, or on its way.
  var depositOnItsWay: Bytes32? {
    if let created = row.created { return deposit == nil ? created.transaction : nil }
    return row.requests[.deposit]?.transactionOnItsWay(finalized: height.finalized)
  }

  /// The sender; `nil` unless the amount was locked.
  var sender: Address? {
    if case .created(_, let sender, _, _, _)? = row.created?.event { sender } else { nil }
  }

  /// The receiver that was paid; `nil` unless that is confirmed.
  var receiver: Address? {
    if case .claimed(_, let receiver)? = settlement?.event { receiver } else { nil }
  }

  /// Returns the signed receipt of the settlement; `nil` until that is confirmed.
  func receipt(_ domain: Domain, by key: PrivateKey) -> SignedReceipt? {
    guard let settlement, let inclusion = inclusion(of: settlement) else { return nil }
    let receipt = Receipt(
      ledgerID: row.ledgerID, outcome: receiver == nil ? .refunded : .claimed, token: terms.token,
      amount: terms.amount, receiver: receiver ?? .zero, transaction: settlement.transaction,
      time: Int64(clamping: settlement.time), domain: domain)
    return SignedReceipt(ChainReceipt(receipt, in: inclusion), by: key)
  }

  /// Returns what anybody may see of the claim.
  func view(askedBy name: ClaimName) -> ClaimView {
    let claimID: ClaimID? = if case .claimID(let id) = name { id } else { nil }
    let event = settlement ?? deposit
    return ClaimView(
      claimID: claimID, terms: terms, status: status, isSubmitted: depositOnItsWay != nil,
      transaction: event?.transaction ?? depositOnItsWay,
      settled: settlement.map { (Int64(clamping: $0.time), receiver) }, in: event.flatMap(inclusion), at: time.now)
  }

  /// Returns the claim as an embedded vault has it.
  ///
  /// - Parameter authorization: the deposit's.
  func record(_ claimID: ClaimID, _ authorization: SenderAuthorization) -> ClaimRecord {
    guard let deposit else {
      return ClaimRecord(claimID: claimID, terms: terms, state: .draft(since: row.draft?.since ?? time.now))
    }
    let made = ClaimRecord.Deposit(
      authorization: authorization, transaction: deposit.transaction, time: Int64(clamping: deposit.time))
    guard let settlement else { return ClaimRecord(claimID: claimID, terms: terms, state: .pending(made)) }
    let settled = ClaimRecord.Settlement(
      outcome: receiver == nil ? .refunded : .claimed, receiver: receiver ?? authorization.sender,
      transaction: settlement.transaction, time: Int64(clamping: settlement.time))
    return ClaimRecord(claimID: claimID, terms: terms, state: .settled(made, settled))
  }

  /// Returns whether this is a draft that has lapsed: nothing became of it in time.
  func hasLapsed(lifetime: Int64) -> Bool {
    guard row.created == nil, let draft = row.draft, depositOnItsWay == nil else { return false }
    if case .waiting? = row.requests[.deposit]?.state { return false }
    return time.clock - draft.since >= lifetime
  }
}

extension ChainRequestRow {
  /// Returns the transaction that may still do what was asked for; `nil` if there is none, or it was reverted for good.
  func transactionOnItsWay(finalized: UInt64) -> Bytes32? {
    switch state {
    case .waiting, .dropped: nil
    case .submitted(let hash): hash
    case .mined(let hash, let block, let isSuccessful): isSuccessful || block > finalized ? hash : nil
    }
  }

  /// Returns whether another request may take this one's place: it is not carried, or was reverted in a final block.
  func isOver(finalized: UInt64) -> Bool {
    switch state {
    case .waiting, .submitted: false
    case .mined(_, let block, let isSuccessful): !isSuccessful && block <= finalized
    case .dropped: true
    }
  }

  /// The authorization of a deposit.
  var authorization: SenderAuthorization? {
    guard case .deposit(_, let sender, let validBefore, let bytes) = request else { return nil }
    return SenderAuthorization(sender: sender, validBefore: validBefore, bytes: bytes)
  }
}
