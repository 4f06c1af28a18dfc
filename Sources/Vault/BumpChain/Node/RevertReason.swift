/// The reason that a contract gave for a revert: Solidity's `Error(string)`.
package enum RevertReason {
  /// Reads what a reverted call returned.
  ///
  /// - Returns: `nil` for anything but a text, which the token's contract may choose.
  package static func text(of refusal: NodeRefusal?) -> String? {
    guard let data = refusal?.data, data.count >= 68, data.starts(with: [0x08, 0xC3, 0x79, 0xA0]) else { return nil }
    let count = data[60..<68].reduce(into: UInt64(0)) { count, byte in count = count << 8 | UInt64(byte) }
    guard data[36..<60].allSatisfy({ $0 == 0 }), count <= 256, data.count >= 68 + Int(count) else { return nil }
    return String(decoding: data[68..<68 + Int(count)], as: UTF8.self)
  }
}
