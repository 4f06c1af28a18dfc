import BumpText
import Glibc

extension WalletError {
  /// The error for a file that does not contain a wallet's key.
  static let notAKeyFile = WalletError(.privateKey, "a wallet's key is one line of 64 hex digits")
}

/// The contents of a wallet's key file: one line of text, the key as 64 hex digits, which Ethereum's tools can import.
extension PrivateKey {
  /// Reads a key file: 64 hex digits of either case, with or without `0x` before them and a newline after them.
  ///
  /// - Throws: `WalletError.privateKey` for anything else. It never repeats the file's contents.
  public init(file contents: [UInt8]) throws(WalletError) {
    var digits = contents[...]
    if digits.starts(with: "0x".utf8) { digits = digits.dropFirst(2) }
    if digits.last == UInt8(ascii: "\n") { digits = digits.dropLast() }
    guard digits.count == 64, var bytes = Hex.decode(digits) else {
      throw .notAKeyFile
    }
    defer { explicit_bzero(&bytes, bytes.count) }
    try self.init(bytes)
  }

  /// The contents of the key file: 64 lower-case hex digits and a newline. The caller must wipe them after writing.
  public var exposedFile: [UInt8] {
    var bytes = exposed
    defer { explicit_bzero(&bytes, bytes.count) }
    var line = Hex.encode(bytes)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
