import BumpClaims
import BumpDiscovery
import BumpNet
import BumpSession
import BumpWire
import Logging

/// Drives one `SenderBump`: passes in received bytes, the time, and the answers of discovery, the storage and the person,
/// and carries out its actions.
actor SenderRun<Storage: SenderStorage>: BumpRun {
  private enum TaskName: Hashable { case accepting, advertising, watching, request(Int), question }

  private let sender: SenderEnvironment
  private let storage: Storage
  private let approve: (@Sendable (Sender.Question) async -> Bool)?
  private let readmit: (@Sendable (String) async -> Bool)?
  private let onEvent: @Sendable (SendEvent) -> Void
  let timeline: Timeline

  var bump: SenderBump<Storage.Handover>
  var timer = DeadlineTimer()
  var end = RunResult<Storage.Handover.Outcome>()

  private var tasks = NamedTasks<TaskName>()
  private var listener: (any Listener)?
  private var connections: [ConnectionID: any Connection] = [:]
  private var lastConnection = 0
  private var lastRequest = 0
  private var advertised = (name: "", port: UInt16(0))
  private var toldName: String?

  init(
    _ sender: SenderEnvironment, _ bump: SenderBump<Storage.Handover>, in storage: Storage,
    approve: (@Sendable (Sender.Question) async -> Bool)?, readmit: (@Sendable (String) async -> Bool)?,
    onEvent: @escaping @Sendable (SendEvent) -> Void
  ) {
    (self.sender, self.bump, self.storage) = (sender, bump, storage)
    (self.approve, self.readmit, self.onEvent) = (approve, readmit, onEvent)
    timeline = Timeline(sender.clock)
  }

  func run() async throws -> Storage.Handover.Outcome {
    let listener: any Listener
    do {
      listener = try await sender.transport.listen(port: sender.configuration.port)
    } catch {
      // Gives back the reserved attempts. No receiver could come, so there is nothing to report.
      _ = await storage.conclude(nil, of: bump.handover, attempts: bump.attempts)
      throw error
    }
    self.listener = listener
    advertised = (newName(), listener.port)
    tasks.start(.advertising) { await self.advertise() }
    tasks.start(.accepting) { await listener.accept { await self.serve($0) } }
    setTimer()
    let result = await ended()
    await conclude(result)
    return try await storage.updated(result.get())
  }

  private func conclude(_ result: Result<Storage.Handover.Outcome, StoreError>) async {
    let outcome = try? result.get()
    for event in await storage.conclude(outcome, of: bump.handover, attempts: bump.attempts) { onEvent(event) }
    listener?.close()
    for connection in connections.values { connection.close() }
    await timer.cancel()?.value
    for task in tasks.cancelAll() { await task.value }
    // Otherwise receivers would find this sender after the process has exited, until its records expire.
    await sender.discovery?.settle()
  }

  // MARK: Inputs

  private func serve(_ connection: any Connection) async {
    let networks = sender.transport.localNetworks()
    guard mayServe(connection, on: networks) else { return connection.close() }
    lastConnection += 1
    let id = lastConnection
    connections[id] = connection
    // If CLAIM is given up, it must not arrive later, when a cable is plugged in again.
    connection.giveUp(after: max(sender.configuration.sendTimeout, Times.claim))
    // A receiver may connect before the registration is confirmed.
    if toldName == nil, bump.isListening { tellAdvertising() }
    let host = RemoteHost(connection, on: networks)
    handle(.opened(id, peer: connection.peer, host, SessionKeys(drawnFrom: sender.random)))
    await connection.receive { await self.handle(.session(id, .received($0))) }
    connections[id] = nil
    handle(.session(id, .closed))
  }

  /// Returns whether to serve a connection. With discovery, one over a point-to-point interface is refused, since the
  /// sender does not advertise there.
  private func mayServe(_ connection: any Connection, on networks: LocalNetworks) -> Bool {
    guard sender.discovery != nil, let local = connection.localAddress else { return true }
    let isPointToPoint = networks.isPointToPoint(local)
    if isPointToPoint { sender.logger.info("closed a connection over a tunnel, from \(connection.peer)") }
    return !isPointToPoint
  }

  private func newName() -> String {
    InstanceName(displayName: sender.configuration.name, random: sender.random.drawUInt64()).description
  }

  private func advertise() async {
    guard let discovery = sender.discovery else { return tellAdvertising() }
    var conflicts = NameConflicts()
    while !Task.isCancelled {
      do {
        let hour = Hour(at: sender.unixTime)
        let subtype = sender.configuration.credential.subtype(in: hour)
        let advertisement = Advertisement(
          name: advertised.name, type: sender.configuration.serviceType, subtypes: subtype.map { [$0] } ?? [],
          port: advertised.port,
          txt: try Announcement(sender.configuration.credential, expiry: bump.handover.expiry).record())
        guard try await register(advertisement, on: discovery, in: hour) == .hourEnded else { return }
        // The daemon takes the name for another service's until the old registration is withdrawn.
        await discovery.settle()
      } catch let error as DiscoveryError where error.code == .nameTaken {
        // The name has 64 random bits. If it is taken nevertheless, draw another.
        advertised.name = newName()
        let now = timeline.now()
        let delay = conflicts.add(at: now)
        if delay > .zero { await timeline.wait(now + delay) }
      } catch {
        guard !Task.isCancelled, !end.isSet else { return }
        onEvent(.discoveryLost(DiscoveryError(error)))
        return handle(.discoveryLost)
      }
    }
  }

  private enum RegistrationEnd { case streamEnded, hourEnded }

  /// Registers until the task is cancelled or discovery fails, in mode key also until the hour ends, which decides the
  /// subtype.
  private func register(
    _ service: Advertisement, on discovery: any Discovery, in hour: Hour
  ) async throws -> RegistrationEnd {
    guard case .key = sender.configuration.credential else {
      for try await name in discovery.advertise(service) { registered(as: name) }
      return .streamEnded
    }
    return try await withThrowingTaskGroup(of: RegistrationEnd.self) { group in
      group.addTask {
        for try await name in discovery.advertise(service) { await self.registered(as: name) }
        return .streamEnded
      }
      group.addTask { [timeline, sender] in
        await timeline.waitForHours(by: { sender.unixTime }) { $0 != hour }
        return .hourEnded
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .streamEnded
    }
  }

  private func registered(as name: String) {
    advertised.name = name
    tellAdvertising()
  }

  /// Reports each name once, though the registration may be confirmed more than once.
  private func tellAdvertising() {
    let (name, port) = advertised
    guard name != toldName else { return }
    toldName = name
    onEvent(.advertising(name: name, port: port, backend: sender.discovery?.backend ?? "none"))
    handle(.advertised)
    guard case .code(let code) = sender.configuration.credential, let discovery = sender.discovery else { return }
    tasks.start(.watching) { await self.watch(code.channel, discovery) }
  }

  /// Reports other senders that announce our channel, as long as we announce it. It begins only after the time that a
  /// person needs to tell the code: a bump that is over sooner costs the other senders nothing.
  private func watch(_ channel: Int, _ discovery: any Discovery) async {
    await timeline.wait(timeline.now() + Times.telling)
    var told: Set<String> = []
    let type = sender.configuration.serviceType
    do {
      for try await event in discovery.browseQuietly(type, subtype: .ofChannel(channel)) {
        guard case .found(let other) = event else { continue }
        guard other.name != advertised.name, told.count < 16, told.insert(other.name).inserted else { continue }
        onEvent(.channelShared(name: other.name, channel: channel))
      }
    } catch {
      // The advertisement then fails too, and that failure is reported.
    }
  }

  // MARK: Actions

  func perform(_ action: SenderBump<Storage.Handover>.Action) {
    switch action {
    case .send(let bytes, let id):
      connections[id]?.send(bytes)
    case .close(let id):
      connections[id]?.close()
    case .ask(let id, let name, let digits):
      ask(Sender.Question(name: name, digits: digits), approve) { .session(id, .decided($0)) }
    case .askToReadmit(let peer):
      ask(peer, readmit) { .readmitted($0) }
    case .withdrawQuestion, .withdrawReadmission:
      tasks.stop(.question)
    case .stopListening:
      listener?.close()
      tasks.stop(.advertising)
      tasks.stop(.watching)
    case .request(let request):
      lastRequest += 1
      tasks.start(.request(lastRequest)) { await self.carryOut(request) }
    case .event(let event):
      sender.logger.debug("\(event)")
      onEvent(event)
    case .finish(let outcome):
      end.set(.success(outcome))
    case .fail(let error):
      end.set(.failure(error))
    }
  }

  func followQuestion(_ body: @escaping @Sendable () async -> Void) { tasks.follow(.question, body) }

  private func carryOut(_ request: Storage.Handover.Request) async {
    for answer in await storage.carryOut(request) { handle(answer) }
  }
}

extension RandomBytes {
  func drawUInt64() -> UInt64 { draw(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
