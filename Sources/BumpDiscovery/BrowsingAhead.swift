import NIOCore
import Synchronization

extension Discovery {
  /// The same discovery, which begins to browse now: who browses for that type first takes over what was found meanwhile.
  ///
  /// To ask takes a while, in which other things can be made ready.
  public func browsingAhead(_ type: ServiceType) -> any Discovery { BrowsingAhead(self, type) }
}

private final class BrowsingAhead<Base: Discovery>: Discovery {
  private let base: Base
  private let type: ServiceType
  private let begun: Mutex<AsyncThrowingStream<BrowseEvent, any Error>?>

  init(_ base: Base, _ type: ServiceType) {
    (self.base, self.type) = (base, type)
    begun = Mutex(base.browse(type))
  }

  var backend: String { base.backend }

  func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    (type == self.type ? begun.withLock { $0.take() } : nil) ?? base.browse(type)
  }

  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { base.advertise(service) }
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { try await base.resolve(instance) }
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    base.addresses(of: service)
  }
  func reconfirm(_ instance: ServiceInstance) { base.reconfirm(instance) }
  func settle() async { await base.settle() }
}
