import BumpText
public import BumpWallet

/// A change of what opens a wallet.
public enum WalletChange: Hashable, Sendable {
  /// Adds a device.
  case add(CredentialID, DeviceName, WrappedKey)
  /// Records that the wallet was opened on a device.
  case use(DeviceID)
  /// Removes a device with its wrapped key, and ends its sessions.
  case remove(DeviceID)
  /// Replaces the key that is wrapped under the recovery code; `nil` removes it.
  case recovery(WrappedKey?)

  /// keccak256 of the kind of change, and of its parts, each behind its length as a word.
  var hash: Bytes32 {
    let (kind, parts): (UInt64, [[UInt8]]) =
      switch self {
      case .add(let credential, let name, let wrapped): (1, [credential.bytes, Array(name.text.utf8), wrapped.bytes])
      case .use(let device): (2, [device.value.bytes])
      case .remove(let device): (3, [device.value.bytes])
      case .recovery(let wrapped): (4, [wrapped?.bytes ?? []])
      }
    return Keccak256.hash(
      Bytes32.word(kind).bytes + parts.flatMap { Bytes32.word(UInt64($0.count)).bytes + $0 })
  }

  /// The device that the change is about.
  var device: DeviceID? {
    switch self {
    case .add(let credential, _, _): DeviceID(credential)
    case .use(let device), .remove(let device): device
    case .recovery: nil
    }
  }
}

/// The message `Wallet(bytes32 account,bytes32 change,uint256 validBefore)` in a vault's domain, which the wallet's key
/// signs: whoever has the signature may make this change, until that time, in a session of the account.
public struct WalletStatement: TypedData, Hashable, Sendable {
  /// How far in the future `validBefore` may be, in seconds: clients' clocks differ.
  public static let longestLife: Int64 = 900

  public let account: AccountID
  public let change: WalletChange
  /// The time in seconds since 1970 until which the signature is valid; not negative.
  public let validBefore: Int64
  public let domain: Domain

  /// Makes the message. A negative `validBefore` becomes zero.
  public init(account: AccountID, change: WalletChange, validBefore: Int64, domain: Domain) {
    (self.account, self.change, self.domain) = (account, change, domain)
    self.validBefore = max(0, validBefore)
  }

  public static let typeHash = Keccak256.hash("Wallet(bytes32 account,bytes32 change,uint256 validBefore)".utf8)
  public var words: [Bytes32] { [account.value, change.hash, .word(UInt64(validBefore))] }

  func isValid(at now: Int64) -> Bool { now < validBefore && validBefore - now <= Self.longestLife }
}
