import BumpClaims

/// The identity of a peer: 16 random bytes, drawn once for each peer. Names are not unique; identities are.
public struct PeerID: Hashable, Sendable, Comparable {
  /// The length of an identity, in bytes.
  public static let length = 16
  /// The bytes of the identity.
  public let bytes: [UInt8]

  /// Makes an identity of 16 bytes; `nil` for any other number.
  public init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Draws a new identity.
  public init(using generator: inout some RandomNumberGenerator) {
    bytes = generator.bytes(Self.length)
  }

  /// Compares the bytes in order. If two links of one pair cross, the peer with the lower identity decides which one
  /// stays.
  public static func < (left: PeerID, right: PeerID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// A peer as others see it: its identity, and a name to show to people.
public struct Peer: Hashable, Sendable {
  /// The identity. Peers with the same one are equal.
  public let id: PeerID
  /// The display name: 1 to 63 bytes of UTF-8. Anyone can choose it.
  public let name: String

  /// Makes a peer; `nil` if the name is empty or longer than 63 bytes.
  public init?(id: PeerID, name: String) {
    guard (1...MultipeerLimits.name).contains(name.utf8.count) else { return nil }
    self.id = id
    self.name = name
  }

  public static func == (left: Peer, right: Peer) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
