import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// Asks a named vault about the money of received claims: whether the money is there, or to pay it at once. The claims
/// are stored by then, whatever the vault answers.
struct ReceivedMoney: Sendable {
  let vault: ConfirmedVault
  let connector: VaultConnector
  let store: ClaimStore
  let margin: ExpiryMargin
  /// The address to which claims are paid at once; `nil` if the vault is only asked about them.
  let receiver: Address?

  /// Asks the vault about the money of a claim that was just received, or has the claim paid.
  func settled(_ received: VerifiedClaim) async -> ReceivedFunding {
    let (claim, expiry) = (received.claim, received.expiry)
    var url = vault.url
    let result: ReceivedFunding.Result
    do {
      let vault = try await payer(of: claim)
      url = vault.url
      let money = try IncomingFunding(claim, expiry: expiry, at: vault, in: store)
      if let receiver {
        result = .paid(try await money.claim(to: receiver))
      } else {
        result = .asked(try await money.state(leaving: margin))
      }
    } catch {
      let isFinal = try? await store.funding(of: claim, .incoming)?.isFinal
      result =
        receiver == nil ? .notAsked(CommandError(error)) : .notPaid(CommandError(error), isFinal: isFinal == true)
    }
    let account = try? await store.funding(of: claim, .incoming)?.account
    return ReceivedFunding(claim: claim, expiry: expiry, url: url, margin: margin, result: result, account: account)
  }

  /// Returns the named vault, or another one that was asked before to pay the claim and may have paid it.
  private func payer(of claim: Claim) async throws -> ConfirmedVault {
    guard let url = try await IncomingFunding.vaultInDoubt(about: claim, in: store), url != vault.url else {
      return vault
    }
    return try await ConfirmedVault.known(url, in: store, by: connector) ?? vault
  }
}

/// The result for a received claim's money.
struct ReceivedFunding: Sendable {
  enum Result: Sendable {
    case asked(FundingState)
    case notAsked(CommandError)
    case paid(Payment)
    /// - Parameter isFinal: whether another try cannot succeed.
    case notPaid(CommandError, isFinal: Bool)
  }

  let claim: Claim
  let expiry: Expiry
  /// The vault's URL; `nil` if none is named.
  let url: VaultURL?
  let margin: ExpiryMargin
  let result: Result
  /// The address that was to be paid from here, as the store has it; `nil` if the claim was never to be paid from here.
  var account: String?

  private var id: ClaimID { claim.id }
  private var money: String { "\(claim.amount) \(claim.token)" }
  private var vault: String { url.map { "\($0)" } ?? "URL" }

  /// The exit status of the receive. If a claim was to be paid, it is that of `bump claim`.
  var status: ExitStatus {
    switch result {
    case .notPaid(let error, _): error.status
    case .paid(let payment): payment.status
    case .asked, .notAsked: .success
    }
  }

  /// Why the claim was not paid, or why its money is unknown; `nil` otherwise.
  private var error: String? {
    switch result {
    case .notPaid(let error, _), .notAsked(let error): error.message
    case .asked(.unknown(let failure)): failure.description
    default: nil
    }
  }

  /// The outcome of the payment for programs, as of `bump claim`.
  var outcome: String { if case .paid(let payment) = result { payment.outcome } else { "failed" } }

  /// The result for programs.
  private var word: String {
    switch result {
    case .asked(.funded): "funded"
    case .asked(.expiring): "expiring"
    case .asked(.notFunded): "notFunded"
    case .asked(.submitted): "submitted"
    case .asked(.undone): "undone"
    case .asked(.claimed): "taken"
    case .asked(.refunded): "refunded"
    case .asked(.settled(let receipt)): receipt.receipt.outcome == .claimed ? "taken" : "refunded"
    case .asked(.unknown), .notAsked: "unknown"
    case .paid(let payment): payment.outcome
    case .notPaid(let error, _):
      switch error.status {
      case .unknown: "inDoubt"
      case .expired: "expired"
      default: "notClaimed"
      }
    }
  }

