import BumpClaims
import BumpVault
import BumpWallet
import Synchronization
import Testing
import VaultContract

@testable import BumpChainVault

/// A server that does not have the lease of the relayer's key.
@Suite struct OtherServerTests {
  private final class Heard: Sendable {
    private let claims = Mutex<[ClaimID]>([])
    func take(_ claim: ClaimID) { claims.withLock { $0.append(claim) } }
    func count(_ claim: ClaimID) -> Int { claims.withLock { $0.count { $0 == claim } } }
    var all: [ClaimID] { claims.withLock { $0 } }
  }

  @Test("It tells its streams of what the lease's holder has stored, once that changes what is said, and only then")
  func watching() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let heard = Heard()
    let second = try await scene.opened().notifying { heard.take($0) }
    func look() async {
      await second.tick()
      await second.idle()
    }
    await look()
    let (claim, other) = (try scene.claim(51), try scene.claim(52))
    for claim in [claim, other] { _ = try await scene.vault.draft(claim.id, claim.terms) }
    _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
    await scene.mine(2)
    await look()
    // It has two confirmations of three.
    #expect(heard.all.isEmpty)
    await scene.mine(1)
    await look()
    #expect(heard.count(claim.id) == 1)
    #expect(try await second.view(claim.id, askedBy: .claimID(claim.id)).status == .pending)
    await look()
    await scene.mine(1)
    await look()
    #expect(heard.count(claim.id) == 1)
    // The chain reorganizes beyond what was said.
    scene.chain.reorganize(4, forgetting: true)
    scene.chain.mine(5)
    await scene.tick(1)
    await look()
    #expect(heard.count(claim.id) == 2)
    #expect(try await second.view(claim.id, askedBy: .claimID(claim.id)).status == ClaimStatus.none)
    #expect(heard.count(other.id) == 0)
    #expect(await second.driver.held == nil)
  }

  @Test("A server that begins tells of a block that was not confirmed before it began")
  func begun() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(53)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
    await scene.mine(1)
    await scene.vault.end()
    await scene.vault.idle()
    let heard = Heard()
    let second = try await scene.opened().notifying { heard.take($0) }
    for _ in 0..<4 {
      await second.tick()
      await second.idle()
    }
    #expect(heard.all.isEmpty)
    scene.chain.mine(2)
    scene.clock.advance(by: 4)
    await second.tick()
    await second.idle()
    #expect(heard.count(claim.id) == 1)
  }
}
