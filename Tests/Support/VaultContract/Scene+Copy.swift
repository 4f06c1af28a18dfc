package import BumpVault
import BumpWallet
import Testing

extension Scene {
  /// Expects a copy of this vault to be another vault. The copy was made after `payOneOfTwo`.
  package func expectAnother(_ copy: Vault) async throws {
    let (alice, bob) = (try Person(1), try Person(2))
    let (claim, late) = (try claim(1), try claim(3))
    #expect(copy.rules.identity.address != identity.address)
    // A proof and an authorization for this one are worth nothing there.
    await expectRefusal(.wrongSecret) {
      try await copy.claim(claim.id, for: bob.address, proof: proof(of: claim, for: bob))
    }
    _ = try await copy.draft(late.id, late.terms)
    await expectRefusal(.notAuthorized) {
      try await copy.deposit(late.id, authorization(of: late, from: alice))
    }
    // New ones are, and what was done before the copy is in order too.
    let there = copy.rules.identity.vault
    let receipt = try await copy.claim(claim.id, for: bob.address, proof: proof(of: claim, for: bob, at: there))
    #expect(receipt.isSigned(by: there.vault.address) && !receipt.isSigned(by: identity.address))
    _ = try await copy.deposit(late.id, authorization(of: late, from: alice, at: there))
    let report = try await copy.audit()
    #expect(report.findings == [] && report.entries == 6)
  }
}
