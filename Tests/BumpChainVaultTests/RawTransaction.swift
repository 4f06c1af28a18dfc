import BumpWallet

@testable import BumpChain

/// A signed transaction as a node reads it: EIP-1559's fields, and the sender, who is recovered from the signature.
struct RawTransaction {
  let hash: Bytes32
  let sender: Address
  let nonce: UInt64
  let fees: Fees
  let gasLimit: UInt64
  let data: [UInt8]

  /// - Returns: `nil` for what is no such transaction.
  init?(_ bytes: [UInt8]) {
    guard bytes.first == 2 else { return nil }
    var rest = bytes.dropFirst()
    guard case .list(let fields)? = Self.value(&rest), fields.count == 12, rest.isEmpty else { return nil }
    func field(_ place: Int) -> [UInt8] { if case .bytes(let bytes) = fields[place] { bytes } else { [] } }
    func number(_ place: Int) -> UInt64 { field(place).reduce(0) { $0 << 8 | UInt64($1) } }
    let digest = Keccak256.hash([2] + RLP.list(Array(fields.prefix(9))).encoded)
    let signature = Bytes32(rightAligned: field(10)).bytes + Bytes32(rightAligned: field(11)).bytes
    guard let sender = (try? Signature(signature + [27 + UInt8(number(9))]))?.signer(of: digest) else { return nil }
    hash = Keccak256.hash(bytes)
    self.sender = sender
    (nonce, gasLimit, data) = (number(1), number(4), field(7))
    fees = Fees(maximum: number(3), priority: number(2))
  }

  /// Takes the first value.
  private static func value(_ bytes: inout ArraySlice<UInt8>) -> RLP? {
    guard let first = bytes.popFirst() else { return nil }
    switch first {
    case ..<0x80: return .bytes([first])
    case ..<0xC0: return take(&bytes, Int(first), from: 0x80).map { .bytes(Array($0)) }
    default:
      guard var content = take(&bytes, Int(first), from: 0xC0) else { return nil }
      var values: [RLP] = []
      while !content.isEmpty {
        guard let next = value(&content) else { return nil }
        values.append(next)
      }
      return .list(values)
    }
  }

  private static func take(_ bytes: inout ArraySlice<UInt8>, _ first: Int, from base: Int) -> ArraySlice<UInt8>? {
    var count = first - base
    if count > 55 {
      let digits = bytes.prefix(count - 55)
      bytes = bytes.dropFirst(count - 55)
      count = digits.reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }
}
