import BumpText

/// An Ethereum address of 20 bytes: a contract's, or the last bytes of the Keccak-256 of a public key.
///
/// It is read with or without an EIP-55 checksum, and printed with one.
public struct Address: Hashable, Sendable {
  /// The address's 20 bytes.
  public let bytes: [UInt8]

  /// The zero address. It belongs to nobody, and is what a contract gets when it cannot recover a signature's signer.
  public static let zero = Self(unchecked: [UInt8](repeating: 0, count: 20))

  /// Returns `nil` unless there are 20 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 20 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads `0x` and 40 hex digits. If their letters are of both cases, they contain a checksum, which is checked
  /// (EIP-55).
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
  /// `0x` and 40 hex digits. A letter is upper-case if the hash of the lower-case digits has 8 or more at its place
  /// (EIP-55).
  public var description: String {
    let digits = Hex.encode(bytes)
    let hash = Hex.encode(Keccak256.hash(digits).bytes)
    let checked = zip(digits, hash).map { digit, nibble in
      digit >= UInt8(ascii: "a") && nibble >= UInt8(ascii: "8") ? digit - 0x20 : digit
    }
    return "0x" + String(decoding: checked, as: UTF8.self)
  }
}
