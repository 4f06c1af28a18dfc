/// A service that is published, on a host whose name nobody else has.
public struct Service: Hashable, Sendable {
  /// The first label of its name, 1 to 63 bytes (RFC 6763 §4.1.1).
  public var instance: String
  /// Such as `_irl-bump._tcp.local.`.
  public var type: DomainName
  public var port: UInt16
  /// The TXT record's strings as they travel; one empty string where there are none (RFC 6763 §6.1).
  public var txt: [UInt8]
  /// The host's name: `nil` for one that is drawn, so that the machine's own is not told.
  public var host: DomainName?

  public init(instance: String, type: DomainName, port: UInt16, txt: [UInt8], host: DomainName? = nil) {
    (self.instance, self.type, self.port) = (instance, type, port)
    self.txt = txt.isEmpty ? [0] : txt
    self.host = host
  }

  /// The longest, in seconds, that a publisher which was killed stays listed. RFC 6762 §10 has 75 minutes where no host is
  /// named, as a recommendation.
  public static let timeToLive: UInt32 = 120
}

/// Stands for a service that is published.
public struct ServiceID: Hashable, Sendable {
  let value: UInt64
}

/// A record that this host answers for.
struct OwnRecord: Hashable {
  var record: Record
  /// Whether nobody else has records of its name and type (RFC 6762 §2).
  var isUnique: Bool
  var owner: ServiceID
}

/// A service with all its names.
struct Publication {
  let id: ServiceID
  /// The one interface that it is published on; 0 for all.
  let interface: UInt32
  let name: DomainName
  let type: DomainName
  let host: DomainName
  let port: UInt16
  let txt: [UInt8]

  /// Which lists the types that there are (RFC 6763 §9).
  static let types = DomainName("_services._dns-sd._udp.local")

  /// - Returns: `nil` where a name is too long.
  init?(_ service: Service, id: ServiceID, interface: UInt32, host: DomainName) {
    guard let name = service.type.prefixed(service.instance.utf8) else { return nil }
    (self.id, self.name, self.host, type) = (id, name, host, service.type)
    (port, txt, self.interface) = (service.port, service.txt, interface)
  }

  func concerns(_ index: UInt32) -> Bool { interface == 0 || interface == index }

  /// A host's name of sixteen random hex digits.
  static func randomHost(using random: inout some RandomNumberGenerator) -> DomainName? {
    let digits = String(random.next(), radix: 16)
    return DomainName("bump-\(String(repeating: "0", count: 16 - digits.count))\(digits).local")
  }

  /// Its records (RFC 6763 §4 to §6, §9), on an interface with these addresses.
  func records(_ addresses: [LocalAddress]) -> [OwnRecord] {
    let shared = [Self.types.map { ($0, RecordData.ptr(type)) }, (type, .ptr(name))].compactMap { $0 }
    let unique: [(DomainName, RecordData)] =
      [(name, .srv(priority: 0, weight: 0, port: port, target: host)), (name, .txt(txt))]
      + addresses.map { (host, $0.family == .ipv4 ? .a($0.bytes) : .aaaa($0.bytes)) }
    return shared.map { own($0, isUnique: false) } + unique.map { own($0, isUnique: true) }
  }

  private func own(_ record: (DomainName, RecordData), isUnique: Bool) -> OwnRecord {
    OwnRecord(
      record: Record(record.0, record.1, timeToLive: Service.timeToLive, flushesCache: isUnique), isUnique: isUnique,
      owner: id)
  }
}
