import Crypto

extension PrivateKey {
  /// Draws a key from the system's generator.
  public static func random() -> PrivateKey {
    PrivateKey(uniform: SymmetricKey(size: SymmetricKeySize(bitCount: 8 * uniformCount)))
  }
}
