import BumpVault
import BumpVaultAPI
import Samples
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// The buckets as a database keeps them, with a time that is set by hand.
final class SetLedger: RequestLedger {
  struct State {
    var now: Int64 = 0
    var empties: [[UInt8]: Int64] = [:]
    var asked = 0
    var fails = false
  }

  let state = Mutex(State())

  func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease {
    // Others come to be asked meanwhile.
    await Task.yield()
    return try state.withLock { state in
      state.asked += 1
      if state.fails { throw VaultStoreError(.failed, "the database does not answer") }
      let filled = max(state.empties[bucket] ?? 0, state.now)
      let count = min(most, (state.now + RequestLimiter.minute - filled) / step)
      state.empties[bucket] = filled + count * step
      return RequestLease(count: count, level: filled + count * step - state.now)
    }
  }

  var now: Int64 { state.withLock(\.now) }
  var asked: Int { state.withLock(\.asked) }
  func advance(byMilliseconds milliseconds: Int64) { state.withLock { $0.now += milliseconds * 1000 } }
  func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }
}

/// A limit that several servers count together.
struct LeaseTests {
  private let ledger = SetLedger()
  private let failures = Failures()
  private let address = ClientAddress("192.0.2.1")

  /// A server's. Its clock is as far off as it likes.
  private func gate(perMinute: Int = 300, clockIsOffBy seconds: Int64 = 0) -> RequestGate {
    RequestGate(
      perMinute: perMinute, kind: 1, ledger: ledger, uptime: { [ledger] in ledger.now / 1000 + seconds * 1000 },
      report: { [failures] in failures.add($0) })
  }

  private func passes(_ gate: RequestGate, isCounted: Bool = true) async throws -> Bool {
    await gate.wait(try #require(address), isCounted: isCounted) == nil
  }

  @Test func `servers answer a minute's requests together, and ask for a tenth of them at a time`() async throws {
    let gates = [gate(), gate(clockIsOffBy: 100_000), gate(clockIsOffBy: 5)]
    var passed = 0
    for number in 0..<900 where try await passes(gates[number % 3]) { passed += 1 }
    #expect(passed == 300)
    // Ten leases, and the word that there are no more to each of them.
    #expect(ledger.asked == 13)
  }

  @Test func `what one server has leased and does not use is all that the others miss, and not for long`() async throws
  {
    let gates = [gate(), gate()]
    #expect(try await passes(gates[1]))
    var passed = 0
    while try await passes(gates[0]) { passed += 1 }
    #expect(passed == 270)
    // The first request leaks out after a fifth of a second, and so on.
    ledger.advance(byMilliseconds: 6000)
    while try await passes(gates[0]) { passed += 1 }
    #expect(passed == 300)
    #expect(try await !passes(gates[1]))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whenever servers use what they have leased, the sum is within the limit`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let perMinute = Int.random(in: 1...100, using: &random)
    let gates = (0..<4).map { gate(perMinute: perMinute, clockIsOffBy: Int64($0) * 1000) }
    let step = 60_000 / Int64(perMinute)
    var times: [Int64] = []
    for _ in 0..<1500 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        ledger.advance(byMilliseconds: .random(in: 0...(Bool.random(using: &random) ? 200 : 9000), using: &random))
      }
      if try await passes(gates[.random(in: gates.indices, using: &random)]) { times.append(ledger.now / 1000) }
    }
    #expect(times.count > perMinute)
    // What is in the bucket of all that was answered: one more for what had leaked in part, and one for the fraction of a
    // millisecond that a request takes longer.
    var empties: Int64 = 0
    for time in times {
      empties = max(empties, time) + step
      #expect(empties - time <= step * Int64(perMinute + 2))
    }
  }

  @Test func `who only asks uses nothing up`() async throws {
    let gate = gate(perMinute: 10)
    for _ in 0..<50 { #expect(try await passes(gate, isCounted: false)) }
    for _ in 0..<10 { #expect(try await passes(gate)) }
    #expect(try await !passes(gate, isCounted: false))
  }

  @Test func `who is refused is told when, and the database is not asked before`() async throws {
    let gate = gate(perMinute: 20)
    for _ in 0..<20 { #expect(try await passes(gate)) }
    #expect(await gate.wait(try #require(address), isCounted: true) == 3)
    let asked = ledger.asked
    ledger.advance(byMilliseconds: 2900)
    #expect(await gate.wait(try #require(address), isCounted: true) == 1)
    #expect(ledger.asked == asked)
    ledger.advance(byMilliseconds: 101)
    #expect(try await passes(gate))
  }

  @Test func `many requests at once ask for one lease after the other`() async throws {
    let gate = gate(perMinute: 100)
    let address = try #require(address)
    let passed = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<400 { group.addTask { await gate.wait(address, isCounted: true) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(passed == 100 && ledger.asked == 11)
  }

  @Test func `while the database fails a server counts for itself, and asks again after a second`() async throws {
    let gate = gate(perMinute: 10)
    #expect(try await passes(gate))
    ledger.advance(byMilliseconds: 60_000)
    ledger.fail(true)
    var passed = 0
    while try await passes(gate) { passed += 1 }
    #expect(passed == 10 && failures.all.count == 1)
    ledger.fail(false)
    #expect(try await !passes(gate))
    ledger.advance(byMilliseconds: 1000)
    #expect(try await passes(gate))
    #expect(failures.all.count == 1)
  }

  @Test func `many addresses cost no more memory than there is for their leases`() throws {
    var leases = RequestLeases(perMinute: 10, step: 6_000_000, capacity: 2)
    let addresses = try (1...3).map { try #require(ClientAddress("192.0.2.\($0)")) }
    for address in addresses[..<2] {
      #expect(leases.key(of: address, at: 0) == address)
      leases.note(RequestLease(count: 1, level: 6_000_000), for: address, askedAt: 0)
    }
    // Further ones share a name, until those that are there have nothing left.
    #expect(leases.key(of: addresses[2], at: 1) == nil)
    #expect(leases.key(of: addresses[1], at: 1) == addresses[1])
    #expect(leases.key(of: addresses[2], at: 6_000_000) == addresses[2])
  }

  @Test func `two servers of a vault have one limit for an address, and each limit its own bucket`() async throws {
    let ledger = ledger
    let served = try await Served { $0.requestsPerMinute = 10 }
    let services = (0..<2).map { _ in served.other(challenges: ProcessChallengeLog(), requests: ledger) }
    var answered = 0
    for number in 0..<40 {
      let response = try await served.ask("GET", "/api/challenge", from: Served.away, at: services[number % 2])
      if response.status == 200 { answered += 1 } else { expectProblem(response, .tooManyRequests) }
    }
    #expect(answered == 10)
    #expect(try await served.ask("GET", "/api/challenge", from: "192.0.2.2", at: services[0]).status == 200)
    #expect(try await served.ask("GET", "/readyz", from: Served.away, at: services[0]).status == 200)
  }
}
