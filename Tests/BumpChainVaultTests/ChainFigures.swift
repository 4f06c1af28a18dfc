import BumpChain
import BumpChainVault
import BumpClaims
import BumpVault
import BumpVaultSQLite
import BumpWallet
import Foundation
import GRDB
import Samples
import Testing
import VaultContract

/// How fast a vault on a chain is. It prints figures and expects no time: Docs/performance.md says how it is run.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BUMP_CHAIN_FIGURES"] == "1"), .serialized)
struct ChainFigures {
  private static func print(_ what: String, _ time: Duration, _ more: String = "") {
    let milliseconds = time / .milliseconds(1)
    Swift.print("figure: \(what): \(milliseconds.formatted(.number.precision(.fractionLength(1)))) ms\(more)")
  }

  /// A scene on an SQLite file, whose leases end by the machine's clock.
  private func scene(_ directory: TemporaryDirectory) async throws -> VaultScene {
    let store = try await SQLiteChainStore.open(at: directory.path("chain.sqlite"), of: VaultScene.deployed)
    let scene = try await VaultScene(on: store)
    scene.chain.update { $0.finality = 1000 }
    await scene.start()
    return scene
  }

  private func deposited(_ count: Int, in scene: VaultScene) async throws -> [MadeClaim] {
    var claims: [MadeClaim] = []
    for number in 0..<count {
      let claim = try scene.claim(1000 + UInt64(number), 1_000_000, lasting: 7200)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      _ = try await scene.vault.deposit(claim.id, scene.authorization(claim, from: UInt64(number % 4) + 1))
      claims.append(claim)
    }
    await scene.mine(3)
    return claims
  }

  @Test("Claims that are carried at once, over a node that answers after a millisecond")
  func carrying() async throws {
    let directory = try TemporaryDirectory()
    let scene = try await scene(directory)
    let claims = try await deposited(200, in: scene)
    let receiver = try Person(5).address
    let proofs = try claims.map { try scene.proof($0, to: 5) }
    let before = scene.chain.sent.count
    scene.nodes[0].misbehave(.slow(.milliseconds(1)))
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for part in 0..<32 {
          group.addTask {
            for index in stride(from: part, to: claims.count, by: 32) {
              _ = try await scene.vault.pay(claims[index].id, for: receiver, proof: proofs[index])
            }
          }
        }
        try await group.waitForAll()
      }
      await scene.vault.idle()
    }
    #expect(scene.chain.sent.count - before == claims.count)
    Self.print("200 claims carried", time, ", \(Int(200 / (time / .seconds(1)))) a second (goal 50)")
  }

  @Test("A reorganization of 64 blocks, each with a deposit")
  func reorganization() async throws {
    let directory = try TemporaryDirectory()
    let scene = try await scene(directory)
    for number in 0..<64 as Range<UInt64> {
      let claim = try scene.claim(2000 + number, 1_000_000, lasting: 7200)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
      await scene.mine(1)
    }
    scene.chain.reorganize(64)
    scene.chain.mine(65)
    let time = await ContinuousClock().measure { await scene.tick() }
    #expect(try await scene.store.height()?.tip.number == scene.chain.tip)
    Self.print("a reorganization of 64 blocks", time, " (goal 1,000 ms)")
  }

  @Test("Opening an index of a million claims")
  func opening() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("chain.sqlite")
    do {
      let scene = try await scene(directory)
      _ = try await deposited(4, in: scene)
      let queue = try DatabaseQueue(path: path)
      // What is opened reads none of them: each would be refused.
      try await queue.write { database in
        let insert = try database.cachedStatement(
          sql: """
            INSERT INTO rows (kind, key, first, second, body)
              VALUES ('events', ?, randomblob(32), randomblob(20), zeroblob(200))
            """)
        for number in 0..<1_000_000 as Range<UInt32> {
          let low = withUnsafeBytes(of: number.bigEndian) { Array($0) }
          try insert.execute(arguments: [Data([0, 0, 0, 0] + low)])
        }
      }
      try queue.close()
    }
    let clock = ContinuousClock()
    let begun = clock.now
    let store = try await SQLiteChainStore.open(at: path, of: VaultScene.deployed)
    let index = try #require(try await store.index())
    let open = try #require(try await store.blocks(above: index.headers[index.headers.count - 1].number))
    _ = try await store.entries(of: Person(900).address)
    Self.print("opening an index of 1,000,000 claims", clock.now - begun, " (goal 1,000 ms)")
    #expect(open.parent == index.headers.last)
  }
}
