import BumpWallet
import Measures
import Samples
import Testing

@testable import BumpChain

@Suite struct FollowTests {
  private let vault = Address.ofContract(madeBy: .zero, nonce: 7)

  /// The header of a block on a branch. A block has its parent on the same branch, or on the one before `from`.
  private func header(_ number: UInt64, _ branch: UInt64 = 0, from: UInt64 = 0, bloom: Bloom = .empty) -> BlockHeader {
    func hash(_ number: UInt64) -> Bytes32 { .word((number < from ? 0 : branch) << 32 | number) }
    return BlockHeader(
      number: number, hash: hash(number), parent: hash(number - 1), time: number, bloom: bloom)
  }

  private func follower(tip: UInt64 = 10, finalized: UInt64 = 0) throws -> ChainFollower {
    try #require(
      ChainFollower(.init(vault: vault), after: (1...tip).map { header($0) }, finalized: finalized))
  }

  private func log(_ block: BlockHeader, _ topics: [Bytes32]) -> ChainLog {
    ChainLog(
      address: vault, topics: topics, data: [], blockHash: block.hash, transaction: Bytes32(rightAligned: [1]), index: 0
    )
  }

  private var bloom: Bloom { Bloom(of: [log(header(1), [VaultEvent.refundedTopic, Bytes32(rightAligned: [5])])]) }

  private func step(_ effects: [ChainFollower.Effect]) throws -> ChainStep {
    guard case .advance(let step)? = effects.first else { throw Unexpected() }
    return step
  }

  @Test func `a block without the vault's events is taken at once`() throws {
    var follower = try follower()
    let step = try step(follower.take(head: header(11)))
    #expect(step.parent == header(10) && step.takesBack == 0)
    #expect(step.blocks == [.init(header: header(11), events: [])])
    #expect(follower.tip == header(11))
  }

  @Test func `headers are asked for back to the block that is known, and taken in one step`() throws {
    var follower = try follower()
    #expect(try follower.take(head: header(13)) == [.askHeader(header(12).hash)])
    #expect(try follower.take(header: header(12), hash: header(12).hash) == [.askHeader(header(11).hash)])
    #expect(follower.tip == header(10))
    let step = try step(follower.take(header: header(11), hash: header(11).hash))
    #expect(step.blocks.map(\.header.number) == [11, 12, 13])
  }

  @Test func `logs are asked for only where the filter may contain the vault's events`() throws {
    var follower = try follower()
    let block = header(11, bloom: bloom)
    #expect(try follower.take(head: block) == [.askLogs(block.hash)])
    #expect(follower.tip == header(10))
    let id = Bytes32(rightAligned: [5])
    let step = try step(follower.take(logs: [log(block, [VaultEvent.refundedTopic, id])], inBlock: block.hash))
    #expect(step.blocks.first?.events.map(\.event) == [.refunded(id)])
    // Another contract's events, and other events of the vault, are none.
    var other = try self.follower()
    let transfer = ChainLog(
      address: .zero, topics: [VaultEvent.refundedTopic], data: [], blockHash: block.hash, transaction: block.hash,
      index: 0)
    #expect(try other.take(head: header(11, bloom: Bloom(of: [transfer]))).count == 1)
    #expect(other.tip.number == 11)
  }

  @Test func `a reorganization takes back what is above the common parent`() throws {
    var follower = try follower()
    var effects = try follower.take(head: header(11, 1, from: 8))
    while case .askHeader(let hash)? = effects.first {
      let asked = [10, 9, 8].map { header($0, 1, from: 8) }.first { $0.hash == hash }
      effects = try follower.take(header: asked, hash: hash)
    }
    let step = try step(effects)
    #expect(step.parent == header(7) && step.takesBack == 3)
    #expect(step.blocks.map(\.header) == (8...11).map { header($0, 1, from: 8) })
    #expect(follower.headers.suffix(5).map(\.number) == [7, 8, 9, 10, 11])
  }

  @Test func `a chain that becomes shorter is followed`() throws {
    var follower = try follower()
    let step = try step(follower.take(head: header(9, 1, from: 9)))
    #expect(step.takesBack == 2 && follower.tip == header(9, 1, from: 9))
  }

  @Test func `a node that lags changes nothing`() throws {
    var follower = try follower()
    #expect(try follower.take(head: header(9)).isEmpty)
    #expect(try follower.take(head: header(10)).isEmpty)
    #expect(try follower.take(head: nil).isEmpty)
    #expect(follower.tip == header(10) && !follower.isBusy)
  }

  @Test func `a node that forgets a block meanwhile changes nothing`() throws {
    var follower = try follower()
    _ = try follower.take(head: header(12))
    #expect(try follower.take(header: nil, hash: header(11).hash).isEmpty)
    #expect(follower.tip == header(10) && !follower.isBusy)
    let block = header(11, bloom: bloom)
    _ = try follower.take(head: block)
    #expect(try follower.take(logs: nil, inBlock: block.hash).isEmpty)
    #expect(follower.tip == header(10) && !follower.isBusy)
  }

  @Test func `an answer that nobody waits for is not looked at`() throws {
    var follower = try follower()
    #expect(try follower.take(header: header(11), hash: header(11).hash).isEmpty)
    #expect(try follower.take(logs: [], inBlock: header(11).hash).isEmpty)
    _ = try follower.take(head: header(12))
    #expect(try follower.take(head: header(11, 1, from: 11)).isEmpty)
    #expect(try follower.take(header: header(10), hash: header(10).hash).isEmpty)
    follower.giveUp()
    #expect(try follower.take(header: header(11), hash: header(11).hash).isEmpty)
    #expect(follower.tip == header(10))
  }

  @Test func `a long chain is taken in steps`() throws {
    var follower = try follower()
    #expect(try follower.take(head: header(1000)) == [.askNumbered(74)])
    var effects = try follower.take(head: header(74))
    while case .askHeader(let hash)? = effects.first, let number = hash.bytes.last {
      effects = try follower.take(header: header(UInt64(number)), hash: hash)
    }
    #expect(try step(effects).blocks.count == 64)
    #expect(effects.last == .askHead)
  }

  @Test func `the last 128 headers are kept, and those of all blocks that are not final`() throws {
    var follower = try follower(tip: 200, finalized: 50)
    #expect(follower.headers.first == header(50))
    #expect(try step(follower.take(head: header(201))).keepsFrom == 50)
    try follower.take(finalized: header(180))
    #expect(try step(follower.take(head: header(202))).keepsFrom == 75)
    #expect(follower.headers.count == 128)
  }

  @Test func `a chain on which nothing becomes final takes a bounded number of headers`() throws {
    var settings = ChainFollower.Settings(vault: vault)
    settings.most = 150
    var follower = try #require(ChainFollower(settings, after: (1...200).map { header($0) }, finalized: 1))
    #expect(follower.headers.count == 150)
    #expect(try step(follower.take(head: header(201))).keepsFrom == 52)
  }

  @Test func `a reorganization of hundreds of blocks that are not final is followed`() throws {
    var follower = try follower(tip: 200, finalized: 20)
    var effects = try follower.take(head: header(201, 1, from: 31))
    while case .askHeader(let hash)? = effects.first {
      let number = UInt64(hash.bytes[30]) << 8 | UInt64(hash.bytes[31])
      effects = try follower.take(header: header(number, 1, from: 31), hash: hash)
    }
    let step = try step(effects)
    #expect(step.parent == header(30) && step.takesBack == 170 && step.keepsFrom == 20)
  }

  @Test func `a reorganization below what is kept is not guessed at`() throws {
    var follower = try #require(ChainFollower(.init(vault: vault), after: [header(9), header(10)]))
    _ = try follower.take(head: header(11, 1, from: 2))
    #expect(throws: FollowError.tooDeep) {
      _ = try follower.take(header: header(10, 1, from: 2), hash: header(10, 1, from: 2).hash)
    }
    #expect(follower.tip == header(10) && !follower.isBusy)
  }

  @Test func `a final block is never taken back`() throws {
    var follower = try follower(finalized: 5)
    try follower.take(finalized: header(10))
    try follower.take(finalized: header(3))
    #expect(follower.finalized == 10)
    #expect(throws: FollowError.finalBlockTakenBack) { _ = try follower.take(head: header(10, 1, from: 10)) }
    #expect(throws: FollowError.finalBlockTakenBack) {
      _ = try follower.take(head: header(11, 1, from: 10))
      _ = try follower.take(header: header(10, 1, from: 10), hash: header(10, 1, from: 10).hash)
    }
    #expect(follower.tip == header(10) && !follower.isBusy)
  }

  @Test func `a final block that is not in the chain is not believed`() throws {
    var follower = try follower()
    #expect(throws: FollowError.finalBlockTakenBack) { try follower.take(finalized: header(8, 1)) }
    // One that is not known yet is not final yet.
    try follower.take(finalized: header(11))
    #expect(follower.finalized == 0)
  }

  @Test func `an answer that contradicts the question is refused, and nothing is taken`() throws {
    let (block, id) = (header(11, bloom: bloom), Bytes32(rightAligned: [5]))
    var follower = try follower()
    _ = try follower.take(head: header(12))
    #expect(throws: FollowError.self) { _ = try follower.take(header: header(11, 1), hash: header(11).hash) }
    let skips = BlockHeader(number: 12, hash: header(12).hash, parent: header(10).hash, time: 12, bloom: .empty)
    #expect(throws: FollowError.self) { _ = try follower.take(head: skips) }
    for logs in [
      [log(header(12), [VaultEvent.refundedTopic, id])], [log(block, [VaultEvent.refundedTopic])],
      // It is not in the filter.
      [log(block, [VaultEvent.refundedTopic, Bytes32(rightAligned: [6])])],
      [
        ChainLog(
          address: .zero, topics: [VaultEvent.refundedTopic, id], data: [], blockHash: block.hash,
          transaction: block.hash, index: 0)
      ],
    ] {
      _ = try follower.take(head: block)
      #expect(throws: FollowError.self) { _ = try follower.take(logs: logs, inBlock: block.hash) }
      #expect(follower.tip == header(10) && !follower.isBusy)
    }
  }

  @Test func `headers that are no chain are not begun with`() {
    #expect(ChainFollower(.init(vault: vault), after: []) == nil)
    #expect(ChainFollower(.init(vault: vault), after: [header(1), header(3)]) == nil)
    #expect(ChainFollower(.init(vault: vault), after: [header(1), header(2, 1)]) == nil)
  }

  @Test(arguments: 1...(Measure.isThorough ? 12 : 3) as ClosedRange<UInt64>)
  func `the index is that of the node's chain, and clients hear of everything that is taken back`(seed: UInt64) throws {
    var history = try FollowHistory(seed: seed)
    try history.run(steps: 100)
  }
}

