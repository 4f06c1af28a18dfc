import BumpChain
import BumpClaims
import BumpDirect
import BumpKit
import BumpNode
import BumpTerminal
import BumpVaultAPI
import BumpWallet

/// Reports how a claim ended in its contract, as a node's word.
struct DirectReport {
  let payment: DirectPayment
  let claim: Claim
  let deed: DirectCall.Deed
  /// The address that the transaction paid; `nil` for a refund.
  let receiver: Address?
  let node: NodeURL
  /// The vault whose record the claim has. It was not asked.
  let vault: VaultURL

  private var status: ExitStatus { payment.isNew || deed != .claim ? .success : .alreadyPaid }

  /// Writes the result, and returns the exit status.
  ///
  /// - Throws: `CommandError` if it cannot be written.
  func conclude(_ json: JSONLines) throws -> ExitStatus {
    json.write(
      "result",
      [
        "outcome": payment.isNew ? "carried" : "alreadyCarried", "status": .string(payment.status.rawValue),
        "isSigned": .flag(false), "claimId": .init(claim.id), "amount": .init(claim.amount),
        "token": .init(claim.token),
        "vault": .init(vault), "node": .string(node.shown), "receiver": receiver.map { .init($0) },
        "txHash": payment.transaction.map { .init($0) }, "block": payment.block.map { .integer(Int64(clamping: $0)) },
        "exit": .integer(Int64(status.rawValue)),
      ])
    if !json.isOn { Console.result(message) }
    guard Console.hasLostResult else { return status }
    throw CommandError(
      .failure, "stdout cannot be written, but the transaction is carried", remedy: "See: bump show \(claim.id)")
  }

  /// The result for people.
  private var message: String {
    let money = "\(claim.amount) \(claim.token)"
    let what =
      switch (payment.status, deed, receiver) {
      case (.claimed, .claim, let receiver?): "\(word("Claimed")) \(money) to \(receiver)"
      case (.claimed, _, _): "\(word("Taken back")): \(money) of claim \(claim.id)"
      default: "\(word("Refunded")) \(money) of claim \(claim.id)"
      }
    return "\(what)\(details), says the node \(node.shown). Nobody has signed that, and the chain may still undo it. "
      + "To ask the vault for its receipt: bump \(deed == .claim ? "claim \(claim.id)" : "history")"
  }

  private func word(_ word: String) -> String { payment.isNew ? word : "Already \(word.lowercased())" }

  private var details: String {
    guard let transaction = payment.transaction else { return "" }
    let block = payment.block.map { ", block \($0)" } ?? ""
    let cost = payment.cost.map { ", cost \(CoinAmount.text($0))" } ?? ""
    return " (transaction \(transaction)\(block)\(cost))"
  }
}
