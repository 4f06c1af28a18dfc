import BumpWallet
import Foundation
import Samples
import Testing

@testable import BumpChain

@Suite struct CalendarTests {
  /// Foundation's calendar is another implementation of the same.
  @Test func `intervals begin and end where the calendar says so`() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var random = SplitMix64(seed: 1970)
    let units: [(CalendarInterval, Calendar.Component)] = [
      (.hour, .hour), (.day, .day), (.week, .weekOfYear), (.month, .month),
    ]
    for _ in 0..<1000 {
      let time = Int64.random(in: 0...6_000_000_000, using: &random)
      for (interval, unit) in units {
        let whole = try #require(calendar.dateInterval(of: unit, for: Date(timeIntervalSince1970: Double(time))))
        let (start, end) = (Int64(whole.start.timeIntervalSince1970), Int64(whole.end.timeIntervalSince1970))
        #expect(interval.end(after: time) == end, "\(interval) of \(time)")
        if start >= 0 { #expect(interval.number(at: start) == interval.number(at: time), "\(interval) of \(time)") }
        #expect(interval.number(at: end) == interval.number(at: time) + 1, "\(interval) of \(time)")
      }
    }
    #expect(CalendarInterval.ever.end(after: 0) == nil)
  }
}

@Suite struct SponsoringTests {
  private let day: Int64 = 86_400
  private let alice = Address.ofContract(madeBy: .zero, nonce: 1)
  private let bob = Address.ofContract(madeBy: .zero, nonce: 2)

  private func id(_ number: UInt64) -> Bytes32 { .word(number) }

  /// Reserves, and returns why not; `nil` if it was reserved.
  private func refusal(
    _ ledger: inout SponsoringLedger, _ amount: UInt128, _ number: UInt64, _ policy: SponsoringPolicy,
    _ kind: SponsoredKind = .claim, of person: Address? = nil, at now: Int64 = 0
  ) -> SponsoringRefusal? {
    do {
      try ledger.reserve(amount, for: id(number), kind, of: person ?? alice, under: policy, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test func `only the kinds, persons and times of the policy are paid for`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy([.claim], allowed: [alice, bob], blocked: [bob], start: 100, end: 200)
    #expect(refusal(&ledger, 1, 1, policy, at: 99) == .notStarted(100))
    #expect(refusal(&ledger, 1, 1, policy, at: 200) == .ended)
    #expect(refusal(&ledger, 1, 1, policy, .deposit, at: 100) == .kind)
    #expect(refusal(&ledger, 1, 1, policy, of: bob, at: 100) == .person)
    #expect(refusal(&ledger, 1, 1, policy, of: .zero, at: 100) == .person)
    #expect(refusal(&ledger, 1, 1, policy, at: 100) == nil)
    #expect(ledger.usage(of: nil, in: .ever, at: 100).count == 1)
  }

  @Test func `an operation, a person and all together have their limits`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(
      perOperation: 50, perPerson: [.init(.day, amount: 80), .init(.hour, count: 2)],
      together: [.init(.month, amount: 120)])
    #expect(refusal(&ledger, 51, 1, policy) == .operation)
    #expect(refusal(&ledger, 50, 1, policy) == nil)
    #expect(refusal(&ledger, 31, 2, policy) == .personalLimit(day))
    #expect(refusal(&ledger, 30, 2, policy) == nil)
    #expect(refusal(&ledger, 0, 3, policy) == .personalLimit(3600))
    #expect(refusal(&ledger, 41, 4, policy, of: bob) == .commonLimit(31 * day))
    #expect(refusal(&ledger, 40, 4, policy, of: bob) == nil)
  }

  @Test func `an interval begins with nothing spent`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(perPerson: [.init(.day, amount: 50)])
    #expect(refusal(&ledger, 50, 1, policy, at: day - 1) == nil)
    #expect(refusal(&ledger, 1, 2, policy, at: day - 1) == .personalLimit(day))
    #expect(refusal(&ledger, 50, 2, policy, at: day) == nil)
  }

  @Test func `an edit of the policy begins no interval anew`() {
    var ledger = SponsoringLedger()
    #expect(refusal(&ledger, 50, 1, SponsoringPolicy(), at: 3600) == nil)
    for interval in CalendarInterval.allCases {
      let edited = SponsoringPolicy(perPerson: [.init(interval, amount: 60)], together: [.init(interval, amount: 60)])
      #expect(refusal(&ledger, 11, 2, edited, at: 3601) == .personalLimit(interval.end(after: 3601)))
    }
  }

