import BumpClaims
import BumpKit
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The parts of a receive that need a vault.
extension ReceiveCommand {
  /// Returns the object that asks a vault about the money of received claims; `nil` if there is no vault to ask.
  ///
  /// Everything that may fail, or ask the user, happens here, before any claim is received.
  ///
  /// - Parameter origin: the origin of the claim's link. It is the vault if none was named, and the claim is to be paid
  ///   at once or this origin was confirmed before.
  func money(in store: ClaimStore, origin: VaultURL? = nil, _ console: Console) async throws -> ReceivedMoney? {
    let named = try vault.named()
    var url = named
    if url == nil { url = try await vault(at: origin, in: store) }
    guard let url else {
      guard claimsAtOnce else { return nil }
      throw CommandError(.usage, "--claim needs a vault", remedy: "Name it with --vault, or in BUMP_VAULT")
    }
    HTTPTransport.prepare()
    let receiver = claimsAtOnce ? try to ?? vault.wallet.read().address : nil
    // Until the receive begins, Ctrl-C ends the process.
    // A stranger may have made the link: --yes does not confirm its host.
    let access = try await ConfirmedVault.confirmed(url, in: store, yes: options.yes && named != nil, console)
    return ReceivedMoney(access: access, store: store, margin: expiryMargin, receiver: receiver)
  }

  private func vault(at origin: VaultURL?, in store: ClaimStore) async throws -> VaultURL? {
    guard let origin, !claimsAtOnce else { return origin }
    return try await store.confirmedVault(at: origin.description) == nil ? nil : origin
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
