import BumpWallet
import Samples
import Testing

@testable import BumpChain

/// A seeded history of a relayer: requests and answers get lost, fees rise and fall, reorganizations take blocks back, and
/// the relayer is killed at any moment.
///
/// At the end each call is in the final chain once, and only what was stored had been sent.
struct RelayHistory {
  private let policy = FeePolicy(cap: 1000, priorityCap: 1000, leastPriority: 1)
  private let key: PrivateKey
  private var random: SplitMix64
  private var node = RelayNode()
  private var outbox: Outbox
  /// What is durable.
  private var store: [UInt64: OutboxEntry] = [:]
  private var calls: [RelayedCall] = []
  private var finished: [Bytes32: Int] = [:]
  private var now: Int64 = 0
  /// How many times the relayer was killed.
  private var life = 0
  private var isCalm = false

  init(seed: UInt64) throws {
    key = try ChainVector.key()
    random = SplitMix64(seed: seed)
    outbox = Outbox(key, chainID: 31337, policy, count: 0)
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      now += .random(in: 0...20, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...1: submit()
      case 2...5: carryOut(outbox.tick(now, market: policy.fees(after: node.fees)))
      case 6...7: mine()
      case 8:
        node.reorganize(&random)
        outbox.moved(takingBackAbove: node.tip, finalized: node.finalized)
      default: node.baseFee = .random(in: 1...1500, using: &random)
      }
    }
  }

  /// Lets everything come to its end.
  mutating func end() {
    isCalm = true
    node.baseFee = 10
    for _ in 0..<2000 where !store.isEmpty || calls.contains(where: { finished[$0.id] == nil }) {
      now += 2
      // A client whose call was not stored sends it again.
      for call in calls where finished[call.id] == nil { submit(call) }
      carryOut(outbox.tick(now, market: policy.fees(after: node.fees)))
      mine()
    }
    #expect(!calls.isEmpty)
    for call in calls {
      #expect(finished[call.id] == 1)
      #expect(node.blocks.joined().count { $0.call == call.id } == 1)
    }
  }

  private func chance(_ one: Int, _ random: inout SplitMix64) -> Bool {
    !isCalm && Int.random(in: 0..<one, using: &random) == 0
  }

  private mutating func mine() {
    node.mine(&random)
    outbox.moved(takingBackAbove: nil, finalized: node.finalized)
  }

  private mutating func submit() {
    let call = RelayedCall(
      .claim, of: .zero, data: withUnsafeBytes(of: UInt64(calls.count).bigEndian, Array.init), gasLimit: 100_000)
    calls.append(call)
    submit(call)
  }

  private mutating func submit(_ call: RelayedCall) {
    guard let fees = policy.fees(after: node.fees) else { return }
    if case .begun(_, let effects) = outbox.submit(call, fees) { carryOut(effects) }
  }

  /// The relayer is killed, and begins again with what is stored.
  private mutating func restart() {
    life += 1
    let entries = store.values.compactMap {
      OutboxEntry(nonce: $0.nonce, call: $0.call, attempts: $0.attempts, receipt: $0.receipt)
    }
    outbox = Outbox(key, chainID: 31337, policy, entries: entries, count: node.count)
  }

  private mutating func carryOut(_ effects: [Outbox.Effect]) {
    let life = life
    // What the relayer was about to do dies with it.
    for effect in effects where life == self.life {
      if chance(60, &random) { return restart() }
      switch effect {
      case .store(let entry):
        let before = store.updateValue(entry, forKey: entry.nonce)
        #expect(before.map { entry.attempts.starts(with: $0.attempts) } ?? true)
        if chance(60, &random) { return restart() }
        carryOut(outbox.stored(entry, at: now))
      case .send(let transaction, let nonce):
        guard let entry = store[nonce], let attempt = entry.attempts.first(where: { $0.transaction == transaction })
        else {
          Issue.record("something was sent that is not stored")
          return
        }
        let isLost = chance(10, &random)
        let answer =
          isLost && Bool.random(using: &random)
          ? .unknown : node.send(RelayNode.Sent(call: entry.call.id, nonce: nonce, attempt: attempt))
        carryOut(outbox.answered(transaction.hash, isLost ? .unknown : answer, nonce: nonce))
      case .look(let hashes, let nonce):
        // A node that has forgotten receipts does not know what is final either.
        let hasForgotten = chance(10, &random)
        carryOut(
          outbox.looked(
            nonce, hasForgotten ? [] : hashes.compactMap(node.receipt),
            finalCount: hasForgotten ? nil : node.finalCount,
            finalized: node.finalized, at: now))
      case .mined(let entry, _):
        if Bool.random(using: &random) { store[entry.nonce] = entry }
      case .finish(let entry, _):
        store[entry.nonce] = nil
        finished[entry.call.id, default: 0] += 1
      case .lose: Issue.record("a call was lost, and nobody else uses the key")
      }
    }
  }
}

