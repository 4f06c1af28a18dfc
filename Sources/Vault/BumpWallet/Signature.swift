import BumpText
import Crypto

/// An ECDSA signature on secp256k1 from which the signer's address can be recovered: r ‖ s ‖ v, 65 bytes.
///
/// It has the one allowed form: 0 < r < n, 0 < s ≤ n/2 (EIP-2), v 27 or 28. So only the signer can make a second
/// signature of the same message.
public struct Signature: Hashable, Sendable {
  /// The signature's 65 bytes.
  public let bytes: [UInt8]

  /// - Throws: `WalletError.signature` for anything but the allowed form.
  public init(_ bytes: some Collection<UInt8>) throws(WalletError) {
    let bytes = Array(bytes)
    guard bytes.count == 65 else { throw WalletError(.signature, "a signature must be 65 bytes") }
    guard bytes[64] == 27 || bytes[64] == 28 else { throw WalletError(.signature, "a signature's v must be 27 or 28") }
    let (r, s) = (Scalar(bytes[..<32]), Scalar(bytes[32..<64]))
    guard r > .zero, r < .order else { throw WalletError(.signature, "a signature's r must be between 0 and n") }
    guard s > .zero, s <= .halfOrder else {
      throw WalletError(.signature, "a signature's s must be above 0 and at most n/2")
    }
    self.bytes = bytes
  }

  /// Reads `0x` and 130 hex digits of either case.
  ///
  /// - Throws: `WalletError.signature` for anything else, and for a signature that does not have the allowed form.
  public init(_ text: some StringProtocol) throws(WalletError) {
    guard text.utf8.count == 132, let bytes = Hex.decode(prefixed: text) else {
      throw WalletError(.signature, "a signature is 0x and 130 hex digits")
    }
    try self.init(bytes)
  }

  init(_ digest: Bytes32, with key: SymmetricKey) {
    let (compact, recoveryID) = Secp256k1.sign(digest, with: key)
    // 2 and 3 mean that r was n or more before its reduction, which happens to one signature in 2¹²⁷.
    precondition(recoveryID < 2, "a signature whose v is neither 27 nor 28")
    bytes = compact + [27 + UInt8(recoveryID)]
  }

  /// Returns the address whose key made this signature of a digest. For another digest it is another address.
  ///
  /// - Returns: `nil` if no key can have made the signature. Never the zero address.
  public func signer(of digest: Bytes32) -> Address? {
    let key = Secp256k1.recover(Array(bytes[..<64]), recoveryID: Int32(bytes[64]) - 27, digest)
    return key.map(\.address).flatMap { $0 == .zero ? nil : $0 }
  }
}

extension Signature: CustomStringConvertible {
  /// `0x` and 130 lower-case hex digits.
  public var description: String { Hex.prefixed(bytes) }
}
