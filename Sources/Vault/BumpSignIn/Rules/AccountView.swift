public import BumpWallet

/// What a browser that is signed in may see of its account.
public struct AccountView: Hashable, Sendable {
  /// The account's id. Wrapped keys have it, and the wallet's address, as associated data.
  public let id: AccountID
  /// The wallet's address; `nil` before the first device was added.
  public let wallet: Address?
  /// The devices, in the order in which they were added.
  public let devices: [Device]
  /// The device of this session; `nil` if the wallet was not opened in it.
  public let device: DeviceID?
  /// The wallet's key, wrapped under the recovery code; `nil` for none.
  public let recovery: WrappedKey?

  init(_ account: Account, _ devices: [Device], isOn device: DeviceID?) {
    (id, wallet, recovery, self.device) = (account.key, account.wallet, account.recovery, device)
    self.devices = devices.sorted { ($0.added, $0.key.value.description) < ($1.added, $1.key.value.description) }
  }
}
