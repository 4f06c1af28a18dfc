/// An integer of 256 bits, for comparing with the order of secp256k1. libsecp256k1 does the arithmetic on the curve.
struct Scalar: Comparable {
  let high, low: UInt128

  /// The order n (SEC 2 §2.4.1).
  static let order = Self(
    high: 0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE, low: 0xBAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141)
  /// n/2, rounded down: the greatest s that a signature may have (EIP-2).
  static let halfOrder = Self(
    high: 0x7FFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF, low: 0x5D57_6E73_57A4_501D_DFE9_2F46_681B_20A0)
  static let zero = Self(high: 0, low: 0)

  init(high: UInt128, low: UInt128) {
    (self.high, self.low) = (high, low)
  }

  /// Reads 32 bytes, big-endian.
  init(_ bytes: ArraySlice<UInt8>) {
    high = bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    low = bytes.suffix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Reduces a big-endian integer of any length to 1 … n − 1: (integer mod (n − 1)) + 1.
  ///
  /// No branch and no index depends on the integer, as far as Swift can express that.
  init(reducing integer: UnsafeRawBufferPointer) {
    var (high, low): (UInt128, UInt128) = (0, 0)
    for byte in integer {
      for bit in stride(from: 7, through: 0, by: -1) {
        let carry = high >> 127
        high = high << 1 | low >> 127
        low = low << 1 | UInt128(byte >> UInt8(bit) & 1)
        // Subtracts n − 1 if it fits. The remainder was below n − 1 before, so once is enough.
        let (lowRest, lowBorrow) = low.subtractingReportingOverflow(Self.order.low - 1)
        let (part, borrow) = high.subtractingReportingOverflow(Self.order.high)
        let (highRest, highBorrow) = part.subtractingReportingOverflow(lowBorrow ? 1 : 0)
        let borrows: UInt128 = (borrow ? 1 : 0) | (highBorrow ? 1 : 0)
        let fits = carry | (borrows ^ 1)
        let mask = 0 &- fits
        high = highRest & mask | high & ~mask
        low = lowRest & mask | low & ~mask
      }
    }
    let (sum, overflow) = low.addingReportingOverflow(1)
    (self.high, self.low) = (high + (overflow ? 1 : 0), sum)
  }

  static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
