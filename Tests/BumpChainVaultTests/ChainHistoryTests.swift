import BumpChain
import BumpClaims
import BumpVault
import BumpWallet
import Measures
import Samples
import Testing
import VaultContract

@testable import BumpChainVault

/// Seeded histories: claims, reorganizations of up to 20 blocks, nodes that misbehave, servers that die.
@Suite struct ChainHistoryTests {
  @Test(
    "Whatever happens, money is neither made nor lost, and what is said is what the chain has",
    arguments: 1...(Measure.isThorough ? 4 : 1))
  func history(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var scene = try await VaultScene(nodes: 2)
    await scene.start()
    var claims: [MadeClaim] = []
    for step in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let claim = try scene.claim(seed * 1000 + UInt64(step))
        if (try? await scene.vault.draft(claim.id, claim.terms)) != nil { claims.append(claim) }
        _ = try? await scene.vault.deposit(claim.id, scene.authorization(claim, from: 1 + UInt64(step) % 3))
      case 3...4:
        guard let claim = claims.randomElement(using: &random) else { break }
        let receiver = UInt64.random(in: 2...4, using: &random)
        _ = try? await scene.vault.pay(
          claim.id, for: Person(receiver).address, proof: scene.proof(claim, to: receiver))
      case 5:
        scene.chain.reorganize(.random(in: 1...20, using: &random), forgetting: .random(using: &random))
      case 6:
        let faults: [SimulatedNode.Fault] = [.null, .garbage, .tooManyRequests(3), .unsent, .lost, .lag(4)]
        let fault = faults[Int.random(in: faults.indices, using: &random)]
        scene.nodes[Int.random(in: 0...1, using: &random)].misbehave(fault)
      case 7:
        for node in scene.nodes { node.behave() }
        scene.chain.update { $0.baseFee = [10, 40, 200][step % 3] }
      case 8:
        scene.vault = try await reopened(scene)
        await scene.tick(31)
      default: break
      }
      scene.chain.mine(.random(in: 1...3, using: &random))
      await scene.tick(2)
      scene.expectConserved()
    }
    for node in scene.nodes { node.behave() }
    scene.chain.update { $0.baseFee = 10 }
    await scene.tick(301)
    for _ in 0..<12 { await scene.mine(5) }
    let state = scene.chain.state
    for claim in claims {
      let found = state.claims[claim.terms.ledgerID]
      guard let view = try? await scene.view(claim) else {
        #expect(found == nil)
        continue
      }
      #expect(view.status == [ClaimStatus.none, .pending, .claimed, .refunded][Int(found?.status ?? 0)])
    }
    scene.expectConserved()
  }

  /// Another server, once the nodes let it open.
  private func reopened(_ scene: VaultScene) async throws -> ChainVault {
    for node in scene.nodes { node.behave() }
    await scene.tick(301)
    return try await scene.opened()
  }
}
