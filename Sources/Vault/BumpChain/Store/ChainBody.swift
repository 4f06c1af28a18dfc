import BumpWallet

/// Writes the values of a row one after the other: numbers big-endian, bytes behind their count.
struct BodyWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ number: some FixedWidthInteger) { bytes += number.bigEndianBytes }
  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
  mutating func put(_ value: Bytes32) { bytes += value.bytes }
  mutating func put(_ value: Address) { bytes += value.bytes }
  mutating func put(_ values: [UInt8]) {
    put(UInt32(values.count))
    bytes += values
  }
}

/// Reads what `BodyWriter` has written.
struct BodyReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  private mutating func take(_ count: Int) throws(ChainStoreError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .damagedRow }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(ChainStoreError) -> Number {
    try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func flag() throws(ChainStoreError) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .damagedRow
    }
  }

  mutating func bytes32() throws(ChainStoreError) -> Bytes32 {
    guard let value = Bytes32(try take(32)) else { throw .damagedRow }
    return value
  }

  mutating func address() throws(ChainStoreError) -> Address {
    guard let value = Address(try take(20)) else { throw .damagedRow }
    return value
  }

  mutating func bytes() throws(ChainStoreError) -> [UInt8] { Array(try take(Int(number(UInt32.self)))) }

  mutating func text() throws(ChainStoreError) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else { throw .damagedRow }
    return text
  }
}

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}

extension ChainStoreError {
  package static let damagedRow = ChainStoreError(
    .damaged, "the store of the vault on a chain is damaged: a row in it is not what this program has written",
    remedy: "Stop the vault, and look what has changed it")
}
