import BumpChannel
import BumpDiscovery
import BumpWire
import Logging

/// Drives one `SenderBump`: bytes, time, discovery, the store and the person go in; what it says is done.
actor SenderRun {
  private enum TaskName: Hashable { case accepting, advertising, timer, releasing, takingBack, question }

  private let sender: Sender
  private let claim: OutgoingClaim
  private let approve: (@Sendable (Sender.Question) async -> Bool)?
  private let onEvent: @Sendable (SendEvent) -> Void
  private let timeline: Timeline

  private var bump: SenderBump
  private var tasks = TaskBag<TaskName>()
  private var listener: (any Listener)?
  private var connections: [ConnectionID: any Connection] = [:]
  private var lastConnection = 0
  private var advertised = (name: "", port: UInt16(0))
  private var toldName: String?
  private var timer: Moment?
  private var storeError: (any Error)?
  private var deadline: Int64?
  private var keyToKeep: SharedKey?
  private var keptKey: SharedKey?
  private var remembering = Remembering.notRemembered(.noClaim)
  private var result: (outcome: SendOutcome, record: ClaimState?)?
  private var finished: CheckedContinuation<Void, Never>?

  init(
    _ sender: Sender, _ claim: OutgoingClaim, link: ClaimLink, approve: (@Sendable (Sender.Question) async -> Bool)?,
    onEvent: @escaping @Sendable (SendEvent) -> Void
  ) {
    self.sender = sender
    self.approve = approve
    self.onEvent = onEvent
    self.claim = claim
    timeline = Timeline(sender.clock)
    let configuration = sender.configuration
    bump = SenderBump(
      link: link, from: configuration.name,
      policy: .init(
        credential: configuration.credential, asks: approve != nil, remembers: configuration.rememberAs != nil,
        discoveryTimeout: configuration.discoveryTimeout, sendTimeout: configuration.sendTimeout,
        fallsBack: configuration.fallsBack, endsAtRefusal: configuration.endsAtRefusal,
        lifetime: .seconds(max(0, link.expiry.unixSeconds - sender.unixTime())),
        // Where nobody is asked here they count in each bump by itself: the claim goes to whoever accepts first anyway.
        draws: approve == nil ? Draws.maximum : claim.reservedDraws))
  }

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
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        finished = continuation
        if result != nil { resume() }
      }
    } onCancel: {
      Task { await self.handle(.interrupted) }
    }
    return try await conclude()
  }

  private func conclude() async throws -> SendOutcome {
    await record(result?.record)
    await concludeRemembering()
    listener?.close()
    for connection in connections.values { connection.close() }
    for task in tasks.cancelAll() { await task.value }
    // Else a process that exits now would stay listed, for as long as its records last.
    await sender.discovery?.settle()
    if let storeError { throw storeError }
    switch result?.outcome ?? .interrupted(.new) {
    // The bump calls the claim new until it releases it; one that is offered again stands where it stood.
    case .interrupted(.new): return .interrupted(claim.state)
    // It does not know how another process has changed it.
    case .changedElsewhere:
      return .changedElsewhere(
        try await sender.store.outgoing(claim.claim.id, at: sender.unixTime())?.state ?? claim.state)
    case let outcome: return outcome
    }
  }

  /// Writes down how the claim stands, and what was left of its draws.
  private func record(_ state: ClaimState?) async {
    let unused = max(0, claim.reservedDraws - bump.draws)
    guard state != nil || unused > 0 else { return }
    do {
      try await sender.store.record(state, of: claim.claim.id, unusedDraws: unused)
    } catch {
      // What the store says is true as well, if less than is known: released, and all draws made.
      sender.logger.error("cannot write down the end of the bump: \(error)")
      if let state { onEvent(.notRecorded(state)) }
    }
  }

  /// Keeps the key before the claim is released: what the receiver is told is durable then.
  private func keep(_ key: SharedKey) async -> RememberAnswer {
    guard let name = sender.configuration.rememberAs else { return .notAsked }
    do {
      guard try await sender.store.remember(key, as: name, isConfirmed: false, at: sender.unixTime()) else {
        return .nameTaken
      }
      keptKey = key
      return .yes
    } catch {
      sender.logger.error("cannot remember \(name): \(error)")
      return .cannotKeep
    }
  }

  /// Confirms the key, or forgets it, and tells which.
  private func concludeRemembering() async {
    guard let name = sender.configuration.rememberAs else { return }
    do {
      if let keptKey {
        switch remembering {
        case .remembered: try await sender.store.confirm(keptKey, of: name)
        case .notRemembered: _ = try await sender.store.forget(name, key: keptKey)
        case .unknown: break
        }
      }
    } catch {
      // A key that stays unconfirmed, or that only this end has, opens nothing.
      sender.logger.error("cannot write down what became of the key of \(name): \(error)")
    }
    switch remembering {
    case .remembered: onEvent(.remembered(name))
    case .notRemembered(let why): onEvent(.notRemembered(name, why))
    case .unknown: onEvent(.rememberingUnknown(name))
    }
  }

  // MARK: What goes in

  private func handle(_ input: SenderBump.Input) {
    for action in bump.handle(input, at: timeline.now()) { perform(action) }
    setTimer()
  }

  private func serve(_ connection: any Connection) async {
    lastConnection += 1
    let id = lastConnection
    connections[id] = connection
    // A CLAIM that was given up is not to arrive later, by a cable that is back.
    connection.giveUp(after: max(sender.configuration.sendTimeout, Times.claim))
    // Who is looking already can be quicker than the word that our name stands.
    if toldName == nil, bump.isListening { tellAdvertising() }
    let host = RemoteHost(connection.address, on: sender.transport.localNetworks())
    handle(.opened(id, peer: connection.peer, host, SessionKeys(drawnFrom: sender.random)))
    await connection.receive { await self.handle(.session(id, .received($0))) }
    connections[id] = nil
    handle(.session(id, .closed))
  }

  private func newName() -> String {
    InstanceName(displayName: sender.configuration.name, random: sender.random.drawUInt64()).description
  }

  private func advertise() async {
    guard let discovery = sender.discovery else { return tellAdvertising() }
    do {
      let advertisement = Advertisement(
        name: advertised.name, type: sender.configuration.serviceType, port: advertised.port,
        txt: try sender.configuration.credential.txt(expiry: claim.expiry))
      for try await registered in discovery.advertise(advertisement) {
        advertised.name = registered
        tellAdvertising()
      }
    } catch let error as DiscoveryError where error.code == .nameTaken {
      // 64 random bits that are taken: draw again.
      advertised.name = newName()
      await advertise()
    } catch {
      guard !Task.isCancelled, result == nil else { return }
      onEvent(.discoveryLost(DiscoveryError(error)))
      handle(.discoveryLost)
    }
  }

  /// Tells each name once: it may be established anew.
  private func tellAdvertising() {
    let (name, port) = advertised
    guard name != toldName else { return }
    toldName = name
    onEvent(.advertising(name: name, port: port, backend: sender.discovery?.backend ?? "none"))
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

  private func perform(_ action: SenderBump.Action) {
    switch action {
    case .send(let bytes, let id):
      connections[id]?.send(bytes)
    case .close(let id):
      connections[id]?.close()
    case .ask(let id, let name, let digits):
      ask(id, Sender.Question(name: name, digits: digits))
    case .withdrawQuestion:
      tasks.stop(.question)
    case .stopListening:
      listener?.close()
      tasks.stop(.advertising)
    case .release(let id, let name, let limit):
      release(on: id, { .session(id, .released($0)) }) { [claim, sender] in
        let deadline = try await sender.store.release(
          claim.claim.id, to: name, from: claim.state, answerWithin: limit, at: sender.unixTime)
        await self.released(until: deadline)
        return deadline != nil
      }
    case .takeBack(let id):
      tasks.start(.takingBack) { await self.handle(.session(id, .takenBack(self.takeBack()))) }
    case .releaseForLink:
      release({ .releasedForLink($0) }) { [claim, sender] in
        try await sender.store.showLink(of: claim.claim.id, at: sender.unixTime())?.state.isOfferable == true
      }
    case .event(let event):
      sender.logger.debug("\(event)")
      onEvent(event)
    case .keep(let key, _):
      keyToKeep = key
    case .remembering(let outcome):
      remembering = outcome
    case .finish(let outcome, let record):
      result = (outcome, record)
      resume()
    }
  }

  private func ask(_ id: ConnectionID, _ question: Sender.Question) {
    guard let approve else { return }
    tasks.follow(.question) {
      let answer = await approve(question)
      if !Task.isCancelled { await self.handle(.session(id, .decided(answer))) }
    }
  }

  private func release(
    on id: ConnectionID? = nil, _ answer: @escaping @Sendable (Bool) -> SenderBump.Input,
    _ isDone: @escaping @Sendable () async throws -> Bool
  ) {
    tasks.start(.releasing) { [keyToKeep] in
      if let id, let keyToKeep { await self.handle(.session(id, .kept(self.keep(keyToKeep)))) }
      do {
        await self.handle(answer(try await isDone()))
      } catch {
        await self.failed(error)
        await self.handle(answer(false))
      }
    }
  }

  private func released(until deadline: Int64?) { self.deadline = deadline }

  /// Undoes the release, and forgets the key that was kept for its receiver.
  private func takeBack() async -> Bool {
    do {
      if let keptKey, let name = sender.configuration.rememberAs {
        _ = try await sender.store.forget(name, key: keptKey)
      }
      (keptKey, keyToKeep) = (nil, nil)
      guard let deadline else { return false }
      return try await sender.store.takeBack(claim, releasedUntil: deadline)
    } catch {
      // What the store says is true as well, if less than is known: released, and unknown later.
      sender.logger.error("cannot take back the release of the claim: \(error)")
      return false
    }
  }

  private func failed(_ error: any Error) { storeError = error }

  private func resume() {
    finished?.resume()
    finished = nil
  }
}

extension Credential {
  /// What the TXT record says of a claim's sender: a hint. The channel of a code is public. The end of an offer, by which
  /// a receiver can tell that one of the two clocks is wrong, is public in mode open alone, where anybody may ask for the
  /// offer: on a ledger it could tell which claim this is.
  func txt(expiry: Expiry) throws -> TXTRecord {
    let (version, mode) = (String(ProtocolVersion.highest.rawValue), mode.description)
    return switch self {
    case .none:
      try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "x": String(expiry.unixSeconds)])
    case .code(let code):
      try TXTRecord(["txtvers": "1", "v": version, "mode": mode, "ch": String(code.channel)])
    case .key:
      try TXTRecord(["txtvers": "1", "v": version, "mode": mode])
    }
  }
}

extension DiscoveryError {
  /// Any error of a discovery's as one of ours.
  init(_ error: any Error) {
    self = error as? DiscoveryError ?? DiscoveryError(.failed, "discovery failed: \(error)")
  }
}

extension RandomBytes {
  func drawUInt64() -> UInt64 { draw(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
