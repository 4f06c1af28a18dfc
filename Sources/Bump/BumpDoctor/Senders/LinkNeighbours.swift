import Glibc
import NIOCore

/// The machines on an interface's link: those in the kernel's neighbour table and, as root, those that answer an ICMPv6
/// echo request to all nodes (RFC 4443 §4.2).
struct LinkNeighbours: Hashable, Sendable {
  var interface: String
  /// The addresses of routers, without zones.
  var routers: Set<String> = []
  var others: Set<String> = []
  /// The addresses that were on the link a while ago, and may be gone.
  var former: Set<String> = []

  /// Finds the machines on a link.
  ///
  /// - Parameter ask: sends a packet to a machine.
  static func gather(
    _ interface: Interface, own: Set<String>, ask: @Sendable (String) async -> Void
  ) async -> LinkNeighbours {
    var neighbours = LinkNeighbours(interface: interface.name)
    let echoed = await blocking { echoes(interface.index) } ?? []
    guard let ip = Tool.path("ip") else {
      neighbours.others = echoed.subtracting(own)
      return neighbours
    }
    async let ipv4 = Tool.run(ip, ["-json", "-4", "route", "show", "default", "dev", interface.name])
    async let ipv6 = Tool.run(ip, ["-json", "-6", "route", "show", "default", "dev", interface.name])
    neighbours.routers = Set([await ipv4, await ipv6].flatMap { gateways($0 ?? "") })
    // Makes the kernel learn the routers' hardware addresses. By those, other addresses of the routers are recognised.
    for router in neighbours.routers.sorted() { await ask(router) }
    let table = await Tool.run(ip, ["-json", "neighbor", "show", "dev", interface.name])
    neighbours.read(table ?? "", echoed: echoed, own: own)
    return neighbours
  }

  static func gateways(_ routes: String) -> [String] {
    (JSON(text: routes)?.elements ?? []).compactMap { $0["gateway"]?.string }
  }

  /// Reads the output of `ip -json neighbor`. Skips addresses for which neighbour discovery failed. An address with a
  /// router's hardware address belongs to that router.
  mutating func read(_ table: String, echoed: Set<String>, own: Set<String>) {
    let elements = JSON(text: table)?.elements ?? []
    let entries = elements.compactMap { entry -> (String, String, Bool)? in
      guard let address = entry["dst"]?.string, let hardware = entry["lladdr"]?.string else { return nil }
      return (address, hardware, entry["router"] != nil)
    }
    // An address stays in the table after its machine has left, until a packet is sent there (RFC 4861 §7.3.2).
    let stale = elements.filter { $0["state"]?.elements.map(\.string) == ["STALE"] }.compactMap { $0["dst"]?.string }
    let routerHardware = Set(entries.filter { routers.contains($0.0) || $0.2 }.map(\.1))
    let hardware = Dictionary(entries.map { ($0.0, $0.1) }) { first, _ in first }
    for address in Set(entries.map(\.0)).union(echoed).subtracting(own) {
      if let known = hardware[address], routerHardware.contains(known) {
        routers.insert(address)
      } else if stale.contains(address), !echoed.contains(address) {
        former.insert(address)
      } else if !routers.contains(address) {
        others.insert(address)
      }
    }
  }

  /// Returns the addresses that answer an echo request to all nodes within a second; none without root.
  private static func echoes(_ interface: UInt32) -> Set<String> {
    let descriptor = socket(AF_INET6, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_ICMPV6))
    guard descriptor >= 0, let all = try? SocketAddress(ipAddress: "ff02::1%\(interface)", port: 0) else { return [] }
    defer { close(descriptor) }
    var index = Int32(interface)
    setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index, socklen_t(MemoryLayout<Int32>.size))
    // Type 128, code 0, a checksum that the kernel computes, an identifier and a sequence number.
    let (identifier, end) = (UInt8.random(in: .min ... .max), ContinuousClock.now + .seconds(1))
    let request: [UInt8] = [128, 0, 0, 0, 0xB0, identifier, 0, 1]
    _ = all.withSockAddr { sendto(descriptor, request, request.count, 0, $0, socklen_t($1)) }
    var respondingHosts: Set<String> = []
    while respondingHosts.count < 64 {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      guard left > 0, poll(&waiting, 1, Int32(left.rounded(.up))) > 0 else { break }
      // The address is at byte 8 of a sockaddr_in6 (ipv6(7)).
      var (bytes, source) = ([UInt8](repeating: 0, count: 512), [UInt8](repeating: 0, count: 128))
      var length = socklen_t(source.count)
      let count = source.withUnsafeMutableBytes { candidate in
        recvfrom(
          descriptor, &bytes, bytes.count, 0, candidate.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
      // Type 129 is the reply.
      guard count >= 8, bytes[0] == 129, bytes[4] == 0xB0, bytes[5] == identifier else { continue }
      respondingHosts.insert(text(of: Array(source[8..<24]), AF_INET6))
    }
    return respondingHosts
  }
}
