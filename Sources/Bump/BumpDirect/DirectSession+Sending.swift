import BumpChain
import BumpNode
import BumpWallet

/// What comes once the transaction is recorded.
extension DirectSession {
  mutating func send() -> Step {
    guard let transaction, phase == .recording else { preconditionFailure("nothing was recorded") }
    return ask(.send(transaction), .sending)
  }

  /// Takes what became of the message that has the transaction.
  mutating func sent(_ reply: NodeReply) throws(DirectFailure) -> Step {
    guard let transaction else { preconditionFailure("nothing was sent") }
    if case .unsent = reply {
      throw DirectFailure(
        .notSent, "the transaction was not sent: the node \(node) cannot be reached", remedy: "Try again later")
    }
    // Whatever a node says of it, it may have passed it on.
    mayBeSent = true
    if known.last != transaction.hash { known.append(transaction.hash) }
    if case .refused(let refusal) = answer(.send(transaction), reply),
      ![.alreadyKnown, .nonceTooLow].contains(refusal.kind)
    {
      throw perhapsSent("the node \(node) refuses it: \(refusal.message)")
    }
    phase = .waiting
    return .pause
  }

  /// Asks for the receipts of the transactions that are known, the latest first; then for the claim.
  mutating func askForReceipts() -> Step {
    (landed, reverted) = (nil, nil)
    return known.isEmpty ? askForClaim() : ask(.receipt(of: known[known.count - 1]), .receipt(known.count - 1))
  }

  mutating func looked(at place: Int, _ reply: NodeReply) throws(DirectFailure) -> Step {
    switch answer(.receipt(of: known[place]), reply) {
    case .value(let receipt?) where receipt.isSuccessful: landed = receipt
    case .value(let receipt?):
      // One that had reverted before this command is over, and no result of it.
      if mayBeSent { reverted = reverted ?? receipt } else { known.remove(at: place) }
    case .value(nil): break
    case .refused(let refusal):
      guard mayBeSent else { throw useless("it refuses: \(refusal.message)") }
    case .useless(let reason):
      guard mayBeSent else { throw useless(reason) }
    }
    if landed == nil, place > 0 { return ask(.receipt(of: known[place - 1]), .receipt(place - 1)) }
    guard mayBeSent, landed == nil, reverted?.transaction != known.last else { return askForClaim() }
    return try again("no block has it yet", isWaiting: true)
  }

  private mutating func askForClaim() -> Step {
    ask(.call(ClaimVaultCall.claims(call.terms.ledgerID).data, to: call.contract), mayBeSent ? .outcome : .standing)
  }

  /// Waits, and looks again, as often as that is allowed.
  private mutating func again(_ reason: String, isWaiting: Bool = false) throws(DirectFailure) -> Step {
    rounds -= 1
    guard rounds > 0 else { throw perhapsSent(reason, isWaiting: isWaiting) }
    phase = .waiting
    return .pause
  }

  /// Takes what the contract has of the claim, once a block has the transaction.
  mutating func ended(_ reply: NodeReply) throws(DirectFailure) -> Step {
    guard case .value(let result) = answer(.call([], to: call.contract), reply), let claim = try? read(result) else {
      return try again("the node \(node) does not say what the contract has")
    }
    if landed == nil, let reverted { throw failure(reverted, claim.status) }
    // A node may be several machines, of which one has not seen the block yet.
    guard claim.status == .claimed || claim.status == .refunded else {
      return try again("a block has it, and the contract says that the claim is \(claim.status.rawValue)")
    }
    return .finish(.success(try payment(claim.status, isNew: landed?.transaction == transaction?.hash)))
  }

  private func failure(_ receipt: TransactionReceipt, _ status: ClaimStatus) -> DirectFailure {
    let reason =
      switch status {
      case .claimed: "another transaction has claimed the claim"
      case .refunded: "the amount went back to the claim's sender"
      case .pending, .none: "the claim is \(status.rawValue)"
      }
    return DirectFailure(
      .reverted,
      "the transaction \(receipt.transaction) was reverted, and has cost \(CoinAmount.text(receipt.cost)): \(reason), "
        + "says the node \(node)", remedy: status == .claimed ? Self.whoWasPaid : nil, transaction: receipt.transaction)
  }

  /// What to try where the contract does not say who was paid.
  private static let whoWasPaid = "A vault has the receipt, which says to whom"

  /// Returns how the claim ended, where that is what was wanted.
  func payment(_ status: ClaimStatus, isNew: Bool) throws(DirectFailure) -> DirectPayment {
    switch (status, call.deed) {
    case (.refunded, .claim):
      throw DirectFailure(.expired, "the amount went back to the claim's sender, says the node \(node)")
    // The contract does not say who was paid. A transaction that is known here has paid the one it was made for.
    case (.claimed, _) where landed == nil:
      throw DirectFailure(
        .claimed, "the claim was claimed, says the node \(node), and it shows no transaction of yours that did it",
        remedy: Self.whoWasPaid)
    default:
      return DirectPayment(
        status: status, transaction: landed?.transaction, block: landed?.blockNumber, cost: landed?.cost, isNew: isNew)
    }
  }
}
