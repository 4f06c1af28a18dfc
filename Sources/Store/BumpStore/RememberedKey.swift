import BumpClaims
import Crypto

/// The key of a remembered name, as it was agreed on, and the direction of the claim with which it was.
///
/// Each direction has a key of its own. With one key for both, a claim for somebody could be taken by a receiver of this
/// store that waits for a claim from them: both ends would be this one.
struct RememberedKey {
  let agreed: SharedKey
  /// `nil` for a key that was not agreed on with a claim: that key is used in both directions.
  let direction: ClaimStore.Direction?

  /// The key for claims of a direction: HKDF-SHA256(agreed key, no salt, info `"bump/1 forth"` or `"bump/1 back"`,
  /// 32 bytes). Forth is from the end that sent the claim with which the key was agreed on.
  func key(for other: ClaimStore.Direction) -> SharedKey {
    guard let direction else { return agreed }
    let info = other == direction ? "bump/1 forth" : "bump/1 back"
    return SharedKey(
      HKDF<SHA256>.deriveKey(inputKeyMaterial: agreed.key, info: Array(info.utf8), outputByteCount: SharedKey.length))
  }
}
