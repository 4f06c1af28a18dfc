/// Stands for something that is asked for until it is cancelled.
public struct OperationID: Hashable, Sendable {
  let value: UInt64
}

/// What can be asked for, on one network interface or, with 0, on all.
public enum Operation: Hashable, Sendable {
  /// The instances of a type such as `_irl-bump._tcp.local.`.
  case browse(DomainName, interface: UInt32)
  /// Where an instance is: ends with its first answer.
  case resolve(DomainName, interface: UInt32)
  /// The addresses of a host.
  case addresses(DomainName, interface: UInt32)

  var interface: UInt32 {
    switch self {
    case .browse(_, let interface), .resolve(_, let interface), .addresses(_, let interface): interface
    }
  }

  /// What is asked at first.
  var keys: [RecordKey] {
    switch self {
    case .browse(let type, _): [RecordKey(name: type, type: .ptr)]
    case .resolve(let instance, _):
      [RecordKey(name: instance, type: .srv), RecordKey(name: instance, type: .txt)]
    case .addresses(let host, _): [RecordKey(name: host, type: .a), RecordKey(name: host, type: .aaaa)]
    }
  }
}

/// Where an instance is, and what its TXT record says: a stranger's word.
public struct Resolution: Hashable, Sendable {
  public var host: DomainName
  public var port: UInt16
  /// As it travels.
  public var txt: [UInt8]
  /// By which network interface it came.
  public var interface: UInt32
  /// The host's addresses that came with it, 4 or 16 bytes each.
  public var addresses: [[UInt8]]
}

/// What an engine has to tell.
public enum Event: Hashable, Sendable {
  case found(OperationID, instance: DomainName, interface: UInt32)
  case lost(OperationID, instance: DomainName, interface: UInt32)
  case resolved(OperationID, Resolution)
  case address(OperationID, [UInt8], interface: UInt32)
  /// Somebody else has one of the service's names (RFC 6762 §9). It is withdrawn, and its owner is to draw another.
  case conflict(ServiceID)
  /// Nothing more is said here of a service that was hastened.
  case handedOver(ServiceID)
}
