import Testing

@testable import BumpChain

@Suite struct CoinAmountTests {
  private static let read: [(text: String, wei: UInt128)] = [
    ("0 wei", 0), ("1 wei", 1), ("1.5 gwei", 1_500_000_000), ("0.000000001 gwei", 1), ("12.50 gwei", 12_500_000_000),
    ("1 ether", 1_000_000_000_000_000_000), ("0.000000000000000001 ether", 1),
  ]

  @Test(arguments: read)
  func `an amount of coins is a number and its unit`(text: String, wei: UInt128) {
    #expect(CoinAmount.wei(text) == wei)
  }

  @Test(arguments: [
    "", "1", "1wei", "1  wei", "-1 wei", "+1 wei", "01 wei", ".5 gwei", "1. gwei", "0.5 wei", "0.0000000001 gwei",
    "0.0000000000000000001 ether", "1e3 wei", "1 Ether", "1 ether ", "0x1 wei", "٣ wei",
    "340282366920938463463374607431768211456 wei", "400000000000000000000 ether",
  ])
  func `nothing else is one`(text: String) {
    #expect(CoinAmount.wei(text) == nil)
  }

  private static let shown: [(wei: UInt128, text: String)] = [
    (0, "0 ether"), (1, "1 wei"), (999_999, "999999 wei"), (1_000_000, "0.001 gwei"), (2_000_000_000, "2 gwei"),
    (99_999_999_999_999, "99999.999999999 gwei"), (100_000_000_000_000, "0.0001 ether"),
    (1_230_000_000_000_000_001, "1.230000000000000001 ether"),
    (UInt128.max, "340282366920938463463.374607431768211455 ether"),
  ]

  @Test(arguments: shown)
  func `an amount is shown exactly, and read as the same again`(wei: UInt128, text: String) {
    #expect(CoinAmount.text(wei) == text)
    #expect(CoinAmount.wei(text) == wei)
  }
}
