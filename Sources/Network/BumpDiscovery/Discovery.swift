public import NIOCore

/// Announces services to hosts nearby and finds theirs by DNS-based Service Discovery (RFC 6763).
///
/// A stream runs until the task that iterates it ends or is cancelled; then its advertisement is withdrawn or its query
/// ended. A stream that has thrown has ended.
public protocol Discovery: Sendable {
  /// The name of the backend, for a person: `daemon`, `embedded`, `memory`, `simulated`.
  var backend: String { get }

  /// Announces a service. Yields its instance name once it can be found, and again if the name changes.
  ///
  /// - Throws: `DiscoveryError.nameTaken` if another service has the name, `DiscoveryError.failed` if the name is not
  ///   1 to 63 bytes without control characters, `DiscoveryError.unavailable` if the backend does not answer or has
  ///   gone away.
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error>

  /// Yields the instances of a type as they appear and disappear, each once per interface.
  ///
  /// - Parameter subtype: the subtype whose instances alone are found (RFC 6763 §7.1); `nil` for all of the type.
  /// - Throws: `DiscoveryError.unavailable` if the backend does not answer or has gone away.
  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error>

  /// Does the same as `browse`, for a caller that can wait for a few seconds. The backend may send fewer queries, which
  /// costs other hosts less.
  func browseQuietly(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error>

  /// Yields each time that another process asks the network for the instances of a subtype: it browses them, too. A
  /// backend that does not hear questions, such as a daemon, returns a stream that ends at once.
  ///
  /// - Throws: `DiscoveryError.unavailable` if the backend does not answer or has gone away.
  func questions(for type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<Void, any Error>

  /// Resolves an instance: returns its host, port and TXT record. It may never answer: set a deadline.
  ///
  /// - Throws: `DiscoveryError.failed` if the backend times out, `DiscoveryError.unavailable` if it does not answer or
  ///   has gone away, `CancellationError` if the task is cancelled.
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService

  /// Yields the addresses of a resolved service with its port, in the order in which they are found, each once. The
  /// stream does not end by itself: set a deadline.
  ///
  /// - Throws: `DiscoveryError.unavailable` if the backend does not answer or has gone away.
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error>

  /// Reports that an instance does not answer at its resolved address. The backend queries the network again, and
  /// yields `lost` for the instance unless its responder answers within ten seconds (RFC 6762 §10.4).
  func reconfirm(_ instance: ServiceInstance)

  /// Waits until the advertisements of ended streams are withdrawn. Call it before the process exits.
  func settle() async
}

extension Discovery {
  /// Yields all instances of a type.
  public func browse(_ type: ServiceType) -> AsyncThrowingStream<BrowseEvent, any Error> { browse(type, subtype: nil) }

  /// Returns `browse(type, subtype: subtype)`: for backends that have no quieter way.
  public func browseQuietly(
    _ type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<BrowseEvent, any Error> { browse(type, subtype: subtype) }

  /// Returns a stream that ends at once: for backends that do not hear questions.
  public func questions(
    for type: ServiceType, subtype: ServiceSubtype?
  ) -> AsyncThrowingStream<Void, any Error> { AsyncThrowingStream { $0.finish() } }

  /// Does nothing: for backends that cannot reconfirm.
  public func reconfirm(_ instance: ServiceInstance) {}

  /// Returns at once: for backends whose advertisements are withdrawn without this process.
  public func settle() async {}
}

/// A service to announce.
public struct Advertisement: Sendable, Hashable {
  /// The instance name: 1 to 63 bytes of UTF-8 (RFC 6763 §4.1.1).
  public var name: String
  /// The service type.
  public var type: ServiceType
  /// The subtypes by which the service can be browsed too (RFC 6763 §7.1).
  public var subtypes: [ServiceSubtype]
  /// The TCP port.
  public var port: UInt16
  /// The TXT record.
  public var txt: TXTRecord

  /// Makes an advertisement.
  public init(
    name: String, type: ServiceType, subtypes: [ServiceSubtype] = [], port: UInt16, txt: TXTRecord
  ) {
    self.name = name
    self.type = type
    self.subtypes = subtypes
    self.port = port
    self.txt = txt
  }
}

/// An instance found on one network interface. The same service may be found on several.
public struct ServiceInstance: Sendable, Hashable {
  /// The instance name as received: anyone can choose it.
  public var name: String
  /// The service type, such as `_irl-bump._tcp`.
  public var type: String
  /// The domain, `local.` with multicast DNS.
  public var domain: String
  /// The index of the network interface.
  public var interface: UInt32

  /// Makes an instance.
  public init(name: String, type: String, domain: String = "local.", interface: UInt32) {
    self.name = name
    self.type = type
    self.domain = domain
    self.interface = interface
  }
}

/// A change of the instances on the network.
public enum BrowseEvent: Sendable, Hashable {
  /// An instance appeared.
  case found(ServiceInstance)
  /// An instance disappeared.
  case lost(ServiceInstance)
}

/// The host, port and TXT record of an instance. Anyone on the network can forge them.
public struct ResolvedService: Sendable, Hashable {
  /// The target host's name, such as `alice.local.`.
  public var host: String
  /// The TCP port.
  public var port: UInt16
  /// The TXT record.
  public var txt: TXTRecord
  /// The index of the network interface on which the answer was received.
  public var interface: UInt32
  /// One of the host's addresses with the port, if the answer contained one.
  public var address: SocketAddress?

  /// Makes a resolved service.
  public init(host: String, port: UInt16, txt: TXTRecord, interface: UInt32, address: SocketAddress? = nil) {
    self.host = host
    self.port = port
    self.txt = txt
    self.interface = interface
    self.address = address
  }
}
