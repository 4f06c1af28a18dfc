import BumpClaims
public import BumpStore
public import BumpVaultAPI
import BumpWallet

/// A vault that the owner of a store has confirmed, with a client for it.
public struct ConfirmedVault: Sendable {
  /// The vault as it was confirmed.
  public let vault: TrustedVault
  /// The client that runs sessions with this vault.
  public let client: VaultClient

  /// The URL at which the vault was confirmed, and is asked.
  public var url: VaultURL { vault.url }

  /// How long a request that moves money may take: a chain confirms it after some blocks.
  var limit: Duration { vault.pinned.vault.isContract ? .seconds(60) : VaultClient.limit }

  init(_ vault: TrustedVault, by connector: VaultConnector) {
    self.vault = vault
    client = connector.client(vault.url)
  }

  /// Returns the vault as it was confirmed; `nil` if it never was.
  ///
  /// - Throws: `FundingError.damagedVault`, `FundingError.unnamedContract`, `StoreError`.
  public static func known(
    _ url: VaultURL, in store: ClaimStore, by connector: VaultConnector = VaultConnector()
  ) async throws -> ConfirmedVault? {
    guard let text = try await store.confirmedVault(at: url.description) else { return nil }
    guard let introduction = try? VaultIntroduction(text) else { throw damaged(url) }
    do {
      return ConfirmedVault(try introduction.trusted(at: url, among: connector.contracts), by: connector)
    } catch {
      guard introduction.statement.vault.isContract else { throw damaged(url) }
      // The configuration has changed since the vault was confirmed.
      throw FundingError(
        .unnamedContract, "nothing is signed for the vault \(url): \(error.reason)", remedy: error.remedy, vault: url)
    }
  }

  private static func damaged(_ url: VaultURL) -> FundingError {
    FundingError(
      .damagedVault, "the store's record of the vault \(url) is damaged", remedy: "Confirm it again", vault: url)
  }

  /// Returns the vault of a claim made here.
  ///
  /// - Throws: `FundingError.noVault` if the claim has none, `.unknownVault` or `.damagedVault` if the vault is not
  ///   confirmed in this store any more; `StoreError`.
  public static func of(
    _ claim: OutgoingClaim, in store: ClaimStore, by connector: VaultConnector = VaultConnector()
  ) async throws -> ConfirmedVault {
    let id = claim.claim.id
    guard let funding = try await store.funding(of: claim.claim, .outgoing), let url = VaultURL(funding.vault) else {
      throw FundingError.noVault(id)
    }
    guard let vault = try await known(url, in: store, by: connector) else {
      throw FundingError(
        .unknownVault, "the vault \(url) is not known here any more", remedy: "Confirm it", claim: id, vault: url)
    }
    return vault
  }
}
