import NIOCore

/// An address of this host on one network interface.
struct HostAddress: Hashable {
  /// 4 or 16 bytes in network order.
  var bytes: [UInt8]
  var interface: UInt32

  /// Whether it means nothing beyond its link (RFC 4291 §2.5.6, RFC 3927).
  private var isLinkLocal: Bool {
    bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// What a peer on the same link is told, at this moment: of each interface its addresses, of which the
  /// link-local ones only where it has no others of the family, as avahi-daemon does it.
  static func toBePublished() throws -> Set<HostAddress> {
    let all = try current()
    return all.filter { address in
      !address.isLinkLocal
        || !all.contains {
          $0.interface == address.interface && $0.bytes.count == address.bytes.count && !$0.isLinkLocal
        }
    }
  }

  private static func current() throws -> Set<HostAddress> {
    Set(
      try System.enumerateDevices().compactMap { device in
        device.address?.packedIPAddress.map {
          HostAddress(bytes: $0, interface: UInt32(clamping: device.interfaceIndex))
        }
      })
  }
}
