import BumpClaims
import BumpKit
import BumpWire

/// The same claim, keys and credentials in every run: what differs is the fuzzer's choice.
enum Fixture {
  static let claim = unwrap(
    try? Claim(
      id: ClaimID("fuzzClaim"), secret: ClaimSecret([UInt8](0x51..<0x61)), token: .usdc, amount: Amount("1.00")))
  static let alice = unwrap(try? DisplayName("alice"))
  static let bob = unwrap(try? DisplayName("bob"))
  static let limit: Duration = .seconds(5)

  /// Past the time of day at which every run begins, which is zero.
  static let offer = Offer(
    claimID: claim.id, token: claim.token, amount: claim.amount, expiry: Expiry(clamping: 1000), from: alice)

  /// Two codes and two keys, so that the ends may differ.
  static let credentials: [Credential] =
    [.none]
    + ["27-482915", "27-482916"].compactMap { try? OneTimeCode($0) }.map(Credential.code)
    + [[UInt8](repeating: 8, count: 32), [UInt8](repeating: 9, count: 32)].compactMap { SharedKey($0) }
    .map(Credential.key)

  static let keysS = keys(1)
  static let keysR = keys(2)

  private static func keys(_ seed: UInt8) -> SessionKeys {
    SessionKeys(drawnFrom: RandomBytes { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) &* 31 &+ seed } })
  }

  private static func unwrap<Value>(_ value: Value?) -> Value {
    guard let value else { fatalError("a fixture that is none") }
    return value
  }
}
