/// The type of a resource record, by its number. Any number may come.
public struct RecordType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// RFC 1035 §3.2.2.
  public static let a = RecordType(rawValue: 1)
  public static let cname = RecordType(rawValue: 5)
  public static let ptr = RecordType(rawValue: 12)
  public static let txt = RecordType(rawValue: 16)
  /// RFC 3596 §2.1.
  public static let aaaa = RecordType(rawValue: 28)
  /// RFC 2782.
  public static let srv = RecordType(rawValue: 33)
  /// RFC 4034 §4.
  public static let nsec = RecordType(rawValue: 47)
  /// In questions alone: every type (RFC 1035 §3.2.3).
  public static let any = RecordType(rawValue: 255)
}

/// The data of a resource record of class IN.
public enum RecordData: Hashable, Sendable {
  /// Four bytes.
  case a([UInt8])
  /// Sixteen bytes.
  case aaaa([UInt8])
  case ptr(DomainName)
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: DomainName)
  /// Strings of a length byte and as many bytes each, as they travel.
  case txt([UInt8])
  /// The types below 256 that a name has, in order; others do not matter here (RFC 6762 §6.1).
  case nsec(next: DomainName, types: [RecordType])
  case cname(DomainName)
  /// Data of a type that nothing is known of.
  case opaque(RecordType, [UInt8])

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

  /// About how many bytes of memory it holds beyond its own size.
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
  public var name: DomainName
  public var data: RecordData
  /// In seconds.
  public var timeToLive: UInt32
  /// Whether all other records of the name and type are void: the cache-flush bit (RFC 6762 §10.2).
  public var flushesCache: Bool

  public init(_ name: DomainName, _ data: RecordData, timeToLive: UInt32, flushesCache: Bool = false) {
    (self.name, self.data, self.timeToLive, self.flushesCache) = (name, data, timeToLive, flushesCache)
  }

  public var key: RecordKey { RecordKey(name: name, type: data.type) }

  /// Whether it says the same, for however long.
  func isSame(as other: Record) -> Bool { data == other.data && name == other.name }

  func with(timeToLive: UInt32, flushesCache: Bool? = nil) -> Record {
    Record(name, data, timeToLive: timeToLive, flushesCache: flushesCache ?? self.flushesCache)
  }
}

/// What all records of one set have in common, beside class IN.
public struct RecordKey: Hashable, Sendable {
  public var name: DomainName
  public var type: RecordType

  public init(name: DomainName, type: RecordType) { (self.name, self.type) = (name, type) }
}

/// A question (RFC 1035 §4.1.2) of class IN or ANY.
public struct Question: Hashable, Sendable {
  public var name: DomainName
  public var type: RecordType
  /// Whether the answer may come by unicast: QU (RFC 6762 §5.4).
  public var wantsUnicast: Bool

  public init(_ name: DomainName, _ type: RecordType, wantsUnicast: Bool = false) {
    (self.name, self.type, self.wantsUnicast) = (name, type, wantsUnicast)
  }

  init(_ key: RecordKey, wantsUnicast: Bool = false) { self.init(key.name, key.type, wantsUnicast: wantsUnicast) }

  public var key: RecordKey { RecordKey(name: name, type: type) }
}
