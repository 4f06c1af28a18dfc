/// A property list in the binary format, version 0: `bplist00`, the objects, a table of their offsets, and 32 bytes at
/// the end.
///
/// Several places may refer to one object, so a few bytes could stand for endless values. Each value that is read is
/// counted, and circular references end at the greatest depth.
enum BinaryPlist {
  /// The greatest number of values in a document. A value counts as often as it is referred to.
  static let limit = 100_000

  static func read(_ bytes: [UInt8]) throws(Malformed) -> Plist {
    var reader = try BinaryPlistReader(bytes)
    return try reader.document()
  }
}

private struct BinaryPlistReader {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var values = 0

  init(_ bytes: [UInt8]) throws(Malformed) {
    guard bytes.starts(with: "bplist00".utf8) else { throw Malformed("a binary property list of another version") }
    guard bytes.count >= 40 else { throw Malformed("the binary property list breaks off") }
    self.bytes = bytes
    let trailer = bytes.count - 32
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.integer(bytes[(trailer + 8)..<(trailer + 16)]),
      let top = Self.integer(bytes[(trailer + 16)..<(trailer + 24)]),
      let table = Self.integer(bytes[(trailer + 24)..<(trailer + 32)]),
      count <= bytes.count, top < count, table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
    else { throw Malformed("the end of the binary property list is not valid") }
    (self.count, self.top, self.table) = (count, top, table)
  }

  mutating func document() throws(Malformed) -> Plist { try object(top, at: 0) }

  /// Returns a number in big-endian order; `nil` if it does not fit an `Int`.
  private static func integer(_ bytes: some Collection<UInt8>) -> Int? {
    let significant = bytes.drop { $0 == 0 }
    guard significant.count <= 8 else { return nil }
    return Int(exactly: significant.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Returns bytes of an object. They must be before the table.
  private func slice(_ start: Int, _ length: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard start >= 8, start <= table, length >= 0, length <= table - start else {
      throw Malformed("an object reaches beyond its place")
    }
    return bytes[start..<start + length]
  }

  private func reference(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Int {
    guard let number = Self.integer(bytes), number < count else { throw Malformed("an object that is not there") }
    return number
  }

  private mutating func object(_ number: Int, at level: Int) throws(Malformed) -> Plist {
    guard level <= Plist.depth else { throw Malformed("it is nested more than \(Plist.depth) deep") }
    values += 1
    guard values <= BinaryPlist.limit else { throw Malformed("it has more than \(BinaryPlist.limit) values") }
    let entry = table + number * offsetSize
    guard let start = Self.integer(bytes[entry..<entry + offsetSize]) else { throw Malformed("an invalid offset") }
    guard let marker = try slice(start, 1).first else { throw Malformed("an object that is not there") }
    return Plist(value: try value(marker, at: start + 1, level), line: nil)
  }

  private mutating func value(_ marker: UInt8, at start: Int, _ level: Int) throws(Malformed) -> Plist.Value {
    switch (marker >> 4, marker & 0xF) {
    case (0, 8): return .bool(false)
    case (0, 9): return .bool(true)
    case (1, 0...4): return try integer(start, 1 << Int(marker & 0xF))
    case (2, 2...3), (3, 3):
      _ = try slice(start, 1 << Int(marker & 0xF))
      return .other
    case (4, _):
      let (place, length) = try length(marker, start)
      _ = try slice(place, length)
      return .other
    case (5, _):
      let (place, length) = try length(marker, start)
      let text = try slice(place, length)
      guard text.allSatisfy({ $0 < 0x80 }) else { throw Malformed("a string that is not ASCII") }
      return .string(String(decoding: text, as: UTF8.self))
    case (6, _):
      let (place, length) = try length(marker, start)
      return .string(try text(place, length))
    case (10, _):
      let (place, length) = try length(marker, start)
      var elements: [Plist] = []
      for number in try references(place, length) { elements.append(try object(number, at: level + 1)) }
      return .array(elements)
    case (13, _):
      let (place, length) = try length(marker, start)
      return .dictionary(try members(place, length, level))
    default: throw Malformed("an object of a kind that is not known")
    }
  }

  /// Returns the length of an object, and where its content begins. A length of 15 or more follows the marker.
  private func length(_ marker: UInt8, _ start: Int) throws(Malformed) -> (place: Int, length: Int) {
    guard marker & 0xF == 0xF else { return (start, Int(marker & 0xF)) }
    guard let size = try slice(start, 1).first, size >> 4 == 1, size & 0xF <= 3 else {
      throw Malformed("an invalid length")
    }
    let digits = try slice(start + 1, 1 << Int(size & 0xF))
    guard let length = Self.integer(digits) else { throw Malformed("an invalid length") }
    return (digits.endIndex, length)
  }

  /// Reads an integer: unsigned if it has 1, 2 or 4 bytes, signed if it has 8. One of 16 bytes is larger than any value
  /// that is checked here.
  private func integer(_ start: Int, _ size: Int) throws(Malformed) -> Plist.Value {
    let digits = try slice(start, size)
    guard size <= 8 else { return .other }
    return .integer(Int64(bitPattern: digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
  }

  private func text(_ start: Int, _ length: Int) throws(Malformed) -> String {
    guard length <= bytes.count / 2 else { throw Malformed("an object reaches beyond its place") }
    let bytes = try slice(start, 2 * length)
    let units = (0..<length).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
    guard let text = String(validating: units, as: UTF16.self) else { throw Malformed("a string that is not UTF-16") }
    return text
  }

  private func references(_ start: Int, _ length: Int) throws(Malformed) -> [Int] {
    guard length <= bytes.count / referenceSize else { throw Malformed("an object reaches beyond its place") }
    let bytes = try slice(start, length * referenceSize)
    var numbers: [Int] = []
    for index in 0..<length {
      let place = start + index * referenceSize
      numbers.append(try reference(bytes[place..<place + referenceSize]))
    }
    return numbers
  }

  private mutating func members(_ start: Int, _ length: Int, _ level: Int) throws(Malformed) -> [Plist.Member] {
    guard length <= bytes.count / 2 else { throw Malformed("an object reaches beyond its place") }
    let numbers = try references(start, 2 * length)
    var members: [Plist.Member] = []
    var keys: Set<String> = []
    for (key, value) in zip(numbers.prefix(length), numbers.suffix(length)) {
      guard let key = try object(key, at: level + 1).string else { throw Malformed("a key that is not a string") }
      guard keys.insert(key).inserted else { throw Malformed("the key \(key) occurs twice") }
      members.append(Plist.Member(key: key, line: nil, value: try object(value, at: level + 1)))
    }
    return members
  }
}
