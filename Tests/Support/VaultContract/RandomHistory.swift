import BumpClaims
import BumpVault
import BumpWallet
import Samples
import Testing

/// A seeded history of a vault: people who send, claim, refund, repeat themselves, lie and come too late.
///
/// At the end the books are in order, every claim ended in one state, nothing was made or lost, and every receipt that
/// anybody was given is still true.
package struct RandomHistory: ~Copyable {
  private let scene: Scene
  private let people: [Person]
  private var random: SplitMix64
  private var claims: [(claim: MadeClaim, sender: Person, word: SenderAuthorization)] = []
  private var receipts: [SignedReceipt] = []
  private var minted: Int64 = 0
  private var number: UInt64 = 1_000

  package static func run(_ make: StoreMaker, steps: Int, seed: UInt64) async throws {
    let limits = VaultLimits(pending: 12, depositsPerDay: 60)
    var history = try RandomHistory(scene: await Scene(make, limits: limits, seed: seed), seed: seed)
    for step in 0..<steps {
      try await history.step()
      if step.isMultiple(of: 100) { _ = try await history.scene.store.seal(limit: 1000) }
    }
    try await history.end(after: steps)
  }

  private init(scene: Scene, seed: UInt64) throws {
    (self.scene, random) = (scene, SplitMix64(seed: seed))
    people = try (0..<12).map { try Person($0) }
  }

  private mutating func person() -> Person { people[Int.random(in: people.indices, using: &random)] }

  private mutating func step() async throws {
    // Refusals belong to it; anything else does not.
    do {
      try await act(HistoryStep.next(&random))
    } catch is VaultRefusal {}
  }

  private mutating func act(_ next: (step: HistoryStep, isAny: Bool)) async throws {
    number += 1
    switch next.step {
    case .mint:
      let amount = Int64.random(in: 1...20_000_000, using: &random)
      let (scene, person, number) = (scene, person(), number)
      try await scene.answered { try await scene.mint(amount, to: person, id: number) }
      minted += amount
    case .wait: scene.clock.advance(by: .random(in: -20...240, using: &random))
    case .make:
      let now = scene.clock.now
      var claim = try scene.claim(number, .random(in: 1...6_000_000, using: &random))
      let expiry = (now / 60 + .random(in: 1...90, using: &random)) * 60
      claim.terms = ClaimTerms(
        secretHash: claim.terms.secretHash, token: claim.terms.token, amount: claim.terms.amount,
        expiry: Expiry(clamping: expiry))
      let sender = person()
      let word = try scene.authorization(of: claim, from: sender)
      claims.append((claim, sender, word))
      try await act(.draft, on: claim, of: sender, word)
      if Bool.random(using: &random) { try await act(.deposit, on: claim, of: sender, word) }
    case .deposit, .take, .refund, .race, .steal, .draft:
      guard !claims.isEmpty else { return }
      let first = next.isAny ? 0 : max(0, claims.count - 40)
      let (claim, sender, word) = claims[Int.random(in: first..<claims.count, using: &random)]
      try await act(next.step, on: claim, of: sender, word)
    }
  }

  private mutating func act(
    _ step: HistoryStep, on claim: MadeClaim, of sender: Person, _ word: SenderAuthorization
  ) async throws {
    let scene = scene
    switch step {
    case .deposit: _ = try await scene.answered { try await scene.vault.deposit(claim.id, word) }
    case .take:
      let receiver = person()
      receipts.append(try await scene.answered { try await scene.take(claim, for: receiver) })
    case .refund: receipts.append(try await scene.answered { try await scene.vault.refund(claim.id) })
    case .race: try await race(for: claim)
    case .steal:
      // The right receiver's proof with another receiver.
      let (proof, thief) = (try scene.proof(of: claim, for: sender), person())
      _ = try await scene.answered { try await scene.vault.claim(claim.id, for: thief.address, proof: proof) }
    case .draft, .mint, .wait, .make:
      _ = try await scene.answered { try await scene.vault.draft(claim.id, claim.terms) }
    }
  }

  private mutating func race(for claim: MadeClaim) async throws {
    let scene = scene
    let receivers = [person(), person(), person()]
    receipts += await withTaskGroup(of: SignedReceipt?.self) { group in
      for receiver in receivers { group.addTask { try? await scene.take(claim, for: receiver) } }
      group.addTask { try? await scene.vault.refund(claim.id) }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
  }

  private consuming func end(after steps: Int) async throws {
    #expect(receipts.count > steps / 100, "a history in which little happens")
    for (claim, _, _) in claims {
      guard let record = try await scene.store.rows(of: claim.id).claim, record.deposit != nil else { continue }
      scene.clock.set(max(scene.clock.now, claim.terms.expiry.unixSeconds))
      if record.settlement == nil {
        let (scene, id) = (scene, claim.id)
        receipts.append(try await scene.answered { try await scene.vault.refund(id) })
      }
    }
    for receipt in Set(receipts) {
      #expect(receipt.isSigned(by: scene.identity.address))
      let claim = try #require(claims.first { $0.claim.terms.ledgerID == receipt.receipt.ledgerID })
      let record = try #require(try await scene.store.rows(of: claim.claim.id).claim)
      #expect(scene.vault.rules.receipt(of: record) == receipt, "a receipt that is no longer true")
    }
    #expect(Set(receipts.map(\.receipt.ledgerID)).count == Set(receipts).count, "a claim that ended twice")
    var total: Int64 = 0
    for person in people { total += try await scene.balance(person) }
    #expect(total == minted)
    try await scene.expectSound(minted: minted)
    while try await scene.store.seal(limit: 1000) != nil {}
    try await scene.expectSound(minted: minted)
  }
}
