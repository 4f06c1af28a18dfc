import BumpChain
import BumpClaims
import BumpVault
import BumpWallet
import Testing
import VaultContract

@testable import BumpChainVault

/// A claim's life on a chain, and what reorganizations and others do to it.
@Suite struct ChainLifeTests {
  @Test("A deposit and a payment are submitted, then confirmed, then final, and each is signed for")
  func life() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(1)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    #expect(try await scene.view(claim).event == ClaimEvent.none)
    let authorization = try scene.authorization(claim)
    let deposit = expectSubmitted(try await scene.vault.deposit(claim.id, authorization))
    #expect(try await scene.view(claim).event == .submitted)
    #expect(expectSubmitted(try await scene.vault.deposit(claim.id, authorization)) == deposit)
    await scene.mine(1)
    let (receiver, proof) = (try Person(2).address, try scene.proof(claim, to: 2))
    #expect(try await scene.view(claim).event == .submitted)
    await expectRefusal(.notDeposited) { try await scene.vault.pay(claim.id, for: receiver, proof: proof) }
    await scene.mine(2)
    let pending = try await scene.view(claim)
    #expect(pending.status == .pending && pending.transaction == deposit)
    #expect(pending.inclusion?.level == .confirmed)
    #expect(expectDone(try await scene.vault.deposit(claim.id, authorization))?.deposit?.transaction == deposit)
    await expectRefusal(.idTaken) {
      let other = SenderAuthorization(
        sender: authorization.sender, validBefore: authorization.validBefore, bytes: [UInt8](repeating: 1, count: 65))
      return try await scene.vault.deposit(claim.id, other)
    }

