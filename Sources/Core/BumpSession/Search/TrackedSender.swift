import BumpDiscovery
import BumpWire

/// The state of a sender in `SenderConnector`: its addresses, and how far it was tried.
struct TrackedSender: Sendable {
  enum Phase {
    case waiting
    case resolving(until: Moment)
    /// An address is known, and the sender waits for its turn to be connected to.
    case reachable
    case connecting(until: Moment)
    case inSession
    case resting(until: Moment)
    case done
  }

  /// How long the first turn waits for answers. A sender nearby answers in milliseconds, and a daemon that is busy with
  /// a flood of entries in some hundred. The first turn is short, so that a thousand forged entries take little time.
  private static let firstTurn = Duration.milliseconds(500)

  /// The number of the sender. The newest one has the greatest.
  let order: Int
  /// The instances under which the sender was found, one for each interface.
  var routes: [ServiceInstance]
  var phase = Phase.waiting
  var addresses: AddressRace
  var isResolving = false
  /// How many turns ended without a connection.
  var rounds = 0
  /// When resolving ends, whatever happens.
  var turnEnd = Moment.zero
  /// How many times the sender was connected to, or tried to.
  var turns = 0
  var sessions = 0
  /// Since when the sender has not admitted us, and whether that was reported.
  var refusedSince: Moment?
  var isRefusalTold = false
  /// The contents of the sender's record; `nil` until it is resolved.
  var announcement: Announcement?
  /// Whether the sender is passed over because of its record.
  var isPassedOver = false

  init(order: Int, routes: [ServiceInstance], addresses: AddressRace = AddressRace()) {
    (self.order, self.routes, self.addresses) = (order, routes, addresses)
  }

  /// Whether the sender only waits for its turn to be connected to.
  var isReachable: Bool { if case .reachable = phase { true } else { false } }

  var isConnecting: Bool { if case .connecting = phase { true } else { false } }

  var isInSession: Bool { if case .inSession = phase { true } else { false } }

  var isDone: Bool { if case .done = phase { true } else { false } }

  /// The reconfirmations to ask for if none of the tried addresses could be connected to. A sender whose address was
  /// given has none.
  var reconfirmation: [SenderConnector.Output] { addresses.wereTried ? routes.map { .reconfirm($0) } : [] }

  /// How long this turn waits for answers.
  var turn: Duration {
    min(ResolvingSchedule<SenderConnector.SenderID>.turn(first: Self.firstTurn, round: rounds), Times.handshake)
  }

  /// Begins a turn. The sender's addresses are resolved again; a sender whose address was given is connected to.
  mutating func begin(isGiven: Bool, at now: Moment) {
    if isGiven {
      addresses.restart()
      phase = .connecting(until: now + Times.handshake)
    } else {
      addresses = AddressRace()
      isResolving = true
      let end = now + turn
      phase = .resolving(until: end)
      turnEnd = end + Times.handshake
    }
  }

  /// Begins the sender's turn to be connected to.
  mutating func beginConnecting(at now: Moment) {
    phase = .connecting(until: now + Times.handshake)
    turns += 1
  }

  /// Ends resolving and connecting.
  ///
  /// - Returns: whether the sender was being resolved, and the connection attempts to cancel.
  mutating func stop() -> (wasResolving: Bool, tries: [ConnectionID]) {
    defer { isResolving = false }
    return (isResolving, addresses.cancel())
  }

  /// Notes that an address could not be connected to.
  ///
  /// - Returns: whether the turn is over: no other address is known, and none is awaited.
  mutating func failed(_ connection: ConnectionID, at now: Moment) -> Bool {
    addresses.failed(connection, at: now)
    guard addresses.isLost else { return false }
    guard isResolving, case .connecting(let end) = phase else { return true }
    // Another address may follow, but other senders need not wait for it.
    phase = .resolving(until: min(now + turn, turnEnd))
    // A failure at once took no time from others, so it does not count as a turn.
    if now < end - Times.handshake + Times.stagger { turns -= 1 }
    return false
  }

  /// When the sender's turn ends, or its next address is tried.
  var deadline: Moment? {
    switch phase {
    case .resolving(let end): end
    case .connecting(let end): addresses.deadline.map { min(end, $0) } ?? end
    case .waiting, .reachable, .inSession, .resting, .done: nil
    }
  }
}
