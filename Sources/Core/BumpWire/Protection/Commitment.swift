import Crypto

/// The sender's commitment, in WELCOME, to the ephemeral key that it sends in NOISE_2.
///
/// It keeps an attacker in the middle from choosing a key after seeing the receiver's, to make the digits agree.
public enum Commitment {
  /// SHA-256(`"bump/1 commit"` ‖ public key).
  public static func to(publicKey: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: Array("bump/1 commit".utf8) + publicKey))
  }

  /// Checks the sender's key against the commitment.
  ///
  /// - Throws: `SecureChannelError.commitment` if the key is missing or another one.
  public static func check(_ welcome: Welcome, publicKey: [UInt8]?) throws {
    guard let publicKey, to(publicKey: publicKey) == welcome.commit else {
      throw SecureChannelError(.commitment, "a key other than the one that was promised")
    }
  }
}
