import BumpWallet

/// A kind of row of a store.
protocol ChainStoredRow {
  static var table: ChainTable { get }
  var key: [UInt8] { get }
  var first: [UInt8]? { get }
  var second: [UInt8]? { get }
  var number: Int64? { get }
  func write(to body: inout BodyWriter)
  init(_ body: inout BodyReader) throws(ChainStoreError)
}

extension ChainStoredRow {
  var first: [UInt8]? { nil }
  var second: [UInt8]? { nil }
  var number: Int64? { nil }

  /// The row with its body: the values, and the first 8 bytes of a hash of them.
  var stored: StoredChainRow {
    var body = BodyWriter()
    write(to: &body)
    return StoredChainRow(
      Self.table, key: key, first: first, second: second, number: number,
      body: body.bytes + Self.check(body.bytes))
  }

  /// Reads a row.
  ///
  /// - Throws: `damaged` unless this program has written body and columns alike.
  init(stored: StoredChainRow) throws(ChainStoreError) {
    guard stored.body.count >= 8 else { throw .damagedRow }
    let values = Array(stored.body.dropLast(8))
    guard Self.check(values) == Array(stored.body.suffix(8)) else { throw .damagedRow }
    var body = BodyReader(values)
    self = try Self(&body)
    // Key and columns follow from the values: a changed one is found here.
    guard body.isAtEnd, self.stored == stored else { throw .damagedRow }
  }

  private static func check(_ values: [UInt8]) -> [UInt8] {
    Array(Keccak256.hash(table.rawValue.utf8 + [0] + values).bytes.prefix(8))
  }
}
