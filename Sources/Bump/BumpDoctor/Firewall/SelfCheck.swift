import Glibc
import NIOCore

/// Checks whether this machine can connect to itself by the addresses that others connect to.
///
/// A user who may not read the firewall's rules learns this way of rules that drop TCP on every interface.
enum SelfCheck {
  struct Facts: Hashable, Sendable {
    var address: String
    var port: UInt16
    var outcome: ConnectProbe.Outcome
  }

  /// Connects to the addresses of this machine.
  ///
  /// - Parameter port: the port of a sender here; `nil` if it is not fixed.
  static func gather(_ interfaces: [Interface], port: UInt16?) async -> [Facts] {
    let addresses = interfaces.flatMap { $0.ipv4.prefix(1) + $0.ipv6.filter { !$0.hasPrefix("fe80:") }.prefix(1) }
    return await withTaskGroup(of: Facts?.self) { group in
      for address in addresses { group.addTask { await gather(address, port) } }
      return await group.reduce(into: []) { if let facts = $1 { $0.append(facts) } }.sorted { $0.address < $1.address }
    }
  }

  private static func gather(_ text: String, _ port: UInt16?) async -> Facts? {
    // If the port is in use, a sender may have it. A connection would use up one of the few that the sender accepts.
    guard var address = try? SocketAddress(ipAddress: text, port: Int(port ?? 0)),
      let listener = Listening(address) ?? Listening(try? SocketAddress(ipAddress: text, port: 0))
    else { return nil }
    address.port = Int(listener.port)
    let outcome = await ConnectProbe.run(address, by: nil, within: .seconds(1))
    listener.close()
    return Facts(address: text, port: listener.port, outcome: outcome)
  }

  static func judge(_ all: [Facts]) -> Finding? {
    guard let facts = all.first(where: { $0.outcome != .taken }) else { return nil }
    return .problem(
      .firewall, "a firewall of this machine drops or rejects TCP",
      cause: "a connection to its own \(facts.address), port \(facts.port), does not get through",
      remedy: "`sudo bump doctor` names the rule", blocking: [.tcp])
  }
}

/// A listening socket on which no program accepts: the kernel completes connections by itself.
private struct Listening {
  private let descriptor: Int32
  let port: UInt16

  init?(_ address: SocketAddress?) {
    guard let address else { return nil }
    let family = if case .v6 = address { AF_INET6 } else { AF_INET }
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var bound = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isListening =
      address.withSockAddr { bind(descriptor, $0, socklen_t($1)) } == 0 && listen(descriptor, 4) == 0
      && withUnsafeMutablePointer(to: &bound) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      } == 0
    guard isListening else {
      Glibc.close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    // Both families have the port at byte 2, in network order (ip(7), ipv6(7)).
    port = withUnsafeBytes(of: bound) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
  }

  func close() { Glibc.close(descriptor) }
}
