/// The type of a resource record. Any number is allowed.
public struct RecordType: RawRepresentable, Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16
  /// Makes a type from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An IPv4 address (RFC 1035 §3.2.2).
  public static let a = RecordType(rawValue: 1)
  /// An alias (RFC 1035 §3.2.2).
  public static let cname = RecordType(rawValue: 5)
  /// A pointer to a name (RFC 1035 §3.2.2).
  public static let ptr = RecordType(rawValue: 12)
  /// Text strings (RFC 1035 §3.2.2).
  public static let txt = RecordType(rawValue: 16)
  /// An IPv6 address (RFC 3596 §2.1).
  public static let aaaa = RecordType(rawValue: 28)
  /// The host and port of a service (RFC 2782).
  public static let srv = RecordType(rawValue: 33)
  /// The types that a name has (RFC 4034 §4).
  public static let nsec = RecordType(rawValue: 47)
  /// Every type, in questions only (RFC 1035 §3.2.3).
  public static let any = RecordType(rawValue: 255)
}

/// The data of a resource record of class IN.
public enum RecordData: Hashable, Sendable {
  /// Four bytes.
  case a([UInt8])
  /// Sixteen bytes.
  case aaaa([UInt8])
  /// The name that is pointed to (RFC 1035 §3.3.12): for a service type, an instance (RFC 6763 §4.1).
  case ptr(DomainName)
  /// The port and host of a service (RFC 2782).
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: DomainName)
  /// The encoded strings, each a length byte and as many bytes.
  case txt([UInt8])
  /// The types below 256 that a name has, in order; multicast DNS uses no others (RFC 6762 §6.1).
  case nsec(next: DomainName, types: [RecordType])
  /// The canonical name (RFC 1035 §3.3.1). The engine does not follow it.
  case cname(DomainName)
  /// Data of any other type.
  case opaque(RecordType, [UInt8])

  /// The type of the data.
  public var type: RecordType {
    switch self {
    case .a: .a
    case .aaaa: .aaaa
    case .ptr: .ptr
    case .srv: .srv
    case .txt: .txt
    case .nsec: .nsec
    case .cname: .cname
    case .opaque(let type, _): type
    }
  }

  /// Hashes bytes in one piece: an array hashes them one by one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .a(let bytes), .aaaa(let bytes), .txt(let bytes), .opaque(_, let bytes):
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .ptr(let name), .cname(let name), .nsec(let name, _): hasher.combine(name)
    case .srv(_, _, let port, let target):
      hasher.combine(port)
      hasher.combine(target)
    }
  }

  /// About how many bytes of memory the data takes beyond its own size.
  var footprint: Int {
    switch self {
    case .a, .aaaa: 48
    case .ptr(let name), .cname(let name): 2 * name.wire.count + 64
    case .srv(_, _, _, let target): 2 * target.wire.count + 64
    case .txt(let bytes), .opaque(_, let bytes): bytes.count + 32
    case .nsec(let next, let types): 2 * next.wire.count + 2 * types.count + 96
    }
  }
}

/// A resource record of class IN (RFC 1035 §4.1.3).
public struct Record: Hashable, Sendable {
  /// The owner name.
  public var name: DomainName
  /// The type and data.
  public var data: RecordData
  /// The time to live, in seconds; 0 in a goodbye.
  public var timeToLive: UInt32
  /// Whether the record replaces all others of its name and type: the cache-flush bit (RFC 6762 §10.2).
  public var flushesCache: Bool

  /// Makes a record.
  public init(_ name: DomainName, _ data: RecordData, timeToLive: UInt32, flushesCache: Bool = false) {
    (self.name, self.data, self.timeToLive, self.flushesCache) = (name, data, timeToLive, flushesCache)
  }

  /// The record's set.
  public var key: RecordKey { RecordKey(name: name, type: data.type) }

  /// Returns whether both records have the same name and data, whatever their times to live.
  func isSame(as other: Record) -> Bool { data == other.data && name == other.name }

  func with(timeToLive: UInt32, flushesCache: Bool? = nil) -> Record {
    Record(name, data, timeToLive: timeToLive, flushesCache: flushesCache ?? self.flushesCache)
  }
}

/// A record set of class IN: the name and type that its records share.
public struct RecordKey: Hashable, Sendable {
  /// The owner name.
  public var name: DomainName
  /// The type.
  public var type: RecordType

  /// Makes a key.
  public init(name: DomainName, type: RecordType) { (self.name, self.type) = (name, type) }
}

/// A question (RFC 1035 §4.1.2) of class IN or ANY.
public struct Question: Hashable, Sendable {
  /// The name that is asked for.
  public var name: DomainName
  /// The type that is asked for.
  public var type: RecordType
  /// Whether the asker accepts a unicast answer: the QU bit (RFC 6762 §5.4).
  public var wantsUnicast: Bool

  /// Makes a question.
  public init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
    (self.name, self.type, self.wantsUnicast) = (name, type, wantsUnicast)
  }

  init(_ key: RecordKey, wantsUnicast: Bool = false) { self.init(key.name, key.type, wantsUnicast: wantsUnicast) }

  /// The record set that the question asks for.
  public var key: RecordKey { RecordKey(name: name, type: type) }
}
