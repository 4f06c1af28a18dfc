import BumpSignIn
import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

/// A kind of row as it stands in its table.
protocol AccountTable: AccountsRow {
  static var table: String { get }
  /// The columns. The first is that of the key.
  static var columns: [String] { get }
  /// The values of the columns.
  var values: [(any DatabaseValueConvertible)?] { get }
  static func blob(of key: Key) -> Data
  init(_ row: Row) throws
}

extension AccountTable {
  static func find(in database: Database, where condition: String, _ values: StatementArguments) throws -> [Key: Self] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: values).reduce(into: [:]) {
      let row = try Self($1)
      $0[row.key] = row
    }
  }

  static func find(_ key: Key, in database: Database) throws -> [Key: Self] {
    try find(in: database, where: "\(columns[0]) = ?", [blob(of: key)])
  }

  func insert(in database: Database) throws {
    let places = Self.columns.map { _ in "?" }.joined(separator: ", ")
    try database.cachedStatement(
      sql: "INSERT INTO \(Self.table) (\(Self.columns.joined(separator: ", "))) VALUES (\(places))"
    ).execute(arguments: StatementArguments(values))
  }

  /// Writes a row that is there: the transaction has the file to itself.
  func update(in database: Database) throws {
    let changes = Self.columns.dropFirst().map { "\($0) = ?" }.joined(separator: ", ")
    try database.cachedStatement(sql: "UPDATE \(Self.table) SET \(changes) WHERE \(Self.columns[0]) = ?")
      .execute(arguments: StatementArguments(Array(values.dropFirst()) + [Self.blob(of: key)]))
    guard database.changesCount == 1 else { throw DamagedRow() }
  }

  static func delete(_ key: Key, in database: Database) throws {
    try database.cachedStatement(sql: "DELETE FROM \(table) WHERE \(columns[0]) = ?")
      .execute(arguments: [blob(of: key)])
  }
}

extension Account: AccountTable {
  static let table = "accounts"
  static let columns = ["id", "made", "wallet", "recovery"]
  static func blob(of key: AccountID) -> Data { key.value.blob }
  var values: [(any DatabaseValueConvertible)?] {
    [key.value.blob, made, wallet?.blob, recovery.map { Data($0.bytes) }]
  }

  init(_ row: Row) throws {
    self.init(
      key: AccountID(try row.bytes32("id")), made: try row.integer("made"),
      wallet: try row["wallet"] == nil ? nil : row.address("wallet"),
      recovery: try row["recovery"] == nil ? nil : row.wrapped("recovery"))
  }
}

extension AddressRow: AccountTable {
  static let table = "addresses"
  static let columns = ["hash", "codes", "latest", "account"]
  static func blob(of key: AddressHash) -> Data { key.value.blob }
  var values: [(any DatabaseValueConvertible)?] {
    [key.value.blob, Data(CodeTimes.encoded(codes)), codes.max() ?? 0, account?.value.blob]
  }

  init(_ row: Row) throws {
    guard let codes = CodeTimes.decoded(try row.bytes("codes")) else { throw DamagedRow() }
    self.init(
      key: AddressHash(try row.bytes32("hash")), codes: codes,
      account: try row.bytes32OrNull("account").map(AccountID.init))
  }
}

extension FlowRow: AccountTable {
  static let table = "flows"
  static let columns = ["token", "address", "code", "expires", "tries"]
  static func blob(of key: TokenHash) -> Data { key.value.blob }
  var values: [(any DatabaseValueConvertible)?] {
    [key.value.blob, address.value.blob, code?.blob, expires, tries]
  }

  init(_ row: Row) throws {
    self.init(
      key: TokenHash(try row.bytes32("token")), address: AddressHash(try row.bytes32("address")),
      code: try row.bytes32OrNull("code"), expires: try row.integer("expires"), tries: try row.integer("tries"))
  }
}

extension Device: AccountTable {
  static let table = "devices"
  static let columns = ["id", "account", "credential", "name", "wrapped", "added", "used"]
  static func blob(of key: DeviceID) -> Data { key.value.blob }
  var values: [(any DatabaseValueConvertible)?] {
    [key.value.blob, account.value.blob, Data(credential.bytes), name.text, Data(wrapped.bytes), added, used]
  }

  init(_ row: Row) throws {
    guard
      let credential = CredentialID(try row.bytes("credential")),
      let name = DeviceName(try row.decode(String.self, forColumn: "name"))
    else { throw DamagedRow() }
    self.init(
      account: AccountID(try row.bytes32("account")), credential: credential, name: name,
      wrapped: try row.wrapped("wrapped"), added: try row.integer("added"), used: try row.integer("used"))
    guard try row.bytes32("id") == key.value else { throw DamagedRow() }
  }
}

extension Session: AccountTable {
  static let table = "sessions"
  static let columns = ["id", "account", "began", "token", "previous", "drawn", "confirmed", "device"]
  static func blob(of key: SessionID) -> Data { key.value.blob }
  var values: [(any DatabaseValueConvertible)?] {
    [
      key.value.blob, account.value.blob, began, token.value.blob, previous?.value.blob, drawn, confirmed,
      device?.value.blob,
    ]
  }

  init(_ row: Row) throws {
    self.init(
      key: SessionID(try row.bytes32("id")), account: AccountID(try row.bytes32("account")),
      began: try row.integer("began"), token: TokenHash(try row.bytes32("token")),
      previous: try row.bytes32OrNull("previous").map(TokenHash.init), drawn: try row.integer("drawn"),
      confirmed: try row["confirmed"] == nil ? nil : row.integer("confirmed"),
      device: try row.bytes32OrNull("device").map { DeviceID($0) })
  }
}

extension Row {
  fileprivate func bytes32OrNull(_ column: String) throws -> Bytes32? {
    try self[column] == nil ? nil : bytes32(column)
  }

  fileprivate func wrapped(_ column: String) throws -> WrappedKey {
    guard let wrapped = WrappedKey(try bytes(column)) else { throw DamagedRow() }
    return wrapped
  }
}
