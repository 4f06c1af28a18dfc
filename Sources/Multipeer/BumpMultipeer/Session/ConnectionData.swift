import Crypto

/// The data that one peer's program gives another's, by its own means, so that the two connect without discovery: the
/// peer's identity, its addresses, and its share of the key. A third party that sees the data of both can take the
/// place of one of them.
public struct ConnectionData: Hashable, Sendable {
  /// The length of a share, in bytes.
  public static let share = 32
  /// The greatest number of addresses.
  public static let hosts = 16
  private static let magic = Array("BMPD".utf8) + [1]

  /// The peer that made the data.
  public var from: Peer
  /// The peer for which the data was made.
  public var to: PeerID
  /// Random bytes, new for each pair of peers.
  public let share: [UInt8]
  /// The addresses of `from`, the likeliest first.
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
  /// - Throws: `MultipeerError.frame` for any other bytes.
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

  /// Returns the ticket of the two peers. Both derive the same one, by HKDF with SHA-256 (RFC 5869).
  ///
  /// - Parameter share: the share in the data that this end gave the other.
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
