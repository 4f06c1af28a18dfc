extension Message {
  /// The encoded message, with compressed names.
  public var bytes: [UInt8] {
    var writer = MessageWriter(id: id, isResponse: isResponse)
    for question in questions { _ = writer.add(question, limit: .max) }
    for answer in answers { _ = writer.add(answer, to: .answers, limit: .max) }
    for authority in authorities { _ = writer.add(authority, to: .authorities, limit: .max) }
    for additional in additionals { _ = writer.add(additional, to: .additionals, limit: .max) }
    writer.isTruncated = isTruncated
    return writer.finished
  }
}

/// Writes a packet: add questions and records in the order of their sections, as long as they fit.
struct MessageWriter {
  enum Section: Int { case questions, answers, authorities, additionals }

  private(set) var bytes: [UInt8]
  private var counts: [UInt16] = [0, 0, 0, 0]
  /// The offsets of names and their suffixes, in lower case (RFC 1035 §4.1.4).
  private var places: [ArraySlice<UInt8>: UInt16] = [:]
  /// Whether SRV data may be compressed: legacy resolvers do not support it (RFC 6762 §18.14).
  private let compressesSRV: Bool
  var isTruncated = false

  /// - Parameter isLegacy: whether the message answers a legacy question.
  init(id: UInt16 = 0, isResponse: Bool, isLegacy: Bool = false) {
    // Responses are authoritative (§18.4).
    let flags = isResponse ? Message.Flags.response | Message.Flags.authoritative : 0
    bytes =
      [UInt8(id >> 8), UInt8(id & 0xFF), UInt8(flags >> 8), UInt8(flags & 0xFF)] + [UInt8](repeating: 0, count: 8)
    compressesSRV = !isLegacy
  }

  func count(_ section: Section) -> Int { Int(counts[section.rawValue]) }
  var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// The packet, with its header complete.
  var finished: [UInt8] {
    var packet = bytes
    if isTruncated { packet[2] |= UInt8(Message.Flags.truncated >> 8) }
    for (index, count) in counts.enumerated() {
      packet[4 + 2 * index] = UInt8(count >> 8)
      packet[5 + 2 * index] = UInt8(count & 0xFF)
    }
    return packet
  }

  /// Adds a question; returns `false` if it does not fit into `limit` bytes.
  mutating func add(_ question: Question, limit: Int) -> Bool {
    attempt(.questions, limit: limit) { writer in
      writer.append(question.name)
      writer.append(question.type.rawValue)
      writer.append(Message.Class.internet | (question.wantsUnicast ? Message.Class.topBit : 0))
    }
  }

  /// Adds a record; returns `false` if it does not fit into `limit` bytes.
  mutating func add(_ record: Record, to section: Section, limit: Int) -> Bool {
    attempt(section, limit: limit) { writer in
      writer.append(record.name)
      writer.append(record.data.type.rawValue)
      writer.append(Message.Class.internet | (record.flushesCache ? Message.Class.topBit : 0))
      writer.append(UInt16(record.timeToLive >> 16))
      writer.append(UInt16(record.timeToLive & 0xFFFF))
      let lengthPlace = writer.bytes.count
      writer.append(0)
      writer.append(record.data)
      let length = UInt16(clamping: writer.bytes.count - lengthPlace - 2)
      writer.bytes[lengthPlace] = UInt8(length >> 8)
      writer.bytes[lengthPlace + 1] = UInt8(length & 0xFF)
    }
  }

  private mutating func attempt(_ section: Section, limit: Int, _ body: (inout MessageWriter) -> Void) -> Bool {
    let length = bytes.count
    guard counts[section.rawValue] < .max else { return false }
    body(&self)
    guard bytes.count <= limit else {
      bytes.removeSubrange(length...)
      places = places.filter { $0.value < length }
      return false
    }
    counts[section.rawValue] += 1
    return true
  }

  // MARK: Parts

  private mutating func append(_ value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(value & 0xFF))
  }

  private mutating func append(_ name: DomainName, compressed: Bool = true) {
    var start = 0
    while name.wire[start] != 0 {
      let suffix = name.folded[start...]
      if compressed, let place = places[suffix] { return append(0xC000 | place) }
      if places[suffix] == nil, bytes.count < 0x4000 { places[suffix] = UInt16(bytes.count) }
      let end = start + 1 + Int(name.wire[start])
      bytes += name.wire[start..<end]
      start = end
    }
    bytes.append(0)
  }

  private mutating func append(_ data: RecordData) {
    switch data {
    case .a(let address), .aaaa(let address): bytes += address
    case .ptr(let name), .cname(let name): append(name)
    case .srv(let priority, let weight, let port, let target):
      append(priority)
      append(weight)
      append(port)
      append(target, compressed: compressesSRV)
    case .txt(let strings): bytes += strings
    case .nsec(let next, let types):
      append(next)
      append(types)
    case .opaque(_, let data): bytes += data
    }
  }

  /// Appends a bitmap of one window (RFC 4034 §4.1.2, RFC 6762 §6.1).
  private mutating func append(_ types: [RecordType]) {
    var bitmap: [UInt8] = []
    for case let type in types.map({ Int($0.rawValue) }) where type < 256 {
      while bitmap.count <= type / 8 { bitmap.append(0) }
      bitmap[type / 8] |= 0x80 >> UInt8(type % 8)
    }
    if !bitmap.isEmpty { bytes += [0, UInt8(bitmap.count)] + bitmap }
  }
}
