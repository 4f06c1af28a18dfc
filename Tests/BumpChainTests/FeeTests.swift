import Samples
import Testing

@testable import BumpChain

@Suite struct FeeTests {
  private let policy = FeePolicy(cap: 1000, priorityCap: 100, leastPriority: 2)

  @Test func `fees have room for the base fee to double, and the median of what others pay`() {
    let fees = policy.fees(after: FeeHistory(nextBaseFee: 50, rewards: [9, 1, 5, 7, 3]))
    #expect(fees == Fees(maximum: 105, priority: 5))
  }

  @Test func `the priority stays between its least and its cap`() {
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 50, rewards: []))?.priority == 2)
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 50, rewards: [0, 0, 0]))?.priority == 2)
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 50, rewards: [.max, .max]))?.priority == 100)
  }

  @Test func `a gas never costs more than the cap`() {
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 900, rewards: [10]))?.maximum == 1000)
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 990, rewards: [10]))?.maximum == 1000)
    #expect(policy.fees(after: FeeHistory(nextBaseFee: 991, rewards: [10])) == nil)
    #expect(policy.fees(after: FeeHistory(nextBaseFee: .max, rewards: [.max])) == nil)
  }

  @Test func `a replacement pays an eighth more of both fees, rounded up`() {
    #expect(policy.raised(Fees(maximum: 80, priority: 8)) == Fees(maximum: 90, priority: 9))
    #expect(policy.raised(Fees(maximum: 81, priority: 9)) == Fees(maximum: 92, priority: 11))
    #expect(policy.raised(Fees(maximum: 0, priority: 0)) == Fees(maximum: 1, priority: 1))
  }

  @Test func `a replacement pays at least what the market takes, up to the caps`() {
    let market = Fees(maximum: 500, priority: 50)
    #expect(policy.raised(Fees(maximum: 80, priority: 8), market: market) == market)
    #expect(
      policy.raised(Fees(maximum: 80, priority: 8), market: Fees(maximum: .max, priority: .max))
        == Fees(maximum: 1000, priority: 100))
  }

  @Test func `nothing is replaced where one of the fees cannot be raised`() {
    #expect(policy.raised(Fees(maximum: 900, priority: 8)) == nil)
    #expect(policy.raised(Fees(maximum: 880, priority: 8)) == Fees(maximum: 990, priority: 9))
    #expect(policy.raised(Fees(maximum: 500, priority: 99)) == nil)
    #expect(policy.raised(Fees(maximum: .max, priority: .max)) == nil)
  }

  /// Nodes take no replacement that pays less than 10 % more.
  @Test func `every replacement is one that nodes take`() throws {
    var random = SplitMix64(seed: 1559)
    let policy = FeePolicy(cap: .max, priorityCap: .max, leastPriority: 0)
    for _ in 0..<2000 {
      let bits = UInt64.random(in: 0...60, using: &random)
      let maximum = UInt64.random(in: 0...(1 << bits), using: &random)
      let fees = Fees(maximum: maximum, priority: .random(in: 0...maximum, using: &random))
      let raised = try #require(policy.raised(fees))
      for (old, new) in [(fees.maximum, raised.maximum), (fees.priority, raised.priority)] {
        #expect(new > old && UInt128(new) * 100 >= UInt128(old) * 110)
      }
    }
  }
}
