/// What an end of a session wants of its encryption.
public enum EncryptionPreference: UInt8, Sendable, CaseIterable {
  case optional = 0
  case required = 1
  case none = 2

  /// Whether a link of two ends with these preferences is encrypted; `nil` where they cannot agree.
  public func isEncrypted(with other: EncryptionPreference) -> Bool? {
    switch (self, other) {
    case (.required, .none), (.none, .required): nil
    case (.none, _), (_, .none): false
    default: true
    }
  }
}

/// Why an end closes a link. Where the link is not encrypted yet, it is a hint only.
public enum Goodbye: UInt8, Error, Sendable, CaseIterable {
  /// The program ended its session, or withdrew its invitation.
  case left = 1
  /// The invitation was not answered, or the session not begun, in time.
  case timedOut = 2
  /// The encryption preferences exclude each other.
  case encryption = 3
  /// A program refused the other's certificates.
  case certificate = 4
  /// The session has as many members as it may have.
  case full = 5
  /// Another link of the same pair stays.
  case crossed = 6
  /// The peer sent something that the protocol does not allow.
  case protocolError = 7
  /// There is nobody here of that identity, or no such ticket.
  case unknown = 8
}

/// What an end says of itself when a session begins.
public struct Terms: Hashable, Sendable {
  /// Who it is.
  public var peer: Peer
  /// Its session, 16 random bytes: a peer that begins another session with us has lost the one of before.
  public var session: PeerID
  /// What it wants of the encryption.
  public var preference: EncryptionPreference
  /// The TCP port on which other members reach it; 0 where they cannot.
  public var port: UInt16
  /// Its certificates, the leaf first. Nothing checks them but the program.
  public var certificates: [[UInt8]]

  /// Makes terms.
  ///
  /// - Precondition: at most 8 certificates of 32 KiB in all.
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

  /// Whether a chain is within the limits.
  public static func fit(_ certificates: [[UInt8]]) -> Bool {
    certificates.count <= MultipeerLimits.certificates
      && certificates.reduce(0) { $0 + $1.count } <= MultipeerLimits.certificateBytes
  }
}

/// An IP address and a TCP port.
public struct HostAddress: Hashable, Sendable {
  /// 4 bytes for IPv4, 16 for IPv6.
  public let address: [UInt8]
  /// The port; 0 where nobody listens.
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

/// Lets two members of a session connect to each other: who the other is, where it was seen, and a key for that link
/// alone.
public struct Introduction: Hashable, Sendable {
  /// The other member.
  public var peer: Peer
  /// Where to connect to.
  public var host: HostAddress
  /// The ticket with which the two know each other.
  public var ticket: Ticket

  /// Makes an introduction.
  public init(peer: Peer, host: HostAddress, ticket: Ticket) {
    self.peer = peer
    self.host = host
    self.ticket = ticket
  }
}
