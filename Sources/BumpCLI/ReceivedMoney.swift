import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// Asks a named vault about the money of received claims: whether the money is there, or to pay it at once. The claims
/// are stored by then, whatever the vault answers.
struct ReceivedMoney: Sendable {
  let access: ConfirmedVault
  let store: ClaimStore
  let margin: ExpiryMargin
  /// The address to which claims are paid at once; `nil` if the vault is only asked about them.
  let receiver: Address?

  /// Asks the vault about the money of a claim that was just received, or has the claim paid.
  func settled(_ received: VerifiedClaim) async -> ReceivedFunding {
    let (claim, expiry) = (received.claim, received.expiry)
    var url = access.url
    let result: ReceivedFunding.Result
    do {
      let access = try await access(claim)
      url = access.url
      let money = try IncomingMoney(claim, expiry: expiry, at: access, in: store)
      if let receiver {
        result = .paid(try await money.claim(to: receiver))
      } else {
        result = .asked(try await money.state(leaving: margin))
      }
    } catch {
      let isFinal = try? await store.funding(of: claim, .incoming)?.status.isFinal
      result =
        receiver == nil ? .notAsked(CommandError(error)) : .notPaid(CommandError(error), isFinal: isFinal == true)
    }
    return ReceivedFunding(claim: claim, expiry: expiry, url: url, margin: margin, result: result)
  }

  /// Returns the named vault, or another one that was asked before to pay the claim and may have paid it.
  private func access(_ claim: Claim) async throws -> ConfirmedVault {
    guard let funding = try await store.funding(of: claim, .incoming), funding.status == .asked,
      funding.vault != access.url.description, let url = VaultURL(funding.vault)
    else { return access }
    return try await ConfirmedVault.known(url, in: store, access.console) ?? access
  }
}

/// The result for a received claim's money.
struct ReceivedFunding: Sendable {
  enum Result: Sendable {
    case asked(FundingState)
    case notAsked(CommandError)
    case paid(SignedReceipt)
    /// - Parameter isFinal: whether another try cannot succeed.
    case notPaid(CommandError, isFinal: Bool)
  }

  let claim: Claim
  let expiry: Expiry
  /// The vault's URL; `nil` if none is named.
  let url: VaultURL?
  let margin: ExpiryMargin
  let result: Result

  private var id: ClaimID { claim.id }
  private var money: String { "\(claim.amount) \(claim.token)" }
  private var vault: String { url.map { "\($0)" } ?? "URL" }

  /// The exit status of the receive. If a claim was to be paid and was not, it is that of `bump claim`.
  var status: ExitStatus {
    if case .notPaid(let error, _) = result { error.status } else { .success }
  }

  /// Why the claim was not paid, or why its money is unknown; `nil` otherwise.
  private var error: String? {
    switch result {
    case .notPaid(let error, _), .notAsked(let error): error.message
    case .asked(.unknown(let failure)): failure.description
    default: nil
    }
  }

  /// The result for programs.
  private var word: String {
    switch result {
    case .asked(.funded): "funded"
    case .asked(.expiring): "expiring"
    case .asked(.notFunded): "notFunded"
    case .asked(.claimed): "taken"
    case .asked(.refunded): "refunded"
    case .asked(.unknown), .notAsked: "unknown"
    case .paid: "claimed"
    case .notPaid(let error, _):
      switch error.status {
      case .unknown: "inDoubt"
      case .expired: "expired"
      default: "notClaimed"
      }
    }
  }

  var pairs: [String: JSONLines.Value?] {
    let (receiver, transaction): (Address?, Bytes32?) =
      switch result {
      case .asked(.claimed(let answer)), .asked(.refunded(let answer)): (answer.receiver, answer.transaction)
      case .paid(let receipt): (receipt.receipt.receiver, receipt.receipt.transaction)
      default: (nil, nil)
      }
    return [
      "vault": url.map { .init($0) }, "funding": .string(word), "receiver": receiver.map { .init($0) },
      "txHash": transaction.map { .init($0) }, "error": error.map { .string($0) },
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
    case .asked(.claimed(let answer)):
      "Claim \(id) was claimed\(answer.receiver.map { " to \($0)" } ?? "") before, says \(vault)."
    case .asked(.refunded):
      "The money of claim \(id) went back to its sender, says \(vault). Ask for another claim."
    case .asked(.unknown(let failure)):
      "It is not known whether claim \(id) is funded: \(failure.reason). The claim is kept here. \(later)"
    case .paid(let receipt):
      "Claimed \(receipt.receipt.amount) \(claim.token) to \(receipt.receipt.receiver) (transaction "
        + "\(receipt.receipt.transaction))."
    case .notAsked(let error):
      "It is not known whether claim \(id) is funded: \(error.message). The claim is kept here. \(later)"
    case .notPaid(let error, let isFinal):
      // The other failures say themselves what to do.
      isFinal || error.status != .failure ? error.message : "\(error.reason). The claim is kept here. \(later)"
    }
  }

  var later: String { "Claim it later with: bump claim \(id) --vault \(vault)" }

  /// Whether the money is there or paid.
  var isGood: Bool {
    switch result {
    case .asked(.funded), .paid: true
    default: false
    }
  }
}
