import BumpDiscovery
import BumpWire

/// Names one connection of one bump, in the order of their opening.
package typealias ConnectionID = Int

/// The other end of a connection.
struct Peer: Sendable {
  /// The address, for a person.
  let name: String
  /// The host, where the address tells it from others.
  let host: RemoteHost?
  /// The host as it was connected to; `nil` where it connected to us.
  var place: Endpoint?
}

/// One connection of a bump.
protocol BumpConnection: Sendable {
  associatedtype Session: BumpSession.Session

  var session: Session { get set }
  var peer: Peer { get }
}

/// A bump with sessions. What the bumps of a sender and of a receiver share: whose turn it is, and how a session leaves.
protocol BumpSessions: BumpMachine where Action: BumpAction {
  associatedtype Connection: BumpConnection

  var connections: [ConnectionID: Connection] { get set }
  /// The sessions whose channel is established.
  var secured: Set<ConnectionID> { get set }
  /// The sessions that wait to be chosen, the first first.
  var queue: [ConnectionID] { get set }
  var chosen: ConnectionID? { get set }

  /// Hands an input to a session, and does what it says.
  mutating func forward(_ input: Connection.Session.Input, to id: ConnectionID, at now: Moment) -> [Action]
}

/// The actions by which a session leaves.
protocol BumpAction {
  static func close(_ id: ConnectionID) -> Self
  static func withdrawQuestion(_ id: ConnectionID) -> Self
  static func sessionEnded(_ peer: Peer) -> Self
}

extension BumpSessions {
  /// Dismisses the sessions that meet a condition, the oldest first.
  mutating func dismiss(
    _ reason: AbortReason, at now: Moment, where condition: (Connection.Session) -> Bool
  ) -> [Action] {
    connections.filter { condition($0.value.session) }.keys.sorted().flatMap {
      forward(.dismissed(reason), to: $0, at: now)
    }
  }

  /// Tells the sessions whose deadline has come, the oldest first.
  mutating func passDeadlines(at now: Moment) -> [Action] {
    var actions: [Action] = []
    for id in connections.keys.sorted() where connections[id]?.session.deadline.map({ $0 <= now }) == true {
      actions += forward(.deadline, to: id, at: now)
    }
    return actions
  }

  /// Removes a session that has ended.
  ///
  /// - Returns: its connection, and what follows: a question about it is cancelled, the connection closed, and the end
  ///   told, where its digits were.
  mutating func remove(_ id: ConnectionID) -> (connection: Connection, actions: [Action])? {
    guard let connection = connections.removeValue(forKey: id) else { return nil }
    queue.removeAll { $0 == id }
    var actions: [Action] = [.close(id)]
    if secured.remove(id) != nil { actions.append(.sessionEnded(connection.peer)) }
    if chosen == id {
      chosen = nil
      actions.insert(.withdrawQuestion(id), at: 0)
    }
    return (connection, actions)
  }
}
