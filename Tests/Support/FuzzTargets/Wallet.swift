import BumpWallet

/// Any bytes as what a wallet reads, from a vault, a person or its own file: what is read is written as it came.
func fuzzWallet(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let text = String(decoding: bytes, as: UTF8.self)
  let lower = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  // Hex is read in either case. A text that was not UTF-8 is another by now.
  func isSame(_ written: String) -> Bool { written.utf8.elementsEqual(lower) }

  if let address = try? Address(text) {
    check(isSame(address.description.lowercased()), "an address that is written otherwise")
    check((try? Address(address.description)) == address, "an address that does not come back")
    let isOneCase = bytes.elementsEqual(lower) || text.dropFirst(2) == text.dropFirst(2).uppercased()
    check(isOneCase || address.description == text, "an address with a wrong checksum")
  }
  if let hash = try? Bytes32(text) { check(isSame(hash.description), "32 bytes that are written otherwise") }
  if let signature = try? Signature(text) {
    check(isSame(signature.description), "a signature that is written otherwise")
    read(signature)
  }
  if let signature = try? Signature(bytes) {
    check(signature.bytes == bytes, "a signature of other bytes")
    read(signature)
  }
  if let key = try? PrivateKey(file: bytes) { readFile(key, lower) }
}

private let digest = Keccak256.hash("any".utf8)

private func read(_ signature: Signature) {
  check((try? Signature(signature.description)) == signature, "a signature that does not come back")
  check(signature.signer(of: digest) != .zero, "a signature of the zero address")
  // n − s and the other v, which anybody can write, would be a second signature of the same.
  let other = Array(signature.bytes[..<32]) + negated(signature.bytes[32..<64]) + [55 - signature.bytes[64]]
  check((try? Signature(other)) == nil, "a signature with a second form")
}

private func readFile(_ key: PrivateKey, _ lower: [UInt8]) {
  var digits = lower[...]
  if digits.starts(with: "0x".utf8) { digits = digits.dropFirst(2) }
  if digits.last == UInt8(ascii: "\n") { digits = digits.dropLast() }
  check(key.exposedFile.dropLast().elementsEqual(digits), "a key that is written otherwise")
  check((try? PrivateKey(file: key.exposedFile)) == key, "a key that does not come back")
  check(key.sign(digest).signer(of: digest) == key.address, "a signature of another key")
  check("\(key)" == "<redacted>", "a key that is printed")
}

/// n less an integer, 32 bytes each, big-endian (n: SEC 2 §2.4.1).
private func negated(_ integer: ArraySlice<UInt8>) -> [UInt8] {
  let order: [UInt8] =
    [UInt8](repeating: 0xFF, count: 15) + [
      0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]
  var borrow = 0
  return zip(order, integer).reversed().map { byte, subtrahend in
    let difference = Int(byte) - Int(subtrahend) + borrow
    borrow = difference >> 8
    return UInt8(difference & 0xFF)
  }.reversed()
}
