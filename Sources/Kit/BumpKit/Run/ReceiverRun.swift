import BumpClaims
import BumpDiscovery
import BumpNet
import BumpSession
import BumpWire
import Glibc
import Logging

/// Drives one `ReceiverBump`: passes in received bytes, the time, and the answers of discovery, the store and the
/// person, and carries out its actions.
actor ReceiverRun: BumpRun {
  private enum TaskName: Hashable {
    case browsing
    /// Any question to the person here.
    case question
    case resolving(SenderConnector.SenderID, interface: UInt32)
    case connecting(ConnectionID), connection(ConnectionID), storing(ConnectionID)
  }

  /// The questions that the program can ask the person here; `nil` for one that it cannot ask.
  struct Prompts: Sendable {
    var decide: (@Sendable (Receiver.Question) async -> Bool)?
    var enterCode: (@Sendable (String) async -> OneTimeCode?)?
    var choose: (@Sendable ([Receiver.Candidate]) async -> Receiver.Candidate?)?
    var decideDocument: (@Sendable (Receiver.DocumentQuestion) async -> Bool)?
  }

  private let receiver: Receiver
  private let prompts: Prompts
  private let onEvent: @Sendable (ReceiveEvent) -> Void
  private let onStored: @Sendable (VerifiedClaim, RemoteHost?) -> Void
  let timeline: Timeline
  private let keeps: Bool

  var bump: ReceiverBump
  var timer = DeadlineTimer()
  var end = RunResult<ReceiveOutcome>()
  private var tasks = NamedTasks<TaskName>()
  private var connections: [ConnectionID: any Connection] = [:]
  /// The keys to be kept, each with the claim of its connection.
  private var keysToKeep: [ConnectionID: SharedKey] = [:]
  private var remembering = Remembering.notRemembered(.noClaim)
  /// The remembered senders that were recognized and have sent their claims.
  private var recognized: Set<RememberedSender> = []

  /// - Parameter onStored: called with each claim that is stored, and the host of its sender, before `onEvent`.
  init(
    _ receiver: Receiver, _ prompts: Prompts, keeps: Bool,
    onStored: @escaping @Sendable (VerifiedClaim, RemoteHost?) -> Void = { _, _ in },
    onEvent: @escaping @Sendable (ReceiveEvent) -> Void
  ) {
    self.receiver = receiver
    self.prompts = prompts
    self.onEvent = onEvent
    self.onStored = onStored
    self.keeps = keeps
    timeline = Timeline(receiver.clock)
    let configuration = receiver.configuration
    bump = ReceiverBump(
      policy: .init(
        name: configuration.name, credential: configuration.credential, canEnterCode: prompts.enterCode != nil,
        asks: prompts.decide != nil, asksAboutDocuments: prompts.decideDocument != nil,
        remembers: configuration.rememberAs != nil && !keeps, remembered: configuration.remembered,
        isDirect: configuration.peer != nil && !keeps, from: configuration.from,
        choosesSender: prompts.choose != nil, refusesNamesakes: configuration.refusesNamesakes, keeps: keeps,
        documents: configuration.folder.map { _ in keeps ? .ofKeptReceive : .ofOne },
        discoveryTimeout: configuration.discoveryTimeout, sendTimeout: configuration.sendTimeout,
        unixTime: receiver.unixTime))
  }

  func run() async throws -> ReceiveOutcome {
    if let peer = receiver.configuration.peer, !keeps {
      onEvent(.browsing(backend: "none"))
      for action in bump.start(peer: peer, at: Moment(timeline.now())) { perform(action) }
    } else if let discovery = receiver.discovery {
      tasks.start(.browsing) { await self.browse(discovery) }
    } else {
      handle(.discoveryLost)
    }
    setTimer()
    let result = await ended()
    tellRemembering()
    for connection in connections.values { connection.close() }
    await timer.cancel()?.value
    for task in tasks.cancelAll() { await task.value }
    // They had their keys, so they remember this end. A failure costs only the note in the list of keys.
    for sender in recognized { try? await receiver.store.confirm(sender.key, of: sender.name) }
    return try result.get()
  }

  private func tellRemembering() {
    guard let name = receiver.configuration.rememberAs, !keeps else { return }
    switch remembering {
    case .notRemembered(let why): onEvent(.notRemembered(name, why))
    case .remembered, .unknown: onEvent(.remembered(name))
    }
  }

  /// The number of tasks that are running or not yet forgotten: for tests.
  var taskCount: Int { tasks.count }

  // MARK: Inputs

  private func browse(_ discovery: any Discovery) async {
    onEvent(.browsing(backend: discovery.backend))
    let browsing = SenderBrowsing(
      discovery, receiver.configuration.serviceType, on: timeline, for: receiver.configuration.discoveryTimeout,
      unixTime: receiver.unixTime
    ) { await self.browsed($0) }
    do {
      try await browsing.run(with: receiver.configuration.credential)
    } catch {
      guard !Task.isCancelled, !end.isSet else { return }
      onEvent(.discoveryLost(DiscoveryError(error)))
      handle(.discoveryLost)
    }
  }

  private func browsed(_ event: BrowseEvent) {
    switch event {
    case .found(let instance): handle(.found(instance))
    case .lost(let instance): handle(.lost(instance))
    }
  }

  // MARK: Actions

  func perform(_ action: ReceiverBump.Action) {
    switch action {
    case .connector(let output):
      perform(output)
    case .session(let id, let request):
      perform(request, of: id)
    case .close(let id):
      connections[id]?.close()
    case .withdrawQuestion, .withdrawChoice, .withdrawCode:
      tasks.stop(.question)
    case .askCode(let name):
      ask(name, prompts.enterCode) { .code($0) }
    case .choose(let candidates):
      ask(candidates, prompts.choose) { .chose($0?.id) }
    case .event(let event):
      receiver.logger.debug("\(event)")
      onEvent(event)
    case .finish(let outcome):
      end.set(.success(outcome))
    case .fail(let error):
      end.set(.failure(error))
    }
  }

  private func perform(_ request: ReceiverSession.Request, of id: ConnectionID) {
    switch request {
    case .send(let bytes):
      connections[id]?.send(bytes)
    case .ask(let offer, let digits):
      // Where the person can be asked about documents alone, a claim is accepted.
      let question = Receiver.Question(
        offer: offer, digits: digits, remembered: bump.recognized(on: id)?.name, instance: bump.instanceName(on: id))
      ask(question, prompts.decide ?? { _ in true }) { .session(id, .decided($0)) }
    case .askAboutDocument(let offer, let digits):
      // Where the person can be asked about claims alone, a document is declined.
      let question = Receiver.DocumentQuestion(
        offer: offer, digits: digits, remembered: bump.recognized(on: id)?.name, instance: bump.instanceName(on: id))
      ask(question, prompts.decideDocument ?? { _ in false }) { .session(id, .decided($0)) }
    case .store(let claim):
      store(id, claim)
    case .save(let document):
      tasks.start(.storing(id)) { await self.save(id, document) }
    case .keep(let key):
      keysToKeep[id] = key
    case .remembering(let outcome):
      remembering = outcome
    }
  }

  private func perform(_ output: SenderConnector.Output) {
    switch output {
    case .resolve(let sender, let instance):
      tasks.start(.resolving(sender, interface: instance.interface)) { await self.resolve(sender, instance) }
    case .stopResolving(let sender):
      tasks.cancel(where: { if case .resolving(sender, _) = $0 { true } else { false } })
    case .connect(let id, let endpoint):
      tasks.start(.connecting(id)) { await self.connect(id, endpoint) }
    case .cancelConnecting(let id):
      tasks.cancel(.connecting(id))
    case .reconfirm(let instance):
      receiver.discovery?.reconfirm(instance)
    }
  }

  private func resolve(_ sender: SenderConnector.SenderID, _ instance: ServiceInstance) async {
    guard let discovery = receiver.discovery else { return }
    do {
      let service = try await discovery.resolve(instance)
      let announcement = Announcement(service.txt)
      tellResolved(instance, announcement, at: nil)
      handle(.described(sender, announcement))
      // If the search passes over this sender, the task is cancelled, and no addresses are needed.
      guard !Task.isCancelled else { return }
      let networks = receiver.transport.localNetworks()
      for try await address in discovery.addresses(of: service) {
        guard let likelihood = networks.likelihood(of: address, seenOn: service.interface) else {
          receiver.logger.debug("\(address.text) is not on the link where it was heard of, and not tried")
          handle(.offLink(sender, address: address.text))
          continue
        }
        tellResolved(instance, announcement, at: address.text)
        handle(.resolved(sender, .address(address), likelihood))
      }
    } catch {
      // A stale announcement may not resolve. Its turn ends at its deadline.
      receiver.logger.debug("\(InstanceName.shown(instance.name).distinct) does not resolve: \(error)")
    }
  }

  private func tellResolved(_ instance: ServiceInstance, _ announcement: Announcement, at address: String?) {
    onEvent(
      .resolved(name: instance.name, mode: announcement.mode, channel: announcement.channel, address: address))
  }

  private func connect(_ id: ConnectionID, _ endpoint: Endpoint) async {
    do {
      let connection = try await receiver.transport.connect(to: endpoint)
      guard !Task.isCancelled else { return connection.close() }
      connections[id] = connection
      tasks.start(.connection(id)) { await self.serve(id, connection) }
    } catch {
      receiver.logger.debug("\(error)")
      if !Task.isCancelled { handle(.connectFailed(id, FailedPeer.Reason(error, connectingTo: endpoint))) }
    }
    tasks.forget(.connecting(id))
  }

  private func serve(_ id: ConnectionID, _ connection: any Connection) async {
    let host = RemoteHost(connection, on: receiver.transport.localNetworks())
    handle(.connected(id, peer: connection.peer, host, SessionKeys(drawnFrom: receiver.random)))
    await connection.receive { await self.handle(.session(id, .received($0))) }
    connections[id] = nil
    handle(.session(id, .closed))
    tasks.forget(.connection(id))
  }

  func followQuestion(_ body: @escaping @Sendable () async -> Void) { tasks.follow(.question, body) }

  private func save(_ id: ConnectionID, _ document: VerifiedDocument) async {
    guard let folder = receiver.configuration.folder else { return }
    do {
      let saved = try await folder.save(document)
      handle(.session(id, .saved(saved)))
    } catch {
      handle(.session(id, .notSaved(error)))
    }
    tasks.forget(.storing(id))
  }

  private func store(_ id: ConnectionID, _ claim: VerifiedClaim) {
    let begin = timeline.now()
    let keyToKeep = keysToKeep.removeValue(forKey: id)
    if let sender = bump.recognized(on: id) { recognized.insert(sender) }
    tasks.start(.storing(id)) { await self.store(id, claim, keyToKeep, since: begin) }
  }

  private func store(
    _ id: ConnectionID, _ claim: VerifiedClaim, _ keyToKeep: SharedKey?, since begin: Duration
  ) async {
    defer { tasks.forget(.storing(id)) }
    let isTimely: @Sendable () -> Bool = { [timeline] in timeline.now() < begin + Times.storing }
    if let keyToKeep, let name = receiver.configuration.rememberAs {
      do {
        let (result, key) = try await receiver.store.store(
          claim, remembering: keyToKeep, as: name, at: receiver.unixTime(), if: isTimely)
        try await takeBackIfLate(claim, result, and: key == .kept ? keyToKeep : nil, of: name, since: begin)
        handle(.session(id, .kept(RememberAnswer(key))))
        onStored(claim, bump.host(of: id))
        return handle(.session(id, .stored(result)))
      } catch {
        // The claim matters more than the key: it is stored without the key.
        receiver.logger.error("cannot remember \(name): \(error)")
        handle(.session(id, .kept(.cannotKeep)))
      }
    }
    do {
      let result = try await receiver.store.store(claim, at: receiver.unixTime(), if: isTimely)
      try await takeBackIfLate(claim, result, since: begin)
      onStored(claim, bump.host(of: id))
      handle(.session(id, .stored(result)))
    } catch {
      handle(.session(id, .notStored(StoreError(error).storing(claim.claim.id))))
    }
  }

  /// Takes a claim back whose commit ended too late, and forgets the key that was kept with it: its sender may have given
  /// the claim to another receiver by now.
  ///
  /// - Throws: `StoreError`: the claim was taken back, or cannot be.
  private func takeBackIfLate(
    _ claim: VerifiedClaim, _ result: StoreResult, and key: SharedKey? = nil, of name: DisplayName? = nil,
    since begin: Duration
  ) async throws {
    guard timeline.now() >= begin + Times.stored, result != .duplicate else { return }
    guard try await receiver.store.remove(claim) == .removed else { return }
    if let key, let name { _ = try await receiver.store.forget(name, key: key) }
    throw StoreError(.tooLate, "the disk took so long that the sender may have given the claim to somebody else")
  }
}

extension FailedPeer.Reason {
  /// The reason why connecting failed.
  fileprivate init(_ error: any Error, connectingTo endpoint: Endpoint) {
    switch ((error as? TransportError)?.errorNumber, endpoint) {
    case (ECONNREFUSED, _): self = .refused
    case (ETIMEDOUT, _): self = .connectTimedOut
    // Without an error number, no address was looked up, so the system was never asked to connect.
    case (nil, .host): self = .notResolved
    default: self = .unreachable
    }
  }
}
