public import BumpWire
public import NIOCore

/// A sender nearby, as it announces itself. Nothing here is authenticated.
public struct Neighbour: Hashable, Sendable {
  /// The instance name as received. To show it to a person, use `shown`.
  public let name: String
  /// The mode that the sender announces; `nil` if none is known.
  public internal(set) var mode: Mode?
  /// In mode code, the public part of the code, 1 to 99.
  public internal(set) var channel: Int?
  /// The addresses of the sender, in the order in which they were resolved; 16 at most.
  public internal(set) var addresses: [SocketAddress] = []
  /// The time since the sender was first seen.
  public internal(set) var age: Duration = .zero

  package init(name: String) { self.name = name }

  /// The name in a form that is safe to show to a person: `alice-7f3a`.
  public var shown: String { InstanceName.shown(name).distinct }
}

/// A change in the set of senders nearby. Each change is reported once, on however many interfaces the sender is seen.
public enum NeighbourEvent: Hashable, Sendable {
  /// An announcement appeared. Its sender may have been gone for an hour, until `resolved` says that it is there.
  case found(Neighbour)
  /// The sender is there: its mode and an address are known.
  case resolved(Neighbour)
  /// Another address of the sender became known, the last in `addresses`.
  case changed(Neighbour)
  /// The announcement was withdrawn, or its records expired.
  case lost(Neighbour)
}
