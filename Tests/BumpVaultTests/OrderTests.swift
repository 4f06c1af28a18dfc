import BumpClaims
import BumpVault
import BumpWallet
import Testing
import VaultContract

/// The checks have an order, so that a client that mends one thing is told the next.
@Suite struct OrderTests {
  @Test func `a deposit that is wrong in everything is refused for one thing after the other`() async throws {
    let scene = try await Scene(
      StoreMaker { InMemoryVaultStore($0, clock: $1) }, limits: VaultLimits(pending: 1, depositsPerDay: 1))
    let (rules, now, alice) = (scene.vault.rules, scene.clock.now, try Person(1))
    let good = try scene.claim(1, lasting: 60)
    var (terms, lasting, bytes) = (good.terms, 0 as Int64, [] as [UInt8])
    terms = ClaimTerms(
      secretHash: terms.secretHash, token: alice.address, amount: try scene.amount(.max), expiry: Expiry(clamping: now))
    var (isDrafted, isUsed, balance) = (false, true, 0 as Int64)
    var use = SenderUsage(pending: 1, day: now / 86400, deposits: 1)

    func refusal() throws -> VaultRefusal.Code? {
      let claim = ClaimRecord(claimID: good.id, terms: terms, state: .draft(since: isDrafted ? now : now - 600))
      let rows = DepositRows(
        claim: ClaimRows(now: now, claim: claim), isLedgerIDUsed: isUsed, balance: balance, use: use)
      let word = SenderAuthorization(
        sender: alice.address, validBefore: Expiry(clamping: now + lasting), bytes: bytes)
      do {
        _ = try rules.deposit(word, rows)
        return nil
      } catch {
        return error.code
      }
    }
    func with(token: Address? = nil, _ units: Int64? = nil, expiry: Expiry? = nil) throws {
      terms = ClaimTerms(
        secretHash: terms.secretHash, token: token ?? terms.token, amount: try units.map(scene.amount) ?? terms.amount,
        expiry: expiry ?? terms.expiry)
    }

    #expect(try refusal() == .unknownClaim)
    isDrafted = true
    #expect(try refusal() == .idTaken)
    isUsed = false
    #expect(try refusal() == .unknownToken)
    try with(token: scene.token)
    #expect(try refusal() == .overCap)
    try with(1_000_000)
    #expect(try refusal() == .badExpiry)
    try with(expiry: good.terms.expiry)
    #expect(try refusal() == .badSignature)
    bytes = try scene.authorization(of: good, from: Person(2), lasting: 0).bytes
    #expect(try refusal() == .notAuthorized)
    bytes = try scene.authorization(of: good, from: alice, lasting: 0).bytes
    #expect(try refusal() == .authorizationExpired)
    lasting = 1
    bytes = try scene.authorization(of: good, from: alice, lasting: 1).bytes
    #expect(try refusal() == .insufficientFunds)
    balance = 1_000_000
    #expect(try refusal() == .tooManyPending)
    use = SenderUsage(pending: 0, day: now / 86400, deposits: 1)
    #expect(try refusal() == .tooManyDeposits)
    use = SenderUsage(pending: 0, day: now / 86400 - 1, deposits: 1)
    #expect(try refusal() == nil)
  }

  @Test func `every refusal has a code of its own for the API`() throws {
    let refusals: [VaultRefusal.Code] = [
      .unknownClaim, .idTaken, .unknownToken, .overCap, .badExpiry, .badSignature, .notAuthorized,
      .authorizationExpired, .insufficientFunds, .tooManyPending, .tooManyDeposits, .badReceiver, .notDeposited,
      .wrongSecret, .alreadyClaimed, .expired, .notExpired, .supplyExhausted, .busy,
    ]
    #expect(Set(refusals.map(\.description)).count == refusals.count)
    #expect(refusals.allSatisfy { $0.description.allSatisfy { $0 == "-" || ("a"..."z").contains($0) } })
  }
}