  @Test func `a clock that is set back begins no interval anew`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(perPerson: [.init(.day, amount: 50)], together: [.init(.day, amount: 50)])
    #expect(refusal(&ledger, 50, 1, policy, at: day) == nil)
    #expect(refusal(&ledger, 1, 2, policy, at: 0) == .personalLimit(day))
    #expect(refusal(&ledger, 1, 2, policy, of: bob, at: 0) == .commonLimit(day))
  }

  @Test func `what was reserved is settled by the cost, and a reverted operation counts`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(perPerson: [.init(.day, amount: 100, count: 2)])
    #expect(refusal(&ledger, 90, 1, policy) == nil)
    #expect(refusal(&ledger, 20, 2, policy) != nil)
    ledger.settle(id(1), cost: 30)
    ledger.settle(id(1), cost: 30)
    #expect(ledger.usage(of: alice, in: .day, at: 0).amount == 30)
    #expect(refusal(&ledger, 70, 2, policy) == nil)
    #expect(refusal(&ledger, 0, 3, policy) == .personalLimit(day))
  }

  @Test func `what was never sent is given back`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(perPerson: [.init(.day, amount: 100, count: 1)])
    #expect(refusal(&ledger, 100, 1, policy) == nil)
    ledger.release(id(1))
    ledger.release(id(1))
    #expect(refusal(&ledger, 100, 2, policy) == nil)
  }

  @Test func `the same operation counts once, and a replacement reserves what it costs more`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy(perOperation: 100, perPerson: [.init(.day, amount: 100, count: 1)])
    #expect(refusal(&ledger, 80, 1, policy) == nil)
    #expect(refusal(&ledger, 80, 1, policy) == nil)
    #expect(refusal(&ledger, 90, 1, policy) == nil)
    #expect(ledger.usage(of: alice, in: .day, at: 0).amount == 90)
    #expect(refusal(&ledger, 101, 1, policy) == .operation)
    ledger.settle(id(1), cost: 40)
    #expect(ledger.usage(of: nil, in: .day, at: 0).amount == 40)
  }

  @Test func `a cost is settled in the interval in which it was reserved, or in none`() {
    var ledger = SponsoringLedger()
    let policy = SponsoringPolicy()
    #expect(refusal(&ledger, 80, 1, policy, at: 0) == nil)
    #expect(refusal(&ledger, 10, 2, policy, at: day) == nil)
    ledger.settle(id(1), cost: 30)
    #expect(ledger.usage(of: alice, in: .day, at: day).amount == 10)
    #expect(ledger.usage(of: alice, in: .month, at: day).amount == 40)
  }

  @Test func `amounts beyond all bounds stay at the greatest`() {
    var ledger = SponsoringLedger()
    #expect(refusal(&ledger, .max, 1, SponsoringPolicy()) == nil)
    #expect(refusal(&ledger, .max, 2, SponsoringPolicy()) == nil)
    #expect(refusal(&ledger, 1, 3, SponsoringPolicy(together: [.init(.ever, amount: .max - 1)])) == .commonLimit(nil))
  }

  /// An operation as the model has it.
  private struct Operation {
    let id: UInt64
    let person: Address
    let time: Int64
    var amount: UInt128
    var isOpen = true
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a history of operations and edits is counted as a list of them would be`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (ledger, operations, now) = (SponsoringLedger(), [Operation](), Int64(1_795_300_000))
    var policy = SponsoringPolicy()
    func sum(_ person: Address?, _ interval: CalendarInterval) -> (UInt128, UInt64) {
      let counted = operations.filter {
        (person == nil || $0.person == person) && interval.number(at: $0.time) == interval.number(at: now)
      }
      return (counted.reduce(0) { $0 + $1.amount }, UInt64(counted.count))
    }
    for number in 0..<600 as Range<UInt64> {
      now += .random(in: 0...9000, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let interval = CalendarInterval.allCases.randomElement(using: &random) ?? .day
        policy.perPerson = [.init(interval, amount: .random(in: 100...2000, using: &random), count: 30)]
        policy.together = [.init(interval, amount: .random(in: 100...5000, using: &random))]
      case 1...5:
        let (person, amount) = (Bool.random(using: &random) ? alice : bob, UInt128.random(in: 0...100, using: &random))
        let isRefused = refusal(&ledger, amount, number, policy, of: person, at: now) != nil
        func isOver(_ limits: [SponsoringPolicy.Limit], _ person: Address?) -> Bool {
          limits.contains { limit in
            let (spent, count) = sum(person, limit.interval)
            return limit.amount.map { spent + amount > $0 } ?? false || limit.count.map { count >= $0 } ?? false
          }
        }
        #expect(isRefused == (isOver(policy.perPerson, person) || isOver(policy.together, nil)))
        if !isRefused { operations.append(Operation(id: number, person: person, time: now, amount: amount)) }
      default:
        guard let index = operations.indices.filter({ operations[$0].isOpen }).randomElement(using: &random) else {
          break
        }
        if Bool.random(using: &random) {
          operations[index].amount = .random(in: 0...operations[index].amount, using: &random)
          operations[index].isOpen = false
          ledger.settle(id(operations[index].id), cost: operations[index].amount)
        } else {
          ledger.release(id(operations.remove(at: index).id))
        }
      }
      for interval in CalendarInterval.allCases {
        for person in [nil, alice, bob] {
          let usage = ledger.usage(of: person, in: interval, at: now)
          let (amount, count) = sum(person, interval)
          #expect(usage.amount == amount && usage.count == count)
        }
      }
    }
  }
}
