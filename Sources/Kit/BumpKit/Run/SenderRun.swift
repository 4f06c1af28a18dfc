import BumpClaims
import BumpDiscovery
import BumpNet
import BumpSession
import BumpWire
import Logging

/// Drives one `SenderBump`: passes in received bytes, the time, and the answers of discovery, the store and the person,
/// and carries out its actions.
actor SenderRun: BumpRun {
  private enum TaskName: Hashable { case accepting, advertising, watching, releasing, takingBack, question }

  private let sender: SendingEnd
  /// The claim and its store; `nil` for a document, which is in no store.
  private let money: Money?
  private let approve: (@Sendable (Sender.Question) async -> Bool)?
  private let readmit: (@Sendable (String) async -> Bool)?
  private let onEvent: @Sendable (SendEvent) -> Void
  let timeline: Timeline

  var bump: SenderBump
  var timer = DeadlineTimer()
  var end = RunEnd<SendOutcome>()
  /// A claim, and the store that records its state.
  private struct Money {
    let claim: OutgoingClaim
    let store: ClaimStore
    /// How many draws of digits were reserved for this bump.
    let draws: Int
  }

  private var tasks = NamedTasks<TaskName>()
  private var listener: (any Listener)?
  private var connections: [ConnectionID: any Connection] = [:]
  private var lastConnection = 0
  private var advertised = (name: "", port: UInt16(0))
  private var toldName: String?
  private var release: ClaimStore.Release?
  private var keyToKeep: SharedKey?
  private var keptKey: SharedKey?
  private var remembering = Remembering.notRemembered(.noClaim)
  /// The claim's last state, if it is to be recorded.
  private var lastState: HandoverState?

  /// - Parameter draws: how many draws of digits were reserved; `nil` if the claim's draws do not count.
  init(
    _ sender: SendingEnd, _ claim: OutgoingClaim, in store: ClaimStore, reserved draws: Int?, link: ClaimLink,
    approve: (@Sendable (Sender.Question) async -> Bool)?, readmit: (@Sendable (String) async -> Bool)?,
    onEvent: @escaping @Sendable (SendEvent) -> Void
  ) {
    let configuration = sender.configuration
    let bump = SenderBump(
      link: link, from: configuration.name, in: claim.state,
      policy: .init(
        credential: configuration.credential, asks: approve != nil, remembers: configuration.rememberAs != nil,
        discoveryTimeout: configuration.discoveryTimeout, sendTimeout: configuration.sendTimeout,
        fallsBack: configuration.fallsBack, endsAtRefusal: configuration.endsAtRefusal,
        lifetime: max(.zero, .seconds(link.expiry.unixSeconds - sender.unixTime) - configuration.expiryMargin),
        draws: draws ?? Draws.maximum))
    self.init(sender, bump, Money(claim: claim, store: store, draws: draws ?? 0), approve, readmit, onEvent)
  }

  /// Sends a document. A document is in no store, and its draws are counted for this bump alone.
  init(
    _ sender: SendingEnd, _ document: OfferedDocument, approve: (@Sendable (Sender.Question) async -> Bool)?,
    readmit: (@Sendable (String) async -> Bool)?, onEvent: @escaping @Sendable (SendEvent) -> Void
  ) {
    let configuration = sender.configuration
    let bump = SenderBump(
      document,
      policy: .init(
        credential: configuration.credential, asks: approve != nil,
        discoveryTimeout: configuration.discoveryTimeout, sendTimeout: configuration.sendTimeout,
        fallsBack: false, endsAtRefusal: configuration.endsAtRefusal, lifetime: Self.forever))
    self.init(sender, bump, nil, approve, readmit, onEvent)
  }

  private init(
    _ sender: SendingEnd, _ bump: SenderBump, _ money: Money?, _ approve: (@Sendable (Sender.Question) async -> Bool)?,
    _ readmit: (@Sendable (String) async -> Bool)?, _ onEvent: @escaping @Sendable (SendEvent) -> Void
  ) {
    (self.sender, self.bump, self.money) = (sender, bump, money)
    (self.approve, self.readmit, self.onEvent) = (approve, readmit, onEvent)
    timeline = Timeline(sender.clock)
  }

  /// Longer than any bump.
  private static let forever: Duration = .seconds(1 << 40)

  func run() async throws -> SendOutcome {
    let listener: any Listener
    do {
      listener = try await sender.transport.listen(port: sender.configuration.port)
    } catch {
      await record(nil)
      throw error
    }
    self.listener = listener
    advertised = (newName(), listener.port)
    tasks.start(.advertising) { await self.advertise() }
    tasks.start(.accepting) { await listener.accept { await self.serve($0) } }
    setTimer()
    let result = await ended()
    await conclude()
    return try await standing(after: result.get())
  }

  /// Returns the outcome with the claim's state in the store: another process may have sent the claim meanwhile, shown
  /// its link or settled it. If the store cannot be read, returns the outcome as it is.
  private func standing(after outcome: SendOutcome) async -> SendOutcome {
    guard let money else { return outcome }
    switch outcome {
    case .interrupted, .expired, .undelivered(_, link: nil, _): break
    default: return outcome
    }
    do {
      guard let state = try await money.store.outgoing(money.claim.claim.id, at: sender.clocks())?.state else {
        return outcome
      }
      if case .interrupted = outcome { return .interrupted(state) }
      return state == money.claim.state ? outcome : .changedElsewhere(state)
    } catch {
      sender.logger.error("cannot read the claim's state: \(error)")
      return outcome
    }
  }

  private func conclude() async {
    await record(lastState)
    await concludeRemembering()
    listener?.close()
    for connection in connections.values { connection.close() }
    await timer.cancel()?.value
    for task in tasks.cancelAll() { await task.value }
    // Otherwise receivers would find this sender after the process has exited, until its records expire.
    await sender.discovery?.settle()
  }

  /// Records the claim's state, and gives back the draws that were reserved but not used.
  private func record(_ state: HandoverState?) async {
    guard let money else { return }
    let unused = max(0, money.draws - bump.draws)
    guard state != nil || unused > 0 else { return }
    do {
      let before = try await money.store.record(
        state, of: money.claim.claim.id, after: release, at: sender.clocks(), unusedDraws: unused)
      if let before { onEvent(.stoodOtherwise(before.state, with: before.otherPeer)) }
    } catch {
      // What the store says stays true, although less exact: the claim is released, and all draws are used.
      sender.logger.error("cannot record the end of the bump: \(error)")
      if let state { onEvent(.notRecorded(state)) }
    }
  }

  /// Keeps the key before the claim is released, so that the key is durable before the receiver learns of it.
  private func keep(_ key: SharedKey) async -> RememberAnswer {
    guard let money, let name = sender.configuration.rememberAs else { return .notAsked }
    do {
      let result = try await money.store.remember(
        key, as: name, agreedOnWith: .outgoing, isConfirmed: false, at: sender.unixTime)
      if result == .kept { keptKey = key }
      return RememberAnswer(result)
    } catch {
      sender.logger.error("cannot remember \(name): \(error)")
      return .cannotKeep
    }
  }

  /// Confirms the key or forgets it, and reports which.
  private func concludeRemembering() async {
    guard let money, let name = sender.configuration.rememberAs else { return }
    do {
      if let keptKey {
        switch remembering {
        case .remembered: try await money.store.confirm(keptKey, of: name)
        case .notRemembered: _ = try await money.store.forget(name, key: keptKey)
        case .unknown: break
        }
      }
    } catch {
      // An unconfirmed key, or one that only this end has, is harmless: it opens no session.
      sender.logger.error("cannot record what became of the key of \(name): \(error)")
    }
    switch remembering {
    case .remembered: onEvent(.remembered(name))
    case .notRemembered(let why): onEvent(.notRemembered(name, why))
    case .unknown: onEvent(.rememberingUnknown(name))
    }
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
        let advertisement = Advertisement(
          name: advertised.name, type: sender.configuration.serviceType, port: advertised.port,
          txt: try Announcement(sender.configuration.credential, expiry: money?.claim.expiry).record())
        for try await registered in discovery.advertise(advertisement) {
          advertised.name = registered
          tellAdvertising()
        }
        return
      } catch let error as DiscoveryError where error.code == .nameTaken {
        // The name has 64 random bits. If it is taken nevertheless, draw another.
        advertised.name = newName()
        let now = timeline.now()
        let delay = conflicts.add(at: now)
        if delay > .zero { await timeline.wait(now + delay) }
      } catch {
        guard !Task.isCancelled, !end.hasCome else { return }
        onEvent(.discoveryLost(DiscoveryError(error)))
        return handle(.discoveryLost)
      }
    }
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
    let near = Neighbours(discovery: discovery, clock: sender.clock, logger: sender.logger)
    do {
      for try await event in near.watchRecords(sender.configuration.serviceType) {
        guard case .resolved(let other) = event, other.mode == .code, other.channel == channel else { continue }
        guard other.name != advertised.name, told.count < 16, told.insert(other.name).inserted else { continue }
        onEvent(.channelShared(name: other.name, channel: channel))
      }
    } catch {
      // The advertisement then fails too, and that failure is reported.
    }
  }

  // MARK: Actions

  func perform(_ action: SenderBump.Action) {
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
    case .release(let id, let name, let limit):
      tasks.start(.releasing) { await self.handle(.session(id, self.release(on: id, to: name, answerWithin: limit))) }
    case .takeBack(let id):
      tasks.start(.takingBack) { await self.handle(.session(id, self.takeBack())) }
    case .releaseForLink:
      tasks.start(.releasing) { await self.handle(self.releaseForLink()) }
    case .event(let event):
      sender.logger.debug("\(event)")
      onEvent(event)
    case .keep(let key, _):
      keyToKeep = key
    case .remembering(let outcome):
      remembering = outcome
    case .finish(let outcome, let record):
      lastState = record
      end.come(.success(outcome))
    case .fail(let error):
      end.come(.failure(error))
    }
  }

  func followQuestion(_ body: @escaping @Sendable () async -> Void) { tasks.follow(.question, body) }

  /// Keeps the key, if there is one, and releases the claim to a receiver.
  private func release(on id: ConnectionID, to name: DisplayName, answerWithin limit: Duration) async
    -> SenderSession.Input
  {
    guard let money else { preconditionFailure("a document is not released") }
    if let keyToKeep { handle(.session(id, .kept(await keep(keyToKeep)))) }
    do {
      let result = try await money.store.release(
        money.claim.claim.id, to: name, from: money.claim.state, answerWithin: limit,
        leaving: sender.configuration.expiryMargin.components.seconds, at: sender.clocks)
      switch result {
      case .released(let deadline):
        release = ClaimStore.Release(peer: name, deadline: deadline)
        return .released
      case .changedElsewhere(let state): return .notReleased(.changedElsewhere(state))
      case .expired: return .notReleased(.expired)
      case .missing: return .notReleased(.storeFailed(.notSent(money.claim.claim.id, in: nil)))
      }
    } catch {
      return .notReleased(.storeFailed(StoreError(error)))
    }
  }

  private func releaseForLink() async -> SenderBump.Input {
    guard let money else { preconditionFailure("a document has no link of its own") }
    guard !money.claim.expiry.hasPassed(at: sender.unixTime) else { return .notReleasedForLink(.expired) }
    do {
      let result = try await money.store.showLink(
        of: money.claim.claim.id, base: sender.configuration.linkBase, at: sender.clocks())
      switch result {
      case .shown: return .releasedForLink
      case .shownToReceiver(_, let claim), .withheld(let claim):
        return .notReleasedForLink(.changedElsewhere(claim.state))
      case .missing: return .notReleasedForLink(.storeFailed(.notSent(money.claim.claim.id, in: nil)))
      }
    } catch {
      return .notReleasedForLink(.storeFailed(StoreError(error)))
    }
  }

  /// Undoes the release, and forgets the key that was kept for its receiver.
  private func takeBack() async -> SenderSession.Input {
    guard let money else { return .notTakenBack }
    do {
      if let keptKey, let name = sender.configuration.rememberAs {
        _ = try await money.store.forget(name, key: keptKey)
      }
      (keptKey, keyToKeep) = (nil, nil)
      guard let release else { return .notTakenBack }
      switch try await money.store.takeBack(money.claim, releasedUntil: release.deadline) {
      case .takenBack: return .takenBack
      case .notReleased: return .notTakenBack
      }
    } catch {
      // What the store says stays true, although less exact: the claim is released, and becomes unknown later.
      sender.logger.error("cannot take back the release of the claim: \(error)")
      return .notTakenBack
    }
  }
}

extension RandomBytes {
  func drawUInt64() -> UInt64 { draw(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
