import BumpWallet

extension Inclusion {
  /// Takes the fields `level` and `block`.
  ///
  /// - Returns: `nil` if both are missing, as in the answers of an embedded vault.
  /// - Throws: `RequestError` if only one is missing, or one is not valid.
  init?(_ fields: inout JSONFields) throws(RequestError) {
    let level = try fields.optional("level") { value in
      guard let level = Level(rawValue: try value.string()) else {
        throw Fields.Mismatch("it is neither confirmed nor finalized")
      }
      return level
    }
    let block = try fields.optional("block", Self.block)
    guard (level == nil) == (block == nil) else {
      throw RequestError(.missingField, "a level and its block are named together, or neither is", field: "block")
    }
    guard let level, let block else { return nil }
    self.init(blockNumber: block.number, blockHash: block.hash, level: level)
  }

  private static func block(_ value: JSONValue) throws -> (number: UInt64, hash: Bytes32) {
    var fields = try JSONFields(value)
    let number = try fields.required("number") { value in
      guard let number = UInt64(exactly: try value.integer()) else { throw Fields.Mismatch("it is negative") }
      return number
    }
    return (number, try fields.required("hash", Fields.bytes32))
  }

  /// The block as JSON. The level is a field beside it.
  package var block: JSONValue {
    ["number": .integer(Int64(clamping: blockNumber)), "hash": .string(blockHash.description)]
  }
}
