import BumpChain
import BumpClaims
import BumpVault
import BumpWallet
import Testing
import VaultContract

@testable import BumpChainVault

/// What the relayer sends, after whatever happened to it.
@Suite struct RelayerTests {
  @Test(
    "A server that dies between store, sending and receipt sends the same bytes again",
    arguments: [SimulatedNode.Fault.unsent, .lost, .hang])
  func death(_ fault: SimulatedNode.Fault) async throws {
    var scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(11)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    scene.nodes[0].misbehave(fault, at: "eth_sendRawTransaction")
    let hash = try #require(
      expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim))))
    // The server is gone; another one takes over once its lease has run out.
    scene.vault = try await scene.opened()
    scene.nodes[0].behave()
    await scene.tick(31)
    await scene.mine(8)
    #expect(try await scene.view(claim).transaction == hash)
    #expect(scene.chain.state.nonces[scene.keys.relayer.address] == 1)
    #expect(Set(scene.chain.sent) == [hash])
    scene.expectConserved()
  }

  @Test("Of two servers with one key one sends, and the other one's requests are sent too")
  func twoServers() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let second = try await scene.opened()
    await second.tick()
    await second.idle()
    let claim = try scene.claim(12)
    _ = try await second.draft(claim.id, claim.terms)
    let authorization = try scene.authorization(claim)
    async let deposit = second.deposit(claim.id, authorization)
    // The holder finds the request in the store; the second server sees that with one of its own rounds.
    var hash: Bytes32?
    while hash == nil {
      await scene.tick(0)
      await second.tick()
      await second.idle()
      if case .submitted(let found)? = try await scene.store.claim(claim.id)?.requests[.deposit]?.state { hash = found }
    }
    await second.tick()
    #expect(expectSubmitted(try await deposit) == hash)
    #expect(scene.chain.sent == [hash])
    // The holder stops; the lease runs out, and the second server goes on.
    scene.clock.advance(by: 31)
    #expect(await !scene.vault.driver.mayUseKey)
    for _ in 0..<8 {
      scene.chain.mine()
      scene.clock.advance(by: 2)
      await second.tick()
      await second.idle()
    }
    #expect(try await second.view(claim.id, askedBy: .claimID(claim.id)).status == .pending)
    // The first one comes back, and neither sends nor writes.
    await scene.vault.tick()
    await scene.vault.idle()
    #expect(await !scene.vault.driver.mayUseKey)
  }

  @Test("Two relayers that carry one deposit pay twice, and it is made once")
  func twoRelayers() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(13)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    let authorization = try scene.authorization(claim)
    _ = try await scene.vault.deposit(claim.id, authorization)
    let other = try Person(5)
    scene.chain.change { $0.wei[other.address] = 1_000_000_000_000 }
    let data = ClaimVaultCall.depositWithAuthorization(
      claim.terms, from: authorization.sender, validBefore: authorization.validBefore,
      authorization: authorization.bytes
    ).data
    let transaction = ChainTransaction(
      chainID: SimulatedChain.chainID, nonce: 0, fees: Fees(maximum: 900, priority: 90), gasLimit: 100_000,
      to: VaultScene.contract, data: data)
    let signed = transaction.signed(by: other.key)
    #expect(scene.chain.send(signed.bytes) == nil)
    await scene.mine(3)
    let record = expectDone(try await scene.vault.deposit(claim.id, authorization))
    #expect(record?.deposit?.transaction == signed.hash)
    scene.expectConserved()
  }

  @Test("When fees rise, a transaction with the same nonce pays more, and one of the two is mined")
  func fees() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(14)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    let first = expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim)))
    scene.chain.update { $0.baseFee = 100 }
    for _ in 0..<2 {
      await scene.tick(61)
      scene.chain.mine()
      await scene.tick(2)
    }
    await scene.mine(3)
    #expect(try await scene.view(claim).status == .pending)
    #expect(Set(scene.chain.sent).count > 1)
    #expect(try await scene.view(claim).transaction != first)
    #expect(scene.chain.state.nonces[scene.keys.relayer.address] == 1)
  }

  @Test("A transaction that is mined while its replacement is signed is the call's")
  func minedMeanwhile() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(15)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    let first = expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim)))
    // It is mined, and the vault is told only after it has paid more.
    scene.nodes[0].misbehave(.null, at: "eth_getTransactionReceipt")
    scene.chain.mine()
    await scene.tick(61)
    scene.nodes[0].behave()
    await scene.mine(30)
    #expect(try await scene.view(claim).transaction == first)
    #expect(try await scene.store.entries(of: scene.keys.relayer.address).isEmpty)
  }

  @Test("A call that runs out of gas is carried again once that is final")
  func outOfGas() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try await scene.deposited(16, lasting: 7200)
    let (receiver, proof) = (try Person(2).address, try scene.proof(claim, to: 2))
    let first = expectSubmitted(try await scene.vault.pay(claim.id, for: receiver, proof: proof))
    scene.chain.update { $0.gas = 200_000 }
    await scene.mine(1)
    #expect(expectSubmitted(try await scene.vault.pay(claim.id, for: receiver, proof: proof)) == first)
    await scene.mine(25)
    let second = expectSubmitted(try await scene.vault.pay(claim.id, for: receiver, proof: proof))
    #expect(second != first)
    await scene.mine(4)
    #expect(try await scene.view(claim).receiver == receiver)
    scene.expectConserved()
  }

  @Test("Below its floor the balance pays for nothing new, and the call is offered to others")
  func floor() async throws {
    let scene = try await VaultScene { $0.balanceFloor = 1_000_000_000_000 - 1_000_000 }
    await scene.start()
    let claim = try scene.claim(17)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    let authorization = try scene.authorization(claim)
    let refusal = await expectRefusal(.sponsoringExhausted) {
      try await scene.vault.deposit(claim.id, authorization)
    }
    #expect(refusal?.calldata?.contract == VaultScene.contract)
    #expect(scene.chain.sent.isEmpty)
    #expect(try await scene.store.waiting(limit: 10).isEmpty)
  }

  @Test("Calls that begin at the same time do not bring the balance below its floor together")
  func floorOfSeveral() async throws {
    // Each may cost 1,870,000 wei: a gas limit of 85,000, at 22 wei.
    let scene = try await VaultScene { $0.balanceFloor = 1_000_000_000_000 - 3_000_000 }
    await scene.start()
    for number in 25...26 as ClosedRange<UInt64> {
      let claim = try scene.claim(number)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      let authorization = try scene.authorization(claim)
      let request = ChainRequest.deposit(
        claim.terms, from: authorization.sender, validBefore: authorization.validBefore,
        authorization: authorization.bytes)
      _ = try await scene.store.ask(request, at: scene.clock.now, replacing: nil, nil)
    }
    await scene.tick(0)
    #expect(scene.chain.sent.count == 1)
    #expect(try await scene.store.waiting(limit: 10).count == 1)
  }

  @Test("What one person may cost is reserved before anything is sent, and settled by what it did cost")
  func sponsoring() async throws {
    let scene = try await VaultScene { $0.sponsoring = SponsoringPolicy(perPerson: [.init(.day, count: 1)]) }
    await scene.start()
    let (first, second) = (try scene.claim(18), try scene.claim(19))
    for claim in [first, second] { _ = try await scene.vault.draft(claim.id, claim.terms) }
    _ = try await scene.vault.deposit(first.id, scene.authorization(first))
    let refusal = await expectRefusal(.sponsoringExhausted) {
      try await scene.vault.deposit(second.id, scene.authorization(second))
    }
    #expect(refusal?.notBefore != nil)
    await scene.mine(30)
    let usage = try await scene.store.usage(of: Person(1).address, at: scene.clock.now)[.day]
    // 60,000 of gas at 12 wei: the base fee, and 2 for the block's builder.
    #expect(usage?.amount == 720_000)
  }

  @Test("What would revert is refused before anything is reserved or sent")
  func junk() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(20, 200_000_000)
    await expectRefusal(.overCap) { try await scene.vault.draft(claim.id, claim.terms) }
    let poor = try scene.claim(21, 90_000_000)
    _ = try await scene.vault.draft(poor.id, poor.terms)
    scene.chain.change { state in
      for (address, _) in state.balances { state.balances[address] = 1 }
    }
    await expectRefusal(.insufficientFunds) { try await scene.vault.deposit(poor.id, scene.authorization(poor)) }
    #expect(scene.chain.sent.isEmpty)
    let usage = try await scene.store.usage(of: Person(1).address, at: scene.clock.now)[.day]
    #expect((usage?.count ?? 0) == 0)
  }

  @Test("A receipt that does not come holds up no other call")
  func hanging() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let (first, second) = (try scene.claim(22), try scene.claim(23))
    for claim in [first, second] { _ = try await scene.vault.draft(claim.id, claim.terms) }
    _ = try await scene.vault.deposit(first.id, scene.authorization(first))
    scene.nodes[0].misbehave(.hang, at: "eth_getTransactionReceipt")
    scene.clock.advance(by: 3)
    await scene.vault.tick()
    expectSubmitted(try await scene.vault.deposit(second.id, scene.authorization(second)))
    scene.nodes[0].behave()
    await scene.mine(4)
    #expect(try await scene.view(second).status == .pending)
  }
}
