public import BumpWallet

/// A row of a store of accounts.
public protocol AccountsRow: Hashable, Sendable {
  associatedtype Key: Hashable & Sendable
  /// What the row is found by. It never changes.
  var key: Key { get }
}

/// What is known of an address: when codes were sent to it, and whose it is. The address itself is not known.
public struct AddressRow: AccountsRow {
  public let key: AddressHash
  /// When codes were sent, in seconds since 1970, in the order in which they were.
  public var codes: [Int64]
  /// The account; `nil` as long as nobody has entered a code.
  public var account: AccountID?

  public init(key: AddressHash, codes: [Int64] = [], account: AccountID? = nil) {
    (self.key, self.codes, self.account) = (key, codes, account)
  }
}

/// A browser that has asked for a code.
public struct FlowRow: AccountsRow {
  /// The hash of the token in the browser's cookie.
  public let key: TokenHash
  /// The address to which the code was sent.
  public let address: AddressHash
  /// The hash of the code; `nil` if none was sent. Then every code is wrong.
  public let code: Bytes32?
  /// When the code lapses, in seconds since 1970.
  public let expires: Int64
  /// How many guesses were made.
  public var tries: Int64

  public init(key: TokenHash, address: AddressHash, code: Bytes32?, expires: Int64, tries: Int64 = 0) {
    (self.key, self.address, self.code, self.expires, self.tries) = (key, address, code, expires, tries)
  }
}

/// The id of an account, drawn at random.
public struct AccountID: Hashable, Sendable {
  public let value: Bytes32
  public init(_ value: Bytes32) { self.value = value }
}

/// The account of an address.
public struct Account: AccountsRow {
  public let key: AccountID
  /// When it was made, in seconds since 1970.
  public let made: Int64
  /// The wallet's address; `nil` before the first device was added. It never changes.
  public var wallet: Address?
  /// The wallet's key, wrapped under a recovery code that this server does not know; `nil` for none.
  public var recovery: WrappedKey?

  public init(key: AccountID, made: Int64, wallet: Address? = nil, recovery: WrappedKey? = nil) {
    (self.key, self.made, self.wallet, self.recovery) = (key, made, wallet, recovery)
  }
}

/// A device of an account, which can open its wallet.
public struct Device: AccountsRow {
  public let key: DeviceID
  public let account: AccountID
  /// The id of the passkey, or one that the page has drawn for a key of its own.
  public let credential: CredentialID
  /// The name that its owner gave it.
  public let name: DeviceName
  /// The wallet's key, wrapped under a key that this device alone has.
  public let wrapped: WrappedKey
  /// When it was added, and used last, in seconds since 1970.
  public let added: Int64
  public var used: Int64

  public init(
    account: AccountID, credential: CredentialID, name: DeviceName, wrapped: WrappedKey, added: Int64, used: Int64
  ) {
    key = DeviceID(credential)
    (self.account, self.credential, self.name, self.wrapped) = (account, credential, name, wrapped)
    (self.added, self.used) = (added, used)
  }
}

/// The id of a session, drawn at random. It is not the session's token.
public struct SessionID: Hashable, Sendable {
  public let value: Bytes32
  public init(_ value: Bytes32) { self.value = value }
}

/// A browser that is signed in.
public struct Session: AccountsRow {
  public let key: SessionID
  public let account: AccountID
  /// When the code was entered, in seconds since 1970.
  public let began: Int64
  /// The hash of the token in the browser's cookie, and of the one before.
  public var token: TokenHash
  public var previous: TokenHash?
  /// When the token was drawn, and when the browser has sent it first, in seconds since 1970; `nil` if it never has.
  public var drawn: Int64
  public var confirmed: Int64?
  /// The device on which the wallet was opened; `nil` as long as it was not.
  public var device: DeviceID?

  public init(
    key: SessionID, account: AccountID, began: Int64, token: TokenHash, previous: TokenHash? = nil, drawn: Int64,
    confirmed: Int64? = nil, device: DeviceID? = nil
  ) {
    (self.key, self.account, self.began) = (key, account, began)
    (self.token, self.previous, self.drawn, self.confirmed) = (token, previous, drawn, confirmed)
    self.device = device
  }
}
