/// Why a packet is dropped.
public enum MessageError: Error {
  /// The packet is longer than `Message.maximumLength`.
  case tooLong
  /// The packet ends within a field.
  case cutShort
  /// A compression pointer that does not lead backwards, or too many of them.
  case badPointer
  /// A label of an unknown kind, or a name longer than 255 bytes.
  case badName
  /// An opcode or response code other than zero: such messages must be ignored (RFC 6762 §18.3, §18.11).
  case notForUs
}

extension Message {
  /// Reads a packet.
  ///
  /// The packet's length bounds the work and memory, whatever its counts claim. Skips records and questions of classes
  /// other than IN, and types above 255 in an NSEC record.
  ///
  /// Skips a damaged record too: one whose name cannot be read, or whose data is not valid for its type. Its RDLENGTH
  /// (RFC 1035 §4.1.3) says where the next record begins. If the packet ends before RDLENGTH or before the last record,
  /// nothing in it is used, since nobody knows where the damage began.
  ///
  /// - Throws: `MessageError` if the packet must be dropped.
  public init(_ bytes: [UInt8]) throws(MessageError) {
    guard bytes.count <= Self.maximumLength else { throw .tooLong }
    var reader = MessageReader(bytes: bytes)
    id = try reader.uint16()
    let flags = try reader.uint16()
    guard flags & (Flags.opcode | Flags.responseCode) == 0 else { throw .notForUs }
    isResponse = flags & Flags.response != 0
    isTruncated = flags & Flags.truncated != 0
    let counts = (try reader.uint16(), try reader.uint16(), try reader.uint16(), try reader.uint16())
    for _ in 0..<counts.0 { if let question = try reader.question() { questions.append(question) } }
    answers = try reader.records(counts.1)
    authorities = try reader.records(counts.2)
    additionals = try reader.records(counts.3)
  }
}

