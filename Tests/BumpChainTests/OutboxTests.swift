import BumpWallet
import Samples
import Testing

@testable import BumpChain

@Suite struct OutboxTests {
  private let policy = FeePolicy(cap: 1000, priorityCap: 1000, leastPriority: 1)
  private let fees = Fees(maximum: 80, priority: 8)

  private func outbox(_ entries: [OutboxEntry] = [], count: UInt64 = 5) throws -> Outbox {
    Outbox(try ChainVector.key(), chainID: 31337, policy, entries: entries, count: count)
  }

  private func call(_ number: UInt8 = 1) -> RelayedCall {
    RelayedCall(.claim, of: .zero, data: [number], gasLimit: 100_000)
  }

  private func receipt(of transaction: Bytes32, block: UInt64 = 10) -> TransactionReceipt {
    TransactionReceipt(
      transaction: transaction, blockHash: Bytes32(rightAligned: [9]), blockNumber: block, isSuccessful: true,
      gasUsed: 60_000, gasPrice: 50)
  }

  /// Begins a call, and stores and sends its transaction.
  private func begin(_ outbox: inout Outbox, _ call: RelayedCall, at now: Int64 = 0) throws -> OutboxEntry {
    guard case .begun(let entry, let effects) = outbox.submit(call, fees) else { throw Unexpected() }
    #expect(effects == [.store(entry)])
    #expect(outbox.stored(entry, at: now) == [.send(entry.latest.transaction, nonce: entry.nonce)])
    return entry
  }

  /// Returns the entry that a tick raises.
  private func raised(_ outbox: inout Outbox, at now: Int64, market: Fees? = nil) -> OutboxEntry? {
    for case .store(let entry) in outbox.tick(now, market: market) { return entry }
    return nil
  }

  @Test func `nothing is sent before it is stored`() throws {
    var outbox = try outbox()
    guard case .begun(let entry, let effects) = outbox.submit(call(), fees) else { throw Unexpected() }
    #expect(effects == [.store(entry)])
    #expect(outbox.tick(1000, market: nil).isEmpty)
    #expect(outbox.stored(entry, at: 1000) == [.send(entry.latest.transaction, nonce: 5)])
  }

  @Test func `calls get one nonce after the other, and the same call no second one`() throws {
    var outbox = try outbox()
    #expect(try begin(&outbox, call(1)).nonce == 5)
    #expect(try begin(&outbox, call(2)).nonce == 6)
    guard case .existing(let entry) = outbox.submit(call(1), Fees(maximum: 500, priority: 5)) else {
      throw Unexpected()
    }
    #expect(entry.nonce == 5 && outbox.nextNonce == 7)
  }

  @Test func `there are never more open calls than a node keeps`() throws {
    var outbox = try outbox()
    for number in 0...UInt8(255) { _ = try begin(&outbox, call(number)) }
    let other = RelayedCall(.claim, of: .zero, data: [], gasLimit: 100_000)
    #expect(outbox.submit(other, fees) == .full)
    // One that is in a block leaves room for another.
    let mined = receipt(of: try #require(outbox.entries.first).latest.transaction.hash)
    _ = outbox.looked(5, [mined], finalCount: 5, finalized: 9, at: 1)
    #expect(try begin(&outbox, other).nonce == 261)
  }

  @Test func `the same bytes are sent again`() throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    let sent = Outbox.Effect.send(entry.latest.transaction, nonce: 5)
    #expect(!outbox.tick(29, market: nil).contains(sent))
    #expect(outbox.tick(30, market: nil).contains(sent))
    #expect(!outbox.tick(31, market: nil).contains(sent))
  }

