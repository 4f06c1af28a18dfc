import BumpText

/// Solidity's `bytes32`: a hash, an id, or a word of an encoding.
public struct Bytes32: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Returns `nil` unless there are 32 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads `0x` and 64 hex digits of either case.
  ///
  /// - Throws: `WalletError.bytes32` for anything else.
  public init(_ text: some StringProtocol) throws(WalletError) {
    guard text.utf8.count == 66, let bytes = Hex.decode(prefixed: text) else {
      throw WalletError(.bytes32, "32 bytes are 0x and 64 hex digits")
    }
    self.bytes = bytes
  }

  /// Puts zeros before the bytes, of which there are at most 32.
  package init(rightAligned bytes: some Collection<UInt8>) {
    self.bytes = [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }
}

extension Bytes32: CustomStringConvertible {
  /// `0x` and 64 lower-case hex digits.
  public var description: String { Hex.prefixed(bytes) }
}
