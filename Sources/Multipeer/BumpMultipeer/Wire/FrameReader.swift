/// Reads the fields of a frame, in order. Each method throws if the field is not complete or not valid.
struct FrameReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  static let malformed = MultipeerError(.frame, "a frame that is not one of the protocol's")

  mutating func bytes(_ count: Int) throws(MultipeerError) -> [UInt8] {
    guard rest.count >= count else { throw Self.malformed }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns all bytes that are left.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(MultipeerError) -> Value {
    try bytes(Value.bitWidth / 8).reduce(0) { $0 << 8 | Value($1) }
  }

  /// Reads a byte that must be 0 or 1.
  mutating func flag() throws(MultipeerError) -> Bool {
    let byte: UInt8 = try integer()
    guard byte <= 1 else { throw Self.malformed }
    return byte == 1
  }

  mutating func value<Value: RawRepresentable<UInt8>>(_: Value.Type = Value.self) throws(MultipeerError) -> Value {
    guard let value = Value(rawValue: try integer()) else { throw Self.malformed }
    return value
  }

  mutating func id() throws(MultipeerError) -> PeerID {
    guard let id = PeerID(try bytes(PeerID.length)) else { throw Self.malformed }
    return id
  }

  /// Reads a name: its length in one byte, then 1 to 63 bytes of UTF-8.
  mutating func name() throws(MultipeerError) -> String {
    let length: UInt8 = try integer()
    guard
      (1...MultipeerLimits.name).contains(Int(length)),
      let name = String(validating: try bytes(Int(length)), as: UTF8.self)
    else { throw Self.malformed }
    return name
  }

  mutating func peer() throws(MultipeerError) -> Peer {
    guard let peer = Peer(id: try id(), name: try name()) else { throw Self.malformed }
    return peer
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Throws if bytes are left.
  func end() throws(MultipeerError) {
    guard rest.isEmpty else { throw Self.malformed }
  }
}

/// Writes the fields that `FrameReader` reads.
extension [UInt8] {
  mutating func append(integer value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  mutating func append(name: String) {
    append(UInt8(name.utf8.count))
    append(contentsOf: name.utf8)
  }

  mutating func append(_ peer: Peer) {
    append(contentsOf: peer.id.bytes)
    append(name: peer.name)
  }
}