  @Test func `after a restart the stored bytes are sent again, and every receipt is asked for`() throws {
    var first = try outbox()
    let begun = try begin(&first, call())
    let entry = try #require(raised(&first, at: 60))
    let stored = try #require(OutboxEntry(nonce: entry.nonce, call: entry.call, attempts: entry.attempts))
    var second = try outbox([stored], count: 5)
    #expect(second.nextNonce == 6)
    #expect(
      second.tick(0, market: nil) == [
        .send(entry.latest.transaction, nonce: 5),
        .look([begun.latest.transaction.hash, entry.latest.transaction.hash], nonce: 5),
      ])
  }

  @Test func `a nonce that was never stored is used first, since others wait for it`() throws {
    var first = try outbox()
    for number in 1...4 as ClosedRange<UInt8> { _ = try begin(&first, call(number)) }
    var second = try outbox(first.entries.filter { $0.nonce == 6 || $0.nonce == 8 }, count: 5)
    #expect(try [5, 6, 7].map { try begin(&second, call($0)).nonce } == [5, 7, 9])
  }

  @Test func `a nonce that another program used is not used again`() throws {
    var outbox = try outbox(count: 9)
    #expect(outbox.nextNonce == 9)
    #expect(try begin(&outbox, call()).nonce == 9)
  }

  @Test(arguments: NodeRefusal.Kind.allCases)
  func `whatever a node refuses, the receipt is asked for`(kind: NodeRefusal.Kind) throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    let effects = outbox.answered(entry.latest.transaction.hash, .refused(kind), nonce: 5)
    #expect(effects == [.look(entry.hashes, nonce: 5)])
  }

  @Test func `a lost answer is not taken for a refusal`() throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    #expect(outbox.answered(entry.latest.transaction.hash, .unknown, nonce: 5) == [.look(entry.hashes, nonce: 5)])
    #expect(outbox.answered(entry.latest.transaction.hash, .accepted, nonce: 5).isEmpty)
  }

  @Test func `a transaction that waits for long is replaced by one that pays more, with the same nonce`() throws {
    var outbox = try outbox()
    let first = try begin(&outbox, call())
    #expect(raised(&outbox, at: 59) == nil)
    let second = try #require(raised(&outbox, at: 60))
    #expect(second.nonce == first.nonce && second.latest.fees == Fees(maximum: 90, priority: 9))
    #expect(second.hashes == [first.latest.transaction.hash, second.latest.transaction.hash])
    // It waits for the store, too.
    #expect(!outbox.tick(100, market: nil).contains(.send(second.latest.transaction, nonce: 5)))
    #expect(outbox.stored(second, at: 100) == [.send(second.latest.transaction, nonce: 5)])
  }

  @Test func `a transaction that pays too little is replaced at once`() throws {
    for kind in [NodeRefusal.Kind.underpriced, .replacementUnderpriced] {
      var outbox = try outbox()
      let entry = try begin(&outbox, call())
      _ = outbox.answered(entry.latest.transaction.hash, .refused(kind), nonce: 5)
      #expect(raised(&outbox, at: 1) != nil)
    }
  }

  @Test func `only what holds up the others, or is below the market, is replaced`() throws {
    var outbox = try outbox()
    _ = try (begin(&outbox, call(1)), begin(&outbox, call(2)))
    let stored = outbox.tick(60, market: Fees(maximum: 80, priority: 8)).compactMap { effect in
      if case .store(let entry) = effect { entry.nonce } else { nil }
    }
    #expect(stored == [5])
    #expect(raised(&outbox, at: 61, market: Fees(maximum: 300, priority: 8))?.nonce == 6)
  }

  @Test func `nothing pays more than the cap, or than may be spent`() throws {
    var outbox = try outbox()
    guard case .begun(let entry, _) = outbox.submit(call(), Fees(maximum: 950, priority: 8)) else { throw Unexpected() }
    _ = outbox.stored(entry, at: 0)
    #expect(raised(&outbox, at: 600) == nil)
    var other = try self.outbox()
    _ = try begin(&other, call())
    var asked: [UInt128] = []
    let effects = other.tick(60, market: nil) { _, cost in
      asked.append(cost)
      return false
    }
    #expect(asked == [9_000_000])
    #expect(!effects.contains { if case .store = $0 { true } else { false } })
  }

  @Test func `any of a nonce's transactions ends the call, once its block is final`() throws {
    var outbox = try outbox()
    let first = try begin(&outbox, call())
    let second = try #require(raised(&outbox, at: 60))
    _ = outbox.stored(second, at: 60)
    // The first one was mined while it was replaced.
    let receipt = receipt(of: first.latest.transaction.hash)
    guard case .mined(_, receipt)? = outbox.looked(5, [receipt], finalCount: 5, finalized: 9, at: 61).first else {
      throw Unexpected()
    }
    #expect(outbox.entries.first?.receipt == receipt)
    #expect(outbox.looked(5, [receipt], finalCount: 5, finalized: 9, at: 62).isEmpty)
    let effects = outbox.looked(5, [receipt], finalCount: 6, finalized: 10, at: 62)
    guard case .finish(let entry, receipt)? = effects.first else { throw Unexpected() }
    #expect(entry.hashes == second.hashes && outbox.entries.isEmpty)
  }

  @Test func `a receipt of another transaction is not looked at`() throws {
    var outbox = try outbox()
    _ = try begin(&outbox, call())
    let other = receipt(of: Bytes32(rightAligned: [1]))
    #expect(outbox.looked(5, [other], finalCount: 5, finalized: 10, at: 1).isEmpty)
    #expect(outbox.entries.first?.receipt == nil)
  }

  @Test func `what is mined is neither sent again nor replaced`() throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    _ = outbox.looked(5, [receipt(of: entry.latest.transaction.hash)], finalCount: 5, finalized: 9, at: 1)
    #expect(outbox.tick(600, market: nil).isEmpty)
  }

  @Test func `a receipt is asked for again once its block is taken back, or final`() throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    let receipt = receipt(of: entry.latest.transaction.hash)
    _ = outbox.looked(5, [receipt], finalCount: 5, finalized: 0, at: 1)
    outbox.moved(takingBackAbove: nil, finalized: 9)
    outbox.moved(takingBackAbove: 10, finalized: 9)
    #expect(outbox.tick(10, market: nil).isEmpty)
    outbox.moved(takingBackAbove: 9, finalized: 9)
    #expect(outbox.tick(20, market: nil) == [.look(entry.hashes, nonce: 5)])
    // A lost answer is asked for again.
    #expect(outbox.tick(22, market: nil) == [.look(entry.hashes, nonce: 5)])
    _ = outbox.looked(5, [receipt], finalCount: 5, finalized: 9, at: 23)
    #expect(outbox.tick(30, market: nil).isEmpty)
    outbox.moved(takingBackAbove: nil, finalized: 10)
    #expect(outbox.tick(40, market: nil) == [.look(entry.hashes, nonce: 5)])
  }

  @Test func `a receipt that was stored is asked for again, and until then nothing is sent`() throws {
    var first = try outbox()
    let entry = try begin(&first, call())
    let receipt = receipt(of: entry.latest.transaction.hash)
    let stored = try #require(
      OutboxEntry(nonce: entry.nonce, call: entry.call, attempts: entry.attempts, receipt: receipt))
    var second = try outbox([stored], count: 6)
    #expect(second.tick(0, market: nil) == [.look(entry.hashes, nonce: 5)])
    #expect(second.looked(5, [], finalCount: 5, finalized: 9, at: 1) == [.send(entry.latest.transaction, nonce: 5)])
  }

  @Test func `what a reorganization takes back is sent again with the same bytes`() throws {
    var outbox = try outbox()
    let entry = try begin(&outbox, call())
    _ = outbox.looked(5, [receipt(of: entry.latest.transaction.hash)], finalCount: 5, finalized: 9, at: 1)
    let effects = outbox.looked(5, [], finalCount: 5, finalized: 9, at: 2)
    #expect(effects == [.send(entry.latest.transaction, nonce: 5)])
  }

  @Test func `a call is lost only once its nonce is used for good, and no receipt is found again and again`() throws {
    var outbox = try outbox()
    _ = try begin(&outbox, call())
    for now in 1..<10 as Range<Int64> { #expect(outbox.looked(5, [], finalCount: 5, finalized: 9, at: now).isEmpty) }
    for now in 1..<10 as Range<Int64> { #expect(outbox.looked(5, [], finalCount: nil, finalized: 9, at: now).isEmpty) }
    #expect(outbox.looked(5, [], finalCount: 6, finalized: 9, at: 10).isEmpty)
    #expect(outbox.looked(5, [], finalCount: 6, finalized: 9, at: 11).isEmpty)
    guard case .lose(let entry)? = outbox.looked(5, [], finalCount: 6, finalized: 9, at: 12).first else {
      throw Unexpected()
    }
    #expect(entry.nonce == 5 && outbox.entries.isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `whatever happens on the way, each call is carried once`(seed: UInt64) throws {
    var history = try RelayHistory(seed: seed)
    try history.run(steps: 400)
    history.end()
  }
}
