import BumpClaims
import BumpKit
import BumpVaultClient
import BumpWallet

/// What a receive has to do with a vault.
extension ReceiveCommand {
  /// Returns what is done about the money of the claims that come; `nil` where no vault was named.
  ///
  /// All that may fail or be asked comes here, before any claim does.
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

  /// Reports the outcome of a receive, and then what became of the money. The result is the last event, so with --json the
  /// vault is asked before it; a program has had `stored` by then.
  ///
  /// - Parameter maker: the remembered name of the key that a link was made with.
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
