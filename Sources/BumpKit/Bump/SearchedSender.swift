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
  /// How often it was tried and came to nothing.
  var rounds = 0
  /// When it is not resolved any more, whatever comes.
  var turnEnd = Moment.zero
  /// How often it was connected to, or tried to.
  var turns = 0
  var sessions = 0
  /// What its record says; `nil` where it says nothing, or has not come.
  var mode: Mode?
  var channel: Int?
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

  /// Where none of the addresses that are known could be connected to. A peer that was given has no routes.
  var reconfirmation: [SenderSearch.Output] { addresses.isEmpty ? [] : routes.map { .reconfirm($0) } }

  /// How long its answers are waited for. Who loses packets gets longer turns later.
  var turn: Duration { min(Self.firstTurn * (1 << min(rounds, 3)), Times.handshake) }

  /// When something is due for it: its turn ends, or its next address is tried.
  var deadline: Moment? {
    switch phase {
    case .resolving(let end): end
    case .connecting(let end): addresses.deadline.map { min(end, $0) } ?? end
    case .waiting, .reachable, .inSession, .resting, .done: nil
    }
  }
}
