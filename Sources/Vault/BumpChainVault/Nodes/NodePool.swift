import BumpChain
public import BumpNode
import BumpText

/// One or several nodes of a chain. Those that fail are left alone for a while, and asked again later.
///
/// A node is of another chain, lags behind the others, answers nonsense, contradicts itself, wants fewer requests, or does
/// not answer: then another one is asked. What must be one node's answers, such as a block's header and its logs, is asked
/// at a place that `choose` returns.
public actor NodePool {
  /// The place of a node in its pool.
  typealias Place = Int

  /// How many blocks a node may be behind another one.
  private static let lag: UInt64 = 5
  /// How often heads are compared, in seconds.
  private static let comparing: Int64 = 5

  /// The id that each node must name.
  public let chainID: UInt64
  private let clock: @Sendable () -> Int64
  private var nodes: [PooledNode]
  /// The node that is asked first. It stays the same as long as it answers.
  private var preferred: Place = 0
  private var lastID: Int64 = 0
  private var comparedLast: Int64 = .min

  /// - Parameters:
  ///   - nodes: the nodes, the best first. Names are shown to the operator: they contain no key.
  ///   - clock: returns the time in seconds since 1970.
  public init(
    _ nodes: [(name: String, transport: any NodeTransport)], chainID: UInt64, clock: @escaping @Sendable () -> Int64
  ) {
    self.nodes = nodes.map { PooledNode(name: $0.name, transport: $0.transport) }
    (self.chainID, self.clock) = (chainID, clock)
  }

  /// How each node is seen.
  public var states: [NodeState] {
    let now = clock()
    return nodes.map {
      NodeState(
        name: $0.name, head: $0.head, restsUntil: $0.restsUntil > now ? $0.restsUntil : nil, failure: $0.failure,
        isBehind: isBehind($0))
    }
  }

  /// The number of the latest block of any node that is asked.
  var head: UInt64? { nodes.compactMap(\.head).max() }

  // MARK: - Which node

  /// Returns the place of a node that is of the chain. What it is asked next may be used together.
  ///
  /// - Throws: `ChainError.unreachable`.
  func choose() async throws -> Place {
    for place in candidates() {
      guard await isOfChain(place) else { continue }
      preferred = place
      return place
    }
    throw unreachable()
  }

  /// Leaves a node alone, since its answers were of no use.
  func leave(_ place: Place, because reason: String) { _ = left(place, reason) }

  /// Asks all nodes for their latest block, every few seconds, so that one that lags is noticed.
  func compare() async {
    let now = clock()
    guard nodes.count > 1, comparedLast == .min || now - comparedLast >= Self.comparing else { return }
    comparedLast = now
    await withTaskGroup(of: Void.self) { group in
      for place in nodes.indices where nodes[place].restsUntil <= now {
        group.addTask { await self.askHead(place) }
      }
    }
  }

  private func askHead(_ place: Place) async {
    guard await isOfChain(place) else { return }
    let question = NodeQuestion(NodeCall.blockNumber)
    guard (try? await ask(question, at: place)) != nil else { return }
    nodes[place].head = question.answer
  }

  /// Returns the nodes to ask, the first first: those that lag behind others come last.
  private func candidates() -> [Place] {
    let now = clock()
    let awake = nodes.indices.filter { nodes[$0].restsUntil <= now }
    let order = awake.filter { $0 == preferred } + awake.filter { $0 != preferred }
    return order.filter { !isBehind(nodes[$0]) } + order.filter { isBehind(nodes[$0]) }
  }

  /// Returns the other nodes that were found to be of the chain, and are asked now.
  func others(than place: Place) -> [Place] { candidates().filter { $0 != place && nodes[$0].isOfChain } }

  private func isBehind(_ node: PooledNode) -> Bool {
    guard let head, let own = node.head else { return false }
    return head - own > Self.lag
  }

  /// Asks a node for its chain's id, unless it has named it since it failed last.
  private func isOfChain(_ place: Place) async -> Bool {
    if nodes[place].isOfChain { return true }
    let question = NodeQuestion(NodeCall.chainID)
    guard (try? await ask(question, at: place)) != nil else { return false }
    guard question.answer == chainID else {
      nodes[place].rest(
        PooledNode.longestRest, at: clock(), because: "it is of the chain \(question.answer), not of \(chainID)")
      return false
    }
    nodes[place].isOfChain = true
    return true
  }

  private func unreachable() -> ChainError {
    let now = clock()
    let wait = nodes.map { max(1, $0.restsUntil - now) }.min() ?? 1
    let reasons = nodes.compactMap { node in node.failure.map { "\(node.name): \($0)" } }
    return ChainError(
      .unreachable, "no node of the chain gives an answer that is of use (\(reasons.joined(separator: "; ")))",
      remedy: "Ask again later. Nothing is done twice", retryAfter: wait)
  }

  /// Returns the chain's id as the first node names it that names one, whether it is the pool's or not.
  ///
  /// - Throws: `ChainError.unreachable`.
  func namedChain() async throws -> UInt64 {
    var other: UInt64?
    for place in candidates() {
      let question = NodeQuestion(NodeCall.chainID)
      do {
        try await ask(question, at: place)
      } catch {
        continue
      }
      if question.answer == chainID { return chainID }
      other = other ?? question.answer
    }
    if let other { return other }
    throw unreachable()
  }

  // MARK: - Asking

  /// Asks one node after another, until one answers.
  ///
  /// - Throws: `NodeError` with a refusal that every node would give, or that all gave; `ChainError.unreachable`.
  func ask(_ question: any NodeAsking) async throws {
    var refused: NodeError?
    for place in candidates() {
      guard await isOfChain(place) else { continue }
      do {
        try await ask(question, at: place)
        preferred = place
        return
      } catch let error as NodeError where error.refusal?.kind == .other {
        // It may lack the state that was asked for, and another have it.
        refused = error
      } catch let error as NodeError where error.refusal != nil {
        throw error
      } catch {
        continue
      }
    }
    if let refused { throw refused }
    throw unreachable()
  }

  /// Asks one node.
  ///
  /// - Throws: `NodeError` with a refusal; another error if the node gave no answer that is of use, and is left alone now.
  func ask(_ question: any NodeAsking, at place: Place) async throws {
    lastID += 1
    let id = lastID
    switch await nodes[place].transport.send(question.message(id: id)) {
    case .unsent(let why), .lost(let why): throw left(place, VisibleText.of(why))
    case .answer(let status, let retryAfter, let body):
      if status == 429 || status == 503 && retryAfter != nil {
        throw left(place, "it wants fewer requests", for: retryAfter)
      }
      do {
        try question.take(body, id: id)
      } catch let error as NodeError {
        switch error.refusal?.kind {
        case nil: throw left(place, status == 200 ? error.reason : "it answers with the status \(status)")
        case .tooManyRequests: throw left(place, "it wants fewer requests", for: retryAfter)
        case .unknownMethod: throw left(place, error.reason, for: PooledNode.longestRest)
        default: throw error
        }
      }
      (nodes[place].failures, nodes[place].failure) = (0, nil)
    }
  }

  private func left(_ place: Place, _ reason: String, for seconds: Int64? = nil) -> ChainError {
    nodes[place].rest(seconds, at: clock(), because: reason)
    // Later it may answer other questions well, and would be asked first again.
    if place == preferred { preferred = (place + 1) % nodes.count }
    return ChainError(.unreachable, reason)
  }

  /// Sends a transaction. It is not sent to a second node as long as the first one may have it.
  func send(_ transaction: SignedTransaction) async -> Outbox.Answer {
    for place in candidates() {
      guard await isOfChain(place) else { continue }
      lastID += 1
      let (id, question) = (lastID, NodeQuestion(NodeCall.send(transaction)))
      let reply = await nodes[place].transport.send(question.message(id: id))
      switch reply {
      case .unsent(let why): _ = left(place, VisibleText.of(why))
      case .lost(let why):
        _ = left(place, VisibleText.of(why))
        return .unknown
      case .answer(let status, let retryAfter, let body):
        if status == 429 {
          _ = left(place, "it wants fewer requests", for: retryAfter)
          continue
        }
        do {
          try question.take(body, id: id)
          return .accepted
        } catch let error as NodeError {
          if let refusal = error.refusal {
            if refusal.kind != .tooManyRequests { return .refused(refusal.kind) }
            _ = left(place, "it wants fewer requests", for: retryAfter)
            continue
          }
          _ = left(place, error.reason)
          return .unknown
        } catch {
          return .unknown
        }
      }
    }
    return .unknown
  }
}
