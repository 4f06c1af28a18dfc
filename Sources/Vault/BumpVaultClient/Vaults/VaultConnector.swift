import BumpStore
public import BumpVaultAPI
public import BumpWallet
import Synchronization

/// Makes the clients with which vaults are asked.
public struct VaultConnector: Sendable {
  /// Makes the client of the vault with this URL.
  let client: @Sendable (VaultURL) -> VaultClient
  /// The contracts of public chains that the user's configuration names. Nothing is signed for others.
  let contracts: [KnownContract]

  /// The shortest pause before a repeated request that a person would notice.
  private static let noticeable: Duration = .milliseconds(400)

  /// Returns whether to report a pause. After the task is cancelled, a pause is not: the request that was cancelled
  /// counts as lost, and no other follows.
  static func reports(_ pause: Duration) -> Bool { pause >= noticeable && !Task.isCancelled }

  /// Makes a connector for vaults that are asked over HTTP.
  ///
  /// - Parameters:
  ///   - roots: a PEM file of certificates to trust instead of the system's; `nil` for the system's.
  ///   - contracts: the contracts that the user's configuration names, read by `ContractsFile`.
  ///   - onWait: called at most once for each client, if a request has failed and is sent again after a pause that a
  ///     person would notice.
  public init(
    roots: String? = nil, contracts: [KnownContract] = [],
    onWait: @escaping @Sendable (VaultURL) -> Void = { _ in }
  ) {
    self.init(contracts: contracts) { url in
      let isReported = Mutex(false)
      return VaultClient(HTTPTransport(url, roots: roots), now: UnixTime.now) { pause in
        let isFirst =
          Self.reports(pause)
          && isReported.withLock { isReported in
            defer { isReported = true }
            return !isReported
          }
        if isFirst { onWait(url) }
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Makes a connector of clients that the program makes itself.
  public init(
    contracts: [KnownContract] = [], _ client: @escaping @Sendable (VaultURL) -> VaultClient
  ) {
    (self.contracts, self.client) = (contracts, client)
  }
}
