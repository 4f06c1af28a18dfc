import NIOCore
import Synchronization

extension Discovery {
  /// Returns this discovery, and starts to browse for a type at once. The first call of `browse` for the same type and
  /// subtype returns the stream that was started, with the instances that were found meanwhile.
  ///
  /// avahi-daemon waits 10 ms before it sends the first query of a browse. A program can open its store meanwhile.
  public func browsingAhead(_ type: ServiceType, subtype: ServiceSubtype? = nil) -> any Discovery {
    BrowsingAhead(self, type, subtype)
  }
}

private final class BrowsingAhead<Base: Discovery>: Discovery {
  private let base: Base
  private let type: ServiceType
  private let subtype: ServiceSubtype?
  private let begun: Mutex<AsyncThrowingStream<BrowseEvent, any Error>?>

  init(_ base: Base, _ type: ServiceType, _ subtype: ServiceSubtype?) {
    (self.base, self.type, self.subtype) = (base, type, subtype)
    begun = Mutex(base.browse(type, subtype: subtype))
  }

  var backend: String { base.backend }

  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    ((type, subtype) == (self.type, self.subtype) ? begun.withLock { $0.take() } : nil)
      ?? base.browse(type, subtype: subtype)
  }

  func browseQuietly(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    base.browseQuietly(type, subtype: subtype)
  }
  func questions(for type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<Void, any Error> {
    base.questions(for: type, subtype: subtype)
  }
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { base.advertise(service) }
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { try await base.resolve(instance) }
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    base.addresses(of: service)
  }
  func reconfirm(_ instance: ServiceInstance) { base.reconfirm(instance) }
  func settle() async { await base.settle() }
}
