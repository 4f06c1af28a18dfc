public import BumpWallet

/// The Bloom filter of a block's logs, 2048 bits (Yellow Paper, §4.4.3). It says which addresses and topics are certainly
/// not among them.
public struct Bloom: Hashable, Sendable {
  /// The filter's 256 bytes.
  public let bytes: [UInt8]

  /// The filter of a block without logs.
  public static let empty = Bloom(unchecked: [UInt8](repeating: 0, count: 256))

  /// Returns `nil` unless there are 256 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 256 else { return nil }
    self.bytes = bytes
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the filter of some logs. That of all logs of a block is in its header.
  public init(of logs: some Sequence<ChainLog>) {
    var bytes = Self.empty.bytes
    for log in logs {
      for member in [log.address.bytes] + log.topics.map(\.bytes) {
        for bit in Self.bits(of: member) { bytes[255 - bit / 8] |= 1 << UInt8(bit % 8) }
      }
    }
    self.bytes = bytes
  }

  /// Returns `false` only if no log is of this address.
  public func mayContain(_ address: Address) -> Bool { mayContain(address.bytes) }

  /// Returns `false` only if no log has this topic.
  public func mayContain(_ topic: Bytes32) -> Bool { mayContain(topic.bytes) }

  private func mayContain(_ member: [UInt8]) -> Bool {
    Self.bits(of: member).allSatisfy { bytes[255 - $0 / 8] & 1 << UInt8($0 % 8) != 0 }
  }

  /// Returns the numbers of a member's three bits: the low 11 bits of the first three pairs of its hash.
  private static func bits(of member: [UInt8]) -> [Int] {
    let hash = Keccak256.hash(member).bytes
    return [0, 2, 4].map { Int(hash[$0] & 7) << 8 | Int(hash[$0 + 1]) }
  }
}
