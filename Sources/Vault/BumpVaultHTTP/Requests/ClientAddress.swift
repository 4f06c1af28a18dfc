import Glibc

/// An IP address. An IPv4 address within IPv6 (`::ffff:192.0.2.1`) is the same as the IPv4 address.
public struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address's 4 or 16 bytes.
  public let bytes: [UInt8]

  /// Reads an address as inet_pton(3) does. Returns `nil` for any other text, also for an address with a zone.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      bytes = withUnsafeBytes(of: v4, Array.init)
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      let all = withUnsafeBytes(of: v6, Array.init)
      bytes = all.starts(with: Self.mapped) ? Array(all[12...]) : all
    } else {
      return nil
    }
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether the other end is on this machine.
  public var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it stands for every address of this machine: `0.0.0.0` or `::`.
  public var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// The network by which limits are counted: the address, or the /64 of an IPv6 address, since one household has a
  /// whole /64.
  var network: ClientAddress {
    bytes.count == 4 ? self : ClientAddress(bytes: bytes[..<8] + [UInt8](repeating: 0, count: 8))
  }

  public var description: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    _ = bytes.withUnsafeBytes {
      inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, $0.baseAddress, &buffer, socklen_t(buffer.count))
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A range of addresses, such as `10.0.0.0/8`.
public struct AddressRange: Hashable, Sendable {
  private let address: ClientAddress
  private let bits: Int

  /// Reads an address, or an address, `/` and the number of bits that count. Returns `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = ClientAddress(parts[0]) else { return nil }
    self.address = address
    if parts.count == 1 {
      bits = address.bytes.count * 8
    } else {
      guard let bits = Int(parts[1]), String(bits) == parts[1], (0...address.bytes.count * 8).contains(bits) else {
        return nil
      }
      self.bits = bits
    }
  }

  func contains(_ other: ClientAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    return zip(address.bytes, other.bytes).enumerated().allSatisfy { index, pair in
      let counted = max(0, min(8, bits - index * 8))
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> counted)
      return pair.0 & mask == pair.1 & mask
    }
  }
}
