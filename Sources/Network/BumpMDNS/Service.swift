/// A service to publish. Its host name must be unique.
public struct Service: Hashable, Sendable {
  /// The instance name, 1 to 63 bytes (RFC 6763 §4.1.1).
  public var instance: String
  /// The service type, such as `_irl-bump._tcp.local.`.
  public var type: DomainName
  /// The labels of the subtypes by which the service is listed too, such as `_c27` (RFC 6763 §7.1).
  public var subtypes: [String]
  /// The port on this host.
  public var port: UInt16
  /// The encoded strings of the TXT record; one empty string if there are none (RFC 6763 §6.1).
  public var txt: [UInt8]
  /// The host name; `nil` for a random one, which keeps the machine's own name private.
  public var host: DomainName?

  /// Makes a service.
  public init(
    instance: String, type: DomainName, subtypes: [String] = [], port: UInt16, txt: [UInt8], host: DomainName? = nil
  ) {
    (self.instance, self.type, self.subtypes, self.port) = (instance, type, subtypes, port)
    self.txt = txt.isEmpty ? [0] : txt
    self.host = host
  }

  /// The time to live of all records, in seconds: how long a service stays listed after its process was killed. RFC
  /// 6762 §10 recommends 75 minutes for records without a host name.
  public static let timeToLive: UInt32 = 120
}

/// Identifies a published service.
public struct ServiceID: Hashable, Sendable {
  let value: UInt64
}

/// A record for which this host is the responder.
struct LocalRecord: Hashable {
  var record: Record
  /// Whether no other host has records of its name and type (RFC 6762 §2).
  var isUnique: Bool
  var owner: ServiceID
}

/// A published service and its names.
struct PublishedService {
  let id: ServiceID
  /// The index of the interface on which the service is published; 0 for all.
  let interface: UInt32
  let name: DomainName
  let type: DomainName
  /// The names that list the service by its subtypes.
  let subtypes: [DomainName]
  let host: DomainName
  let port: UInt16
  let txt: [UInt8]

  /// The name that lists all types (RFC 6763 §9).
  static let types = DomainName("_services._dns-sd._udp.local")

  /// - Returns: `nil` if a name is too long.
  init?(_ service: Service, id: ServiceID, interface: UInt32, host: DomainName) {
    guard let name = service.type.prefixed(service.instance.utf8) else { return nil }
    let subtypes = service.subtypes.compactMap { service.type.subtype($0.utf8) }
    guard subtypes.count == service.subtypes.count else { return nil }
    (self.id, self.name, self.host, type, self.subtypes) = (id, name, host, service.type, subtypes)
    (port, txt, self.interface) = (service.port, service.txt, interface)
  }

  func concerns(_ index: UInt32) -> Bool { interface == 0 || interface == index }

  /// Returns a host name of sixteen random hex digits.
  static func randomHost(using random: inout some RandomNumberGenerator) -> DomainName? {
    let digits = String(random.next(), radix: 16)
    return DomainName("bump-\(String(repeating: "0", count: 16 - digits.count))\(digits).local")
  }

  /// Returns the service's records (RFC 6763 §4 to §7.1, §9) on an interface with these addresses.
  func records(_ addresses: [LocalAddress]) -> [LocalRecord] {
    let listing = ([type] + subtypes).map { ($0, RecordData.ptr(name)) }
    let shared = (Self.types.map { [($0, RecordData.ptr(type))] } ?? []) + listing
    let unique: [(DomainName, RecordData)] =
      [(name, .srv(priority: 0, weight: 0, port: port, target: host)), (name, .txt(txt))]
      + addresses.map { (host, $0.family == .ipv4 ? .a($0.bytes) : .aaaa($0.bytes)) }
    return shared.map { own($0, isUnique: false) } + unique.map { own($0, isUnique: true) }
  }

  private func own(_ record: (DomainName, RecordData), isUnique: Bool) -> LocalRecord {
    LocalRecord(
      record: Record(record.0, record.1, timeToLive: Service.timeToLive, flushesCache: isUnique), isUnique: isUnique,
      owner: id)
  }
}
