import BumpChain
import BumpVault
import BumpWallet

/// Follows the chain into the store, and carries requests to the chain, as long as this process has the lease of the
/// relayer's key. Otherwise it only waits for the lease.
///
/// Each call of a node runs in a task of its own: one that hangs holds up nothing but its own nonce, or the index.
actor ChainDriver {
  /// How long a lease is for, and after how long it is prolonged, in seconds.
  static let (leaseSeconds, leaseRenewal): (Int64, Int64) = (30, 10)
  /// How often drafts that have lapsed are deleted, in seconds.
  private static let upkeep: Int64 = 60

  /// A lease that this process has.
  struct Held {
    let lease: ChainLease
    /// Until when it certainly has it, and when to ask again, by this process's clock.
    var until: Int64
    var renewal: Int64
  }

  let configuration: ChainConfiguration
  let key: PrivateKey
  let nodes: NodePool
  let store: any ChainStore
  let clock: @Sendable () -> Int64
  let report: @Sendable (ChainReport) -> Void
  let holder: Bytes32
  let listeners = ClaimListeners()

  var held: Held?
  /// How many times the lease was taken or lost. What began in another life is not finished in this one.
  var life = 0
  var follower: ChainFollower?
  var outbox: Outbox?
  var news = ClaimNews()
  var isLoading = false
  var isFollowing = false
  /// What is still to be done for each nonce, in order, and the nonces on which a task works.
  var queues: [UInt64: [Outbox.Effect]] = [:]
  var working: Set<UInt64> = []
  /// What is known of the calls of keys that no server has, by their latest transactions.
  var former: [Bytes32: FormerCall] = [:]
  var isTakingOver = false
  var tookOverLast: Int64 = .min
  /// What a server without the lease has seen of the index.
  var seen: SeenIndex?
  var isReading = false
  /// The ids of the calls that are being begun.
  var beginning: Set<Bytes32> = []
  /// What a new call costs now; `nil` above the cap, or if it is not known.
  var market: Fees?
  var balance: UInt128?
  var pricing: Task<Void, Never>?
  /// The latest block's number by a node, and when a node said so.
  var head: UInt64?
  var headTime: Int64?

  private var tasks: [Int: Task<Void, Never>] = [:]
  private var taskCount = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private(set) var changes = 0
  private var keptLast: Int64 = .min
  private var reported: Set<String> = []

  init(
    _ configuration: ChainConfiguration, key: PrivateKey, nodes: NodePool, store: any ChainStore, holder: Bytes32,
    clock: @escaping @Sendable () -> Int64, report: @escaping @Sendable (ChainReport) -> Void
  ) {
    (self.configuration, self.key, self.nodes, self.store) = (configuration, key, nodes, store)
    (self.holder, self.clock, self.report) = (holder, clock, report)
  }

  /// Whether this process may send: it has the lease, by its own clock too.
  var mayUseKey: Bool { held.map { clock() < $0.until } ?? false }

  /// Begins what is due. Call this each second.
  func tick() async {
    begin { await self.nodes.compare() }
    if await keepLease() {
      if follower == nil || outbox == nil { begin { await self.load() } }
      begin { await self.follow() }
      begin { await self.price() }
      begin { await self.beginWaiting() }
      begin { await self.raise() }
      begin { await self.takeOver() }
    } else {
      begin { await self.readHead() }
      begin { await self.readIndex() }
    }
    let now = clock()
    if keptLast == .min || now - keptLast >= Self.upkeep {
      keptLast = now
      begin { await self.removeLapsed() }
    }
    wake()
  }

  /// Waits until nothing runs that a tick began.
  func idle() async {
    while let task = tasks.values.first { await task.value }
  }

  /// Gives the lease up, so that another server need not wait.
  func end() async {
    guard let lease = held?.lease else { return }
    forget()
    try? await store.giveUp(lease)
  }

  /// Runs something beside everything else.
  func begin(_ body: @escaping @Sendable () async -> Void) {
    taskCount += 1
    let id = taskCount
    tasks[id] = Task {
      await body()
      tasks[id] = nil
    }
  }

  // MARK: - The lease

  /// Takes or prolongs the lease.
  ///
  /// - Returns: whether this process has it.
  private func keepLease() async -> Bool {
    let now = clock()
    if let held, now < held.renewal { return true }
    do {
      switch try await store.takeLease(of: key.address, holder: holder, seconds: Self.leaseSeconds) {
      case .held(let lease):
        if held?.lease != lease {
          resign()
          life += 1
        }
        held = Held(lease: lease, until: now + Self.leaseSeconds, renewal: now + Self.leaseRenewal)
      case .other: resign()
      }
    } catch {
      failed(error, "the lease of the relayer's key cannot be taken")
      if !mayUseKey { resign() }
    }
    return held != nil
  }

  /// Stops sending at once, and forgets what only the lease's holder knows.
  func resign() {
    guard held != nil else { return }
    forget()
    report(ChainReport(.warning, "another server may use the relayer's key now: this one sends nothing"))
  }

  private func forget() {
    life += 1
    (held, follower, outbox) = (nil, nil, nil)
    (queues, working, beginning, news) = ([:], [], [], ClaimNews())
    (former, tookOverLast, seen) = ([:], .min, nil)
    wake()
  }

  /// Reads index and outbox from the store.
  private func load() async {
    guard !isLoading, let lease = held?.lease else { return }
    isLoading = true
    defer { isLoading = false }
    let life = life
    do {
      if follower == nil {
        let index = try await index(lease)
        let open = try await store.blocks(above: index.finalized)
        guard life == self.life else { return }
        if let open { beginNews(with: open) }
        var settings = ChainFollower.Settings(vault: configuration.contract)
        settings.most = configuration.mostHeaders
        follower = ChainFollower(settings, after: index.headers, finalized: index.finalized)
      }
      if outbox == nil {
        let entries = try await store.entries(of: key.address)
        let count = try await nodes.transactionCount(of: key.address, upTo: .latest)
        guard life == self.life else { return }
        outbox = Outbox(
          key, chainID: configuration.chainID, configuration.fees, configuration.outbox, entries: entries, count: count)
      }
    } catch {
      failed(error, "the index and the outbox cannot be read")
    }
  }

  private func index(_ lease: ChainLease) async throws -> ChainIndex {
    if let index = try await store.index() { return index }
    let number = max(configuration.startBlock, 1) - 1
    guard let header = try await nodes.header(.number(number)) else {
      throw ChainError(.unreachable, "the chain has no block before the contract's", retryAfter: 1)
    }
    try await store.begin(behind: header, lease)
    return ChainIndex(headers: [header], finalized: number)
  }

  // MARK: - Upkeep

  private func removeLapsed() async {
    do {
      while try await store.removeLapsed(before: clock() - configuration.limits.draftLifetime) > 0 {}
    } catch {
      failed(error, "what has lapsed cannot be deleted")
    }
  }

  /// Reports a failure, and gives everything up if the lease is lost.
  func failed(_ error: any Error, _ what: String) {
    if let error = error as? ChainStoreError, error.code == .leaseLost { return resign() }
    report(ChainReport(error is ChainStoreError ? .error : .warning, "\(what): \(error)"))
  }

  /// Reports something once, until `isOver` says that it is over.
  func reportOnce(_ name: String, _ level: ChainReport.Level, _ text: String) {
    if reported.insert(name).inserted { report(ChainReport(level, text)) }
  }

  func isOver(_ name: String) { reported.remove(name) }

  // MARK: - Waiting for a change

  /// Resumes those that wait for a change of the store.
  func wake() {
    changes += 1
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume() }
  }

  /// Waits until there is a change after the one of a number, or a tick.
  func change(after number: Int) async {
    guard changes == number else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
