package import BumpDiscovery
import CSystemCalls
import Glibc

/// The kernel's table of neighbours, read by rtnetlink(7). It maps an IP address on a link to a hardware address, from
/// ARP (RFC 826) or Neighbor Discovery (RFC 4861). It includes every host on the link to which there is a connection.
enum NeighbourTable {
  /// Returns the hardware address of an IP address.
  ///
  /// - Parameters:
  ///   - address: the 4 or 16 bytes of an IP address.
  ///   - interface: the index of the network interface that has the address's link.
  /// - Returns: `nil` if the kernel has no entry: for this host, a host behind a router, an interface without hardware
  ///   addresses, or before Linux 5.0, which cannot return a single entry.
  static func hardwareAddress(of address: [UInt8], on interface: UInt32) -> [UInt8]? {
    let descriptor = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let request = request(for: address, on: interface)
    guard send(descriptor, request, request.count, 0) == request.count else { return nil }
    // The kernel has answered when send(2) returns.
    var reply = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &reply, reply.count, 0)
    return count > 0 ? hardwareAddress(in: Array(reply.prefix(count))) : nil
  }

  private static let messageStart = MemoryLayout<nlmsghdr>.size
  private static let attributesStart = messageStart + MemoryLayout<ndmsg>.size
  private static let attributeHeader = MemoryLayout<rtattr>.size

  private static func request(for address: [UInt8], on interface: UInt32) -> [UInt8] {
    var header = nlmsghdr()
    header.nlmsg_len = UInt32(attributesStart + attributeHeader + address.count)
    header.nlmsg_type = UInt16(RTM_GETNEIGH)
    header.nlmsg_flags = UInt16(NLM_F_REQUEST)
    var message = ndmsg()
    message.ndm_family = UInt8(address.count == 4 ? AF_INET : AF_INET6)
    message.ndm_ifindex = Int32(bitPattern: interface)
    let attribute = rtattr(rta_len: UInt16(attributeHeader + address.count), rta_type: UInt16(NDA_DST))
    return [header].withUnsafeBytes(Array.init) + [message].withUnsafeBytes(Array.init)
      + [attribute].withUnsafeBytes(Array.init) + address
  }

  private static func hardwareAddress(in reply: [UInt8]) -> [UInt8]? {
    reply.withUnsafeBytes { bytes in
      guard bytes.count >= attributesStart else { return nil }
      let header = bytes.loadUnaligned(as: nlmsghdr.self)
      // Any other type is an error: there is no such neighbour.
      guard header.nlmsg_type == UInt16(RTM_NEWNEIGH) else { return nil }
      let end = min(bytes.count, Int(header.nlmsg_len))
      var offset = attributesStart
      while offset + attributeHeader <= end {
        let attribute = bytes.loadUnaligned(fromByteOffset: offset, as: rtattr.self)
        let length = Int(attribute.rta_len)
        guard length >= attributeHeader, offset + length <= end else { return nil }
        if attribute.rta_type == UInt16(NDA_LLADDR) {
          let hardware = Array(bytes[offset + attributeHeader..<offset + length])
          return hardware.allSatisfy { $0 == 0 } ? nil : hardware
        }
        // Attributes are aligned to four bytes.
        offset += (length + 3) & ~3
      }
      return nil
    }
  }
}

extension RemoteHost {
  /// The host at the other end of a connection; `nil` for this host, or a connection without an address.
  package init?(_ connection: any Connection, on networks: LocalNetworks) {
    self.init(connection.address, on: networks, hardwareAddress: NeighbourTable.hardwareAddress)
  }
}
