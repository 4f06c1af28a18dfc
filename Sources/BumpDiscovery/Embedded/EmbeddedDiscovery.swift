import CAvahi
public import NIOCore

/// Discovery by a multicast DNS stack within this process: it needs no daemon, no D-Bus and no privilege.
///
/// The stack is Avahi's own, shares UDP port 5353 with any other on the host, and exists while a stream needs it. What
/// is announced is announced unprobed under host names that are drawn at random: the name of an advertisement must be
/// unique as it is. The machine's own name is not told.
public struct EmbeddedDiscovery: Discovery {
  public let backend = "embedded"
  private let source: StackSource<MDNSStack>
  private let interface: UInt32

  /// - Parameter interface: The index of the one network interface to use; 0 for all of them.
  public init(interface: UInt32 = 0) {
    self.init(interface: interface) { $0() }
  }

  init(interface: UInt32 = 0, within surroundings: @escaping StackSource<MDNSStack>.Surroundings) {
    source = StackSource(within: surroundings) { () throws(DiscoveryError) in try MDNSStack(interface: interface) }
    self.interface = interface
  }

  /// Throws `DiscoveryError.nameTaken` where the name is announced by this discovery already. That others have it is
  /// not asked; should one be found to probe for it (RFC 6762 §9), it is that one which takes another.
  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    // Only the latest name counts.
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard service.hasPossibleName else { return continuation.finish(throwing: DiscoveryError.badInstanceName) }
      // It is established anew when it has been withdrawn from an interface.
      var isKnown = false
      let conversation = continuation.conversation(on: source) { (_: Void) -> String? in
        defer { isKnown = true }
        return isKnown ? nil : service.name
      }
      continuation.onTermination = { _ in conversation.cancel() }
      conversation.publish(service, interface: AvahiIfIndex(chosen: interface))
    }
  }

  /// Instances whose names are not UTF-8 are passed over. A reader who lags by 4096 events misses the oldest ones.
  public func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Flood.events)) { continuation in
      var sightings = Sightings()
      let conversation = continuation.conversation(on: source) { sightings.news($0) }
      continuation.onTermination = { _ in conversation.cancel() }
      conversation.browse(type, interface: AvahiIfIndex(chosen: interface))
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

  public func settle() async {
    await withCheckedContinuation { continuation in source.perform { continuation.resume() } }
  }

  /// The interface to ask on for what was seen on another.
  private func chosen(_ seen: UInt32) -> AvahiIfIndex { AvahiIfIndex(chosen: interface == 0 ? seen : interface) }
}
