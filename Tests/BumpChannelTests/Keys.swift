import Crypto
import Samples

/// The key that hex digits stand for.
func key(_ hex: String) -> SymmetricKey { SymmetricKey(data: bytes(hex)) }
