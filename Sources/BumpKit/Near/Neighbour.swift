public import BumpWire
public import NIOCore

/// A sender nearby, as it announces itself. All of it is a stranger's word.
public struct Neighbour: Hashable, Sendable {
  /// The instance name as it came. Show `shown` instead.
  public let name: String
  /// How the sender wants to know who takes the claim, where it says so.
  public internal(set) var mode: Mode?
  /// With mode code: the public part of the code, 1 to 99.
  public internal(set) var channel: Int?
  /// Where it can be reached, in the order in which that became known; 16 at the most.
  public internal(set) var addresses: [SocketAddress] = []
  /// How long ago it was first seen.
  public internal(set) var age: Duration = .zero

  init(name: String) { self.name = name }

  /// The name to show, safely: `alice-7f3a`.
  public var shown: String { InstanceName.shown(name).distinct }
}

/// A sender that came or went. Each is reported once, on however many interfaces it is seen.
public enum NeighbourEvent: Hashable, Sendable {
  /// An announcement came up. Who made it may be gone for an hour, until it is `resolved`.
  case found(Neighbour)
  /// It is there: its mode and an address are known.
  case resolved(Neighbour)
  /// It has another address too, the last of them.
  case changed(Neighbour)
  /// It took its announcement back, or that ran out.
  case lost(Neighbour)
}
