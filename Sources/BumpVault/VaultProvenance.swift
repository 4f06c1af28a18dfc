/// What to do with a store that is not where its vault was made.
///
/// A vault's key and address are drawn for one place, which the store knows again. A copy, or a backup that was restored,
/// is at another, so opening it fails until its owner says what it is. Two stores with one key would be two vaults that
/// answer for the same claims, and a backup has forgotten payments that receipts were given for.
public enum VaultProvenance: Hashable, Sendable {
  /// The store is where it was made, or is to be made now.
  case original
  /// The store was moved with nothing lost, and the old one is gone: the vault stays what it is.
  case moved
  /// The store is a copy or a backup: a new key and address are drawn, and the old key is deleted. Balances and claims stay.
  /// Clients that have pinned the old vault refuse the new one until they are told.
  case copied
}
