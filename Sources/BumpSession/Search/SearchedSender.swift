import BumpDiscovery
import BumpWire

/// A sender as `SenderSearch` knows it: where it may be, and how far it was tried.
struct SearchedSender: Sendable {
  enum Phase {
    case waiting
    case resolving(until: Moment)
    /// Its addresses are known, and it waits until it may be connected to.
    case reachable
    case connecting(until: Moment)
    case inSession
    case resting(until: Moment)
    case done
  }

  /// A sender nearby answers in milliseconds, and a daemon that is busy with a flood in some hundred. The first turn to do
  /// so is short, so that a thousand forged entries are gone through in time.
  private static let firstTurn = Duration.milliseconds(500)

  /// The newest sender's is the greatest.
  let order: Int
  /// As what it was found, on which interfaces.
  var routes: [ServiceInstance]
  var phase = Phase.waiting
  var addresses: AddressRace
  var isResolving = false
  /// How often it was tried in vain.
  var rounds = 0
  /// When it is not resolved any more, whatever comes.
  var turnEnd = Moment.zero
  /// How often it was connected to, or tried to.
  var turns = 0
  var sessions = 0
  /// Since when it has not admitted us, and whether that was told.
  var refusedSince: Moment?
  var isRefusalTold = false
  /// What its record says; `nil` while that has not come.
  var announcement: Announcement?
  /// Whether it is passed over for what its record says.
  var isPassedOver = false

  init(order: Int, routes: [ServiceInstance], addresses: AddressRace = AddressRace()) {
    (self.order, self.routes, self.addresses) = (order, routes, addresses)
  }

  /// Whether it waits for a connection, and for nothing else.
  var isReachable: Bool { if case .reachable = phase { true } else { false } }

  var isConnecting: Bool { if case .connecting = phase { true } else { false } }

  var isInSession: Bool { if case .inSession = phase { true } else { false } }

  var isDone: Bool { if case .done = phase { true } else { false } }

  /// Where none of the addresses that were tried could be connected to. A peer that was given has no routes.
  var reconfirmation: [SenderSearch.Output] { addresses.wereTried ? routes.map { .reconfirm($0) } : [] }

  /// How long its answers are waited for.
  var turn: Duration { min(ResolvingTurn.length(first: Self.firstTurn, round: rounds), Times.handshake) }

  /// Begins a turn: its addresses are asked for anew. A peer that was given has its address, and is connected to.
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

  /// Gives it a turn to be connected to.
  mutating func beginConnecting(at now: Moment) {
    phase = .connecting(until: now + Times.handshake)
    turns += 1
  }

  /// Ends what goes on for it.
  ///
  /// - Returns: whether it was being resolved, and the tries of its addresses that are given up.
  mutating func stop() -> (wasResolving: Bool, tries: [ConnectionID]) {
    defer { isResolving = false }
    return (isResolving, addresses.cancel())
  }

  /// One of its addresses could not be connected to.
  ///
  /// - Returns: whether its turn is over: there is no other address, and none is on its way.
  mutating func failed(_ connection: ConnectionID, at now: Moment) -> Bool {
    addresses.failed(connection, at: now)
    guard addresses.isLost else { return false }
    guard isResolving, case .connecting(let end) = phase else { return true }
    // Another address may be on its way; but others need not wait for that.
    phase = .resolving(until: min(now + turn, turnEnd))
    // What fails at once takes nothing from others.
    if now < end - Times.handshake + Times.stagger { turns -= 1 }
    return false
  }

  /// When something is due for it: its turn ends, or its next address is tried.
  var deadline: Moment? {
    switch phase {
    case .resolving(let end): end
    case .connecting(let end): addresses.deadline.map { min(end, $0) } ?? end
    case .waiting, .reachable, .inSession, .resting, .done: nil
    }
  }
}
