/// n, the order of secp256k1 (SEC 2 §2.4.1), big-endian.
package let order = bytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")

/// n − s, with which r makes the signature a second time, v changed: nobody needs the key for that.
package func negated(_ scalar: some Collection<UInt8>) -> [UInt8] {
  var borrow = 0
  return zip(order, scalar).reversed().map { byte, subtrahend in
    let difference = Int(byte) - Int(subtrahend) + borrow
    borrow = difference >> 8
    return UInt8(difference & 0xFF)
  }.reversed()
}
