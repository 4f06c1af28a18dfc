import BumpWallet
import Samples
import Testing

@testable import BumpChain

/// A seeded history of a chain with reorganizations up to 20 blocks, of a node that lags and forgets, and of an index that
/// follows it.
struct FollowHistory {
  /// A block of the node's chain.
  private struct Block {
    let header: BlockHeader
    let logs: [ChainLog]
  }

  private static let confirmations: UInt64 = 3
  private let vault = Address.ofContract(madeBy: .zero, nonce: 7)
  private let ids = (1...6).map { Bytes32(rightAligned: [UInt8($0)]) }
  private let people = (1...3 as ClosedRange<UInt64>).map { Address.ofContract(madeBy: .zero, nonce: $0) }
  private var random: SplitMix64
  private var chain: [Block]
  private var forgotten: [Bytes32: Block] = [:]
  private var made: UInt64 = 0
  private var follower: ChainFollower
  /// What the index has: the blocks above the first, and how far each claim has come.
  private var index: [ChainStep.Block] = []
  private var claims: [Bytes32: ClaimProgress] = [:]
  private var heard: [Bytes32: ClaimProgress.State] = [:]

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let first = BlockHeader(
      number: 100, hash: Bytes32(rightAligned: [1]), parent: Bytes32(rightAligned: [2]), time: 0, bloom: .empty)
    chain = [Block(header: first, logs: [])]
    follower = try #require(ChainFollower(.init(vault: vault), after: [first]))
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4: mine(.random(in: 1...5, using: &random))
      case 5: mine(.random(in: 60...150, using: &random))
      case 6...7: reorganize()
      case 8: try finalize()
      default: break
      }
      // The node may show an older state, and may be gone in the middle.
      try follow(isCalm: false)
    }
    try follow(isCalm: true)
    #expect(index.map(\.header.hash) == chain.dropFirst().map(\.header.hash))
    #expect(index.flatMap { $0.events.map(\.event) } == (try chain.flatMap { try $0.logs.compactMap(VaultEvent.init) }))
    try check()
  }

  // MARK: - The node

  private mutating func mine(_ count: Int) {
    var states = states()
    for _ in 0..<count {
      let parent = chain[chain.count - 1].header
      made += 1
      let hash = Keccak256.hash(Bytes32.word(made).bytes)
      var logs: [ChainLog] = []
      for id in ids where Int.random(in: 0..<20, using: &random) == 0 {
        let topics: [Bytes32]
        var data: [UInt8] = []
        switch states[id, default: .unknown] {
        case .unknown:
          topics = [VaultEvent.createdTopic, id, .word(people[0])]
          data = [Bytes32.word(Address.zero), .word(7 as UInt64), .word(9 as UInt64)].flatMap(\.bytes)
          states[id] = .pending
        case .pending where Bool.random(using: &random):
          topics = [VaultEvent.claimedTopic, id, .word(people[Int.random(in: people.indices, using: &random)])]
          states[id] = .refunded
        case .pending:
          topics = [VaultEvent.refundedTopic, id]
          states[id] = .refunded
        default: continue
        }
        logs.append(
          ChainLog(
            address: vault, topics: topics, data: data, blockHash: hash, transaction: .word(made),
            index: UInt64(logs.count)))
      }
      // A filter that is full says nothing.
      let bloom =
        Int.random(in: 0..<5, using: &random) == 0
        ? Bloom([UInt8](repeating: 0xFF, count: 256)) ?? .empty : Bloom(of: logs)
      let header = BlockHeader(number: parent.number + 1, hash: hash, parent: parent.hash, time: made, bloom: bloom)
      chain.append(Block(header: header, logs: logs))
    }
  }

  /// Takes up to 20 blocks back, never a final one, and puts others in their place, or fewer.
  private mutating func reorganize() {
    let most = chain.count { $0.header.number > max(follower.finalized, 100) }
    for _ in 0..<min(Int.random(in: 1...20, using: &random), most) {
      let block = chain.removeLast()
      forgotten[block.header.hash] = block
    }
    mine(.random(in: 0...22, using: &random))
  }

  private mutating func finalize() throws {
    guard let block = chain.dropLast(25).last, follower.headers.contains(block.header) else { return }
    try follower.take(finalized: block.header)
    try hear()
  }

  /// Returns a block by its hash. A block that was taken back may be forgotten.
  private mutating func block(_ hash: Bytes32, isCalm: Bool) -> Block? {
    if let block = chain.last(where: { $0.header.hash == hash }) { return block }
    return isCalm || Bool.random(using: &random) ? nil : forgotten[hash]
  }

  /// How each claim stands in the node's chain. Who was paid is of no importance here.
  private func states() -> [Bytes32: ClaimProgress.State] {
    var states: [Bytes32: ClaimProgress.State] = [:]
    for block in chain where !block.logs.isEmpty {
      for log in block.logs {
        states[log.topics[1]] = log.topics[0] == VaultEvent.createdTopic ? .pending : .refunded
      }
    }
    return states
  }

  // MARK: - The index

  private mutating func follow(isCalm: Bool) throws {
    let lag = isCalm ? 0 : Int.random(in: 0...3, using: &random)
    let head = chain[max(0, chain.count - 1 - lag)].header
    var effects = try follower.take(head: head)
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      if case .advance(let step) = effect {
        try advance(step)
        continue
      }
      if !isCalm, Int.random(in: 0..<200, using: &random) == 0 {
        follower.giveUp()
        return
      }
      // The chain goes on meanwhile.
      if !isCalm, Int.random(in: 0..<40, using: &random) == 0 { reorganize() }
      switch effect {
      case .askHead: effects += try follower.take(head: chain[chain.count - 1].header)
      case .askNumbered(let number):
        effects += try follower.take(head: chain.last { $0.header.number == number }?.header)
      case .askHeader(let hash):
        effects += try follower.take(header: block(hash, isCalm: isCalm)?.header, hash: hash)
      case .askLogs(let hash): effects += try follower.take(logs: block(hash, isCalm: isCalm)?.logs, inBlock: hash)
      case .advance: break
      }
    }
  }

  private mutating func advance(_ step: ChainStep) throws {
    let count = index.count
    index.removeAll { $0.header.number > step.parent.number }
    #expect(count - index.count == step.takesBack)
    #expect(index.last.map { $0.header.hash == step.parent.hash } ?? (step.parent.number == 100))
    index += step.blocks
    #expect(index.last?.header.hash == follower.tip.hash)
    for id in claims.keys { claims[id]?.takeBack(above: step.parent.number) }
    for block in step.blocks {
      for placed in block.events {
        claims[placed.event.ledgerID, default: .init()].take(placed.event, block: block.header.number)
      }
    }
    try hear()
  }

  /// Tells the claims' news, and checks that nothing is taken back without a word.
  private mutating func hear() throws {
    let height = height
    for id in claims.keys {
      guard let news = claims[id]?.news(at: height) else { continue }
      let before = heard[id, default: .unknown]
      var after = before
      if news.first == .unsettled { after = .unknown }
      for case .state(let state, let level) in news {
        #expect(level > .seen)
        after = state
      }
      if before != after, before != .unknown, !(before == .pending && after != .unknown) {
        #expect(news.first == .unsettled)
      }
      heard[id] = after
    }
    try check()
  }

  private var height: ChainHeight {
    ChainHeight(tip: follower.tip.number, finalized: follower.finalized, confirmations: Self.confirmations)
  }

  /// What clients have heard is what the index's confirmed blocks say.
  private func check() throws {
    let tip = follower.tip.number
    let confirmed = index.filter {
      $0.header.number + Self.confirmations - 1 <= tip || $0.header.number <= follower.finalized
    }
    var states: [Bytes32: ClaimProgress.State] = [:]
    for placed in confirmed.flatMap(\.events) {
      states[placed.event.ledgerID] =
        switch placed.event {
        case .created: .pending
        case .claimed(_, let receiver): .claimed(receiver)
        case .refunded: .refunded
        }
    }
    for id in ids { #expect(heard[id, default: .unknown] == states[id, default: .unknown]) }
  }
}
