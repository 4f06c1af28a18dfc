/// Keccak-256, as used by Ethereum: Keccak[c = 512] of the SHA-3 submission (version 3), with 32 bytes of output.
///
/// It is not SHA3-256: FIPS 202 appends two more bits to a message. Steps and letters are those of FIPS 202 §3.
public enum Keccak256 {
  /// The number of bytes in a block: the rate.
  private static let rate = 136

  /// Returns the hash of a message of any length.
  public static func hash(_ message: some Collection<UInt8>) -> Bytes32 {
    var padded = Array(message) + [0x01]
    padded += repeatElement(0, count: (rate - padded.count % rate) % rate)
    padded[padded.count - 1] |= 0x80
    var a = InlineArray<25, UInt64>(repeating: 0)
    for block in stride(from: 0, to: padded.count, by: rate) {
      for byte in 0..<rate { a[byte / 8] ^= UInt64(padded[block + byte]) << (byte % 8 * 8) }
      permute(&a)
    }
    return Bytes32(rightAligned: (0..<32).map { UInt8(truncatingIfNeeded: a[$0 / 8] >> ($0 % 8 * 8)) })
  }

  /// Keccak-f[1600]. The lane (x, y) is `a[x + 5 * y]`.
  private static func permute(_ a: inout InlineArray<25, UInt64>) {
    var row = InlineArray<5, UInt64>(repeating: 0)
    for constant in roundConstants {
      // θ
      for x in 0..<5 { row[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] }
      for x in 0..<5 {
        let parity = row[(x + 4) % 5] ^ rotate(row[(x + 1) % 5], by: 1)
        for y in stride(from: 0, to: 25, by: 5) { a[x + y] ^= parity }
      }
      // ρ and π: along π's one cycle of 24 lanes, each lane moves to the place of the next.
      var (x, y, moved) = (1, 0, a[1])
      for t in 0..<24 {
        (x, y) = (y, (2 * x + 3 * y) % 5)
        (a[x + 5 * y], moved) = (rotate(moved, by: (t + 1) * (t + 2) / 2 % 64), a[x + 5 * y])
      }
      // χ
      for y in stride(from: 0, to: 25, by: 5) {
        let (first, second) = (a[y], a[y + 1])
        a[y] ^= ~a[y + 1] & a[y + 2]
        a[y + 1] ^= ~a[y + 2] & a[y + 3]
        a[y + 2] ^= ~a[y + 3] & a[y + 4]
        a[y + 3] ^= ~a[y + 4] & first
        a[y + 4] ^= ~first & second
      }
      // ι
      a[0] ^= constant
    }
  }

  private static func rotate(_ lane: UInt64, by bits: Int) -> UInt64 { lane << bits | lane >> (64 - bits) }

  /// The constants RC of rounds 0 to 23.
  private static let roundConstants: [UInt64] = [
    0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
    0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
    0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
    0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
    0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
    0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
  ]
}
