import BumpText
import Glibc

extension WalletError {
  /// The error for a file that holds something else than a wallet's key.
  static let notAKeyFile = WalletError(.privateKey, "a wallet's key is one line of 64 hex digits")
}

/// What a wallet's key file holds: one line of text, the key as 64 hex digits, as Ethereum's tools import it.
extension PrivateKey {
  /// Reads a key file: 64 hex digits of either case, with `0x` before them or without, and a newline behind them or none.
  ///
  /// - Throws: `WalletError.privateKey` for anything else. It never repeats what the file holds.
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

  /// The whole of a key file: 64 lower-case hex digits and a newline. Whoever writes them wipes them.
  public var exposedFile: [UInt8] {
    var bytes = exposed
    defer { explicit_bzero(&bytes, bytes.count) }
    var line = Hex.encode(bytes)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