/// A reader of a packet, with its position.
private struct MessageReader {
  let bytes: [UInt8]
  var position = 0
  /// The rest of a name from each place that a pointer has led to, and how many more pointers it contains.
  private var tails: [Int: (wire: [UInt8], pointers: Int)] = [:]

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func uint8() throws(MessageError) -> UInt8 {
    guard position < bytes.count else { throw .cutShort }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func uint16() throws(MessageError) -> UInt16 {
    let high = try uint8()
    return UInt16(high) << 8 | UInt16(try uint8())
  }

  mutating func uint32() throws(MessageError) -> UInt32 {
    let high = try uint16()
    return UInt32(high) << 16 | UInt32(try uint16())
  }

  mutating func take(_ count: Int) throws(MessageError) -> [UInt8] {
    guard count >= 0, count <= bytes.count - position else { throw .cutShort }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a name with compression pointers (RFC 1035 §4.1.4).
  ///
  /// Every pointer must lead to before the part that contains it, so there are no loops. At most 32 pointers are
  /// followed. What a pointer leads to is read once: one long name and a thousand pointers to it would cost much.
  mutating func name() throws(MessageError) -> DomainName {
    var wire: [UInt8] = []
    var place = position
    var start = position
    var end: Int?
    var pointers = 0
    var targets: [(place: Int, length: Int, pointers: Int)] = []
    reading: while true {
      guard place < bytes.count else { throw .cutShort }
      let length = Int(bytes[place])
      switch length & 0xC0 {
      case 0x00:
        guard length < bytes.count - place else { throw .cutShort }
        wire += bytes[place...place + length]
        guard wire.count <= DomainName.maximumLength else { throw .badName }
        place += length + 1
        if length == 0 { break reading }
      case 0xC0:
        guard place + 1 < bytes.count else { throw .cutShort }
        let target = (length & 0x3F) << 8 | Int(bytes[place + 1])
        pointers += 1
        guard target < start, pointers <= 32 else { throw .badPointer }
        end = end ?? place + 2
        if let tail = tails[target] {
          pointers += tail.pointers
          guard pointers <= 32 else { throw .badPointer }
          wire += tail.wire
          guard wire.count <= DomainName.maximumLength else { throw .badName }
          break reading
        }
        targets.append((target, wire.count, pointers))
        (place, start) = (target, target)
      default: throw .badName
      }
    }
    for target in targets { tails[target.place] = (Array(wire[target.length...]), pointers - target.pointers) }
    position = end ?? place
    return DomainName(validWire: wire)
  }

  mutating func question() throws(MessageError) -> Question? {
    let (name, type, qclass) = (try name(), try uint16(), try uint16())
    guard [Message.Class.internet, Message.Class.any].contains(qclass & ~Message.Class.topBit) else { return nil }
    return Question(name, RecordType(rawValue: type), wantsUnicast: qclass & Message.Class.topBit != 0)
  }

  mutating func records(_ count: UInt16) throws(MessageError) -> [Record] {
    var records: [Record] = []
    for _ in 0..<count { if let record = try record() { records.append(record) } }
    return records
  }

  /// Reads a record. Returns `nil` for one of another class, and for a damaged one.
  ///
  /// - Throws: `MessageError` if the end of the record cannot be found.
  private mutating func record() throws(MessageError) -> Record? {
    let name = try ownerName()
    let (type, rclass, ttl) = (RecordType(rawValue: try uint16()), try uint16(), try uint32())
    let length = Int(try uint16())
    guard length <= bytes.count - position else { throw .cutShort }
    let end = position + length
    defer { position = end }
    guard let name, rclass & ~Message.Class.topBit == Message.Class.internet,
      let data = try? data(of: type, length), position == end
    else { return nil }
    // A time to live with the top bit set counts as zero (RFC 2181 §8).
    return Record(
      name, data, timeToLive: ttl > UInt32(Int32.max) ? 0 : ttl, flushesCache: rclass & Message.Class.topBit != 0)
  }

  /// Reads a record's name. Returns `nil` if its pointers are bad, or if it is too long.
  ///
  /// - Throws: `MessageError` if the end of the name cannot be found.
  private mutating func ownerName() throws(MessageError) -> DomainName? {
    let start = position
    if let name = try? name() { return name }
    position = start
    try skipName()
    return nil
  }

  /// Moves behind a name, which ends with an empty label or a pointer, wherever that leads (RFC 1035 §4.1.4).
  private mutating func skipName() throws(MessageError) {
    while true {
      let length = try uint8()
      switch length & 0xC0 {
      case 0x00:
        if length == 0 { return }
        _ = try take(Int(length))
      case 0xC0:
        _ = try uint8()
        return
      default: throw .badName
      }
    }
  }

  /// Reads the data of a record; `nil` if its length is not that of its type. The caller checks where it ends.
  private mutating func data(of type: RecordType, _ length: Int) throws(MessageError) -> RecordData? {
    switch type {
    case .a: return length == 4 ? .a(try take(4)) : nil
    case .aaaa: return length == 16 ? .aaaa(try take(16)) : nil
    case .ptr: return .ptr(try name())
    case .cname: return .cname(try name())
    case .srv:
      return .srv(priority: try uint16(), weight: try uint16(), port: try uint16(), target: try name())
    case .txt: return .txt(try take(length))
    case .nsec:
      let end = position + length
      let next = try name()
      guard position <= end else { return nil }
      return .nsec(next: next, types: Self.types(inBitmap: try take(end - position)))
    default: return .opaque(type, try take(length))
    }
  }

  /// Returns the types in the first window of a bitmap (RFC 4034 §4.1.2), the only one that RFC 6762 §6.1 uses.
  private static func types(inBitmap bitmap: [UInt8]) -> [RecordType] {
    guard bitmap.count > 2, bitmap[0] == 0 else { return [] }
    return bitmap.dropFirst(2).prefix(min(Int(bitmap[1]), 32)).enumerated().flatMap { index, byte in
      (0..<8).compactMap { bit in
        byte & (0x80 >> UInt8(bit)) == 0 ? nil : RecordType(rawValue: UInt16(index * 8 + bit))
      }
    }
  }
}
