import BumpDiscovery
import BumpTesting
import NIOCore
import Synchronization

/// The discovery in memory, which keeps what it is asked about whom.
final class WatchedDiscovery: Discovery {
  private let base: InMemoryDiscovery
  private let asked = Mutex<(records: [String], addresses: [UInt16], browses: Int)>(([], [], 0))

  init(_ base: InMemoryDiscovery) { self.base = base }

  /// The instances whose records were asked for, in order.
  var recordsAsked: [String] { asked.withLock { $0.records } }
  /// The ports of the services whose addresses were asked for, in order.
  var addressesAsked: [UInt16] { asked.withLock { $0.addresses } }

  /// How often it was browsed in a hurry.
  var hurriedBrowses: Int { asked.withLock { $0.browses } }

  var backend: String { base.backend }
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { base.advertise(service) }

  func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    asked.withLock { $0.browses += 1 }
    return base.browse(type)
  }

  func browseQuietly(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> { base.browseQuietly(type) }

  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    asked.withLock { $0.records.append(instance.name) }
    return try await base.resolve(instance)
  }

  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    asked.withLock { $0.addresses.append(service.port) }
    return base.addresses(of: service)
  }
}
