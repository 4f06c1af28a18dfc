/// The key/value pairs of a DNS-SD TXT record (RFC 6763 §6). Anyone on the network can forge them.
public struct TXTRecord: Hashable, Sendable {
  /// The values by lower-cased key; `nil` for a key without `=`.
  public private(set) var values: [String: [UInt8]?]
  /// The encoded record: strings of one length byte and up to 255 bytes each. An empty record has one empty string
  /// (RFC 6763 §6.1).
  public let bytes: [UInt8]

  /// The most bytes of a record, to write or read (RFC 6763 §6.2 recommends far fewer).
  public static let maximumLength = 1300

  /// Makes a record.
  ///
  /// - Throws: `DiscoveryError.badTXTRecord` if a key is empty, not printable ASCII or contains `=`, if a pair is
  ///   longer than 255 bytes, or if the record is longer than `maximumLength`.
  public init(_ pairs: KeyValuePairs<String, String>) throws(DiscoveryError) {
    var bytes: [UInt8] = []
    for (key, value) in pairs {
      let pair = Array("\(key)=\(value)".utf8)
      guard Self.isKey(Array(key.utf8)), pair.count <= 255 else {
        throw DiscoveryError(.badTXTRecord, "the TXT pair \(key) cannot be written")
      }
      bytes.append(UInt8(pair.count))
      bytes += pair
    }
    guard bytes.count <= Self.maximumLength else {
      throw DiscoveryError(.badTXTRecord, "a TXT record has at most \(Self.maximumLength) bytes")
    }
    self.init(bytes: bytes)
  }

  /// Reads a received record. Invalid pairs are skipped, the first of equal keys counts (RFC 6763 §6.4), and reading
  /// stops at a string that runs past the end.
  public init(bytes: [UInt8]) {
    let bytes = Array(bytes.prefix(Self.maximumLength))
    var values: [String: [UInt8]?] = [:]
    var rest = bytes[...]
    while let length = rest.popFirst(), rest.count >= Int(length) {
      let string = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, Self.isKey(Array(key)) else { continue }
      let name = String(decoding: key, as: UTF8.self).lowercased()
      guard values[name] == nil else { continue }
      values.updateValue(parts.count == 2 ? Array(parts[1]) : nil, forKey: name)
    }
    self.values = values
    self.bytes = bytes.isEmpty ? [0] : bytes
  }

  /// The value of a key as text; `nil` if there is none or it is not UTF-8.
  public subscript(key: String) -> String? {
    guard let value = values[key.lowercased()] ?? nil else { return nil }
    return String(validating: value, as: UTF8.self)
  }

  private static func isKey(_ key: [UInt8]) -> Bool {
    !key.isEmpty && key.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
  }
}
