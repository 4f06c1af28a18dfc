public import BumpWallet

/// The words that a contract's function returned, or that a log carries.
struct CallResult {
  private let words: [Bytes32]

  /// - Throws: `NodeError.badResult` unless there are exactly so many words.
  init(_ data: [UInt8], words count: Int) throws(NodeError) {
    guard data.count == 32 * count else {
      throw NodeError(.badResult, "a contract returned \(data.count) bytes, not \(count) words")
    }
    words = (0..<count).map { Bytes32(rightAligned: data[32 * $0..<32 * $0 + 32]) }
  }

  /// Returns a word as it is.
  func bytes32(_ index: Int) -> Bytes32 { words[index] }

  /// Returns a word as an address.
  func address(_ index: Int) throws(NodeError) -> Address { try Self.address(words[index]) }

  /// Returns a word as a number.
  func number<Number: FixedWidthInteger & UnsignedInteger>(_ index: Int, as: Number.Type = Number.self)
    throws(NodeError) -> Number
  {
    let (zeros, digits) = (
      words[index].bytes.dropLast(Number.bitWidth / 8), words[index].bytes.suffix(Number.bitWidth / 8)
    )
    guard zeros.allSatisfy({ $0 == 0 }) else {
      throw NodeError(.badResult, "a contract returned a number of more than \(Number.bitWidth) bits")
    }
    return digits.reduce(0) { $0 << 8 | Number($1) }
  }

  /// Returns a word as `true` or `false`.
  func bool(_ index: Int) throws(NodeError) -> Bool {
    switch try number(index, as: UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw NodeError(.badResult, "a contract returned a Boolean that is neither 0 nor 1")
    }
  }

  /// Returns the address in a word.
  static func address(_ word: Bytes32) throws(NodeError) -> Address {
    guard word.bytes.prefix(12).allSatisfy({ $0 == 0 }), let address = Address(word.bytes.suffix(20)) else {
      throw NodeError(.badResult, "a contract returned an address of more than 20 bytes")
    }
    return address
  }
}

extension TokenCall {
  /// Reads the result of `balance`: base units.
  public static func balance(_ result: [UInt8]) throws(NodeError) -> UInt128 {
    try CallResult(result, words: 1).number(0)
  }

  /// Reads the result of `authorizationState`: whether the authorization was used or cancelled.
  public static func isUsed(_ result: [UInt8]) throws(NodeError) -> Bool { try CallResult(result, words: 1).bool(0) }

  /// Reads the result of `domainSeparator`.
  public static func separator(_ result: [UInt8]) throws(NodeError) -> Bytes32 {
    try CallResult(result, words: 1).bytes32(0)
  }
}

extension ClaimVaultCall {
  /// Reads the result of `locked`: base units.
  public static func locked(_ result: [UInt8]) throws(NodeError) -> UInt128 {
    try CallResult(result, words: 1).number(0)
  }
}
