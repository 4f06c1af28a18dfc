import BumpChannel
import BumpDiscovery
import BumpWire
import Glibc
import Logging

/// Drives one `ReceiverBump`: bytes, time, discovery, the store and the person go in; what it says is done.
actor ReceiverRun {
  private enum TaskName: Hashable {
    case browsing, timer
    /// Whatever our person is asked.
    case question
    case resolving(SenderSearch.SenderID, interface: UInt32)
    case connecting(ConnectionID), connection(ConnectionID), lookingUp(ConnectionID), storing(ConnectionID)
  }

  /// What the person here can be asked.
  struct Person: Sendable {
    var decide: (@Sendable (Receiver.Question) async -> Bool)?
    var enterCode: (@Sendable (String) async -> OneTimeCode?)?
    var choose: (@Sendable ([Receiver.Candidate]) async -> Receiver.Candidate?)?
  }

  private let receiver: Receiver
  private let person: Person
  private let onEvent: @Sendable (ReceiveEvent) -> Void
  private let timeline: Timeline
  private let keeps: Bool

  private var bump: ReceiverBump
  private var tasks = TaskBag<TaskName>()
  private var connections: [ConnectionID: any Connection] = [:]
  private var timer: Moment?
  private var storeError: (any Error)?
  /// Keys to be kept, each with the claim of its connection.
  private var keysToKeep: [ConnectionID: SharedKey] = [:]
  private var remembering = Remembering.notRemembered(.noClaim)
  private var outcome: ReceiveOutcome?
  private var finished: CheckedContinuation<Void, Never>?

  init(_ receiver: Receiver, _ person: Person, keeps: Bool, onEvent: @escaping @Sendable (ReceiveEvent) -> Void) {
    self.receiver = receiver
    self.person = person
    self.onEvent = onEvent
    self.keeps = keeps
    timeline = Timeline(receiver.clock)
    let configuration = receiver.configuration
    bump = ReceiverBump(
      policy: .init(
        name: configuration.name, credential: configuration.credential, canEnterCode: person.enterCode != nil,
        asks: person.decide != nil, remembers: configuration.rememberAs != nil && !keeps,
        isDirect: configuration.peer != nil && !keeps, from: configuration.from,
        choice: keeps ? .anybody : configuration.choice(canAsk: person.choose != nil), looksUp: true, keeps: keeps,
        discoveryTimeout: configuration.discoveryTimeout, sendTimeout: configuration.sendTimeout,
        unixTime: receiver.unixTime))
  }

  func run() async throws -> ReceiveOutcome {
    if let peer = receiver.configuration.peer, !keeps {
      onEvent(.browsing(backend: "none"))
      for action in bump.start(peer: peer, at: timeline.now()) { perform(action) }
    } else if let discovery = receiver.discovery {
      tasks.start(.browsing) { await self.browse(discovery) }
    } else {
      handle(.discoveryLost)
    }
    setTimer()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        finished = continuation
        if outcome != nil { resume() }
      }
    } onCancel: {
      Task { await self.handle(.interrupted) }
    }
    tellRemembering()
    for connection in connections.values { connection.close() }
    for task in tasks.cancelAll() { await task.value }
    let result = outcome ?? .interrupted
    // One claim that is here is told, whatever became of another.
    if let storeError, !result.isStored { throw storeError }
    return result
  }

  private func tellRemembering() {
    guard let name = receiver.configuration.rememberAs, !keeps else { return }
    switch remembering {
    case .notRemembered(let why): onEvent(.notRemembered(name, why))
    case .remembered, .unknown: onEvent(.remembered(name))
    }
  }

  // MARK: What goes in

  private func handle(_ input: ReceiverBump.Input) {
    for action in bump.handle(input, at: timeline.now()) { perform(action) }
    setTimer()
  }

  private func browse(_ discovery: any Discovery) async {
    onEvent(.browsing(backend: discovery.backend))
    do {
      for try await event in discovery.browse(receiver.configuration.serviceType) {
        switch event {
        case .found(let instance): handle(.found(instance))
        case .lost(let instance): handle(.lost(instance))
        }
      }
    } catch {
      guard !Task.isCancelled, outcome == nil else { return }
      onEvent(.discoveryLost(DiscoveryError(error)))
      handle(.discoveryLost)
    }
  }

  private func setTimer() {
    guard bump.deadline != timer else { return }
    timer = bump.deadline
    guard let timer else { return tasks.cancel(.timer) }
    tasks.start(.timer) { [timeline] in
      await timeline.wait(timer)
      if !Task.isCancelled { await self.timeHasCome() }
    }
  }

  /// Sets the timer anew whatever follows: a clock that wakes us early must not be the last one to do so.
  private func timeHasCome() {
    timer = nil
    handle(.deadline)
  }

  // MARK: What is done

  private func perform(_ action: ReceiverBump.Action) {
    switch action {
    case .search(let output):
      perform(output)
    case .send(let bytes, let id):
      connections[id]?.send(bytes)
    case .close(let id):
      connections[id]?.close()
    case .ask(let id, let offer, let digits):
      ask(id, Receiver.Question(offer: offer, digits: digits))
    case .withdrawQuestion, .withdrawChoice:
      tasks.stop(.question)
    case .askCode(let name):
      askCode(name)
    case .choose(let candidates):
      choose(candidates)
    case .lookUp(let id, let claim):
      tasks.start(.lookingUp(id)) { [receiver] in
        // Where that fails, so does the storing.
        let own = try? await receiver.store.outgoing(claim, at: receiver.unixTime())
        await self.handle(.lookedUp(id, isOwn: own != nil))
      }
    case .store(let id, let claim):
      store(id, claim)
    case .event(let event):
      receiver.logger.debug("\(event)")
      onEvent(event)
    case .keep(let key, let id):
      keysToKeep[id] = key
    case .remembering(let outcome):
      remembering = outcome
    case .finish(let outcome):
      self.outcome = outcome
      resume()
    }
  }

  private func perform(_ output: SenderSearch.Output) {
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

  private func resolve(_ sender: SenderSearch.SenderID, _ instance: ServiceInstance) async {
    guard let discovery = receiver.discovery else { return }
    do {
      let service = try await discovery.resolve(instance)
      tellResolved(instance, service, at: nil)
      handle(.described(sender, service.txt))
      let networks = receiver.transport.localNetworks()
      for try await address in discovery.addresses(of: service) {
        guard let likelihood = networks.likelihood(of: address, seenOn: service.interface) else {
          receiver.logger.debug("\(address.text) is not on the link where it was heard of, and not tried")
          handle(.offLink(sender, address: address.text))
          continue
        }
        tellResolved(instance, service, at: address.text)
        handle(.resolved(sender, .address(address), likelihood))
      }
    } catch {
      // An entry that does not resolve is nobody; its turn ends by its deadline.
      receiver.logger.debug("\(InstanceName.shown(instance.name).distinct) does not resolve: \(error)")
    }
  }

  private func tellResolved(_ instance: ServiceInstance, _ service: ResolvedService, at address: String?) {
    onEvent(
      .resolved(
        name: instance.name, mode: Mode(service.txt), channel: service.txt.channel, address: address))
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
    let host = RemoteHost(connection.address, on: receiver.transport.localNetworks())
    handle(.connected(id, peer: connection.peer, host, SessionKeys(drawnFrom: receiver.random)))
    await connection.receive { await self.handle(.session(id, .received($0))) }
    connections[id] = nil
    handle(.session(id, .closed))
    tasks.forget(.connection(id))
  }

  private func ask(_ id: ConnectionID, _ question: Receiver.Question) {
    guard let decide = person.decide else { return }
    tasks.follow(.question) {
      let answer = await decide(question)
      if !Task.isCancelled { await self.handle(.session(id, .decided(answer))) }
    }
  }

  private func askCode(_ name: String) {
    guard let enterCode = person.enterCode else { return }
    tasks.follow(.question) {
      let code = await enterCode(name)
      if !Task.isCancelled { await self.handle(.code(code)) }
    }
  }

  private func choose(_ candidates: [Receiver.Candidate]) {
    guard let choose = person.choose else { return }
    tasks.follow(.question) {
      let chosen = await choose(candidates)
      if !Task.isCancelled { await self.handle(.chose(chosen?.id)) }
    }
  }

  private func store(_ id: ConnectionID, _ claim: VerifiedClaim) {
    let end = timeline.now() + Times.storing
    let isTimely: @Sendable () -> Bool = { [timeline] in timeline.now() < end }
    let keyToKeep = keysToKeep.removeValue(forKey: id)
    tasks.start(.storing(id)) { [receiver] in
      if let keyToKeep, let name = receiver.configuration.rememberAs {
        do {
          let (status, isKept) = try await receiver.store.store(
            claim, remembering: keyToKeep, as: name, at: receiver.unixTime(), if: isTimely)
          await self.handle(.session(id, .kept(isKept ? .yes : .nameTaken)))
          return await self.handle(.session(id, .stored(status)))
        } catch {
          // The claim comes first: it is stored without the key.
          receiver.logger.error("cannot remember \(name): \(error)")
          await self.handle(.session(id, .kept(.cannotKeep)))
        }
      }
      do {
        let status = try await receiver.store.store(claim, at: receiver.unixTime(), if: isTimely)
        await self.handle(.session(id, .stored(status)))
      } catch {
        await self.failed(error)
        await self.handle(.session(id, .stored(.notStored)))
      }
    }
  }

  private func failed(_ error: any Error) { storeError = error }

  private func resume() {
    finished?.resume()
    finished = nil
  }
}

extension Receiver.Configuration {
  /// Who chooses where several senders are found: what was said beforehand, else the person who can be asked.
  fileprivate func choice(canAsk: Bool) -> SenderChoice.Rule {
    if peer != nil { return .anybody }
    if let position { return .position(max(1, position), orName: from ?? "") }
    return canAsk && from == nil && credential == .none ? .ask : .anybody
  }
}

extension FailedPeer.Reason {
  /// Why there is no connection.
  fileprivate init(_ error: any Error, connectingTo endpoint: Endpoint) {
    switch ((error as? TransportError)?.errorNumber, endpoint) {
    case (ECONNREFUSED, _): self = .refused
    case (ETIMEDOUT, _): self = .connectTimedOut
    // The system was never asked to connect.
    case (nil, .host): self = .notResolved
    default: self = .unreachable
    }
  }
}