/// A node with a pool of transactions, and a chain that is final 20 blocks below its tip.
struct RelayNode {
  struct Sent {
    let call: Bytes32
    let nonce: UInt64
    let attempt: OutboxEntry.Attempt
  }

  private(set) var blocks: [[Sent]] = [[]]
  /// The numbers of the blocks that have transactions, by the transactions' hashes.
  private var mined: [Bytes32: UInt64] = [:]
  /// The numbers of transactions up to each block.
  private var counts: [UInt64] = [0]
  private var pool: [UInt64: Sent] = [:]
  /// Makes hashes of blocks different.
  private var branch: UInt64 = 0
  var baseFee: UInt64 = 10
  /// The number of the latest final block. What was final stays so, however short the chain becomes.
  private(set) var finalized: UInt64 = 0

  var fees: FeeHistory { FeeHistory(nextBaseFee: baseFee, rewards: [2]) }
  var tip: UInt64 { UInt64(blocks.count - 1) }
  var count: UInt64 { counts[counts.count - 1] }
  var finalCount: UInt64 { counts[Int(finalized)] }

  mutating func send(_ sent: Sent) -> Outbox.Answer {
    if sent.nonce < count { return .refused(.nonceTooLow) }
    if let other = pool[sent.nonce] {
      if other.attempt.transaction == sent.attempt.transaction { return .refused(.alreadyKnown) }
      let (old, new) = (other.attempt.fees, sent.attempt.fees)
      guard new.maximum * 10 >= old.maximum * 11, new.priority * 10 >= old.priority * 11 else {
        return .refused(.replacementUnderpriced)
      }
    }
    pool[sent.nonce] = sent
    return .accepted
  }

  mutating func mine(_ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var block: [Sent] = []
      var next = count
      while block.count < 3, let sent = pool[next], sent.attempt.fees.maximum >= baseFee {
        block.append(sent)
        mined[sent.attempt.transaction.hash] = tip + 1
        pool[next] = nil
        next += 1
      }
      blocks.append(block)
      counts.append(next)
    }
    finalized = max(finalized, tip - min(tip, 20))
  }

  /// Takes back up to 20 blocks. Some of their transactions return to the pool, the others are forgotten.
  mutating func reorganize(_ random: inout SplitMix64) {
    branch += 1
    for _ in 0..<Int.random(in: 0...20, using: &random) where tip > finalized {
      counts.removeLast()
      for sent in blocks.removeLast() {
        mined[sent.attempt.transaction.hash] = nil
        if Bool.random(using: &random) { pool[sent.nonce] = sent }
      }
    }
  }

  func receipt(of hash: Bytes32) -> TransactionReceipt? {
    mined[hash].map { number in
      TransactionReceipt(
        transaction: hash, blockHash: Bytes32.word(branch << 32 | number), blockNumber: number, isSuccessful: true,
        gasUsed: 60_000, gasPrice: baseFee)
    }
  }
}
