/// The rows that an operation reads, and changes.
public struct AccountRows: Hashable, Sendable {
  public var addresses: [AddressHash: AddressRow] = [:]
  public var flows: [TokenHash: FlowRow] = [:]
  public var accounts: [AccountID: Account] = [:]
  public var devices: [DeviceID: Device] = [:]
  public var sessions: [SessionID: Session] = [:]

  public init() {}

  /// Returns the session of a token, which may have been replaced meanwhile.
  func session(of token: TokenHash) -> Session? {
    sessions.values.first { $0.token == token || $0.previous == token }
  }

  func devices(of account: AccountID) -> [Device] { devices.values.filter { $0.account == account } }
}

/// The rows that an operation needs.
public enum AccountSelection: Hashable, Sendable {
  /// An address, and the browser's earlier flow.
  case beginning(AddressHash, earlier: TokenHash?)
  /// A flow, its address, the address's account with its sessions, and the browser's earlier session.
  case entering(TokenHash, earlier: TokenHash?)
  /// A session by its token or the one before, its account with devices and sessions, and, whosever it is, a device.
  case session(TokenHash, device: DeviceID?)
  /// A device, whosever it is, and its account.
  case device(DeviceID)
}

/// The rows that an operation has changed.
public struct AccountChanges: Sendable {
  /// The changes of one kind of row.
  public struct Of<Row: AccountsRow>: Sendable {
    public let inserted: [Row]
    public let updated: [Row]
    public let deleted: [Row.Key]

    init(_ before: [Row.Key: Row], _ after: [Row.Key: Row]) {
      inserted = after.values.filter { before[$0.key] == nil }
      updated = after.values.filter { row in before[row.key].map { $0 != row } ?? false }
      deleted = before.keys.filter { after[$0] == nil }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  public let addresses: Of<AddressRow>
  public let flows: Of<FlowRow>
  public let accounts: Of<Account>
  public let devices: Of<Device>
  public let sessions: Of<Session>

  public init(from before: AccountRows, to after: AccountRows) {
    addresses = Of(before.addresses, after.addresses)
    flows = Of(before.flows, after.flows)
    accounts = Of(before.accounts, after.accounts)
    devices = Of(before.devices, after.devices)
    sessions = Of(before.sessions, after.sessions)
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    addresses.isEmpty && flows.isEmpty && accounts.isEmpty && devices.isEmpty && sessions.isEmpty
  }
}
