import BumpDiscovery
import BumpWire

/// A number for each connection of a bump, in the order in which they are opened.
package typealias ConnectionID = Int

/// The other end of a connection.
struct Peer: Sendable {
  /// The address, to show to a person.
  let name: String
  /// The host, if the address identifies it.
  let host: RemoteHost?
  /// The host that we connected to; `nil` if it connected to us.
  var place: Endpoint?
}

/// One connection of a bump.
protocol BumpConnection: Sendable {
  associatedtype Session: BumpSession.Session

  var session: Session { get set }
  var peer: Peer { get }
}

/// A bump with sessions. The protocol has what the bumps of a sender and of a receiver share: the queue of sessions,
/// and the end of a session.
protocol BumpSessions: BumpMachine where Action: BumpAction {
  associatedtype Connection: BumpConnection

  var connections: [ConnectionID: Connection] { get set }
  /// The sessions whose secure channel is established.
  var secured: Set<ConnectionID> { get set }
  /// The sessions that wait to be chosen, in the order in which they came.
  var queue: [ConnectionID] { get set }
  var chosen: ConnectionID? { get set }

  /// Passes an input to a session, and carries out the session's outputs.
  mutating func forward(_ input: Connection.Session.Input, to id: ConnectionID, at now: Moment) -> [Action]
}

/// The actions at the end of a session.
protocol BumpAction {
  static func close(_ id: ConnectionID) -> Self
  static func withdrawQuestion(_ id: ConnectionID) -> Self
  static func sessionEnded(_ peer: Peer) -> Self
}

extension BumpSessions {
  /// Dismisses the sessions that satisfy a condition, the oldest first.
  mutating func dismiss(
    _ reason: AbortReason, at now: Moment, where condition: (Connection.Session) -> Bool
  ) -> [Action] {
    connections.filter { condition($0.value.session) }.keys.sorted().flatMap {
      forward(.dismissed(reason), to: $0, at: now)
    }
  }

  /// Passes `.deadline` to the sessions whose deadline has passed, the oldest first.
  mutating func passDeadlines(at now: Moment) -> [Action] {
    var actions: [Action] = []
    for id in connections.keys.sorted() where connections[id]?.session.deadline.map({ $0 <= now }) == true {
      actions += forward(.deadline, to: id, at: now)
    }
    return actions
  }

  /// Removes a session that has ended.
  ///
  /// - Returns: the session's connection, and the actions that follow: to cancel a question about the session, to close
  ///   the connection and, if the session's digits were reported, to report its end.
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
