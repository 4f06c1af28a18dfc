import BumpClaims
import BumpKit
import BumpVaultClient
import BumpWallet

/// The parts of a receive that need a vault.
extension ReceiveCommand {
  /// Returns the object that asks a vault about the money of received claims; `nil` if no vault was named.
  ///
  /// Everything that may fail, or ask the user, happens here, before any claim is received.
  func money(in store: ClaimStore, _ console: Console) async throws -> ReceivedMoney? {
    guard let url = try vault.named() else {
      guard claimsAtOnce else { return nil }
      throw CommandError(.usage, "--claim needs a vault", remedy: "Name it with --vault, or in BUMP_VAULT")
    }
    HTTPTransport.prepare()
    let receiver = claimsAtOnce ? try to ?? vault.wallet.read().address : nil
    // Until the receive begins, Ctrl-C ends the process.
    let access = try await ConfirmedVault.confirmed(url, in: store, yes: options.yes, console)
    return ReceivedMoney(access: access, store: store, margin: margin.expiryMargin, receiver: receiver)
  }

  /// Reports the outcome of a receive, then what the vault says about the money. With --json the vault is asked before
  /// the result, which is the last event; the program has received `stored` by then.
  ///
  /// - Parameter maker: the remembered name of the key that made a link.
  func reported(
    _ outcome: ReceiveOutcome, _ money: ReceivedMoney?, _ report: ReceiveReport, madeBy maker: DisplayName? = nil
  ) async -> ExitStatus {
    guard let money, let claim = StoredClaim(outcome)?.verified else { return report.result(outcome, madeBy: maker) }
    if report.json.isOn {
      let funding = await money.settled(claim)
      report.funded(funding)
      return report.result(outcome, madeBy: maker, funding)
    }
    let status = report.result(outcome, madeBy: maker)
    if report.console.rewritesStatus { report.console.setStatus("Asking \(money.access.url).", first: true) }
    let funding = await money.settled(claim)
    report.console.clearStatus()
    report.funded(funding)
    return funding.status == .success ? status : funding.status
  }
}
