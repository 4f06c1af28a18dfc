import BumpClaims
import FoundationEssentials
import GRDB

/// Bytes as a value in SQLite.
struct Blob: DatabaseValueConvertible, Sendable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? { Data.fromDatabaseValue(value).map(Blob.init) }
}

/// The error for a row that cannot have been written by bump: the store is damaged.
struct DamagedRow: Error, CustomStringConvertible {
  let description: String
}

extension Claim {
  /// Reads the claim in a row. The values are checked like those from a peer.
  init(_ row: Row) throws {
    guard let amount = Amount(baseUnits: try row.decode(forColumn: "amount")) else {
      throw DamagedRow(description: "an invalid amount")
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
      throw DamagedRow(description: "an invalid expiry")
    }
    self = expiry
  }
}
