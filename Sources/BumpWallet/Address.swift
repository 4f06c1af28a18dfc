import BumpText

/// An Ethereum address: 20 bytes, the last of the Keccak-256 of a public key, or a contract's.
///
/// Read with an EIP-55 checksum or without, printed with it.
public struct Address: Hashable, Sendable {
  /// 20 of them.
  public let bytes: [UInt8]

  /// Belongs to nobody; the contract that recovers a signature in vain gets it.
  public static let zero = Self(unchecked: [UInt8](repeating: 0, count: 20))

  /// `nil` unless there are 20 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 20 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads `0x` and 40 hex digits. Those of one case alone have no checksum; else it is checked (EIP-55).
  ///
  /// - Throws: `WalletError.address` for anything else.
  public init(_ text: some StringProtocol) throws(WalletError) {
    guard text.utf8.count == 42, let bytes = Hex.decode(prefixed: text) else {
      throw WalletError(.address, "an address is 0x and 40 hex digits")
    }
    self.bytes = bytes
    let digits = text.utf8.dropFirst(2)
    let hasUpper = digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
    let hasLower = digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    guard !(hasUpper && hasLower) || description.utf8.elementsEqual(text.utf8) else {
      throw WalletError(
        .address, "the address has a mistake in it: its checksum does not match",
        remedy: "Copy it anew from where it came")
    }
  }

  init(_ key: PublicKey) {
    bytes = Keccak256.hash(key.bytes).bytes.suffix(20)
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension Address: CustomStringConvertible {
  /// `0x` and 40 hex digits, of which the letters are upper-case where the hash of the lower-case digits says so (EIP-55).
  public var description: String {
    let digits = Hex.encode(bytes)
    let hash = Hex.encode(Keccak256.hash(digits).bytes)
    let checked = zip(digits, hash).map { digit, nibble in
      digit >= UInt8(ascii: "a") && nibble >= UInt8(ascii: "8") ? digit - 0x20 : digit
    }
    return "0x" + String(decoding: checked, as: UTF8.self)
  }
}
