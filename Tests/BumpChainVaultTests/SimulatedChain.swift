import BumpClaims
import BumpWallet
import Synchronization

@testable import BumpChain

/// A small chain: blocks, a pool of transactions, and reorganizations. What is final stays.
final class SimulatedChain: Sendable {
  struct Mined {
    let transaction: RawTransaction
    let isSuccessful: Bool
    let gasUsed: UInt64
    let gasPrice: UInt64
  }

  struct Block {
    let header: BlockHeader
    let mined: [Mined]
    let logs: [ChainLog]
    let state: ChainState
  }

  struct Contents {
    var blocks: [Block]
    var finalized = 0
    var pool: [Address: [UInt64: RawTransaction]] = [:]
    var made: UInt64 = 0
    var baseFee: UInt64 = 10
    /// The gas that each call uses.
    var gas: UInt64 = ChainState.transferGas
    var time: UInt64
    var sent: [Bytes32] = []
    /// The topics of logs that another contract has in the next block.
    var others: [[Bytes32]] = []
    /// How many blocks behind the tip a block is final.
    var finality = 20

    var tip: Block { blocks[blocks.count - 1] }
  }

  static let chainID: UInt64 = 31337
  let contents: Mutex<Contents>
  let pinned: PinnedVault

  init(_ pinned: PinnedVault, at time: Int64) {
    self.pinned = pinned
    let header = BlockHeader(
      number: 100, hash: Keccak256.hash("first".utf8), parent: Keccak256.hash("before".utf8), time: UInt64(time),
      bloom: .empty)
    contents = Mutex(
      Contents(
        blocks: [Block(header: header, mined: [], logs: [], state: ChainState(pinned: pinned))], time: UInt64(time)))
  }

  var state: ChainState { contents.withLock { $0.tip.state } }
  var tip: UInt64 { contents.withLock { $0.tip.header.number } }

  /// The hashes of all transactions that were sent, in their order.
  var sent: [Bytes32] { contents.withLock(\.sent) }

  /// Changes what is not in a block.
  func update(_ body: (inout Contents) -> Void) {
    contents.withLock { body(&$0) }
  }

  /// Changes the state of the latest block: money that was there before.
  func change(_ body: (inout ChainState) -> Void) {
    contents.withLock { contents in
      let block = contents.tip
      var state = block.state
      body(&state)
      contents.blocks[contents.blocks.count - 1] = Block(
        header: block.header, mined: block.mined, logs: block.logs, state: state)
    }
  }

  /// Takes a transaction into the pool.
  ///
  /// - Returns: geth's words if it is refused.
  func send(_ bytes: [UInt8]) -> String? {
    guard let transaction = RawTransaction(bytes) else { return "rlp: invalid" }
    return contents.withLock { contents in
      contents.sent.append(transaction.hash)
      if transaction.nonce < contents.tip.state.nonces[transaction.sender, default: 0] { return "nonce too low" }
      if let other = contents.pool[transaction.sender]?[transaction.nonce] {
        if other.hash == transaction.hash { return "already known" }
        let (old, new) = (other.fees, transaction.fees)
        guard new.maximum * 10 >= old.maximum * 11, new.priority * 10 >= old.priority * 11 else {
          return "replacement transaction underpriced"
        }
      }
      contents.pool[transaction.sender, default: [:]][transaction.nonce] = transaction
      return nil
    }
  }

  /// Makes blocks. Each takes what pays the base fee, in the order of nonces; the dearest sender's first.
  func mine(_ count: Int = 1, after seconds: UInt64 = 2) {
    contents.withLock { contents in
      for _ in 0..<count { contents.mine(after: seconds) }
    }
  }

  /// Takes blocks back, never final ones. Their transactions return to the pool, or are forgotten.
  func reorganize(_ count: Int, forgetting: Bool = false) {
    contents.withLock { contents in
      for _ in 0..<count where contents.blocks.count - 1 > contents.finalized {
        for mined in contents.blocks.removeLast().mined where !forgetting {
          contents.pool[mined.transaction.sender, default: [:]][mined.transaction.nonce] = mined.transaction
        }
      }
    }
  }
}

extension SimulatedChain.Contents {
  mutating func mine(after seconds: UInt64) {
    time += seconds
    made += 1
    let parent = tip
    let number = parent.header.number + 1
    let hash = Keccak256.hash(Bytes32.word(made).bytes + parent.header.hash.bytes)
    var state = parent.state
    var (mined, logs): ([SimulatedChain.Mined], [ChainLog]) = ([], [])
    let tips = pool.mapValues { $0.values.map(\.fees.priority).max() ?? 0 }
    let senders = tips.keys.sorted {
      let (left, right) = (tips[$0, default: 0], tips[$1, default: 0])
      return left == right ? $0.bytes.lexicographicallyPrecedes($1.bytes) : left > right
    }
    for sender in senders {
      while let transaction = pool[sender]?[state.nonces[sender, default: 0]], transaction.fees.maximum >= baseFee {
        pool[sender]?[transaction.nonce] = nil
        state.nonces[sender, default: 0] += 1
        let price = min(transaction.fees.maximum, baseFee + transaction.fees.priority)
        let isOutOfGas = transaction.gasLimit < gas
        var isSuccessful = false
        if !isOutOfGas, let event = try? state.execute(transaction.data, at: time) {
          isSuccessful = true
          logs.append(
            ChainLog(
              address: state.pinned.vault.address, topics: event.topics, data: event.data, blockHash: hash,
              transaction: transaction.hash, index: UInt64(logs.count)))
        }
        let used = isOutOfGas ? transaction.gasLimit : gas
        let cost = UInt128(used) * UInt128(price)
        state.wei[sender] = (state.wei[sender] ?? 0) - min(cost, state.wei[sender] ?? 0)
        mined.append(
          SimulatedChain.Mined(
            transaction: transaction, isSuccessful: isSuccessful, gasUsed: used, gasPrice: price))
      }
    }
    for topics in others {
      logs.append(
        ChainLog(
          address: .zero, topics: topics, data: [], blockHash: hash, transaction: .word(made),
          index: UInt64(logs.count)))
    }
    others = []
    let header = BlockHeader(
      number: number, hash: hash, parent: parent.header.hash, time: time, bloom: Bloom(of: logs))
    blocks.append(SimulatedChain.Block(header: header, mined: mined, logs: logs, state: state))
    finalized = max(finalized, blocks.count - 1 - finality)
  }
}
