import Glibc
import NIOCore
import NIOPosix

/// One of the two groups of multicast DNS (RFC 6762 §3).
enum MulticastGroup: String, Sendable, CaseIterable {
  case ipv4 = "224.0.0.251"
  case ipv6 = "ff02::fb"

  static let port: UInt16 = 5353

  /// The address family, for a person.
  var family: String { self == .ipv4 ? "IPv4" : "IPv6" }

  /// Binds a socket to the group's address and port, as bump's own multicast DNS does. Other programs can share the
  /// port if they allow that, and may have it on another address anyway.
  ///
  /// - Parameter interface: the index of the interface, which an IPv6 group needs.
  func bind(
    on interface: UInt32, _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) async throws -> any Channel {
    var bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelInitializer(initializer)
    if self == .ipv6 {
      bootstrap = bootstrap.channelOption(
        ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1)
    }
    let zone = self == .ipv6 ? "%\(interface)" : ""
    return try await bootstrap.bind(to: SocketAddress(ipAddress: rawValue + zone, port: Int(Self.port))).get()
  }
}
