import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The parts of a send that need a vault.
extension SendCommand {
  /// Returns the named vault, confirmed by the person; `nil` if none was named.
  func confirmedVault(in store: ClaimStore, _ console: Console) async throws -> ConfirmedVault? {
    guard let url = try vault.named() else {
      if untilClaimed, !again { throw Self.nothingToWaitFor("--until-claimed needs a vault") }
      return nil
    }
    // Report a missing key before asking the person, and before making a claim.
    _ = try vault.wallet.read()
    return try await ConfirmedVault.confirmed(url, in: store, yes: options.yes, console)
  }

  /// Returns the money of the claim; `nil` if the claim has no vault.
  func money(
    of claim: OutgoingClaim, at vault: ConfirmedVault?, in store: ClaimStore, _ console: Console
  ) async throws -> OutgoingFunding? {
    let money = try await OutgoingFunding.of(claim, at: vault, in: store, by: try VaultConnector(console))
    if money == nil, untilClaimed { throw Self.nothingToWaitFor("claim \(claim.claim.id) has no vault") }
    return money
  }

  private static func nothingToWaitFor(_ reason: String) -> CommandError {
    CommandError(.usage, reason, remedy: "Name one with --vault, or in BUMP_VAULT, or leave out --until-claimed")
  }

  /// Locks the money of the claim. If somebody else has used a new claim's id at the vault, makes another claim: nobody
  /// has seen the first. An earlier claim may be known elsewhere by its id.
  ///
  /// - Returns: the money of the claim to hand over, and the deposit's transaction, if the deposit was made now.
  func locked(_ money: OutgoingFunding, _ console: Console) async throws
    -> (money: OutgoingFunding, transaction: Bytes32?)
  {
    defer { console.clearStatus() }
    let (wallet, margin) = (vault.wallet, expiryMargin)
    // Ctrl-C ends the process here: the request is on the disk, and is sent again later.
    guard !again else {
      Self.report(.asking(money), console)
      return (money, try await money.lock(from: try wallet.read(), leaving: margin).transaction)
    }
    let (locked, lock) = try await money.lockReplacing(from: try wallet.read(), leaving: margin) {
      Self.report($0, console)
    }
    return (locked, lock.transaction)
  }

  private static func report(_ step: OutgoingFunding.LockStep, _ console: Console) {
    switch step {
    case .asking(let money):
      guard console.rewritesStatus else { return }
      let claim = money.claim.claim
      console.setStatus(
        "Asking \(money.vault.url) to lock \(claim.amount) \(claim.token), claim \(claim.id).", first: true)
    case .idTaken(let money):
      console.say(
        "Somebody else has taken the id of claim \(money.claim.claim.id) at \(money.vault.url). Making another.")
    }
  }

  /// Ends a send whose outcome is reported. Waits until the claim is claimed, if a person watches or the user asked to
  /// wait. With --json the wait comes before the result, which is the last event. The link was shown by then.
  ///
  /// - Parameter money: the claim's money; `nil` if nobody can take the claim.
  func concluded(
    _ conclusion: SendReport.Conclusion, _ money: OutgoingFunding?, _ report: SendReport
  ) async -> ExitStatus {
    guard let money, untilClaimed || report.console.rewritesStatus && !report.json.isOn && !options.output.quiet else {
      return report.end(conclusion)
    }
    if report.json.isOn {
      await wait(for: money, report)
      return report.end(conclusion)
    }
    let status = report.end(conclusion)
    await wait(for: money, report)
    return status
  }

  private func wait(for money: OutgoingFunding, _ report: SendReport) async {
    let console = report.console
    let status = WaitingStatus(until: money.claim.expiry.unixSeconds, console)
    let end = try? await Interrupt.cancels {
      await money.settlement { console.sayOfStrangers("bump: \(Self.message($0))") }
    }
    status.stop()
    report.waited(end, at: money.vault.url, isTakenBack: (try? await money.isTakenBack()) ?? false)
  }

  private static func message(_ error: any Error) -> String {
    if let failure = error as? VaultFailure { failure.reason } else { CommandError(error).message }
  }
}

extension SendOutcome {
  /// Whether somebody may have the claim after this outcome.
  var mayBeTaken: Bool {
    switch self {
    case .delivered, .unknown: true
    case .undelivered(_, let link, _): link != nil
    default: false
    }
  }
}
