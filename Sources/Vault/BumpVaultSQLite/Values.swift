import BumpClaims
import BumpVault
import BumpWallet
import FoundationEssentials
import GRDB

extension Bytes32 {
  var blob: Data { Data(bytes) }
}

extension Address {
  var blob: Data { Data(bytes) }
}

extension Row: StoredRow {
  package func bytes(_ column: String) throws -> [UInt8] { Array(try decode(Data.self, forColumn: column)) }
  package func integer(_ column: String) throws -> Int64 { try decode(forColumn: column) }
}

extension ClaimTerms {
  init(_ row: Row) throws {
    self.init(
      secretHash: try row.bytes32("secretHash"), token: try row.address("token"), amount: try row.amount(),
      expiry: try row.moment("expiry"))
  }
}

extension ClaimRecord {
  init(_ row: Row) throws {
    guard let status = ClaimStatus(rawValue: try row.decode(forColumn: "status")) else { throw DamagedRow() }
    let state: State
    switch status {
    case .none: state = .draft(since: try row.decode(forColumn: "draftedAt"))
    case .pending: state = .pending(try Deposit(row))
    case .claimed: state = .settled(try Deposit(row), try Settlement(row, .claimed))
    case .refunded: state = .settled(try Deposit(row), try Settlement(row, .refunded))
    }
    self.init(
      claimID: try ClaimID(row.decode(String.self, forColumn: "claimId")), terms: try ClaimTerms(row), state: state)
  }
}

extension ClaimRecord.Deposit {
  init(_ row: Row) throws {
    self.init(
      authorization: SenderAuthorization(
        sender: try row.address("sender"), validBefore: try row.moment("validBefore"),
        bytes: try row.bytes("authorization")),
      transaction: try row.bytes32("depositHash"), time: try row.decode(forColumn: "depositedAt"))
  }
}

extension ClaimRecord.Settlement {
  init(_ row: Row, _ outcome: SettlementOutcome) throws {
    self.init(
      outcome: outcome, receiver: try row.address("receiver"), transaction: try row.bytes32("settlementHash"),
      time: try row.decode(forColumn: "settledAt"))
  }
}

extension JournalEntry {
  init(_ row: Row) throws {
    guard let kind = Kind(rawValue: try row.decode(forColumn: "kind")) else { throw DamagedRow() }
    self.init(
      kind, at: try row.decode(forColumn: "time"), ledgerID: try row.bytes32("ledgerId"),
      from: try row.address("sender"), to: try row.address("receiver"), token: try row.address("token"),
      amount: try row.amount(), evidence: try row.bytes("evidence"))
  }
}

extension SenderUsage {
  init(_ row: Row) throws {
    self.init(
      pending: try row.decode(forColumn: "pending"), day: try row.decode(forColumn: "day"),
      deposits: try row.decode(forColumn: "deposits"))
  }
}
