/// The purpose of a link, which the opener sends in clear.
enum LinkPurpose: Hashable, Sendable {
  /// The opener invites the other peer.
  case invite
  /// Both ends are members of a session, and have a ticket with this name.
  case join(ticket: [UInt8])
}

/// The first record of each end, in clear: the version, and a handshake message of Noise NN or, with a ticket, NNpsk0.
enum HandshakeRecord: Hashable, Sendable {
  case hello(LinkPurpose, noise: [UInt8])
  case welcome(noise: [UInt8])

  private enum Kind: UInt8 { case invite = 0x01, join, welcome }
  private static let magic = Array("BMPC".utf8)
  private static let version: UInt8 = 1
  /// The length of a public key (DHLEN in Noise), without and with a tag.
  private static let key = 32
  private static let taggedKey = key + MultipeerLimits.tag
  /// The greatest length of an opening.
  static let limit = magic.count + 2 + Ticket.idLength + taggedKey

  /// The opening without its handshake message. It is the prologue of the handshake, so that nobody can change it in
  /// transit.
  var head: [UInt8] {
    switch self {
    case .hello(.invite, _): Self.magic + [Self.version, Kind.invite.rawValue]
    case .hello(.join(let ticket), _): Self.magic + [Self.version, Kind.join.rawValue] + ticket
    case .welcome: Self.magic + [Self.version, Kind.welcome.rawValue]
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .hello(_, let noise), .welcome(let noise): head + noise
    }
  }

  /// Reads an opening.
  ///
  /// - Throws: `MultipeerError.frame` for another protocol, version or length.
  init(_ bytes: ArraySlice<UInt8>) throws(MultipeerError) {
    var reader = FrameReader(bytes)
    guard try reader.bytes(Self.magic.count) == Self.magic, try reader.integer() == Self.version else {
      throw FrameReader.malformed
    }
    switch try reader.value(Kind.self) {
    case .invite: self = .hello(.invite, noise: try reader.bytes(Self.key))
    case .join:
      self = .hello(.join(ticket: try reader.bytes(Ticket.idLength)), noise: try reader.bytes(Self.taggedKey))
    case .welcome: self = .welcome(noise: try reader.bytes(Self.taggedKey))
    }
    try reader.end()
  }
}