    let payment = expectSubmitted(try await scene.vault.pay(claim.id, for: receiver, proof: proof))
    await scene.mine(3)
    let receipt = try #require(expectDone(try await scene.vault.pay(claim.id, for: receiver, proof: proof))).receipt
    #expect(receipt.isSigned(by: scene.vault.receiptKey.address) && !receipt.isFinal)
    #expect(receipt.receipt.transaction == payment && receipt.receipt.receiver == receiver)
    await scene.mine(25)
    let last = try #require(expectDone(try await scene.vault.pay(claim.id, for: receiver, proof: proof))).receipt
    #expect(last.isFinal)
    #expect(try await scene.view(claim).inclusion?.level == .finalized)
    #expect(scene.chain.state.balances[receiver] == 101_000_000)
    #expect(try await scene.store.entries(of: scene.keys.relayer.address).isEmpty)
    scene.expectConserved()
  }

  @Test("A thief who pays more loses: the proof pays the receiver that it names")
  func thief() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try await scene.deposited(2)
    let (receiver, proof) = (try Person(2).address, try scene.proof(claim, to: 2))
    _ = try await scene.vault.pay(claim.id, for: receiver, proof: proof)
    let thief = try Person(5)
    scene.chain.change { $0.wei[thief.address] = 1_000_000_000_000 }
    for to in [thief.address, receiver] {
      let data = ClaimVaultCall.claim(claim.terms.ledgerID, proof: proof, receiver: to).data
      let nonce: UInt64 = to == receiver ? 1 : 0
      let stolen = ChainTransaction(
        chainID: SimulatedChain.chainID, nonce: nonce, fees: Fees(maximum: 900, priority: 90), gasLimit: 100_000,
        to: VaultScene.contract, data: data)
      #expect(scene.chain.send(stolen.signed(by: thief.key).bytes) == nil)
    }
    await scene.mine(3)
    let receipt = expectDone(try await scene.vault.pay(claim.id, for: receiver, proof: proof))?.receipt
    #expect(receipt?.receipt.receiver == receiver)
    #expect(scene.chain.state.balances[thief.address] == 100_000_000)
    scene.expectConserved()
  }

  @Test("After a reorganization another holder may win, and then the first receiver is told who was paid")
  func anotherHolder() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try await scene.deposited(3)
    let (first, proof) = (try Person(2).address, try scene.proof(claim, to: 2))
    _ = try await scene.vault.pay(claim.id, for: first, proof: proof)
    await scene.mine(3)
    let before = try await scene.view(claim)
    #expect(before.receiver == first)
    scene.chain.reorganize(4, forgetting: true)
    let (other, otherProof) = (try Person(3), try scene.proof(claim, to: 3))
    scene.chain.change { $0.wei[other.address] = 1_000_000_000_000 }
    let data = ClaimVaultCall.claim(claim.terms.ledgerID, proof: otherProof, receiver: other.address).data
    let transaction = ChainTransaction(
      chainID: SimulatedChain.chainID, nonce: 0, fees: Fees(maximum: 900, priority: 90), gasLimit: 100_000,
      to: VaultScene.contract, data: data)
    #expect(scene.chain.send(transaction.signed(by: other.key).bytes) == nil)
    await scene.mine(8)
    let after = try await scene.view(claim)
    #expect(after.receiver == other.address && after.takesBack(before))
    let refusal = await expectRefusal(.alreadyClaimed) {
      try await scene.vault.pay(claim.id, for: first, proof: proof)
    }
    #expect(refusal?.receipt?.receipt.receiver == other.address)
    scene.expectConserved()
  }

  @Test("A receiver that the token blocks uses no claim up, and may name another address")
  func blocked() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try await scene.deposited(4)
    let blocked = try Person(2).address
    scene.chain.change { $0.blocked = [blocked] }
    let sent = scene.chain.sent.count
    await expectRefusal(.badReceiver) {
      try await scene.vault.pay(claim.id, for: blocked, proof: scene.proof(claim, to: 2))
    }
    #expect(scene.chain.sent.count == sent)
    expectSubmitted(
      try await scene.vault.pay(claim.id, for: Person(3).address, proof: scene.proof(claim, to: 3)))
    await scene.mine(3)
    #expect(try await scene.view(claim).receiver == Person(3).address)
    scene.expectConserved()
  }

  @Test("An expired claim goes back to its sender, not before the chain's time has come")
  func refund() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try await scene.deposited(5, lasting: 120)
    await expectRefusal(.notExpired) { try await scene.vault.refund(claim.id) }
    scene.chain.mine(1, after: 200)
    await scene.tick(200)
    await scene.tick()
    await expectRefusal(.expired) {
      try await scene.vault.pay(claim.id, for: Person(2).address, proof: scene.proof(claim, to: 2))
    }
    expectSubmitted(try await scene.vault.refund(claim.id))
    await scene.mine(3)
    #expect(expectDone(try await scene.vault.refund(claim.id))?.receipt.outcome == .refunded)
    #expect(scene.chain.state.balances[try Person(1).address] == 100_000_000)
    scene.expectConserved()
  }

  @Test("An authorization is carried only if it ends within ten minutes, and before that")
  func authorizations() async throws {
    let scene = try await VaultScene()
    await scene.start()
    let claim = try scene.claim(6)
    _ = try await scene.vault.draft(claim.id, claim.terms)
    for (seconds, code) in [(601, VaultRefusal.Code.notAuthorized), (0, .authorizationExpired)]
      as [(Int64, VaultRefusal.Code)]
    {
      await expectRefusal(code) {
        try await scene.vault.deposit(claim.id, scene.authorization(claim, for: seconds))
      }
    }
    await expectRefusal(.notAuthorized) {
      var other = try scene.authorization(claim)
      other = SenderAuthorization(sender: try Person(2).address, validBefore: other.validBefore, bytes: other.bytes)
      return try await scene.vault.deposit(claim.id, other)
    }
    #expect(scene.chain.sent.isEmpty)
    expectSubmitted(try await scene.vault.deposit(claim.id, scene.authorization(claim)))
  }
}