@Suite struct ClaimProgressTests {
  private let id = Bytes32(rightAligned: [1])
  private let alice = Address.ofContract(madeBy: .zero, nonce: 1)
  private let bob = Address.ofContract(madeBy: .zero, nonce: 2)

  private var created: VaultEvent { .created(id, sender: .zero, token: .zero, amount: 1, expiry: 1) }

  private func height(_ tip: UInt64, finalized: UInt64 = 0) -> ChainHeight {
    ChainHeight(tip: tip, finalized: finalized, confirmations: 3)
  }

  @Test func `a state is said once it has enough blocks, and again once it is final`() {
    var claim = ClaimProgress()
    claim.take(created, block: 10)
    #expect(claim.news(at: height(10)) == [])
    #expect(claim.news(at: height(11)) == [])
    #expect(claim.news(at: height(12)) == [.state(.pending, .confirmed)])
    #expect(claim.news(at: height(13)) == [])
    claim.take(.claimed(id, receiver: alice), block: 14)
    #expect(claim.news(at: height(15)) == [])
    #expect(claim.news(at: height(16)) == [.state(.claimed(alice), .confirmed)])
    #expect(claim.news(at: height(40, finalized: 14)) == [.state(.claimed(alice), .finalized)])
    #expect(claim.news(at: height(41, finalized: 15)) == [])
  }

