import BumpChain
import BumpVault
import BumpWallet
import Testing
import VaultContract

@testable import BumpChainVault

/// Nodes that misbehave, and what a vault makes of them.
@Suite struct NodePoolTests {
  @Test(
    "A node that misbehaves is left alone, another one is asked, and the first one again later",
    arguments: [
      SimulatedNode.Fault.null, .garbage, .tooManyRequests(7), .unsent, .lost, .otherChain(1), .lag(30),
    ])
  func failover(_ fault: SimulatedNode.Fault) async throws {
    let scene = try await VaultScene(nodes: 2)
    await scene.start()
    scene.chain.mine(40)
    for _ in 0..<3 { await scene.tick(2) }
    scene.nodes[0].misbehave(fault)
    // A node of another chain is found out once it has failed, and is asked who it is.
    if case .otherChain = fault { scene.nodes[0].misbehave(.tooManyRequests(1), at: "eth_getBlockByNumber") }
    scene.chain.mine(5)
    for _ in 0..<6 { await scene.tick(2) }
    #expect(try await scene.store.height()?.tip.number == scene.chain.tip)
    scene.nodes[0].behave()
    let before = scene.nodes[0].asked.count
    await scene.tick(301)
    await scene.tick(6)
    #expect(scene.nodes[0].asked.count > before)
  }

  @Test("Nothing is refused or said of a claim when no node answers, and it is said when to ask again")
  func unreachable() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(31)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    scene.nodes[0].misbehave(.tooManyRequests(9))
    let authorization = try scene.authorization(claim)
    let refusal = await expectRefusal(.chainUnreachable) {
      try await scene.vault.deposit(claim.id, authorization)
    }
    #expect(refusal?.retryAfter == 9)
    scene.clock.advance(by: 61)
    await expectRefusal(.chainUnreachable) { try await scene.vault.readiness() }
  }

  @Test("A block's header and its logs are asked of one node")
  func oneNode() async throws {
    let scene = try await VaultScene(nodes: 2)
    await scene.start()
    let claim = try scene.claim(32)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
    scene.nodes[0].misbehave(.lost, at: "eth_getLogs")
    let logs = scene.nodes[1].asked.count { $0 == "eth_getLogs" }
    scene.chain.mine()
    await scene.tick(2)
    // The first node has named the block, and the second one is not asked for its logs in the same round.
    #expect(scene.nodes[1].asked.count { $0 == "eth_getLogs" } == logs)
    await scene.tick(2)
    #expect(scene.nodes[1].asked.count { $0 == "eth_getLogs" } == logs + 1)
    await scene.mine(3)
    #expect(try await scene.view(claim).status == .pending)
  }

  @Test("A node that has a block without its logs is found out by another node")
  func noLogs() async throws {
    let scene = try await VaultScene(nodes: 2)
    await scene.start()
    let claim = try scene.claim(33)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
    scene.nodes[0].misbehave(.noLogs)
    await scene.mine(3)
    #expect(try await scene.view(claim).status == .pending)
  }

  @Test(
    "A node alone that has lost a block's logs is not believed: the contract's state, or the block's filter, has them",
    arguments: [[SimulatedNode.Fault.noLogs], [.noLogs, .noState]])
  func noLogsAlone(_ faults: [SimulatedNode.Fault]) async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(34)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    _ = try await scene.vault.deposit(claim.id, scene.authorization(claim))
    let before = scene.chain.tip
    for fault in faults { scene.nodes[0].misbehave(fault) }
    await scene.mine(3)
    #expect(try await scene.store.height()?.tip.number == before)
    #expect(scene.reports.texts.contains { $0.contains("the node contradicts itself") })
    scene.nodes[0].behave()
    await scene.tick(301)
    await scene.mine(1)
    #expect(try await scene.view(claim).status == .pending)
    scene.expectConserved()
  }

  @Test("A block whose filter names the contract by chance holds nothing up", arguments: [false, true])
  func chance(isOld: Bool) async throws {
    let scene = try await VaultScene()
    await scene.start()
    if isOld { scene.nodes[0].misbehave(.noState) }
    // The bits of these words cover those of the contract's address and of a refund's topic.
    let words: [UInt64] = [19, 351, 525, 570, 939, 1334]
    scene.chain.update { $0.others = [words[..<3], words[3...]].map { $0.map { Bytes32.word($0) } } }
    await scene.mine(2)
    #expect(scene.nodes[0].asked.contains("eth_getLogs"))
    #expect(try await scene.store.height()?.tip.number == scene.chain.tip)
  }

  @Test("A vault does not open where the chain has something else, and says which and both values")
  func checks() async throws {
    let other = Keccak256.hash([0x60, 0x02])
    let changes: [(String, @Sendable (inout ChainConfiguration) -> Void)] = [
      ("the code hash of the vault's contract", { $0.codeHash = other }),
      ("the code hash of the token USDC", { $0.tokens = [ChainToken($0.tokens[0].contract, codeHash: other)] }),
      (
        "the domain separator of the token USDC",
        { configuration in
          let token = configuration.tokens[0].contract
          configuration.tokens = [
            ChainToken(
              TokenContract(token: token.token, address: token.address, domainName: "USDC", domainVersion: "2"),
              codeHash: configuration.tokens[0].codeHash)
          ]
        }
      ),
    ]
    for (what, change) in changes {
      let error = await #expect(throws: ChainError.self) { _ = try await VaultScene(change) }
      #expect(error?.code == .mismatch && error?.reason.contains(what) == true)
    }
    let scene = try await VaultScene()
    scene.nodes[0].misbehave(.otherChain(8453))
    let error = await #expect(throws: ChainError.self) { _ = try await scene.opened() }
    #expect(error?.code == .mismatch)
    #expect(error?.reason.contains("31337") == true && error?.reason.contains("8453") == true)
  }
}
