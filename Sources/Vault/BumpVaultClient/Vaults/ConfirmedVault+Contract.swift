package import BumpClaims
package import BumpStore
package import BumpVaultAPI
import BumpWallet

extension ConfirmedVault {
  /// Returns the contract that holds the money of a claim made here, as it is pinned. Asks nobody.
  ///
  /// - Throws: as `contract(holding:at:in:by:)` does; `FundingError.noVault` if the claim has no vault.
  package static func contract(
    of claim: OutgoingClaim, in store: ClaimStore, by connector: VaultConnector
  ) async throws -> ConfirmedVault {
    let id = claim.claim.id
    guard let funding = try await store.funding(of: claim.claim, .outgoing), let url = VaultURL(funding.vault) else {
      throw FundingError.noVault(id)
    }
    return try await contract(holding: claim.claim.token, at: url, in: store, by: connector)
  }

  /// Returns the vault whose contract holds a token, as its owner has pinned it: confirmed at the URL, or named by the
  /// user's configuration. Asks nobody.
  ///
  /// - Throws: `FundingError.unnamedContract` if neither names one contract, `.noContract` if the vault is none;
  ///   `.damagedVault`, `StoreError`.
  package static func contract(
    holding token: Token, at url: VaultURL, in store: ClaimStore, by connector: VaultConnector
  ) async throws -> ConfirmedVault {
    if let known = try await known(url, in: store, by: connector) {
      guard known.vault.pinned.vault.isContract else {
        throw FundingError(
          .noContract, "the vault \(url) is not a contract on a chain: its operator holds the money",
          remedy: "Ask the vault itself", vault: url)
      }
      return known
    }
    let named = connector.contracts.filter { contract in contract.vault.tokens.contains { $0.token == token } }
    guard let contract = named.first, named.count == 1 else {
      throw FundingError(
        .unnamedContract,
        "no contract is pinned for the claim's money: the vault \(url) was never confirmed here, and your configuration "
          + "names \(named.count) contracts that hold \(token)", remedy: "Name the one that holds it", vault: url)
    }
    let vault = TrustedVault(PinnedVault(configured: contract.vault), hasFaucet: false, at: url)
    return ConfirmedVault(vault, by: connector)
  }
}
