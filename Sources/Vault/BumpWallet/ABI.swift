package import BumpClaims

/// Solidity's `abi.encode` for values that take one word each (Contract ABI Specification, "Formal Specification of the
/// Encoding").
enum ABI {
  static func encode(_ words: some Sequence<Bytes32>) -> [UInt8] { words.flatMap(\.bytes) }
}

extension Bytes32 {
  /// A `uint256`.
  public static func word(_ number: UInt64) -> Self {
    Self(rightAligned: withUnsafeBytes(of: number.bigEndian, Array.init))
  }

  /// A `uint256`, in base units.
  package static func word(_ amount: Amount) -> Self { word(UInt64(amount.baseUnits)) }

  /// A `uint256`, in seconds since 1970.
  package static func word(_ moment: Expiry) -> Self { word(UInt64(moment.unixSeconds)) }

  /// An `address`.
  public static func word(_ address: Address) -> Self { Self(rightAligned: address.bytes) }
}
