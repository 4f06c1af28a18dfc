import Glibc

/// A packet of a bump, as the firewall sees it.
struct Packet: Hashable, Sendable {
  enum Direction: Hashable, Sendable { case input, output }
  enum Transport: String, Hashable, Sendable { case tcp, udp }
  enum Family: Hashable, Sendable { case ipv4, ipv6 }

  var direction: Direction
  var family: Family
  var transport: Transport
  /// The destination port, or the range in which the port lies.
  var ports: ClosedRange<UInt16>
  var interface: String
  /// The destination address; `nil` if it is this machine's own or unknown.
  var destination: String?
  /// Whether the packet belongs to an established connection.
  var isReply = false

  static func multicastDNS(_ direction: Direction, _ group: MulticastGroup, by interface: String) -> Packet {
    Packet(
      direction: direction, family: group == .ipv4 ? .ipv4 : .ipv6, transport: .udp,
      ports: MulticastGroup.port...MulticastGroup.port, interface: interface, destination: group.rawValue)
  }

  /// Returns a packet of a connection to a sender here.
  static func connection(_ family: Family, to ports: ClosedRange<UInt16>, by interface: String) -> Packet {
    Packet(
      direction: .input, family: family, transport: .tcp, ports: ports, interface: interface, destination: nil)
  }

  /// Returns a packet of a connection from this machine to a sender.
  static func connecting(_ family: Family, to ports: ClosedRange<UInt16>, by interface: String) -> Packet {
    Packet(
      direction: .output, family: family, transport: .tcp, ports: ports, interface: interface, destination: nil)
  }

  /// Returns a sender's answer to this machine.
  static func reply(_ family: Family, to ports: ClosedRange<UInt16>, by interface: String) -> Packet {
    Packet(
      direction: .input, family: family, transport: .tcp, ports: ports, interface: interface, destination: nil,
      isReply: true)
  }
}

/// A range of addresses, such as `224.0.0.0/4`.
struct Prefix: Hashable, Sendable {
  private let bytes: [UInt8]
  private let length: Int

  /// Parses an address, with or without a prefix length; `nil` for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, let bytes = Self.bytes(String(address)) else { return nil }
    guard let length = parts.count == 1 ? bytes.count * 8 : Int(parts[1]), (0...bytes.count * 8).contains(length) else {
      return nil
    }
    (self.bytes, self.length) = (bytes, length)
  }

  var isEverything: Bool { length == 0 }

  func contains(_ address: String) -> Bool {
    guard let other = Self.bytes(address), other.count == bytes.count else { return false }
    return (0..<length).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == other[bit / 8] & mask
    }
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if bytes.withUnsafeMutableBytes({ inet_pton(family, text, $0.baseAddress) }) == 1 { return bytes }
    }
    return nil
  }
}
