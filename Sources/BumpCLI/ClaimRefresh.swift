import BumpKit
import BumpVaultClient

/// Asks vaults where the money of claims of ours is, before the claims are listed.
enum ClaimRefresh {
  /// Claims that are asked about at most: those that expire first.
  private static let limit = 20

  /// Brings the store up to date, as far as its vaults answer within two seconds. Without claims whose money a vault holds,
  /// nothing is asked.
  ///
  /// - Parameter options: where the store is opened for writing.
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
