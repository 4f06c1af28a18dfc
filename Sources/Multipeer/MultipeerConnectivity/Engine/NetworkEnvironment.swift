import BumpDNSSD
package import BumpDiscovery
package import BumpMultipeer
package import NIOCore
import NIOPosix
import Synchronization

/// The real environment: TCP, this host's networks and discovery, and the system's clock.
package final class NetworkEnvironment: PeerEnvironment {
  private let started = ContinuousClock.now
  private let group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
  private let finding = Mutex<Task<any Discovery, Never>?>(nil)

  package init() {}

  package var now: Moment { started.duration(to: .now) }
  package var networks: LocalNetworks { .current() }

  /// This host's discovery, made at the first call.
  package var discovery: any Discovery {
    get async {
      let task = finding.withLock { finding in
        let task = finding ?? Task { await automaticDiscovery() }
        finding = task
        return task
      }
      return await task.value
    }
  }

  package func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    group.next().later(due - now, body)
  }

  package func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16 {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let connection = LinkConnection()
        return channel.pipeline.addHandler(connection).map { accepted(connection) }
      }
    // A kernel without IPv6 can bind only the second address.
    let channel =
      try (try? bootstrap.bind(host: "::", port: 0).wait()) ?? bootstrap.bind(host: "0.0.0.0", port: 0).wait()
    return UInt16(channel.localAddress?.port ?? 0)
  }

  package func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void) {
    connect(to: call.address).whenComplete { then(try? $0.get()) }
  }

  func connect(to address: SocketAddress) -> EventLoopFuture<LinkConnection> {
    let connection = LinkConnection()
    return ClientBootstrap(group: group)
      .connectTimeout(.seconds(5))
      .channelInitializer { $0.pipeline.addHandler(connection) }
      .connect(to: address).map { _ in connection }
  }
}

extension Scheduled: Scheduling where T == Void {}

extension EventLoop {
  /// Runs a closure after a delay.
  func later(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    scheduleTask(in: .nanoseconds(Int64(max(.zero, delay) / .nanoseconds(1))), body)
  }
}
