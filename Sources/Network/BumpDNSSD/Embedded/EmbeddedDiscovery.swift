public import BumpDiscovery
import BumpMDNS
public import NIOCore
import Synchronization

/// Discovery by a multicast DNS stack within this process, without a daemon, D-Bus or privileges.
///
/// The stack shares UDP port 5353 with other processes on the host, and has sockets only while a stream needs them. It
/// does not probe for names: the name of an advertisement must be unique. Host names are random; the machine's own name
/// is not sent.
public struct EmbeddedDiscovery: Discovery {
  /// The name of the backend.
  public let backend = "embedded"
  private let stack: MulticastDNS
  private let interface: UInt32

  /// Makes a discovery.
  ///
  /// - Parameters:
  ///   - interface: the index of a single network interface; 0 for all.
  ///   - onRefusal: called once per address family: another program holds the port of this family, so that machines are
  ///     found by the other family alone. The error says so, with what to try.
  ///   - onReturn: called with a message when such a family can be used again.
  public init(
    interface: UInt32 = 0, onRefusal: @escaping @Sendable (DiscoveryError) -> Void = { _ in },
    onReturn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(interface: interface, within: { $0() }, onRefusal: onRefusal, onReturn: onReturn)
  }

  init(
    interface: UInt32 = 0, within socketContext: @escaping MulticastDNS.SocketContext,
    onRefusal: @escaping @Sendable (DiscoveryError) -> Void = { _ in },
    onReturn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    stack = MulticastDNS(
      interface: interface, within: socketContext, onRefusal: { onRefusal(DiscoveryError($0)) }, onReturn: onReturn)
    self.interface = interface
  }

  /// Throws `DiscoveryError.nameTaken` if this discovery announces the name already. It does not probe for other hosts
  /// with the name; a host that probes for it later has to choose another (RFC 6762 §9).
  public func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    // A slow reader needs only the latest name.
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard service.hasPossibleName, let type = DomainName("\(service.type).local") else {
        return continuation.finish(throwing: DiscoveryError.badInstanceName)
      }
      let own = Service(
        instance: service.name, type: type, subtypes: service.subtypes.map(\.description), port: service.port,
        txt: service.txt.bytes)
      let conversation = stack.publish(own, continuation.embeddedReceiver { (_: Void) in service.name })
      continuation.onTermination = { _ in conversation.cancel() }
    }
  }

  /// Skips instances whose names are not UTF-8. A reader that falls behind by more than 4096 events loses the oldest
  /// ones.
  public func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    browse(type.browsed(subtype), isQuiet: false)
  }

  /// Sends the first query once a second has passed in which no other host has sent it, and only from port 5353.
  public func browseQuietly(
    _ type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<BrowseEvent, any Error> {
    browse(type.browsed(subtype), isQuiet: true)
  }

  private func browse(_ name: String, isQuiet: Bool) -> AsyncThrowingStream<BrowseEvent, any Error> {
    let operation = DomainName("\(name).local").map { Operation.browse($0, interface: interface, isQuiet: isQuiet) }
    return ask(operation, .bufferingNewest(FloodLimits.events)) { event in
      switch event {
      case .found(_, let name, let interface): ServiceInstance(name, interface).map { .found($0) }
      case .lost(_, let name, let interface): ServiceInstance(name, interface).map { .lost($0) }
      default: nil
      }
    }
  }

  /// Of questions that come faster than they are read, only one is kept.
  public func questions(
    for type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<Void, any Error> {
    let name = DomainName("\(type.browsed(subtype)).local")
    return ask(name.map { .overhear($0, interface: interface) }, .bufferingNewest(1)) { event in
      if case .asked = event { () } else { nil }
    }
  }

  public func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
    let operation = instance.domainName.map { Operation.resolve($0, interface: chosen(instance.interface)) }
    let answers = ask(operation, .bufferingOldest(1)) { event in
      if case .resolved(_, let resolution) = event { ResolvedService(resolution) } else { nil }
    }
    for try await service in answers { return service }
    throw CancellationError()
  }

  /// Yields up to 32 addresses of each family.
  public func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    let operation = DomainName(service.host).map { Operation.addresses($0, interface: chosen(service.interface)) }
    let news = Mutex((a: NewAddresses(.a, service), aaaa: NewAddresses(.aaaa, service)))
    return ask(operation, .bufferingOldest(2 * FloodLimits.addresses), first: service.address) { event in
      guard case .address(_, let bytes, let interface) = event else { return nil }
      let record = AddressRecord(bytes: bytes, interface: interface)
      return news.withLock { bytes.count == 4 ? $0.a.address(record) : $0.aaaa.address(record) }
    }
  }

  public func reconfirm(_ instance: ServiceInstance) {
    guard let name = instance.domainName else { return }
    stack.reconfirm(name, interface: chosen(instance.interface))
  }

  public func settle() async { await stack.settle() }

  /// Returns the interface for the lookups of an instance found on `seen`.
  private func chosen(_ seen: UInt32) -> UInt32 { interface == 0 ? seen : interface }

  /// Returns a stream of the elements that `news` returns for an operation's events.
  ///
  /// - Parameters:
  ///   - operation: the operation; `nil` if the name is not valid.
  ///   - first: an element that is known already.
  private func ask<Element: Sendable>(
    _ operation: Operation?, _ policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy,
    first: Element? = nil, news: @escaping @Sendable (Event) -> Element?
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(bufferingPolicy: policy) { continuation in
      guard let operation else { return continuation.finish(throwing: DiscoveryError.badInstanceName) }
      if let first { continuation.yield(first) }
      let conversation = stack.ask(operation, continuation.embeddedReceiver(news: news))
      continuation.onTermination = { _ in conversation.cancel() }
    }
  }
}

// MARK: Values

extension ServiceInstance {
  fileprivate var domainName: DomainName? { DomainName(type + domain)?.prefixed(name.utf8) }

  fileprivate init?(_ name: DomainName, _ interface: UInt32) {
    guard
      let instance = name.firstLabel,
      let type = name.parent?.description, let domain = name.parent?.parent?.parent?.description
    else { return nil }
    self.init(name: instance, type: String(type.dropLast(domain.count)), domain: domain, interface: interface)
  }
}

extension ResolvedService {
  fileprivate init(_ resolution: Resolution) {
    let addresses = resolution.addresses.compactMap { bytes in
      AddressRecord(bytes: bytes, interface: resolution.interface)
        .address(bytes.count == 4 ? .a : .aaaa, port: resolution.port)
    }
    self.init(
      host: resolution.host.description, port: resolution.port, txt: TXTRecord(bytes: resolution.txt),
      interface: resolution.interface, address: addresses.first)
  }
}

extension NewAddresses {
  fileprivate init(_ type: AddressRecord.RecordType, _ service: ResolvedService) {
    self.init(type, port: service.port, known: service.address)
  }
}

extension DiscoveryError {
  fileprivate init(_ error: MulticastDNSError) {
    let code: Code =
      switch error.code {
      case .unavailable: .unavailable
      case .nameTaken: .nameTaken
      default: .failed
      }
    self.init(code, error.reason, remedy: error.remedy, underlying: error)
  }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// Returns a receiver that yields the element that `news` returns for each reply, and finishes the stream with a
  /// failure.
  fileprivate func embeddedReceiver<Reply>(
    news: @escaping @Sendable (Reply) -> Element?
  ) -> MulticastDNS.Receiver<Reply> {
    { reply in
      switch reply {
      case .success(let reply): if let element = news(reply) { yield(element) }
      case .failure(let error): finish(throwing: DiscoveryError(error))
      }
    }
  }
}
