import Glibc
import NIOCore
import NIOPosix

/// One of the two groups of multicast DNS (RFC 6762 §3).
enum MulticastGroup: String, Sendable, CaseIterable {
  case ipv4 = "224.0.0.251"
  case ipv6 = "ff02::fb"

  static let port: UInt16 = 5353

  /// A socket on the port, shared with whoever shares it.
  func bind(_ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) async throws -> any Channel {
    var bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
      .channelInitializer(initializer)
    if self == .ipv6 {
      // Without it the socket is one for IPv4 too.
      bootstrap = bootstrap.channelOption(
        ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 1)
    }
    return try await bootstrap.bind(host: self == .ipv4 ? "0.0.0.0" : "::", port: Int(Self.port)).get()
  }
}
