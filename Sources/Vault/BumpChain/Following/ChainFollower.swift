public import BumpWallet

/// Follows a node's chain: finds out what the vault's contract did in each block, and what a reorganization took back.
///
/// It has no socket, store or clock: a caller tells it the node's answers, and does what it returns. From a new head it
/// walks back by the hashes of parents to a block that it knows, asks for the logs of the blocks whose filters may
/// contain one of the vault's events, and then takes the whole branch in one step. A node that lags, or forgets a block
/// meanwhile, changes nothing.
public struct ChainFollower: Sendable {
  /// What the caller must do.
  public enum Effect: Hashable, Sendable {
    /// Ask for the latest block, and call `take(head:)`.
    case askHead
    /// Ask for the block with a number, and call `take(head:)`: the chain is too long to walk back at once.
    case askNumbered(UInt64)
    /// Ask for the block with a hash, and call `take(header:hash:)`.
    case askHeader(Bytes32)
    /// Ask for the vault's logs in the block with a hash, and call `take(logs:inBlock:)`.
    case askLogs(Bytes32)
    /// Take the step, in one transaction. If that fails, begin anew behind the headers of the store.
    case advance(ChainStep)
  }

  /// Settings of a follower.
  public struct Settings: Hashable, Sendable {
    /// The address of the vault's contract.
    public let vault: Address
    /// How many headers are kept at least. Beyond them, those of all blocks are kept that are not final.
    public var window = 128
    /// How many headers are kept at most: a reorganization of more blocks is not followed.
    public var most = 4096
    /// How many blocks are taken in one step at most.
    public var stride: UInt64 = 64

    /// Makes settings for a vault.
    public init(vault: Address) {
      self.vault = vault
    }
  }

  private enum Work {
    case none
    /// The branch's headers, the newest first. The parent of the last was asked for.
    case walking([BlockHeader])
    /// The branch's headers, the oldest first, and the events of those whose logs were read.
    case reading([BlockHeader], [Bytes32: [PlacedEvent]], missing: Set<Bytes32>)
  }

  private let settings: Settings
  /// The latest headers of the chain that was taken, the tip last.
  public private(set) var headers: [BlockHeader]
  /// The number of the latest final block.
  public private(set) var finalized: UInt64
  private var work = Work.none
  /// Whether the node's chain is longer than one step.
  private var isFarBehind = false

  /// Begins behind a block.
  ///
  /// - Parameters:
  ///   - headers: headers that were taken before, each the parent of the next; or only that of the block before the
  ///     contract's first.
  ///   - finalized: the number of the latest final block that is known.
  /// - Returns: `nil` unless each header is the parent of the next, and there is one.
  public init?(_ settings: Settings, after headers: [BlockHeader], finalized: UInt64 = 0) {
    let isChain = zip(headers, headers.dropFirst()).allSatisfy(Self.isParent)
    guard !headers.isEmpty, isChain else { return nil }
    (self.settings, self.headers, self.finalized) = (settings, headers, finalized)
    trim()
  }

  /// The latest block that was taken.
  public var tip: BlockHeader { headers[headers.count - 1] }

  /// Whether a branch is being read. Until that ends, or `give up` is called, another head is not looked at.
  public var isBusy: Bool { if case .none = work { false } else { true } }

  /// Returns the header of a block whose logs were asked for; `nil` for any other block.
  public func header(ofLogsIn hash: Bytes32) -> BlockHeader? {
    guard case .reading(let branch, _, let missing) = work, missing.contains(hash) else { return nil }
    return branch.first { $0.hash == hash }
  }

  /// Takes the node's latest block, or the one of a number that was asked for.
  ///
  /// - Parameter header: `nil` if the node has no such block.
  /// - Throws: `FollowError`. The follower is as it was before the branch.
  public mutating func take(head header: BlockHeader?) throws(FollowError) -> [Effect] {
    guard let header, !isBusy else { return [] }
    guard !headers.contains(where: { $0.hash == header.hash }) else { return [] }
    guard header.number <= tip.number + settings.stride else {
      isFarBehind = true
      return [.askNumbered(tip.number + settings.stride)]
    }
    return try walk([header])
  }

  /// Takes a block that was asked for by its hash.
  ///
  /// - Parameter header: `nil` if the node has forgotten it. Then the next head begins anew.
  public mutating func take(header: BlockHeader?, hash: Bytes32) throws(FollowError) -> [Effect] {
    guard case .walking(let branch) = work, let child = branch.last, child.parent == hash else { return [] }
    work = .none
    guard let header else { return [] }
    guard header.hash == hash else { throw .contradiction("a block has another hash than was asked for") }
    guard Self.isParent(header, child) else { throw .contradiction("a block's number is not its parent's and 1") }
    return try walk(branch + [header])
  }

