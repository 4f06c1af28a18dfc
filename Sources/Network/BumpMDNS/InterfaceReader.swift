import Glibc

extension Interface {
  /// Returns the usable interfaces: up, with a carrier, not point-to-point, and either multicast or loopback.
  ///
  /// Without a carrier, sent packets are lost; the interface is added again once it has one. An IPv6 address is usable
  /// after duplicate address detection (RFC 4862 §5.4).
  ///
  /// - Parameter only: the index of a single interface; 0 for all.
  static func current(only: UInt32 = 0) -> [Interface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let unfit = unfitIPv6Addresses()
    var interfaces: [UInt32: Interface] = [:]
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee }) {
      let index = if_nametoindex(entry.ifa_name)
      guard index != 0, only == 0 || index == only, Flags.areOfUse(entry.ifa_flags),
        let address = LocalAddress(entry), !unfit.contains(Unfit(address: address.bytes, interface: index))
      else { continue }
      interfaces[index, default: Interface(index: index, addresses: [])].addresses.append(address)
    }
    return interfaces.values.map { interface in
      let addresses = Set(interface.addresses).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      return Interface(index: interface.index, addresses: addresses)
    }.sorted { $0.index < $1.index }
  }

  /// The flags of netdevice(7).
  enum Flags {
    static let up: UInt32 = 0x1
    static let loopback: UInt32 = 0x8
    static let pointToPoint: UInt32 = 0x10
    static let running: UInt32 = 0x40
    static let multicast: UInt32 = 0x1000

    static func areOfUse(_ flags: UInt32) -> Bool {
      flags & (up | running) == up | running && flags & pointToPoint == 0 && flags & (loopback | multicast) != 0
    }
  }

  private struct Unfit: Hashable {
    var address: [UInt8]
    var interface: UInt32
  }

  /// Returns the IPv6 addresses that are tentative or duplicate, from the kernel's list, whose lines have the address,
  /// index, prefix, scope and flags in hexadecimal digits.
  private static func unfitIPv6Addresses() -> Set<Unfit> {
    let (dadFailed, tentative): (UInt32, UInt32) = (0x08, 0x40)
    guard let file = fopen("/proc/thread-self/net/if_inet6", "re") else { return [] }
    defer { fclose(file) }
    var unfit: Set<Unfit> = []
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let fields = text.split(whereSeparator: \.isWhitespace)
      guard fields.count >= 5, let index = UInt32(fields[1], radix: 16), let flags = UInt32(fields[4], radix: 16),
        flags & (dadFailed | tentative) != 0
      else { continue }
      let digits = Array(fields[0].utf8)
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
      }
      unfit.insert(Unfit(address: bytes, interface: index))
    }
    return unfit
  }
}

extension LocalAddress {
  /// The IP address of an entry; `nil` if it has none.
  fileprivate init?(_ entry: ifaddrs) {
    guard let address = entry.ifa_addr, let bytes = Self.bytes(address) else { return nil }
    let mask = entry.ifa_netmask.flatMap { Self.bytes($0) } ?? []
    self.init(bytes: bytes, prefix: mask.reduce(0) { $0 + $1.nonzeroBitCount })
  }

  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
    // The offsets in sockaddr_in and sockaddr_in6 (ip(7), ipv6(7)), which begin with the family: NIO does not expose
    // them.
    switch Int32(UnsafeRawPointer(address).load(as: sa_family_t.self)) {
    case AF_INET: Array(UnsafeRawBufferPointer(start: address, count: 8)[4..<8])
    case AF_INET6: Array(UnsafeRawBufferPointer(start: address, count: 24)[8..<24])
    default: nil
    }
  }
}
