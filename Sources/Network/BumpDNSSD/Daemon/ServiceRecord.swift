import BumpDiscovery
import BumpMDNS

/// One of the records of a service (RFC 6763 §4 to §7.1, §9).
struct ServiceRecord: Hashable {
  var name: Name
  var type: UInt16
  /// In seconds (RFC 6762 §10): two minutes for records with a host name, 75 minutes for others.
  var timeToLive: UInt32
  var data: [UInt8]

  fileprivate static let pointerTimeToLive: UInt32 = 4500

  enum Name: Hashable {
    /// `_services._dns-sd._udp.local`, which lists the types.
    case types
    /// `_irl-bump._tcp.local`, which lists the instances.
    case type
    /// `_c27._sub._irl-bump._tcp.local`, which lists the instances of the subtype.
    case subtype(ServiceSubtype)
    /// The instance's own name, which is unique.
    case instance
  }

  /// - Parameters:
  ///   - host: the labels of the host name.
  /// - Returns: `nil` if a name is not valid (RFC 1035 §3.1).
  static func all(of service: Advertisement, on host: [String]) -> [ServiceRecord]? {
    let type = service.type.description.split(separator: ".").map(String.init) + ["local"]
    guard
      let typeName = RecordData.name(type), let instance = RecordData.name([service.name] + type),
      let srv = RecordData.srv(port: service.port, target: host)
    else { return nil }
    let (ptr, txt, srvType): (UInt16, UInt16, UInt16) = (12, 16, 33)
    let pointers = ([.type] + service.subtypes.map(Name.subtype)).map {
      ServiceRecord(name: $0, type: ptr, timeToLive: pointerTimeToLive, data: instance)
    }
    return [ServiceRecord(name: .types, type: ptr, timeToLive: pointerTimeToLive, data: typeName)] + pointers + [
      ServiceRecord(name: .instance, type: srvType, timeToLive: 120, data: srv),
      ServiceRecord(name: .instance, type: txt, timeToLive: 4500, data: service.txt.bytes),
    ]
  }
}

extension Advertisement {
  /// The PTR records that list the service by its type and its subtypes; `nil` if a name is too long.
  var pointers: [Record]? {
    guard let instance = DomainName("\(type).local")?.prefixed(name.utf8) else { return nil }
    let names = [type.description] + subtypes.map { type.browsed($0) }
    return names.compactMap { DomainName("\($0).local") }
      .map { Record($0, .ptr(instance), timeToLive: ServiceRecord.pointerTimeToLive) }
  }
}
