package import BumpClaims
package import BumpWallet

/// A row of a vault's store. Its values are checked like a stranger's input.
package protocol StoredRow {
  /// Returns the bytes in a column that is not NULL.
  func bytes(_ column: String) throws -> [UInt8]
  func integer(_ column: String) throws -> Int64
}

/// The error for a row that the vault cannot have written: a store can be damaged.
package struct DamagedRow: Error {
  package init() {}
}

extension StoredRow {
  package func bytes32(_ column: String) throws -> Bytes32 {
    guard let value = Bytes32(try bytes(column)) else { throw DamagedRow() }
    return value
  }

  package func address(_ column: String) throws -> Address {
    guard let value = Address(try bytes(column)) else { throw DamagedRow() }
    return value
  }

  package func amount(_ column: String = "amount") throws -> Amount {
    guard let value = Amount(baseUnits: try integer(column)) else { throw DamagedRow() }
    return value
  }

  package func moment(_ column: String) throws -> Expiry {
    guard let value = Expiry(unixSeconds: try integer(column)) else { throw DamagedRow() }
    return value
  }
}
