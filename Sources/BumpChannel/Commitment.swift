public import BumpWire
import Crypto

/// The sender's promise, in WELCOME, of the ephemeral key that it will send in NOISE_2.
///
/// With it nobody in the middle can choose a key after seeing the other end's, and so steer the digits.
public enum Commitment {
  /// SHA-256(`"bump/1 commit"` ‖ public key).
  public static func to(publicKey: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: Array("bump/1 commit".utf8) + publicKey))
  }

  /// - Throws: `SecureChannelError.commitment` unless the key is the promised one.
  public static func check(_ welcome: Welcome, publicKey: [UInt8]?) throws {
    guard let publicKey, to(publicKey: publicKey) == welcome.commit else {
      throw SecureChannelError(.commitment, "a key other than the one that was promised")
    }
  }
}
