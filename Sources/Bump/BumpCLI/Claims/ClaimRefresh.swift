import BumpKit
import BumpVaultAPI
import BumpVaultClient

/// Asks vaults about the money of claims, before the claims are listed.
enum ClaimRefresh {
  /// The greatest number of claims to ask about in either direction: of those made here, those that expire first.
  private static let limit = 20
  private static let time: Duration = .seconds(2)

  /// Updates the store as far as its vaults answer within two seconds. If no vault holds money of its claims, asks
  /// nothing.
  ///
  /// - Parameters:
  ///   - entries: the entries that are to be listed. Of the received claims only those are asked about.
  ///   - options: the options with which to open the store for writing.
  static func run(_ store: ClaimStore, listing entries: [HistoryEntry], opening options: StoreOptions) async {
    let sent = (try? await store.unfinished(limit: limit)) ?? []
    let received = await funded(entries, in: store)
    guard !sent.isEmpty || !received.isEmpty, let connector = try? VaultConnector(nil) else { return }
    guard let writable = try? await options.open() else { return }
    await withTaskGroup(of: Void.self) { group in
      for (claim, _) in sent {
        group.addTask {
          guard
            let vault = try? await ConfirmedVault.of(claim, in: writable, by: connector),
            let money = try? OutgoingFunding(claim, at: vault, in: writable)
          else { return }
          try? await money.refresh(within: time)
        }
      }
      for (claim, url) in received {
        group.addTask {
          guard
            let vault = try? await ConfirmedVault.known(url, in: writable, by: connector),
            let money = try? IncomingFunding(claim.claim, expiry: claim.expiry, at: vault, in: writable)
          else { return }
          _ = try? await money.state(within: time)
        }
      }
    }
  }

  /// Returns the received claims whose money a vault held when it was last asked, and that vault.
  private static func funded(_ entries: [HistoryEntry], in store: ClaimStore) async -> [(IncomingClaim, VaultURL)] {
    let received = entries.filter { if case .received = $0 { true } else { false } }
    let fundings = (try? await store.funding(of: received)) ?? []
    return zip(received, fundings).compactMap { entry, funding in
      guard case .received(let claim) = entry, let funding, funding.status == .pending else { return nil }
      return VaultURL(funding.vault).map { (claim, $0) }
    }.prefix(limit).map(\.self)
  }
}
