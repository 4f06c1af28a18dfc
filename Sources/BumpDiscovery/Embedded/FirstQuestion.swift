import Glibc
import NIOCore

/// A question for the instances of a type, asked the moment somebody begins to browse, that wants answers to us alone
/// (RFC 6762 §5.4).
///
/// Nobody multicasts again what they have just multicast (§6), and Avahi's own questions ask for nothing else: who began
/// within half a second after an announcement would hear nothing for a second. The answers come to the port of the stack,
/// which takes them as it takes others. Where another stack on the host shares the port it may get them instead, and
/// there are the stack's own questions still.
enum FirstQuestion {
  /// One of the two groups of multicast DNS (§3) on one network interface.
  private struct Way: Hashable {
    var isIPv6: Bool
    var interface: UInt32
  }

  private static let port: UInt16 = 5353

  /// Asks where there are neighbours, on one interface or, with 0, on all. It is not known whether anybody hears it.
  static func ask(_ type: ServiceType, interface: UInt32) {
    guard let packet = packet(type), let devices = try? System.enumerateDevices() else { return }
    let ways = devices.compactMap { device -> Way? in
      // A tunnel has no neighbours, as Avahi sees it.
      guard device.pointToPointDestinationAddress == nil, let address = device.address else { return nil }
      return Way(isIPv6: address.protocol == .inet6, interface: UInt32(clamping: device.interfaceIndex))
    }
    for way in Set(ways) where interface == 0 || way.interface == interface { send(packet, by: way) }
  }

  /// A query with one question for pointers (RFC 1035 §4.1), whose class has the bit that asks for a unicast response.
  static func packet(_ type: ServiceType) -> [UInt8]? {
    let header: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let labels = type.description.split(separator: ".").map(String.init) + ["local"]
    let (pointer, internetByUnicast): ([UInt8], [UInt8]) = ([0, 12], [0x80, 1])
    return RecordData.name(labels).map { header + $0 + pointer + internetByUnicast }
  }

  private static func send(_ packet: [UInt8], by way: Way) {
    let descriptor = socket(
      way.isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    set(SOL_SOCKET, SO_REUSEADDR, to: Int32(1), of: descriptor)
    if way.isIPv6 {
      set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: Int32(1), of: descriptor)
      set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, to: Int32(255), of: descriptor)
      set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, to: Int32(way.interface), of: descriptor)
    } else {
      set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, to: Int32(255), of: descriptor)
      // ip_mreqn of ip(7): a group, an address, and the index of the interface, which decides.
      set(Int32(IPPROTO_IP), IP_MULTICAST_IF, to: (UInt32(0), UInt32(0), way.interface), of: descriptor)
    }
    // The group is its address here too, so that an answer, which is for us alone, is the stack's: it has the same port.
    guard
      let group = try? SocketAddress(
        ipAddress: way.isIPv6 ? "ff02::fb%\(way.interface)" : "224.0.0.251", port: Int(port)),
      group.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0
    else { return }
    _ = group.withSockAddr { sendto(descriptor, packet, packet.count, 0, $0, socklen_t($1)) }
  }

  private static func set<Value>(_ level: Int32, _ name: Int32, to value: Value, of descriptor: Int32) {
    withUnsafeBytes(of: value) { _ = setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count)) }
  }
}
