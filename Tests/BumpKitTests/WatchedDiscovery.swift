import BumpDiscovery
import BumpTesting
import NIOCore
import Synchronization

/// The discovery in memory, which keeps what it is asked about whom.
final class WatchedDiscovery: Discovery {
  private let base: InMemoryDiscovery
  private let asked = Mutex<(records: [String], addresses: [UInt16], browses: [Browse])>(([], [], []))
  private let listening = Mutex<[(subtype: ServiceSubtype?, tell: AsyncThrowingStream<Void, any Error>.Continuation)]>(
    [])

  /// What was browsed: a subtype, or `nil` for the type.
  struct Browse: Hashable, Sendable {
    let subtype: ServiceSubtype?
    let isQuiet: Bool
  }

  init(_ base: InMemoryDiscovery) { self.base = base }

  /// The instances whose records were asked for, in order.
  var recordsAsked: [String] { asked.withLock { $0.records } }
  /// The ports of the services whose addresses were asked for, in order.
  var addressesAsked: [UInt16] { asked.withLock { $0.addresses } }

  /// What was browsed, in order.
  var browses: [Browse] { asked.withLock { $0.browses } }

  /// The subtypes whose questions were listened to, in order.
  var questions: [ServiceSubtype?] { listening.withLock { $0.map(\.subtype) } }

  /// Asks for a subtype, as another process.
  func ask(_ subtype: ServiceSubtype) {
    listening.withLock { for listener in $0 where listener.subtype == subtype { listener.tell.yield() } }
  }

  var backend: String { base.backend }
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { base.advertise(service) }

  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    asked.withLock { $0.browses.append(Browse(subtype: subtype, isQuiet: false)) }
    return base.browse(type, subtype: subtype)
  }

  func browseQuietly(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    asked.withLock { $0.browses.append(Browse(subtype: subtype, isQuiet: true)) }
    return base.browseQuietly(type, subtype: subtype)
  }

  func questions(
    for type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<Void, any Error> {
    AsyncThrowingStream { tell in listening.withLock { $0.append((subtype, tell)) } }
  }

  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    asked.withLock { $0.records.append(instance.name) }
    return try await base.resolve(instance)
  }

  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    asked.withLock { $0.addresses.append(service.port) }
    return base.addresses(of: service)
  }
}
