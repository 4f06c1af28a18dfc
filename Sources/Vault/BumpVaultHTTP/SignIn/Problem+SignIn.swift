import BumpSignIn
import BumpVaultAPI

extension Problem {
  /// Makes the problem for a refusal. Its kind has the same name as the refusal's code.
  init(_ refusal: SignInRefusal) {
    let kind = Kind.signIns.first { $0.name == refusal.code.description } ?? .internalError
    self.init(kind, refusal.reason, remedy: refusal.remedy, triesLeft: refusal.triesLeft)
  }

  /// Makes the problem for a failure of the store of accounts. The details are for the operator's log, not for clients.
  init(_ error: AccountStoreError) {
    switch error.code {
    case .failed:
      self.init(
        .unavailable, "it is not known whether the request was carried out", remedy: "Send it again", retryAfter: 1)
    default: self.init(.internalError, "the store of accounts cannot be used", remedy: "Tell the vault's operator")
    }
  }
}
