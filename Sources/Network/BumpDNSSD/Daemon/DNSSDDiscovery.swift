public import BumpDiscovery
import BumpMDNS
import CAvahi
import Glibc
public import NIOCore
import Synchronization

/// Discovery by the host's avahi-daemon.
///
/// It browses through dns_sd.h, and resolves and registers through Avahi's own client library. `MulticastDNS` announces
/// registered services beside the daemon, which delays its own announcements by up to 250 ms.
///
/// `reconfirm` does nothing: avahi-daemon 0.8 lists an instance until its records expire, and its dns_sd.h does not
/// support DNSServiceReconfirmRecord.
public struct DNSSDDiscovery: Discovery {
  /// The name of the backend.
  public let backend = "daemon"
  private let interface: UInt32
  private let source = StackSource { () throws(DiscoveryError) in try DaemonClient() }
  /// Announces services beside the daemon.
  private let stack: MulticastDNS

  /// Makes a discovery.
  ///
  /// - Parameter interface: the index of a single network interface; 0 for all.
  public init(interface: UInt32 = 0) {
    self.init(interface: interface) { $0() }
  }

  /// - Parameters:
  ///   - handOver: how long services are announced beside the daemon.
  ///   - socketContext: runs the code that makes sockets, in the daemon's network.
  init(
    interface: UInt32 = 0, handOver: Duration = Timing.handOver,
    within socketContext: @escaping MulticastDNS.SocketContext
  ) {
    _ = libraryIsReady
    self.interface = interface
    stack = MulticastDNS(interface: interface, within: socketContext, handOver: handOver)
  }

  /// Returns the index of a network interface; `nil` if there is none with that name.
  public static func interfaceIndex(_ name: String) -> UInt32? {
    let index = if_nametoindex(name)
    return index == 0 ? nil : index
  }

  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    // A slow reader needs only the latest name.
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard service.hasPossibleName else { return continuation.finish(throwing: DiscoveryError.badInstanceName) }
      // The daemon establishes a service again, under the same name, when its host gets another name or address.
      let known = Mutex<String?>(nil)
      let news: @Sendable (String) -> String? = { name in
        known.withLock { known in
          defer { known = name }
          return name == known ? nil : name
        }
      }
      let probed = ServiceRef(continuation.receiver(news: news))
      let earlyAnnouncement = service.pointers.map { stack.prepareEarlyAnnouncement($0) }
      let unprobed = StackConversation(on: source) { (reply: Result<RegistrationState, DiscoveryError>) in
        switch reply {
        case .success(.established):
          earlyAnnouncement?.begin()
          if let name = news(service.name) { continuation.yield(name) }
        case .success(.refused):
          earlyAnnouncement?.withdraw()
          probed.register(service, interface: interface)
        case .failure(let error):
          earlyAnnouncement?.withdraw()
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        let withdraw: @Sendable () -> Void = {
          unprobed.cancel()
          probed.cancel()
        }
        if let earlyAnnouncement { earlyAnnouncement.end(withdraw) } else { withdraw() }
      }
      unprobed.publish(service, interface: AvahiIfIndex(chosen: interface))
    }
  }

  /// Skips instances whose names are not UTF-8. A reader that falls behind by more than 4096 events loses the oldest
  /// ones.
  public func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(FloodLimits.events)) { continuation in
      var presence = InstancePresence()
      // A forged pointer of a subtype may name an instance of any type.
      let browser = ServiceRef(
        continuation.receiver { $0.instance.isOf(type) ? presence.news($0) : nil })
      // Connects for the lookups of found instances.
      let connection = StackConversation<DaemonClient, Never>(on: source) { _ in }
      continuation.onTermination = { _ in
        browser.cancel()
        connection.cancel()
      }
      browser.browse(type, subtype, interface: interface)
      connection.keep()
    }
  }

  /// Throws `DiscoveryError.failed` after 5 s without an answer: Avahi's time-out.
  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    try await source.resolve(instance, interface: chosen(instance.interface))
  }

  /// Yields up to 32 addresses of each family.
  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    source.addresses(of: service, interface: chosen(service.interface))
  }

  /// Waits for the goodbyes of announcements beside the daemon. The daemon withdraws its own.
  public func settle() async { await stack.settle() }

  /// Returns the interface for the lookups of an instance found on `seen`.
  private func chosen(_ seen: UInt32) -> AvahiIfIndex { AvahiIfIndex(chosen: interface == 0 ? seen : interface) }
}

extension BrowseEvent {
  fileprivate var instance: ServiceInstance {
    switch self {
    case .found(let instance), .lost(let instance): instance
    }
  }
}

extension ServiceInstance {
  /// Returns whether the daemon reports this instance as one of a type. Names are compared without regard to case (RFC
  /// 6762 §16).
  fileprivate func isOf(_ type: ServiceType) -> Bool {
    let name = self.type.lowercased()
    return (name.hasSuffix(".") ? String(name.dropLast()) : name) == type.description
  }
}
