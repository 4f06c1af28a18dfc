/// Identifies an active operation.
public struct OperationID: Hashable, Sendable {
  let value: UInt64
}

/// A question to the network, on one interface or, with 0, on all.
public enum Operation: Hashable, Sendable {
  /// Finds the instances of a type such as `_irl-bump._tcp.local.`, or of a subtype such as
  /// `_c27._sub._irl-bump._tcp.local.`. A quiet operation costs other hosts little, but
  /// finds the instances that were there before only after a second or two.
  case browse(DomainName, interface: UInt32, isQuiet: Bool = false)
  /// Finds the host, port and TXT record of an instance. Ends with its first answer.
  case resolve(DomainName, interface: UInt32)
  /// Finds the addresses of a host.
  case addresses(DomainName, interface: UInt32)
  /// Tells when another host or process asks for the instances of a type or subtype. Asks nothing itself.
  case overhear(DomainName, interface: UInt32)

  var interface: UInt32 {
    switch self {
    case .browse(_, let interface, _), .resolve(_, let interface), .addresses(_, let interface),
      .overhear(_, let interface):
      interface
    }
  }

  var isQuiet: Bool { if case .browse(_, _, let isQuiet) = self { isQuiet } else { false } }

  /// The first questions of the operation.
  var keys: [RecordKey] {
    switch self {
    case .browse(let type, _, _): [RecordKey(name: type, type: .ptr)]
    case .resolve(let instance, _):
      [RecordKey(name: instance, type: .srv), RecordKey(name: instance, type: .txt)]
    case .addresses(let host, _): [RecordKey(name: host, type: .a), RecordKey(name: host, type: .aaaa)]
    case .overhear: []
    }
  }
}

/// The host, port and TXT record of an instance. Anyone on the link can forge them.
public struct Resolution: Hashable, Sendable {
  /// The name of the host.
  public var host: DomainName
  /// The port on the host.
  public var port: UInt16
  /// The encoded TXT record.
  public var txt: [UInt8]
  /// The index of the interface on which the answer was received.
  public var interface: UInt32
  /// The known addresses of the host, 4 or 16 bytes each.
  public var addresses: [[UInt8]]
}

/// An event for the owner of an operation or a service.
public enum Event: Hashable, Sendable {
  /// An instance was found.
  case found(OperationID, instance: DomainName, interface: UInt32)
  /// An instance sent a goodbye, or its records expired.
  case lost(OperationID, instance: DomainName, interface: UInt32)
  /// An instance was resolved. The operation has ended.
  case resolved(OperationID, Resolution)
  /// An address of a host was found, 4 or 16 bytes.
  case address(OperationID, [UInt8], interface: UInt32)
  /// Another host or process asked for what an operation overhears.
  case asked(OperationID)
  /// Another host has one of the service's names (RFC 6762 §9). The service is withdrawn; publish it under another
  /// name.
  case conflict(ServiceID)
  /// The responder of a service that is announced early announces it from now on.
  case handedOver(ServiceID)
}
