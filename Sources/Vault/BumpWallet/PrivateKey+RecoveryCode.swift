import Crypto
import Glibc

/// A wallet's key as a person writes it down: 56 letters and digits in groups of four, which are not mistaken for each
/// other (Crockford's base 32). They are the key's 32 bytes and a checksum: the first three bytes of
/// SHA-256(`"bump/1 recovery code"` ‖ key). The wallet's page of a vault shows and takes the same.
extension PrivateKey {
  /// Reads a recovery code: with or without hyphens and spaces, in either case; `O` is taken for 0, `I` and `L` for 1.
  ///
  /// - Throws: `WalletError.privateKey` for anything else. It never repeats the code.
  public init(recoveryCode text: String) throws(WalletError) {
    let letters = text.uppercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
    guard letters.count != RecoveryCode.shortCount else {
      throw WalletError(
        .privateKey, "this recovery code opens a wallet at its vault only",
        remedy: "Open the wallet there, take its key out, and use the long code")
    }
    guard var bytes = RecoveryCode.bytes(of: letters) else {
      throw WalletError(
        .privateKey, "a recovery code has \(RecoveryCode.count) letters and digits, and this one has a mistake in it",
        remedy: "Compare it with what was written down")
    }
    defer { explicit_bzero(&bytes, bytes.count) }
    try self.init(bytes)
  }

  /// The recovery code: the key itself, for whoever sees it. Swift cannot wipe a string.
  public var exposedRecoveryCode: String {
    var bytes = exposed
    defer { explicit_bzero(&bytes, bytes.count) }
    return RecoveryCode.text(of: bytes)
  }
}

/// The form of recovery codes.
private enum RecoveryCode {
  static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  static let count = 56
  /// Of a code that opens the key which a vault keeps.
  static let shortCount = 28

  static func checksum(_ key: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: Array("bump/1 recovery code".utf8) + key).prefix(3))
  }

  static func text(of key: [UInt8]) -> String {
    var bytes = key + checksum(key) + [0]
    defer { explicit_bzero(&bytes, bytes.count) }
    let letters = (0..<count).map { place in
      let (byte, bit) = (place * 5).quotientAndRemainder(dividingBy: 8)
      let pair = UInt16(bytes[byte]) << 8 | UInt16(bytes[byte + 1])
      return alphabet[Int(pair >> UInt16(11 - bit) & 31)]
    }
    let groups = stride(from: 0, to: count, by: 4).map { String(decoding: letters[$0..<$0 + 4], as: UTF8.self) }
    return groups.joined(separator: "-")
  }

  /// Returns the key's bytes; `nil` for a code with a mistake in it.
  static func bytes(of letters: [UInt8]) -> [UInt8]? {
    guard letters.count == count else { return nil }
    var (bytes, rest, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    for letter in letters {
      guard let value = value(of: letter) else { return nil }
      (rest, bits) = (rest << 5 | value, bits + 5)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: rest >> UInt32(bits)))
      }
    }
    let key = Array(bytes.prefix(32))
    return checksum(key) == Array(bytes.suffix(3)) ? key : nil
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "O"): 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): 1
    default: alphabet.firstIndex(of: letter).map { UInt32($0) }
    }
  }
}
