/// A domain name, a list of labels of bytes (RFC 1035 §3.1), usually UTF-8 (RFC 6762 §16).
///
/// Comparison ignores the case of ASCII letters (§16); the original case is kept.
public struct DomainName: Hashable, Sendable, CustomStringConvertible {
  /// The encoded name without compression, with the root's empty label.
  let wire: [UInt8]
  /// `wire` in lower case. Its length bytes are at most 63, so none of them is a letter.
  let folded: [UInt8]

  /// The most bytes of a name, with its length bytes (RFC 1035 §2.3.4).
  public static let maximumLength = 255

  /// Makes a name from labels; `nil` if a label is empty or longer than 63 bytes, or the name longer than 255.
  public init?(labels: [[UInt8]]) {
    var wire: [UInt8] = []
    for label in labels {
      guard (1...63).contains(label.count) else { return nil }
      wire.append(UInt8(label.count))
      wire += label
    }
    wire.append(0)
    guard wire.count <= Self.maximumLength else { return nil }
    self.init(validWire: wire)
  }

  /// Reads text such as `alice._irl-bump._tcp.local.`. A backslash escapes the next character, or begins three decimal
  /// digits that are the value of a byte (RFC 1035 §5.1). `nil` if the text is not a name.
  public init?(_ text: String) {
    var labels: [[UInt8]] = [[]]
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): labels.append([])
      case UInt8(ascii: "\\"):
        let digits = rest.prefix(3).compactMap { (48...57).contains($0) ? Int($0) - 48 : nil }
        if digits.count == 3 {
          guard let escaped = UInt8(exactly: digits[0] * 100 + digits[1] * 10 + digits[2]) else { return nil }
          labels[labels.count - 1].append(escaped)
          rest = rest.dropFirst(3)
        } else {
          guard let next = rest.popFirst() else { return nil }
          labels[labels.count - 1].append(next)
        }
      default: labels[labels.count - 1].append(byte)
      }
    }
    if labels.last == [] { labels.removeLast() }
    self.init(labels: labels)
  }

  /// - Parameter wire: an encoded name that the reader has checked.
  init(validWire wire: [UInt8]) {
    self.wire = wire
    let hasUpperCase = wire.contains { (65...90).contains($0) }
    // Most names are in lower case: then both share one array.
    folded = hasUpperCase ? wire.map { (65...90).contains($0) ? $0 | 0x20 : $0 } : wire
  }

  /// The labels, without the root's.
  public var labels: [[UInt8]] {
    var labels: [[UInt8]] = []
    var rest = wire[...]
    while let length = rest.popFirst(), length > 0 {
      labels.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return labels
  }

  /// The first label as text; `nil` for the root, or if the label is not UTF-8.
  public var firstLabel: String? {
    guard let length = wire.first, length > 0 else { return nil }
    return String(validating: wire.dropFirst().prefix(Int(length)), as: UTF8.self)
  }

  /// The name without its first label; `nil` for the root.
  public var parent: DomainName? {
    guard let length = wire.first, length > 0 else { return nil }
    return DomainName(validWire: Array(wire.dropFirst(Int(length) + 1)))
  }

  /// Returns the name with another label before it; `nil` if the result is too long.
  public func prefixed(_ label: some Sequence<UInt8>) -> DomainName? { DomainName(labels: [Array(label)] + labels) }

  /// Returns the name that lists the instances of a subtype of this type: `_c27._sub._irl-bump._tcp.local.` (RFC 6763
  /// §7.1); `nil` if the result is not a name.
  func subtype(_ label: some Sequence<UInt8>) -> DomainName? {
    DomainName(labels: [Array(label), Array("_sub".utf8)] + labels)
  }

  /// The type whose instances this name lists: that of a subtype, or the name itself.
  var listedType: DomainName {
    guard let first = folded.first, first > 0 else { return self }
    let rest = folded.dropFirst(Int(first) + 1)
    return rest.starts(with: Self.subtypesLabel) ? parent?.parent ?? self : self
  }

  /// The encoded label between a subtype and its type.
  private static let subtypesLabel: [UInt8] = [4] + Array("_sub".utf8)

  /// The name with the escapes of the initializer, and a dot at its end.
  public var description: String {
    let text = labels.map { label in
      let isText = String(validating: label, as: UTF8.self) != nil
      return label.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
        case 0x80... where isText: [byte]
        case ..<0x20, 0x7F...:
          Array("\\\(String(repeating: "0", count: byte < 10 ? 2 : byte < 100 ? 1 : 0))\(byte)".utf8)
        default: [byte]
        }
      }
    }
    return text.map { String(decoding: $0, as: UTF8.self) + "." }.joined()
  }

  public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }
  /// Hashes the bytes in one piece: an array hashes them one by one.
  public func hash(into hasher: inout Hasher) { folded.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
