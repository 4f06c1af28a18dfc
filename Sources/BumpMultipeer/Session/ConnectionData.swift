import Crypto

/// What one peer gives another, by means of the programs' own, so that the two connect without discovery: who it is, where
/// it is, and its share of the key. Whoever sees both peers' data can take the place of one of them.
public struct ConnectionData: Hashable, Sendable {
  /// The length of a share, in bytes.
  public static let share = 32
  /// How many addresses there are at most.
  public static let hosts = 16
  private static let magic = Array("BMPD".utf8) + [1]

  /// Whose it is.
  public var from: Peer
  /// For whom it was made.
  public var to: PeerID
  /// Random bytes, fresh for each pair.
  public let share: [UInt8]
  /// Where `from` can be reached, the likeliest first.
  public let hosts: [HostAddress]

  /// Makes the data.
  ///
  /// - Precondition: the share has 32 bytes, and there are at most 16 addresses.
  public init(from: Peer, to: PeerID, share: [UInt8], hosts: [HostAddress]) {
    precondition(share.count == Self.share && hosts.count <= Self.hosts)
    (self.from, self.to, self.share, self.hosts) = (from, to, share, hosts)
  }

  /// Reads the data.
  ///
  /// - Throws: `MultipeerError.frame` for anything else.
  public init(_ bytes: [UInt8]) throws(MultipeerError) {
    var reader = FrameReader(bytes[...])
    guard try reader.bytes(Self.magic.count) == Self.magic else { throw FrameReader.malformed }
    from = try reader.peer()
    to = try reader.id()
    share = try reader.bytes(Self.share)
    let count: UInt8 = try reader.integer()
    guard Int(count) <= Self.hosts else { throw FrameReader.malformed }
    var hosts: [HostAddress] = []
    for _ in 0..<count {
      let length: UInt8 = try reader.integer()
      guard let host = HostAddress(address: try reader.bytes(Int(length)), port: try reader.integer()), host.port != 0
      else { throw FrameReader.malformed }
      hosts.append(host)
    }
    self.hosts = hosts
    try reader.end()
  }

  /// The data as bytes.
  public var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(from)
    bytes += to.bytes + share
    bytes.append(UInt8(hosts.count))
    for host in hosts {
      bytes.append(UInt8(host.address.count))
      bytes += host.address
      bytes.append(integer: host.port)
    }
    return bytes
  }

  /// The ticket of the two peers: both derive the same one, by HKDF with SHA-256 (RFC 5869).
  ///
  /// - Parameter share: what this end gave the other.
  public func ticket(with share: [UInt8]) -> Ticket {
    let isLower = from.id < to
    let shares = isLower ? self.share + share : share + self.share
    let ids = isLower ? from.id.bytes + to.bytes : to.bytes + from.id.bytes
    let material = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: shares), salt: Self.magic, info: ids,
      outputByteCount: Ticket.idLength + Ticket.keyLength)
    return material.withUnsafeBytes { bytes in
      Ticket(
        id: Array(bytes.prefix(Ticket.idLength)), key: SymmetricKey(data: Array(bytes.dropFirst(Ticket.idLength))))
    }
  }
}
