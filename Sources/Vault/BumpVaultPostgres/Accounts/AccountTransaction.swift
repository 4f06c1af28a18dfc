import BumpPostgres
import BumpSignIn
import BumpVault
import BumpWallet

/// Reads and writes accounts within a transaction.
///
/// An operation holds a lock on the address or the account that it is about, or on both, in that order: rows that are
/// not there yet have no lock of their own. Each statement behind a lock reads what the lock's last holder has committed.
struct AccountTransaction {
  let transaction: PostgresTransaction

  /// Reads the rows of a selection.
  ///
  /// - Parameter locks: whether to lock what they belong to, for a change.
  func rows(_ selection: AccountSelection, locks: Bool) async throws -> AccountRows {
    var rows = AccountRows()
    switch selection {
    case .beginning(let address, let earlier):
      if locks { try await lock(address) }
      rows.addresses = try await find(Self.address, address)
      if let earlier { rows.flows = try await find(Self.flow, earlier) }
    case .entering(let token, let earlier):
      guard let flow = try await find(Self.flow, token, of: FlowRow.self)[token] else { break }
      if locks { try await lock(flow.address) }
      rows.flows = try await find(Self.flow, token)
      rows.addresses = try await find(Self.address, flow.address)
      if let account = rows.addresses[flow.address]?.account {
        if locks { try await lock(account) }
        try await read(account, &rows)
      }
      if let earlier { rows.sessions.merge(try await sessions(of: earlier)) { first, _ in first } }
    case .session(let token, let device):
      if let account = try await sessions(of: token).values.first?.account {
        if locks { try await lock(account) }
        try await read(account, &rows)
      }
      if let device { rows.devices.merge(try await find(Self.device, device)) { first, _ in first } }
    case .device(let id):
      rows.devices = try await find(Self.device, id)
      if let account = rows.devices[id]?.account { rows.accounts = try await find(Self.account, account) }
    }
    return rows
  }

  private func read(_ account: AccountID, _ rows: inout AccountRows) async throws {
    rows.accounts = try await find(Self.account, account)
    rows.devices = try await find(Self.devices, account)
    rows.sessions = try await find(Self.sessions, account)
  }

  private func sessions(of token: TokenHash) async throws -> [SessionID: Session] {
    try await find(Self.session, token.value.value)
  }

  private func find<Found: AccountValues>(
    _ statement: PostgresStatement, _ key: Found.Key, of type: Found.Type = Found.self
  ) async throws -> [Found.Key: Found] {
    try await find(statement, Found.value(of: key))
  }

  /// The devices or sessions of an account.
  private func find<Found: AccountValues>(
    _ statement: PostgresStatement, _ account: AccountID
  ) async throws -> [Found.Key: Found] {
    try await find(statement, Account.value(of: account))
  }

  private func find<Found: AccountValues>(
    _ statement: PostgresStatement, _ value: PostgresValue
  ) async throws -> [Found.Key: Found] {
    try await transaction.run(statement, value).reduce(into: [:]) {
      let row = try Found($1)
      $0[row.key] = row
    }
  }

  private func lock(_ address: AddressHash) async throws { try await lock(address.value.bytes) }
  private func lock(_ account: AccountID) async throws { try await lock(account.value.bytes) }

  /// Locks by the first 8 bytes of a hash or a random id. Two that are equal in them only wait for each other.
  private func lock(_ bytes: [UInt8]) async throws {
    try await transaction.run(Self.lock, .int8(bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }))
  }

  /// Writes changes: accounts first, which others refer to.
  ///
  /// - Throws: `Stale` if a row was deleted meanwhile, or a device was added to another account.
  func write(_ changes: AccountChanges) async throws {
    for row in changes.accounts.inserted + changes.accounts.updated { try await write(row, Self.writeAccount) }
    for row in changes.addresses.inserted + changes.addresses.updated { try await write(row, Self.writeAddress) }
    for key in changes.flows.deleted { try await transaction.run(Self.deleteFlow, FlowRow.value(of: key)) }
    for row in changes.flows.inserted { try await write(row, Self.insertFlow) }
    for row in changes.flows.updated { try await write(row, Self.updateFlow) }
    for key in changes.devices.deleted { try await transaction.run(Self.deleteDevice, Device.value(of: key)) }
    for row in changes.devices.inserted + changes.devices.updated { try await write(row, Self.writeDevice) }
    for key in changes.sessions.deleted { try await transaction.run(Self.deleteSession, Session.value(of: key)) }
    for row in changes.sessions.inserted { try await write(row, Self.insertSession) }
    for row in changes.sessions.updated { try await write(row, Self.updateSession) }
  }

  private func write(_ row: some AccountValues, _ statement: PostgresStatement) async throws {
    guard try await transaction.run(statement, row.values).affected == 1 else { throw Stale() }
  }
}

