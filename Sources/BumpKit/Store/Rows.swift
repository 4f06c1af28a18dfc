import BumpWire
import FoundationEssentials
import GRDB

/// Bytes as SQLite takes them.
struct Blob: DatabaseValueConvertible, Sendable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? { Data.fromDatabaseValue(value).map(Blob.init) }
}

extension Claim {
  /// The claim of a row. What is read is checked like what a stranger sends: a store can be damaged.
  init(_ row: Row) throws {
    let id: String = row["claimId"]
    let secret: Blob = row["secret"]
    let token: String = row["token"]
    guard let amount = Amount(baseUnits: row["amount"]) else { throw StoreError(.failed, "an amount that is none") }
    self.init(id: try ClaimID(id), secret: try ClaimSecret(secret.bytes), token: try Token(token), amount: amount)
  }
}

extension Expiry {
  init(_ row: Row) throws {
    guard let expiry = Expiry(unixSeconds: row["expiry"]) else { throw StoreError(.failed, "an expiry that is none") }
    self = expiry
  }
}
