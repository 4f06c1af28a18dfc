import BumpClaims
import BumpPostgres
import BumpVault
import BumpWallet

extension Bytes32 {
  var value: PostgresValue { .bytea(bytes) }
}

extension Address {
  var value: PostgresValue { .bytea(bytes) }
}

extension ClaimID {
  var value: PostgresValue { .text(description) }
}

extension PostgresRow: StoredRow {
  func value<Value: PostgresDecodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let value = try optional(column, as: type) else { throw DamagedRow() }
    return value
  }

  /// Returns the value of a column; `nil` for NULL.
  func optional<Value: PostgresDecodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
    do {
      return try decodeIfPresent(column, as: type)
    } catch {
      throw DamagedRow()
    }
  }

  package func bytes(_ column: String) throws -> [UInt8] { try value(column) }
  package func integer(_ column: String) throws -> Int64 { try value(column) }
}

extension ClaimTerms {
  init(_ row: PostgresRow) throws {
    self.init(
      secretHash: try row.bytes32("secret_hash"), token: try row.address("token"), amount: try row.amount(),
      expiry: try row.moment("expiry"))
  }
}

extension ClaimRecord {
  /// Reads a claim. Returns `nil` for a row of an outer join that found no claim.
  init?(_ row: PostgresRow) throws {
    guard let claimID = try row.optional("claim_id", as: String.self) else { return nil }
    guard let status = ClaimStatus(rawValue: try row.value("status")) else { throw DamagedRow() }
    let state: State
    switch status {
    case .none: state = .draft(since: try row.value("drafted_at"))
    case .pending: state = .pending(try Deposit(row))
    case .claimed: state = .settled(try Deposit(row), try Settlement(row, .claimed))
    case .refunded: state = .settled(try Deposit(row), try Settlement(row, .refunded))
    }
    self.init(claimID: try ClaimID(claimID), terms: try ClaimTerms(row), state: state)
  }
}

extension ClaimRecord.Deposit {
  init(_ row: PostgresRow) throws {
    self.init(
      authorization: SenderAuthorization(
        sender: try row.address("sender"), validBefore: try row.moment("valid_before"),
        bytes: try row.value("signature")),
      transaction: try row.bytes32("deposit_hash"), time: try row.value("deposited_at"))
  }
}

extension ClaimRecord.Settlement {
  init(_ row: PostgresRow, _ outcome: SettlementOutcome) throws {
    self.init(
      outcome: outcome, receiver: try row.address("receiver"), transaction: try row.bytes32("settlement_hash"),
      time: try row.value("settled_at"))
  }
}

extension JournalEntry {
  init(_ row: PostgresRow) throws {
    guard let kind = UInt8(exactly: try row.value("kind", as: Int64.self)).flatMap(Kind.init(rawValue:)) else {
      throw DamagedRow()
    }
    self.init(
      kind, at: try row.value("time"), ledgerID: try row.bytes32("ledger_id"), from: try row.address("sender"),
      to: try row.address("receiver"), token: try row.address("token"), amount: try row.amount(),
      evidence: try row.value("evidence"))
  }
}

extension AuditedEntry {
  /// Reads a row of the journal, with the terms of its claim in the columns `claim_…`.
  init(auditing row: PostgresRow) throws {
    let secretHash = try row.optional("claim_secret_hash", as: [UInt8].self)
    self.init(
      entry: try JournalEntry(row), hash: try row.bytes32("hash"),
      terms: secretHash == nil
        ? nil
        : ClaimTerms(
          secretHash: try row.bytes32("claim_secret_hash"), token: try row.address("claim_token"),
          amount: try row.amount("claim_amount"), expiry: try row.moment("claim_expiry")))
  }
}
