import BumpWallet
import Testing

@testable import BumpChain

@Suite struct FormerCallTests {
  private let settings = Outbox.Settings()

  private func entry() throws -> OutboxEntry {
    let call = RelayedCall(.claim, of: .zero, data: [1], gasLimit: 100_000)
    let fees = Fees(maximum: 80, priority: 8)
    let transaction = ChainTransaction(
      chainID: 31337, nonce: 5, fees: fees, gasLimit: call.gasLimit, to: call.contract, data: call.data)
    let attempt = OutboxEntry.Attempt(fees: fees, transaction: transaction.signed(by: try ChainVector.key()))
    return try #require(OutboxEntry(nonce: 5, call: call, attempts: [attempt]))
  }

  private func receipt(of entry: OutboxEntry, block: UInt64) -> TransactionReceipt {
    TransactionReceipt(
      transaction: entry.latest.transaction.hash, blockHash: Bytes32(rightAligned: [9]), blockNumber: block,
      isSuccessful: true, gasUsed: 60_000, gasPrice: 50)
  }

  @Test func `a transaction in no block is sent again each half minute, and handed over after a minute`() throws {
    let entry = try entry()
    var call = FormerCall(at: 100)
    func look(_ call: inout FormerCall, at now: Int64) -> FormerCall.Step {
      call.looked(entry, [], finalCount: 5, finalized: 10, at: now, settings)
    }
    #expect(look(&call, at: 100) == .send(entry.latest.transaction))
    #expect(look(&call, at: 129) == .wait)
    #expect(look(&call, at: 130) == .send(entry.latest.transaction))
    #expect(look(&call, at: 159) == .wait)
    #expect(look(&call, at: 160) == .handOver(entry, mayBeCarried: true))
  }

  @Test func `a nonce that is used up for good is believed after three looks, whatever the time`() throws {
    let entry = try entry()
    var call = FormerCall(at: 0)
    for now in [1000, 1001] as [Int64] {
      #expect(call.looked(entry, [], finalCount: 6, finalized: 10, at: now, settings) == .wait)
    }
    // A node of before did not have it.
    #expect(call.looked(entry, [], finalCount: nil, finalized: 10, at: 20, settings) != .wait)
    for now in [1002, 1003] as [Int64] {
      #expect(call.looked(entry, [], finalCount: 6, finalized: 10, at: now, settings) == .wait)
    }
    #expect(
      call.looked(entry, [], finalCount: 6, finalized: 10, at: 1004, settings)
        == .handOver(entry, mayBeCarried: false))
  }

  @Test func `a block that has it is stored, taken back with a minute more, and final at the end`() throws {
    let entry = try entry()
    let receipt = receipt(of: entry, block: 12)
    var call = FormerCall(at: 0)
    var mined = entry
    mined.receipt = receipt
    #expect(call.looked(entry, [receipt], finalCount: 5, finalized: 10, at: 500, settings) == .store(mined))
    #expect(call.looked(mined, [receipt], finalCount: 5, finalized: 11, at: 501, settings) == .wait)
    #expect(call.looked(mined, [], finalCount: 5, finalized: 11, at: 502, settings) == .store(entry))
    #expect(
      call.looked(entry, [], finalCount: 5, finalized: 11, at: 561, settings) == .send(entry.latest.transaction))
    #expect(call.looked(mined, [receipt], finalCount: 6, finalized: 12, at: 570, settings) == .finish(mined, receipt))
  }
}
