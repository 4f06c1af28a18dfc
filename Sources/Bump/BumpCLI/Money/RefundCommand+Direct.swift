import BumpClaims
import BumpDirect
import BumpKit
import BumpNode
import BumpTerminal
import BumpVaultClient
import BumpWallet

/// Money that a transaction of one's own gets back.
extension RefundCommand {
  /// - Parameter sent: set to the transaction that may be carried out, or was reverted.
  func carry(
    _ claim: OutgoingClaim, over node: NodeURL, in store: ClaimStore, _ json: JSONLines, _ sent: inout Bytes32?
  ) async throws -> ExitStatus {
    try DirectPayer.check(yes: yes)
    let vault = try await ConfirmedVault.contract(
      of: claim, in: store, by: try VaultConnector(Console(quiet: false)))
    let money = try OutgoingFunding(claim, at: vault, in: store)
    let own = try await money.ownTransactions()
    let payer = DirectPayer(node: node, feeCap: direct.feeCap, key: try Wallet(wallet).read(), yes: yes)
    let (call, consent) = try await call(money)
    let payment: DirectPayment
    do {
      payment = try await payer.carry(call, of: claim.claim, known: own.all.map(\.hash)) { transaction in
        let record = try await money.begin(.init(transaction, paying: call.receiver), takingBack: consent)
        return { try await money.withdraw(record) }
      }
    } catch let failure as DirectFailure {
      sent = failure.transaction
      throw failure
    }
    let receiver = payment.status == .claimed ? own.all.last { $0.hash == payment.transaction }?.receiver : nil
    return try DirectReport(
      payment: payment, claim: claim.claim, deed: call.deed,
      receiver: payment.status == .claimed ? receiver ?? call.receiver : nil, node: node, vault: vault.url
    ).conclude(json)
  }

  /// Returns the call that gets the money back: the refund of an expired claim, or a payment to the wallet that locked the
  /// money, with the owner's consent to that. The chain's clock decides whether the claim has expired; this one only says
  /// what to try.
  private func call(_ money: OutgoingFunding) async throws -> (DirectCall, consent: Bool?) {
    let (claim, pinned) = (money.claim, money.vault.vault.pinned)
    if claim.expiry.hasPassed(at: UnixTime.now()) { return (DirectCall(refunding: money.terms, at: pinned), nil) }
    var (wallet, consent): (Address?, Bool) = (nil, yes)
    do {
      wallet = try await money.walletToTakeBackTo(evenIfHandedOver: yes)
    } catch let held as FundingError where held.code == .handedOver && Console.canAsk {
      try await Self.ask(about: claim)
      consent = true
    }
    let receiver: Address
    if let wallet { receiver = wallet } else { receiver = try await money.walletToTakeBackTo(evenIfHandedOver: true) }
    do {
      return (
        try DirectCall(paying: claim.claim, money.terms, to: receiver, isTakenBack: true, at: pinned), consent
      )
    } catch {
      throw CommandError(.failure, "the claim cannot be paid: \(error.reason)", remedy: error.remedy)
    }
  }
}
