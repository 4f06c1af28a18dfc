package import BumpClaims
package import BumpVault
package import BumpWallet
import Samples
package import Testing

/// Makes the store of a vault that has just been drawn, which asks a clock for the time.
package struct StoreMaker: Sendable {
  package typealias Make =
    @Sendable (VaultIdentity, @escaping @Sendable () -> MachineTime) async throws -> any VaultStore
  let make: Make

  package init(_ make: @escaping Make) {
    self.make = make
  }
}

/// A vault on a fresh store, people, and a clock that is set by hand.
package struct Scene: Sendable {
  package let clock = SetClock()
  package let identity: VaultIdentity
  package let store: any VaultStore
  package let vault: Vault

  package init(_ make: StoreMaker, limits: VaultLimits = VaultLimits(), seed: UInt64 = 1) async throws {
    identity = try Self.identity(seed: seed)
    store = try await make.make(identity) { [clock] in clock.machine }
    vault = try await Vault(store, limits: limits)
  }

  /// The same in every run.
  package static func identity(seed: UInt64 = 1) throws -> VaultIdentity {
    var generator = SplitMix64(seed: seed)
    return try VaultIdentity.draw(tokens: [(.usdc, "USD Coin", "2")], using: &generator)
  }

  package var token: Address {
    get throws { try identity.vault.contract(of: .usdc) }
  }

  /// Makes test money. Numbers make ids.
  package func mint(_ units: Int64, to person: Person, id: UInt64 = .random(in: .min ... .max)) async throws {
    _ = try await vault.mint(.word(id), amount(units), of: token, to: person.address)
  }

  package func balance(_ person: Person) async throws -> Int64 {
    try await store.balances(of: person.address)[token] ?? 0
  }

  /// A claim that nobody knows of yet.
  package func claim(
    _ number: UInt64, _ units: Int64 = 1_000_000, lasting seconds: Int64 = 3600, token: Address? = nil
  ) throws -> MadeClaim {
    var generator = SplitMix64(seed: number)
    let id = ClaimID(drawing: { generator.bytes(16) })
    let key = ClaimKey(secret: try ClaimSecret(Self.secret(number)), claimID: id)
    return MadeClaim(
      id: id, key: key,
      terms: ClaimTerms(
        secretHash: key.secretHash, token: try token ?? self.token, amount: try amount(units),
        expiry: Expiry(clamping: clock.now + seconds)))
  }

  /// The secret of the claim with that number.
  package static func secret(_ number: UInt64) -> [UInt8] {
    var generator = SplitMix64(seed: number)
    _ = generator.bytes(16)
    return generator.bytes(16)
  }

  package func authorization(
    of claim: MadeClaim, from sender: Person, lasting seconds: Int64 = 120, at vault: PinnedVault? = nil
  ) throws -> SenderAuthorization {
    let validBefore = Expiry(clamping: clock.now + seconds)
    let message = try (vault ?? identity.vault).deposit(
      of: claim.terms, from: sender.address, validBefore: validBefore)
    return SenderAuthorization(
      sender: sender.address, validBefore: validBefore, bytes: sender.key.sign(message.digest).bytes)
  }

  package func proof(of claim: MadeClaim, for receiver: Person, at vault: PinnedVault? = nil) throws -> [UInt8] {
    claim.key.proof(of: try (vault ?? identity.vault).payout(of: claim.terms, to: receiver.address)).bytes
  }

  /// Repeats a request, as a client does where the vault cannot say whether it was carried out.
  package func answered<Answer: Sendable>(_ request: () async throws -> Answer) async throws -> Answer {
    for _ in 0..<8 {
      do {
        return try await request()
      } catch let error as VaultStoreError where error.code == .failed {}
    }
    return try await request()
  }

  /// Drafts and deposits a claim.
  @discardableResult package func lock(_ claim: MadeClaim, from sender: Person) async throws -> ClaimRecord {
    _ = try await vault.draft(claim.id, claim.terms)
    return try await vault.deposit(claim.id, authorization(of: claim, from: sender))
  }

  @discardableResult package func take(_ claim: MadeClaim, for receiver: Person) async throws -> SignedReceipt {
    try await vault.claim(claim.id, for: receiver.address, proof: proof(of: claim, for: receiver))
  }

  /// A pending claim of the first person's, and one that the second was paid.
  package func payOneOfTwo() async throws {
    try await mint(9_000_000, to: Person(1))
    for number in 1...2 as ClosedRange<UInt64> { try await lock(claim(number), from: Person(1)) }
    try await take(claim(2), for: Person(2))
  }

  package func amount(_ units: Int64) throws -> Amount { try #require(Amount(baseUnits: units)) }

  /// Expects that the books are in order, and that so much was minted.
  package func expectSound(minted: Int64? = nil) async throws {
    let report = try await vault.audit()
    #expect(report.findings == [])
    let sums = try report.sums[token] ?? .init()
    #expect(sums.minted == sums.balances + sums.locked)
    if let minted { #expect(sums.minted == minted) }
  }
}

/// A claim as its sender has it.
package struct MadeClaim: Sendable {
  package var id: ClaimID
  package var key: ClaimKey
  package var terms: ClaimTerms

  package init(id: ClaimID, key: ClaimKey, terms: ClaimTerms) { (self.id, self.key, self.terms) = (id, key, terms) }
}

/// Somebody with a wallet.
package struct Person: Sendable {
  package let key: PrivateKey
  package var address: Address { key.address }

  /// The same in every run.
  package init(_ number: UInt64) throws {
    var generator = SplitMix64(seed: 1_000_000 + number)
    key = try PrivateKey(generator.bytes(32))
  }
}

/// Expects that the vault refuses, for this reason.
@discardableResult package func expectRefusal(
  _ code: VaultRefusal.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Sendable
) async -> VaultRefusal? {
  do {
    _ = try await body()
    Issue.record("not refused: \(code)", sourceLocation: location)
  } catch let refusal as VaultRefusal {
    #expect(refusal.code == code, sourceLocation: location)
    return refusal
  } catch {
    Issue.record(error, sourceLocation: location)
  }
  return nil
}