  @Test func `what a reorganization takes back is unsettled, and another receiver can win`() {
    var claim = ClaimProgress()
    claim.take(created, block: 10)
    claim.take(.claimed(id, receiver: alice), block: 11)
    #expect(claim.news(at: height(13)) == [.state(.claimed(alice), .confirmed)])
    claim.takeBack(above: 10)
    #expect(claim.news(at: height(13)) == [.unsettled, .state(.pending, .confirmed)])
    claim.take(.claimed(id, receiver: bob), block: 14)
    #expect(claim.news(at: height(16)) == [.state(.claimed(bob), .confirmed)])
    claim.takeBack(above: 9)
    #expect(claim.news(at: height(16)) == [.unsettled])
  }

  @Test func `in one step another receiver takes the place of the first`() {
    var claim = ClaimProgress()
    claim.take(created, block: 10)
    claim.take(.claimed(id, receiver: alice), block: 11)
    _ = claim.news(at: height(13))
    claim.takeBack(above: 10)
    claim.take(.claimed(id, receiver: bob), block: 11)
    #expect(claim.news(at: height(13)) == [.unsettled, .state(.claimed(bob), .confirmed)])
  }

  @Test func `what is mined again too late to be confirmed is unsettled until it is`() {
    var claim = ClaimProgress()
    claim.take(created, block: 10)
    #expect(claim.news(at: height(12)) == [.state(.pending, .confirmed)])
    claim.takeBack(above: 9)
    claim.take(created, block: 12)
    #expect(claim.news(at: height(12)) == [.unsettled])
    #expect(claim.news(at: height(14)) == [.state(.pending, .confirmed)])
  }

  @Test func `one confirmation is the block itself`() {
    let height = ChainHeight(tip: 10, finalized: 4, confirmations: 1)
    #expect(height.level(of: 10) == .confirmed)
    #expect(height.level(of: 11) == .seen)
    #expect(height.level(of: 4) == .finalized && height.level(of: 5) == .confirmed)
  }
}
