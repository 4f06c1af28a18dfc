/// The owner's statement about a store that is not where its vault was made.
///
/// A vault's key and address are drawn for one place, which the store recognizes. A copied store, or a restored backup,
/// is in another place, so opening it fails until its owner states what it is. Two stores with one key would be two
/// vaults that answer for the same claims, and a backup lacks payments for which receipts were given.
public enum VaultProvenance: Hashable, Sendable {
  /// The store is where it was made, or it is about to be made.
  case original
  /// The store was moved, nothing was lost, and the old one is gone. The vault keeps its key and address.
  case moved
  /// The store is a copy or a backup. Opening it draws a new key and address, and deletes the old key. Balances and
  /// claims stay. Clients that have pinned the old vault refuse the new one until they are told to trust it.
  case copied
}
