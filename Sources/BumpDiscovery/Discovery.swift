public import NIOCore

/// Announces services to the hosts nearby and finds theirs: DNS-based Service Discovery (RFC 6763).
///
/// Each stream runs until the task that iterates it ends or is cancelled; then what it held
/// (an advertisement, a query) is withdrawn. A stream that throws has ended for good.
public protocol Discovery: Sendable {
  /// What does the work, in one word for a person: `daemon`, `embedded`, `memory`.
  var backend: String { get }

  /// Announces a service. Yields the name it is known by once it can be found, and again should it change.
  ///
  /// - Throws: `DiscoveryError.nameTaken` where another service on this host has the name,
  ///   `DiscoveryError.unavailable` where nothing can be announced (any more).
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error>

  /// Tells which instances of a type come and go. One instance is told of once per interface.
  ///
  /// - Throws: `DiscoveryError.unavailable` where nothing can be found (any more).
  func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error>

  /// Asks for the host, port and TXT record of an instance. It may never answer: set a deadline.
  ///
  /// - Throws: `DiscoveryError.failed` where the backend gives up first, `DiscoveryError.unavailable` where nothing
  ///   can be asked (any more), `CancellationError` where the task is cancelled.
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService

  /// The addresses of a resolved service with its port set, in the order in which they become known, each once.
  /// It does not end by itself, as another address may always come: set a deadline.
  ///
  /// - Throws: `DiscoveryError.unavailable` where nothing can be asked (any more).
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error>

  /// Says that a service does not answer where its instance was resolved to. A backend that can asks the network again,
  /// and loses an instance that nobody speaks for within ten seconds (RFC 6762 §10.4).
  func reconfirm(_ instance: ServiceInstance)

  /// Returns once what streams held that have ended is withdrawn. To be called before the process exits.
  func settle() async
}

extension Discovery {
  /// Nothing can be done where the cache is somebody else's.
  public func reconfirm(_ instance: ServiceInstance) {}

  /// Nothing is to be done where somebody outside this process sees to it.
  public func settle() async {}
}

/// What a host says of a service it offers.
public struct Advertisement: Sendable, Hashable {
  /// The instance name: 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1).
  public var name: String
  public var type: ServiceType
  /// The TCP port.
  public var port: UInt16
  public var txt: TXTRecord

  public init(name: String, type: ServiceType, port: UInt16, txt: TXTRecord) {
    self.name = name
    self.type = type
    self.port = port
    self.txt = txt
  }
}

/// One service as one network interface shows it. Two interfaces may show the same service.
public struct ServiceInstance: Sendable, Hashable {
  /// The instance name as it came: a stranger chose it.
  public var name: String
  public var type: String
  public var domain: String
  /// The index of the network interface it was seen on.
  public var interface: UInt32

  public init(name: String, type: String, domain: String = "local.", interface: UInt32) {
    self.name = name
    self.type = type
    self.domain = domain
    self.interface = interface
  }
}

public enum BrowseEvent: Sendable, Hashable {
  case found(ServiceInstance)
  case lost(ServiceInstance)
}

/// Where a service is, and what its TXT record says. All of it is a stranger's word.
public struct ResolvedService: Sendable, Hashable {
  /// The target host's name, such as `alice.local.`.
  public var host: String
  public var port: UInt16
  public var txt: TXTRecord
  public var interface: UInt32
  /// One of its addresses with the port set, where the answer had one with it.
  public var address: SocketAddress?

  public init(host: String, port: UInt16, txt: TXTRecord, interface: UInt32, address: SocketAddress? = nil) {
    self.host = host
    self.port = port
    self.txt = txt
    self.interface = interface
    self.address = address
  }
}
