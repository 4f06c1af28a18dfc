import BumpKit
import BumpVaultClient

/// Asks vaults about the money of claims made here, before the claims are listed.
enum ClaimRefresh {
  /// The greatest number of claims to ask about: those that expire first.
  private static let limit = 20

  /// Updates the store as far as its vaults answer within two seconds. If no vault holds money of its claims, asks
  /// nothing.
  ///
  /// - Parameter options: the options with which to open the store for writing.
  static func run(_ store: ClaimStore, opening options: StoreOptions) async {
    guard
      let unfinished = try? await store.unfinished(limit: limit), !unfinished.isEmpty,
      let writable = try? await options.open()
    else { return }
    await withTaskGroup(of: Void.self) { group in
      for (claim, _) in unfinished {
        group.addTask {
          guard
            let access = try? await ConfirmedVault.of(claim, in: writable),
            let money = try? ClaimMoney(claim, at: access, in: writable)
          else { return }
          try? await money.refresh(within: .seconds(2))
        }
      }
    }
  }
}
