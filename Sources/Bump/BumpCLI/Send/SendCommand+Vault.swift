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

  /// Returns the money of the claim; `nil` if the claim has no vault. If a vault was asked to lock the money, it stays
  /// with that vault, whatever vault is named now.
  func money(
    of claim: OutgoingClaim, at vault: ConfirmedVault?, in store: ClaimStore, _ console: Console
  ) async throws -> ClaimMoney? {
    let funding = try await store.funding(of: claim.claim, .outgoing)
    if let funding, vault == nil || funding.status != .refused {
      return try ClaimMoney(claim, at: try await ConfirmedVault.of(claim, in: store, console), in: store)
    }
    if vault == nil, untilClaimed { throw Self.nothingToWaitFor("claim \(claim.claim.id) has no vault") }
    return try vault.map { try ClaimMoney(claim, at: $0, in: store) }
  }

  private static func nothingToWaitFor(_ reason: String) -> CommandError {
    CommandError(.usage, reason, remedy: "Name one with --vault, or in BUMP_VAULT, or leave out --until-claimed")
  }

  /// The limit on claims that are made if somebody else takes their ids.
  private static let claims = 3

  /// Locks the money of the claim. If somebody else has used a new claim's id at the vault, makes another claim: nobody
  /// has seen the first.
  ///
  /// - Returns: the money of the claim to hand over, and the deposit's transaction, if the deposit was made now.
  func locked(_ money: ClaimMoney, in store: ClaimStore, _ console: Console) async throws
    -> (money: ClaimMoney, transaction: Bytes32?)
  {
    var money = money
    defer { console.clearStatus() }
    let (wallet, margin) = (vault.wallet, expiryMargin)
    for left in (0..<Self.claims).reversed() {
      if console.rewritesStatus {
        let claim = money.claim.claim
        console.setStatus(
          "Asking \(money.access.url) to lock \(claim.amount) \(claim.token), claim \(claim.id).", first: true)
      }
      // Ctrl-C ends the process here: the request is on the disk, and is sent again later.
      let outcome = try await money.lock(from: { try wallet.read() }, leaving: margin)
      switch outcome {
      case .locked(let transaction): return (money, transaction)
      case .idTaken(let error):
        // An earlier claim may be known elsewhere by its id.
        guard !again, left > 0 else { throw error }
        let before = money.claim
        console.say(
          "Somebody else has taken the id of claim \(before.claim.id) at \(money.access.url). Making another.")
        let claim = try await ClaimMoney.newClaim(
          before.claim.amount, before.claim.token, expiry: before.expiry, at: money.access, leaving: margin, in: store,
          now: UnixTime.now())
        money = try ClaimMoney(claim, at: money.access, in: store)
      }
    }
    preconditionFailure("the last claim is locked, or fails")
  }

  /// Ends a send whose outcome is reported. Waits until the claim is claimed, if a person watches or the user asked to
  /// wait. With --json the wait comes before the result, which is the last event. The link was shown by then.
  ///
  /// - Parameter money: the claim's money; `nil` if nobody can take the claim.
  func concluded(
    _ conclusion: SendReport.Conclusion, _ money: ClaimMoney?, _ report: SendReport
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

  private func wait(for money: ClaimMoney, _ report: SendReport) async {
    let console = report.console
    let waited = try? await Interrupt.cancels { await money.wait(console) }
    report.waited(waited ?? .cancelled, at: money.access.url)
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
