import BumpStore
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// A vault that introduces itself, and that the owner of a store confirms or not.
@Suite(.processes()) struct ConfirmationTests {
  private let here: StoreAtVault
  private let elsewhere: VaultURL

  init() async throws {
    here = try await StoreAtVault(try await InProcessVaultServer())
    elsewhere = try #require(VaultURL("http://127.0.0.1:8643"))
  }

  private func introduced(
    _ desk: InProcessVaultServer, at url: VaultURL = InProcessVaultServer.url, movedFrom former: VaultURL? = nil
  ) async throws -> UnconfirmedVault {
    desk.setOrigin(url)
    return try await UnconfirmedVault(at: url, movedFrom: former, in: here.store, by: Line(to: desk).connector)
  }

  private func known(_ url: VaultURL = InProcessVaultServer.url) async throws -> Address? {
    try await ConfirmedVault.known(url, in: here.store, by: here.line.connector)?.vault.vault.address
  }

  @Test func `a vault is known once it is confirmed, and not before`() async throws {
    let copy = try await InProcessVaultServer(copying: here.desk)
    let (first, other) = (try await known(), try await copy.scene.store.identity().address)
    #expect(first != other)
    let vault = try await introduced(copy)
    #expect(vault.isChanged && !vault.isRealNow && vault.before?.vault.address == first)
    #expect(try await known() == first)
    #expect(try await vault.confirm().vault.vault.address == other)
    #expect(try await known() == other)
    #expect(try await !introduced(copy).isChanged)
  }

  @Test func `a vault is not confirmed at a second URL, nor one with a token of another`() async throws {
    let copy = try await InProcessVaultServer(copying: here.desk)
    #expect(try await failure { _ = try await introduced(here.desk, at: elsewhere) } == .vaultElsewhere)
    #expect(try await failure { _ = try await introduced(copy, at: elsewhere) } == .sharedToken)
    let moved = try await failure { _ = try await introduced(copy, at: elsewhere, movedFrom: InProcessVaultServer.url) }
    #expect(moved == .otherVault)
    #expect(try await here.store.confirmedVaults().count == 1)
  }

  @Test func `a vault that has moved takes its claims with it`() async throws {
    let funding = try await here.newFunding()
    let vault = try await introduced(here.desk, at: elsewhere, movedFrom: InProcessVaultServer.url)
    #expect(vault.former == InProcessVaultServer.url && !vault.isChanged)
    _ = try await vault.confirm()
    #expect(try await known() == nil)
    let claims = try await ConfirmedVault.of(funding.claim, in: here.store, by: here.line.connector)
    #expect(claims.url == elsewhere)
  }

  @Test func `a vault of which the store's record is damaged is not asked about its claims`() async throws {
    let funding = try await here.newFunding()
    try await here.store.confirm(
      vault: "http://127.0.0.1:1", describedAs: "{}", movedFrom: InProcessVaultServer.url.description)
    let damaged = try await failure {
      _ = try await ConfirmedVault.of(funding.claim, in: here.store, by: here.line.connector)
    }
    #expect(damaged == .damagedVault)
  }
}
