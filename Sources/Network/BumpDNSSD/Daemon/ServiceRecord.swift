import BumpDiscovery
import BumpMDNS

/// One of the records of a service (RFC 6763 §4 to §6, §9).
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
    return [
      ServiceRecord(name: .types, type: ptr, timeToLive: pointerTimeToLive, data: typeName),
      ServiceRecord(name: .type, type: ptr, timeToLive: pointerTimeToLive, data: instance),
      ServiceRecord(name: .instance, type: srvType, timeToLive: 120, data: srv),
      ServiceRecord(name: .instance, type: txt, timeToLive: 4500, data: service.txt.bytes),
    ]
  }
}

extension Advertisement {
  /// The PTR record that lists the service by its type; `nil` if a name is too long.
  var pointer: Record? {
    guard let type = DomainName("\(type).local"), let instance = type.prefixed(name.utf8) else { return nil }
    return Record(type, .ptr(instance), timeToLive: ServiceRecord.pointerTimeToLive)
  }
}