/// The statements. Commits are durable whatever the server's default is: each lock sets that.
extension AccountTransaction {
  private static let lock = PostgresStatement(
    "accounts_lock", .int8,
    sql: """
      SELECT pg_advisory_xact_lock($1),
        CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
      """)

  private static let account = PostgresStatement(
    "accounts_account", .bytea, sql: "SELECT * FROM bump_accounts.accounts WHERE id = $1")
  private static let address = PostgresStatement(
    "accounts_address", .bytea, sql: "SELECT * FROM bump_accounts.addresses WHERE hash = $1")
  private static let flow = PostgresStatement(
    "accounts_flow", .bytea, sql: "SELECT * FROM bump_accounts.flows WHERE token = $1")
  private static let device = PostgresStatement(
    "accounts_device", .bytea, sql: "SELECT * FROM bump_accounts.devices WHERE id = $1")
  private static let devices = PostgresStatement(
    "accounts_devices", .bytea, sql: "SELECT * FROM bump_accounts.devices WHERE account = $1")
  private static let session = PostgresStatement(
    "accounts_session", .bytea,
    sql: "SELECT * FROM bump_accounts.sessions WHERE token = $1 OR previous = $1")
  private static let sessions = PostgresStatement(
    "accounts_sessions", .bytea, sql: "SELECT * FROM bump_accounts.sessions WHERE account = $1")

  private static let writeAccount = PostgresStatement(
    "accounts_write_account", .bytea, .int8, .bytea, .bytea,
    sql: """
      INSERT INTO bump_accounts.accounts (id, made, wallet, recovery) VALUES ($1, $2, $3, $4)
      ON CONFLICT (id) DO UPDATE SET wallet = $3, recovery = $4
      """)

  /// An address of nobody may be deleted at any time: it is written anew then, with all its codes.
  private static let writeAddress = PostgresStatement(
    "accounts_write_address", .bytea, .bytea, .int8, .bytea,
    sql: """
      INSERT INTO bump_accounts.addresses (hash, codes, latest, account) VALUES ($1, $2, $3, $4)
      ON CONFLICT (hash) DO UPDATE SET codes = $2, latest = $3, account = $4
      """)

  private static let insertFlow = PostgresStatement(
    "accounts_insert_flow", .bytea, .bytea, .bytea, .int8, .int8,
    sql: "INSERT INTO bump_accounts.flows (token, address, code, expires, tries) VALUES ($1, $2, $3, $4, $5)")
  private static let updateFlow = PostgresStatement(
    "accounts_update_flow", .bytea, .bytea, .bytea, .int8, .int8,
    sql: """
      UPDATE bump_accounts.flows SET tries = $5 WHERE token = $1 AND address = $2 AND expires = $4
        AND code IS NOT DISTINCT FROM $3
      """)
  private static let deleteFlow = PostgresStatement(
    "accounts_delete_flow", .bytea, sql: "DELETE FROM bump_accounts.flows WHERE token = $1")

  private static let writeDevice = PostgresStatement(
    "accounts_write_device", .bytea, .bytea, .bytea, .text, .bytea, .int8, .int8,
    sql: """
      INSERT INTO bump_accounts.devices AS old (id, account, credential, name, wrapped, added, used)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (id) DO UPDATE SET used = $7
      WHERE old.account = $2 AND old.name = $4 AND old.wrapped = $5 AND old.added = $6
      """)
  private static let deleteDevice = PostgresStatement(
    "accounts_delete_device", .bytea, sql: "DELETE FROM bump_accounts.devices WHERE id = $1")

  private static let insertSession = PostgresStatement(
    "accounts_insert_session", .bytea, .bytea, .int8, .bytea, .bytea, .int8, .int8, .bytea,
    sql: """
      INSERT INTO bump_accounts.sessions (id, account, began, token, previous, drawn, confirmed, device)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """)
  private static let updateSession = PostgresStatement(
    "accounts_update_session", .bytea, .bytea, .int8, .bytea, .bytea, .int8, .int8, .bytea,
    sql: """
      UPDATE bump_accounts.sessions SET token = $4, previous = $5, drawn = $6, confirmed = $7, device = $8
      WHERE id = $1 AND account = $2 AND began = $3
      """)
  private static let deleteSession = PostgresStatement(
    "accounts_delete_session", .bytea, sql: "DELETE FROM bump_accounts.sessions WHERE id = $1")

  static let removeLapsed = PostgresStatement(
    "accounts_remove_lapsed", .int8, .int8, .int8,
    sql: """
      WITH flows AS (DELETE FROM bump_accounts.flows WHERE expires <= $1 RETURNING 1),
      sessions AS (DELETE FROM bump_accounts.sessions WHERE began <= $2 RETURNING 1),
      addresses AS (DELETE FROM bump_accounts.addresses WHERE account IS NULL AND latest <= $3 RETURNING 1)
      SELECT (SELECT count(*) FROM flows) + (SELECT count(*) FROM sessions) + (SELECT count(*) FROM addresses) AS count
      """)
}
