import BumpMDNS
import CAvahi
import Glibc
public import NIOCore
import Synchronization

/// Discovery by the host's avahi-daemon: it is browsed through dns_sd.h, and asked and told through Avahi's own client
/// library. It has no call for `reconfirm`: avahi-daemon 0.8 lists what does not answer until its records end, and dns_sd.h
/// over it refuses DNSServiceReconfirmRecord. What is registered is announced beside it, since it takes its time to do so.
public struct DNSSDDiscovery: Discovery {
  public let backend = "daemon"
  private let interface: UInt32
  private let source = StackSource { () throws(DiscoveryError) in try DaemonClient() }
  /// Speaks beside the daemon.
  private let stack: MulticastDNS

  /// - Parameter interface: The index of the one network interface to use; 0 for all of them.
  public init(interface: UInt32 = 0) {
    self.init(interface: interface) { $0() }
  }

  /// - Parameter surroundings: those of the daemon.
  init(interface: UInt32 = 0, within surroundings: @escaping MulticastDNS.Surroundings) {
    _ = libraryIsReady
    self.interface = interface
    stack = MulticastDNS(interface: interface, within: surroundings)
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
      // The daemon establishes a service anew, under the same name, when its host has another name or address.
      let known = Mutex<String?>(nil)
      let news: @Sendable (String) -> String? = { name in
        known.withLock { known in
          defer { known = name }
          return name == known ? nil : name
        }
      }
      let probed = ServiceRef(continuation.receiver(news: news))
      let hastening = service.pointer.map { stack.prepareToHasten($0) }
      let unprobed = StackConversation(on: source) { (reply: Result<Establishment, DiscoveryError>) in
        switch reply {
        case .success(.established):
          hastening?.begin()
          if let name = news(service.name) { continuation.yield(name) }
        case .success(.refused):
          hastening?.withdraw()
          probed.register(service, interface: interface)
        case .failure(let error):
          hastening?.withdraw()
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        let withdraw: @Sendable () -> Void = {
          unprobed.cancel()
          probed.cancel()
        }
        if let hastening { hastening.end(withdraw) } else { withdraw() }
      }
      unprobed.publish(service, interface: AvahiIfIndex(chosen: interface))
    }
  }

  /// Instances whose names are not UTF-8 are passed over. A reader who lags by 4096 events misses the oldest ones.
  public func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Flood.events)) { continuation in
      var sightings = Sightings()
      let browser = ServiceRef(continuation.receiver { sightings.news($0) })
      // What is found will be asked about.
      let connection = StackConversation<DaemonClient, Never>(on: source) { _ in }
      continuation.onTermination = { _ in
        browser.cancel()
        connection.cancel()
      }
      browser.browse(type, interface: interface)
      connection.keep()
    }
  }

  /// Throws `DiscoveryError.failed` after 5 s without an answer, which is Avahi's limit.
  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    try await source.resolve(instance, interface: chosen(instance.interface))
  }

  /// Yields up to 32 addresses of each family.
  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    source.addresses(of: service, interface: chosen(service.interface))
  }

  /// What the daemon holds is withdrawn by it; what was said beside it by this.
  public func settle() async { await stack.settle() }

  /// The interface to ask on for what was seen on another.
  private func chosen(_ seen: UInt32) -> AvahiIfIndex { AvahiIfIndex(chosen: interface == 0 ? seen : interface) }
}
