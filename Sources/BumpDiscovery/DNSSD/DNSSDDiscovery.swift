import Glibc
public import NIOCore

/// Discovery by the host's avahi-daemon, through dns_sd.h.
public struct DNSSDDiscovery: Discovery {
  public let backend = "daemon"
  private let interface: UInt32

  /// - Parameter interface: The index of the one network interface to use; 0 for all of them.
  public init(interface: UInt32 = 0) {
    _ = libraryIsReady
    self.interface = interface
  }

  /// The index of the network interface of that name, where there is one.
  public static func interfaceIndex(_ name: String) -> UInt32? {
    let index = if_nametoindex(name)
    return index == 0 ? nil : index
  }

  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    // Only the latest name counts.
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard service.hasPossibleName else { return continuation.finish(throwing: DiscoveryError.badInstanceName) }
      // The daemon establishes a service anew, under the same name, when the name of its host changes.
      var known: String?
      let receive = continuation.receiver { (name: String) -> String? in
        defer { known = name }
        return name == known ? nil : name
      }
      let probed = ServiceRef(receive)
      let unprobed = UnprobedRegistration(service, interface: interface) { reply in
        switch reply {
        case .success: continuation.yield(service.name)
        case .failure(.refused): probed.register(service, interface: interface)
        case .failure(.discovery(let error)): continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        unprobed.cancel()
        probed.cancel()
      }
      unprobed.start()
    }
  }

  /// Instances whose names are not UTF-8 are passed over. A reader who lags by 4096 events misses the oldest ones.
  public func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Flood.events)) { continuation in
      var sightings = Sightings()
      let browser = ServiceRef(continuation.receiver { sightings.news($0) })
      continuation.onTermination = { _ in browser.cancel() }
      browser.browse(type, interface: interface)
    }
  }

  /// Throws `DiscoveryError.failed` after 5 s without an answer, which is Avahi's limit.
  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    let answers = AsyncThrowingStream<ResolvedService, any Error>(bufferingPolicy: .bufferingOldest(1)) {
      continuation in
      let query = ServiceRef(continuation.receiver { (service: ResolvedService) in service })
      continuation.onTermination = { _ in query.cancel() }
      query.resolve(instance, interface: chosen(instance.interface))
    }
    for try await service in answers { return service }
    throw CancellationError()
  }

  /// Yields up to 32 addresses of each family.
  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(2 * Flood.addresses)) { continuation in
      let queries = [AddressRecord.RecordType.a, .aaaa].map { type in
        var news = AddressNews(type, port: service.port)
        return (ServiceRef(continuation.receiver { news.address($0) }), type)
      }
      continuation.onTermination = { _ in for (query, _) in queries { query.cancel() } }
      for (query, type) in queries { query.query(type, of: service.host, interface: chosen(service.interface)) }
    }
  }

  /// The interface to ask on for what was seen on another.
  private func chosen(_ seen: UInt32) -> UInt32 { interface == 0 ? seen : interface }
}