  /// Whether a receipt that the vault has signed says what became of the money; `nil` if it is not final.
  private var isSigned: Bool? {
    switch result {
    case .asked(.claimed), .asked(.refunded): false
    case .asked(.settled), .paid: true
    default: nil
    }
  }

  /// The level of the receipt's block on a chain; `nil` without a receipt, and for an embedded vault.
  private var level: String? {
    switch result {
    case .asked(.settled(let signed)): signed.inclusion?.level.rawValue
    case .paid(let payment): payment.isFinal ? nil : Funding.Level.confirmed.rawValue
    default: nil
    }
  }

  var pairs: [String: JSONLines.Value?] {
    let (receiver, transaction, time): (Address?, Bytes32?, Int64?) =
      switch result {
      case .asked(.claimed(let answer)), .asked(.refunded(let answer)):
        (answer.receiver, answer.transaction, answer.time)
      case .asked(.settled(let signed)):
        (
          signed.receipt.outcome == .claimed ? signed.receipt.receiver : nil, signed.receipt.transaction,
          signed.receipt.time
        )
      case .paid(let payment): (payment.receipt.receiver, payment.receipt.transaction, payment.receipt.time)
      default: (nil, nil, nil)
      }
    return [
      "vault": url.map { .init($0) }, "funding": .string(word), "receiver": receiver.map { .init($0) },
      "txHash": transaction.map { .init($0) }, "time": time.map { .integer($0) },
      "isSigned": isSigned.map { .flag($0) }, "level": level.map { .string($0) }, "error": error.map { .string($0) },
    ]
  }

  /// The result for people.
  var message: String {
    switch result {
    case .asked(.funded):
      "\(money) of claim \(id) are funded until \(UTCTime.text(expiry.unixSeconds)), says \(vault). They are yours once "
        + "you have claimed them: bump claim \(id)"
    case .asked(.expiring) where expiry.hasPassed(at: UnixTime.now()):
      "Claim \(id) has expired. Ask its sender for another one."
    case .asked(.expiring):
      "Claim \(id) is not accepted as funded, since it expires within \(margin). Claim it at once, or ask its sender for "
        + "another one: bump claim \(id)"
    case .asked(.notFunded):
      "Claim \(id) is not yet funded, says \(vault). Ask its sender. Once it is: bump claim \(id)"
    case .asked(.submitted):
      "The money of claim \(id) is carried to the chain, and not confirmed yet, says \(vault). \(later)"
    case .asked(.undone):
      "A reorganization of the chain took back the payment of claim \(id), says \(vault). "
        + "Claim it again: bump claim \(id)"
    case .asked(.claimed(let answer)):
      "Claim \(id) was claimed before\(answer.receiver.map(payee) ?? ""), says \(vault) without a receipt. \(later)"
    case .asked(.refunded):
      "\(vault) says that the money of claim \(id) was refunded, but shows no signed receipt. Check again with: bump claim \(id)"
    case .asked(.settled(let signed)) where signed.receipt.outcome == .claimed:
      "Claim \(id) was claimed before\(payee(signed.receipt.receiver)), says \(vault)."
    case .asked(.settled):
      "The money of claim \(id) went back to its sender, says \(vault). Ask for another claim."
    case .asked(.unknown(let failure)):
      "It is not known whether claim \(id) is funded: \(failure.reason). The claim is kept here. \(later)"
    case .paid(let payment): payment.message(claim.token)
    case .notAsked(let error):
      "It is not known whether claim \(id) is funded: \(error.message). The claim is kept here. \(later)"
    case .notPaid(let error, let isFinal):
      // The other failures say themselves what to do.
      isFinal || error.status != .failure ? error.message : "\(error.reason). The claim is kept here. \(later)"
    }
  }

  /// Returns who was paid, by the rule of the history: somebody else, unless the claim was to be paid there from here.
  private func payee(_ receiver: Address) -> String {
    receiver.description == account ? " to your address \(receiver)" : " by somebody else, to \(receiver)"
  }

  var later: String { "Claim it later with: bump claim \(id) --vault \(vault)" }

  /// Whether the money is there or paid.
  var isGood: Bool {
    switch result {
    case .asked(.funded): true
    case .paid(let payment): payment.isNew
    default: false
    }
  }
}
