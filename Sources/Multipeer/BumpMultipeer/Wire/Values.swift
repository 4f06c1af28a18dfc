/// Whether an end of a session wants encryption.
public enum EncryptionPreference: UInt8, Sendable, CaseIterable {
  /// Encrypted, unless the other end has `none`.
  case optional = 0
  /// Encrypted. An end that has `none` is refused.
  case required = 1
  /// Not encrypted. An end that has `required` is refused.
  case none = 2

  /// Returns whether a link of two ends with these preferences is encrypted; `nil` if they exclude each other.
  public func isEncrypted(with other: EncryptionPreference) -> Bool? {
    switch (self, other) {
    case (.required, .none), (.none, .required): nil
    case (.none, _), (_, .none): false
    default: true
    }
  }
}

/// The reason why an end closes a link. On a link that is not encrypted, anybody can forge it.
public enum Goodbye: UInt8, Error, Sendable, CaseIterable {
  /// The program ended its session, or withdrew its invitation.
  case left = 1
  /// The invitation was not answered, or the session not begun, in time.
  case timedOut = 2
  /// The encryption preferences exclude each other.
  case encryption = 3
  /// A program rejected the other end's certificates.
  case certificate = 4
  /// The session has the greatest number of members already.
  case full = 5
  /// Another link of the same pair is used.
  case crossed = 6
  /// The other end sent something that the protocol does not allow.
  case protocolError = 7
  /// This end has no peer of that identity, or no such ticket.
  case unknown = 8
}

/// The terms of an end, sent when a session begins.
public struct Terms: Hashable, Sendable {
  /// The peer that sends the terms.
  public var peer: Peer
  /// Its session, 16 random bytes. If a peer connects with another session, its earlier one is gone.
  public var session: PeerID
  /// Whether it wants encryption.
  public var preference: EncryptionPreference
  /// The TCP port on which other members reach it; 0 if they cannot.
  public var port: UInt16
  /// Its certificates, the leaf first. Only the program checks them.
  public var certificates: [[UInt8]]

  /// Makes terms.
  ///
  /// - Precondition: there are at most 8 certificates, of together at most 32 KiB.
  public init(
    peer: Peer, session: PeerID, preference: EncryptionPreference, port: UInt16, certificates: [[UInt8]] = []
  ) {
    precondition(Self.fit(certificates))
    self.peer = peer
    self.session = session
    self.preference = preference
    self.port = port
    self.certificates = certificates
  }

  /// Returns whether a chain is within the limits.
  public static func fit(_ certificates: [[UInt8]]) -> Bool {
    certificates.count <= MultipeerLimits.certificates
      && certificates.reduce(0) { $0 + $1.count } <= MultipeerLimits.certificateBytes
  }
}

/// An IP address and a TCP port.
public struct HostAddress: Hashable, Sendable {
  /// 4 bytes for IPv4, 16 for IPv6.
  public let address: [UInt8]
  /// The port; 0 if nobody listens.
  public let port: UInt16

  /// Makes an address; `nil` unless it has 4 or 16 bytes.
  public init?(address: [UInt8], port: UInt16) {
    guard address.count == 4 || address.count == 16 else { return nil }
    self.address = address
    self.port = port
  }

  /// Whether only this host can use it: 127.0.0.0/8 (RFC 1122 §3.2.1.3) or ::1 (RFC 4291 §2.5.3).
  public var isLoopback: Bool {
    address.count == 4 ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
  }
}

/// Lets two members of a session connect to each other: the other member, the address at which it was seen, and a
/// ticket for this one link.
public struct Introduction: Hashable, Sendable {
  /// The other member.
  public var peer: Peer
  /// The address to connect to.
  public var host: HostAddress
  /// The ticket by which the two authenticate each other.
  public var ticket: Ticket

  /// Makes an introduction.
  public init(peer: Peer, host: HostAddress, ticket: Ticket) {
    self.peer = peer
    self.host = host
    self.ticket = ticket
  }
}
