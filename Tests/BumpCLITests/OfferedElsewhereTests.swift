import BumpClaims
import BumpKit
import Testing

@testable import BumpCLI
@testable import BumpStore

/// What is said of a claim that another bump on the same store may be offering.
@Suite struct OfferedElsewhereTests {
  @Test func `a claim is said to be perhaps offered elsewhere until that bump has ended`() async throws {
    let store = try ClaimStore.inMemory()
    let expiry = try #require(Expiry(unixSeconds: 2_000_003_600))
    let claim = try await store.create(amount: Amount("2.00"), token: .usdc, expiry: expiry, at: 2_000_000_000)
    let id = claim.claim.id
    #expect(try await OfferedElsewhere.note(of: id, in: store) == nil)
    let attempts = try await store.reserveAttempts(of: id)
    #expect(
      try await OfferedElsewhere.note(of: id, in: store)
        == "Another bump here may be offering claim \(id) just now, or its three comparisons of digits are used up.")
    try await store.record(
      nil, of: id, after: nil, at: ClockReading(unix: 2_000_000_000), unusedAttempts: attempts)
    #expect(try await OfferedElsewhere.note(of: id, in: store) == nil)
  }
}
