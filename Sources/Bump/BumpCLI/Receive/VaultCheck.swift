import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// Asks a vault about received claims: whether their money is there, or to pay it at once.
struct VaultCheck: Sendable {
  let vault: VaultOptions
  /// Whether each claim is paid as soon as it is received (`--claim`).
  let paysAtOnce: Bool
  /// The address to pay to; `nil` for the wallet's.
  let address: PayoutAddress?
  /// How much time a claim must have left to count as funded.
  let margin: ExpiryMargin
  /// Whether a named vault is confirmed without asking.
  let yes: Bool

  private static let noVault = CommandError(
    .usage, "--claim needs a vault", remedy: "Name it with --vault, or in BUMP_VAULT")

  /// Returns the object that asks the named vault about the money of claims that come from a sender nearby; `nil` if no
  /// vault is named.
  ///
  /// Everything that may fail, or ask the user, happens here, before any claim is received.
  func money(in store: ClaimStore, _ console: Console) async throws -> ReceivedMoney? {
    guard let url = try vault.named() else {
      guard paysAtOnce else { return nil }
      throw Self.noVault
    }
    return try await money(at: url, in: store, yes: yes, console)
  }

  private func money(
    at url: VaultURL, in store: ClaimStore, yes: Bool, _ console: Console
  ) async throws -> ReceivedMoney {
    HTTPTransport.prepare()
    let receiver = paysAtOnce ? try await address?.confirmed(console) ?? vault.wallet.read().address : nil
    let vault = try await ConfirmedVault.confirmed(url, in: store, yes: yes, console)
    return ReceivedMoney(
      vault: vault, connector: try VaultConnector(console), store: store, margin: margin, receiver: receiver)
  }

  /// Reports a claim that came from a sender nearby, then what the vault says about its money.
  func reported(_ outcome: ReceiveOutcome, _ money: ReceivedMoney?, _ report: ReceiveReport) async -> ExitStatus {
    guard let money, let claim = StoredClaim(outcome)?.verified else { return report.result(outcome) }
    return await reported(outcome, report) { await settled(claim, money, report) }
  }

  /// Reports a claim that came by a link and is stored, then what the vault says about its money. Whatever fails with
  /// the vault, the claim stays.
  ///
  /// - Parameters:
  ///   - linked: the vault that the link names.
  ///   - maker: the remembered name of the key that made the link.
  func reported(
    _ outcome: ReceiveOutcome, at linked: VaultURL?, in store: ClaimStore, _ report: ReceiveReport,
    madeBy maker: DisplayName?
  ) async -> ExitStatus {
    guard let claim = StoredClaim(outcome)?.verified else { return report.result(outcome, madeBy: maker) }
    var (report, url) = (report, linked)
    do {
      url = try await vaultToAsk(linked, in: store)
      guard url != nil || paysAtOnce else { return report.result(outcome, madeBy: maker) }
    } catch {
      return await reported(outcome, report, madeBy: maker) { unsettled(claim, at: linked, CommandError(error)) }
    }
    report.hasVault = true
    return await reported(outcome, report, madeBy: maker) { [report] in
      do {
        guard let url else { throw Self.noVault }
        let isNamed = try vault.named() != nil
        if !isNamed { try await askFirst(url, in: store, report.console) }
        // --yes does not confirm a vault that a stranger's link names.
        let money = try await money(at: url, in: store, yes: yes && isNamed, report.console)
        return await settled(claim, money, report)
      } catch {
        return unsettled(claim, at: url, CommandError(error))
      }
    }
  }

  /// Returns the named vault, or otherwise the link's if the claim is to be paid at once or that vault was confirmed
  /// before. Asks nobody.
  private func vaultToAsk(_ linked: VaultURL?, in store: ClaimStore) async throws -> VaultURL? {
    if let named = try vault.named() { return named }
    guard let linked, !paysAtOnce else { return linked }
    return try await store.confirmedVault(at: linked.description) == nil ? nil : linked
  }

  /// Asks the person whether to contact the vault of a link, before the first packet to it: a stranger may have made the
  /// link to learn who opens it. Without a terminal the vault is refused later, and contacted neither.
  private func askFirst(_ url: VaultURL, in store: ClaimStore, _ console: Console) async throws {
    guard Console.canAsk, try await store.confirmedVault(at: url.description) == nil else { return }
    let lines = ["The link names the vault \(url), which is not known here. Whoever made the link chose it."]
    guard await Prompt.answer("Connect to that vault?", about: lines, console) == .yes else {
      throw CommandError(.declined, "the vault \(url) was not asked")
    }
  }

  /// Reports a claim, and its money. With --json the vault is asked before the result, which is the last event; the
  /// program has received `stored` by then.
  private func reported(
    _ outcome: ReceiveOutcome, _ report: ReceiveReport, madeBy maker: DisplayName? = nil,
    settle: () async -> ReceivedFunding
  ) async -> ExitStatus {
    if report.json.isOn {
      let funding = await settle()
      report.funded(funding)
      return report.result(outcome, madeBy: maker, funding)
    }
    let status = report.result(outcome, madeBy: maker)
    let funding = await settle()
    report.funded(funding)
    return funding.status == .success ? status : funding.status
  }

  private func settled(
    _ claim: VerifiedClaim, _ money: ReceivedMoney, _ report: ReceiveReport
  ) async -> ReceivedFunding {
    if !report.json.isOn, report.console.rewritesStatus {
      report.console.setStatus("Asking \(money.vault.url).", first: true)
    }
    defer { report.console.clearStatus() }
    return await money.settled(claim)
  }

  /// Returns the result if the vault could not be asked about a stored claim.
  private func unsettled(_ received: VerifiedClaim, at url: VaultURL?, _ error: CommandError) -> ReceivedFunding {
    func funding(_ result: ReceivedFunding.Result) -> ReceivedFunding {
      ReceivedFunding(
        claim: received.claim, expiry: received.expiry, url: url, margin: margin, result: result)
    }
    let asked = funding(.notAsked(error))
    guard paysAtOnce else { return asked }
    let remedy = [error.remedy, asked.later].compactMap(\.self).joined(separator: ". ")
    let kept = CommandError(
      error.status, "\(error.reason). Claim \(received.claim.id) is kept here", remedy: remedy)
    return funding(.notPaid(kept, isFinal: true))
  }
}
