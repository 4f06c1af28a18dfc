import BumpChain
import BumpChainVault
import BumpClaims
import BumpVault
import BumpWallet
import Testing
import VaultContract

/// A relayer's key that was replaced while its transactions were in no block.
@Suite struct FormerKeyTests {
  private static func newKey() throws -> PrivateKey { try Person(902).key }

  /// A deposit was sent with the first key. Its server has ended, and another one has begun with the second.
  private func replaced(
    _ number: UInt64, meanwhile change: (VaultScene) throws -> Void = { _ in }
  ) async throws -> (VaultScene, MadeClaim, sent: Bytes32?) {
    var scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(number)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    let sent = expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim)))
    await scene.vault.end()
    await scene.vault.idle()
    try change(scene)
    let new = try Self.newKey()
    scene.chain.change { $0.wei[new.address] = 1_000_000_000_000 }
    scene.vault = try await scene.opened(relayer: new)
    await scene.start()
    return (scene, claim, sent)
  }

  private func spent(_ scene: VaultScene) async throws -> SponsoringLedger.Usage? {
    try await scene.store.usage(of: Person(1).address, at: scene.clock.now)[.ever]
  }

  @Test("Its transaction is looked for, sent again and settled, and no other one is made")
  func carried() async throws {
    let (scene, claim, sent) = try await replaced(61)
    await scene.mine(30)
    #expect(try await scene.view(claim).transaction == sent)
    #expect(scene.chain.sent.count > 1 && Set(scene.chain.sent.map { Optional($0) }) == [sent])
    #expect(try await scene.store.relayers().isEmpty)
    let usage = try await spent(scene)
    #expect(usage?.amount == 720_000 && usage?.count == 1)
    scene.expectConserved()
  }

  @Test("Once another transaction has used its nonce for good, the new key carries the call")
  func usedUp() async throws {
    let (scene, claim, sent) = try await replaced(62) { scene in
      let other = ChainTransaction(
        chainID: SimulatedChain.chainID, nonce: 0, fees: Fees(maximum: 900, priority: 90), gasLimit: 100_000,
        to: VaultScene.contract, data: ClaimVaultCall.refund(.word(0 as UInt64)).data)
      #expect(scene.chain.send(other.signed(by: scene.keys.relayer).bytes) == nil)
    }
    await scene.mine(45)
    let view = try await scene.view(claim)
    #expect(view.status == .pending && view.transaction != sent)
    #expect(scene.chain.state.nonces[try Self.newKey().address] == 1)
    await scene.mine(25)
    let usage = try await spent(scene)
    #expect(usage?.amount == 720_000 && usage?.count == 1)
    scene.expectConserved()
  }

  @Test("One that no block takes is carried by the new key too after a minute, and what both may cost counts")
  func tooCheap() async throws {
    let (scene, claim, sent) = try await replaced(63) { $0.chain.update { $0.baseFee = 100 } }
    await scene.mine(20)
    #expect(scene.chain.state.nonces[try Self.newKey().address] == nil)
    await scene.mine(20)
    #expect(try await scene.view(claim).status == .pending)
    #expect(try await scene.view(claim).transaction != sent)
    await scene.mine(25)
    // The gas limit of 85,000 at 22 wei of the first; the gas of 60,000 at 102 wei of the second.
    let usage = try await spent(scene)
    #expect(usage?.amount == 1_870_000 + 6_120_000 && usage?.count == 2)
    // Now a block takes the first one, and the contract refuses it.
    scene.chain.update { $0.baseFee = 10 }
    await scene.mine(2)
    #expect(scene.chain.state.nonces[scene.keys.relayer.address] == 1)
    #expect(try await scene.view(claim).status == .pending)
    scene.expectConserved()
  }

  @Test("A key that a server has is left to it, and its calls are taken over once that server is gone")
  func inUse() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(64)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim)))
    scene.chain.update { $0.baseFee = 100 }
    let (first, new) = (scene.keys.relayer.address, try Self.newKey())
    scene.chain.change { $0.wei[new.address] = 1_000_000_000_000 }
    let second = try await scene.opened(relayer: new)
    for _ in 0..<10 {
      await scene.tick(9)
      await second.tick()
      await second.idle()
    }
    #expect(try await scene.store.relayers() == [first])
    for _ in 0..<12 {
      scene.clock.advance(by: 10)
      await second.tick()
      await second.idle()
    }
    #expect(try await scene.store.relayers() == [new.address])
  }
}
