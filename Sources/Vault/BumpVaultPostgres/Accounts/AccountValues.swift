import BumpPostgres
import BumpSignIn
import BumpVault
import BumpWallet

extension Bytes32? {
  fileprivate var value: PostgresValue { map(\.value) ?? .null }
}

extension Int64? {
  fileprivate var value: PostgresValue { map(PostgresValue.int8) ?? .null }
}

/// A kind of row, with the values of its columns in the order of `AccountTransaction`'s statements. The first is the key's.
protocol AccountValues: AccountsRow {
  var values: [PostgresValue] { get }
  static func value(of key: Key) -> PostgresValue
  init(_ row: PostgresRow) throws
}

extension Account: AccountValues {
  static func value(of key: AccountID) -> PostgresValue { key.value.value }
  var values: [PostgresValue] {
    [key.value.value, .int8(made), wallet?.value ?? .null, recovery.map { .bytea($0.bytes) } ?? .null]
  }

  init(_ row: PostgresRow) throws {
    let wallet = try row.optional("wallet", as: [UInt8].self) == nil ? nil : row.address("wallet")
    let recovery = try row.optional("recovery", as: [UInt8].self) == nil ? nil : row.wrapped("recovery")
    self.init(
      key: AccountID(try row.bytes32("id")), made: try row.value("made"), wallet: wallet, recovery: recovery)
  }
}

extension AddressRow: AccountValues {
  static func value(of key: AddressHash) -> PostgresValue { key.value.value }
  var values: [PostgresValue] {
    [key.value.value, .bytea(CodeTimes.encoded(codes)), .int8(codes.max() ?? 0), (account?.value).value]
  }

  init(_ row: PostgresRow) throws {
    guard let codes = CodeTimes.decoded(try row.value("codes")) else { throw DamagedRow() }
    self.init(
      key: AddressHash(try row.bytes32("hash")), codes: codes,
      account: try row.bytes32OrNull("account").map(AccountID.init))
  }
}

extension FlowRow: AccountValues {
  static func value(of key: TokenHash) -> PostgresValue { key.value.value }
  var values: [PostgresValue] {
    [key.value.value, address.value.value, code.value, .int8(expires), .int8(tries)]
  }

  init(_ row: PostgresRow) throws {
    self.init(
      key: TokenHash(try row.bytes32("token")), address: AddressHash(try row.bytes32("address")),
      code: try row.bytes32OrNull("code"), expires: try row.value("expires"), tries: try row.value("tries"))
  }
}

extension Device: AccountValues {
  static func value(of key: DeviceID) -> PostgresValue { key.value.value }
  var values: [PostgresValue] {
    [
      key.value.value, account.value.value, .bytea(credential.bytes), .text(name.text), .bytea(wrapped.bytes),
      .int8(added), .int8(used),
    ]
  }

  init(_ row: PostgresRow) throws {
    guard let credential = CredentialID(try row.value("credential")), let name = DeviceName(try row.value("name"))
    else {
      throw DamagedRow()
    }
    self.init(
      account: AccountID(try row.bytes32("account")), credential: credential, name: name,
      wrapped: try row.wrapped("wrapped"), added: try row.value("added"), used: try row.value("used"))
    guard try row.bytes32("id") == key.value else { throw DamagedRow() }
  }
}

extension Session: AccountValues {
  static func value(of key: SessionID) -> PostgresValue { key.value.value }
  var values: [PostgresValue] {
    [
      key.value.value, account.value.value, .int8(began), token.value.value, (previous?.value).value, .int8(drawn),
      confirmed.value, (device?.value).value,
    ]
  }

  init(_ row: PostgresRow) throws {
    self.init(
      key: SessionID(try row.bytes32("id")), account: AccountID(try row.bytes32("account")),
      began: try row.value("began"), token: TokenHash(try row.bytes32("token")),
      previous: try row.bytes32OrNull("previous").map(TokenHash.init), drawn: try row.value("drawn"),
      confirmed: try row.optional("confirmed"), device: try row.bytes32OrNull("device").map { DeviceID($0) })
  }
}

extension PostgresRow {
  fileprivate func bytes32OrNull(_ column: String) throws -> Bytes32? {
    try optional(column, as: [UInt8].self) == nil ? nil : bytes32(column)
  }

  fileprivate func wrapped(_ column: String) throws -> WrappedKey {
    guard let wrapped = WrappedKey(try value(column)) else { throw DamagedRow() }
    return wrapped
  }
}
