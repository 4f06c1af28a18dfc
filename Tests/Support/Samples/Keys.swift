package import Crypto

/// The key that hex digits stand for.
package func key(_ hex: String) -> SymmetricKey { SymmetricKey(data: bytes(hex)) }
