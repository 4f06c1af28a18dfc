import BumpWallet

/// The calldata of a contract's function (Contract ABI Specification, "Function Selector and Argument Encoding").
enum Calldata {
  /// An argument: a word, or `bytes`, which follow all words.
  enum Argument {
    case word(Bytes32)
    case bytes([UInt8])
  }

  /// Returns the first four bytes of a signature's hash.
  static func selector(_ signature: String) -> [UInt8] { Array(Keccak256.hash(signature.utf8).bytes.prefix(4)) }

  /// Returns the calldata for a function and its arguments.
  static func encode(_ signature: String, _ arguments: [Argument]) -> [UInt8] {
    var (head, tail): ([UInt8], [UInt8]) = ([], [])
    for argument in arguments {
      switch argument {
      case .word(let word): head += word.bytes
      case .bytes(let bytes):
        head += Bytes32.word(UInt64(32 * arguments.count + tail.count)).bytes
        tail += Bytes32.word(UInt64(bytes.count)).bytes + bytes
        tail += repeatElement(0, count: (32 - bytes.count % 32) % 32)
      }
    }
    return selector(signature) + head + tail
  }
}
