import BumpClaims
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

/// Why a row is not what was written: a store can be damaged.
struct DamagedRow: Error, CustomStringConvertible {
  let description: String
}

extension Claim {
  /// The claim of a row. What is read is checked like what a stranger sends.
  init(_ row: Row) throws {
    guard let amount = Amount(baseUnits: try row.decode(forColumn: "amount")) else {
      throw DamagedRow(description: "an amount that is none")
    }
    let secret: Blob = try row.decode(forColumn: "secret")
    self.init(
      id: try ClaimID(row.decode(String.self, forColumn: "claimId")), secret: try ClaimSecret(secret.bytes),
      token: try Token(row.decode(String.self, forColumn: "token")), amount: amount)
  }
}

extension Expiry {
  init(_ row: Row) throws {
    guard let expiry = Expiry(unixSeconds: try row.decode(forColumn: "expiry")) else {
      throw DamagedRow(description: "an expiry that is none")
    }
    self = expiry
  }
}