  /// Takes the logs of a block.
  ///
  /// - Parameter logs: `nil` if the node has forgotten the block. Then the next head begins anew.
  public mutating func take(logs: [ChainLog]?, inBlock hash: Bytes32) throws(FollowError) -> [Effect] {
    guard case .reading(let branch, var events, var missing) = work, missing.remove(hash) != nil else { return [] }
    work = .none
    guard let logs else { return [] }
    var placed: [PlacedEvent] = []
    let bloom = branch.first { $0.hash == hash }?.bloom
    for log in logs {
      guard log.address == settings.vault, log.blockHash == hash else {
        throw .contradiction("a log is of another block or contract than was asked for")
      }
      guard bloom?.mayContain(log.address) == true, log.topics.allSatisfy({ bloom?.mayContain($0) == true }) else {
        throw .contradiction("a log is not in its block's filter")
      }
      do {
        if let event = try VaultEvent(log) { placed.append(PlacedEvent(event, transaction: log.transaction)) }
      } catch {
        throw .contradiction(error.reason)
      }
    }
    events[hash] = placed
    return read(branch, events, missing)
  }

  /// Takes the node's latest final block. It only ever moves on.
  ///
  /// - Throws: `FollowError.finalBlockTakenBack` if the block is not in the chain that was taken.
  public mutating func take(finalized header: BlockHeader) throws(FollowError) {
    guard header.number > finalized, header.number <= tip.number else { return }
    if let known = headers.first(where: { $0.number == header.number }), known.hash != header.hash {
      throw .finalBlockTakenBack
    }
    finalized = header.number
  }

  /// Gives up what is being read: a node did not answer, or another one is asked from now on.
  public mutating func giveUp() { work = .none }

  private static func isParent(_ parent: BlockHeader, _ child: BlockHeader) -> Bool {
    child.parent == parent.hash && child.number == parent.number + 1
  }

  /// Walks back from a branch's oldest header, up to a block of the chain that was taken.
  private mutating func walk(_ branch: [BlockHeader]) throws(FollowError) -> [Effect] {
    guard let oldest = branch.last else { return [] }
    if let parent = headers.first(where: { $0.hash == oldest.parent }) {
      guard Self.isParent(parent, oldest) else { throw .contradiction("a block's number is not its parent's and 1") }
      guard parent.number >= min(finalized, tip.number) else { throw .finalBlockTakenBack }
      return read(branch.reversed(), [:], Set(branch.filter(mayContainEvents).map(\.hash)), asks: true)
    }
    guard oldest.number > min(finalized, tip.number) else { throw .finalBlockTakenBack }
    guard oldest.number > headers[0].number + 1 else { throw .tooDeep }
    work = .walking(branch)
    return [.askHeader(oldest.parent)]
  }

  /// Forgets the oldest headers. The latest final block's is kept: a branch may begin at it.
  private mutating func trim() {
    let open = tip.number >= finalized ? tip.number - finalized + 1 : 1
    headers = headers.suffix(min(settings.most, max(settings.window, Int(clamping: open))))
  }

  private func mayContainEvents(_ header: BlockHeader) -> Bool {
    header.bloom.mayContain(settings.vault) && VaultEvent.topics.contains(where: header.bloom.mayContain)
  }

  /// Takes the branch once all its logs are there.
  private mutating func read(
    _ branch: [BlockHeader], _ events: [Bytes32: [PlacedEvent]], _ missing: Set<Bytes32>, asks: Bool = false
  ) -> [Effect] {
    guard missing.isEmpty else {
      work = .reading(branch, events, missing: missing)
      return asks ? branch.filter { missing.contains($0.hash) }.map { .askLogs($0.hash) } : []
    }
    guard let first = branch.first, let parent = headers.firstIndex(where: { $0.hash == first.parent }) else {
      return []
    }
    var step = ChainStep(
      parent: headers[parent], takesBack: headers.count - parent - 1,
      blocks: branch.map { ChainStep.Block(header: $0, events: events[$0.hash] ?? []) })
    headers = headers[...parent] + branch
    trim()
    step.keepsFrom = headers[0].number
    defer { isFarBehind = false }
    return [.advance(step)] + (isFarBehind ? [.askHead] : [])
  }
}
