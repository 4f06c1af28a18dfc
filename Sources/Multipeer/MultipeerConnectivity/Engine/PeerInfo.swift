import BumpDiscovery
import BumpMultipeer
import Foundation

/// The content of a peer's TXT record: its name and its program's discovery info. Anyone on the network can forge it.
struct PeerInfo: Sendable {
  /// The prefix of the keys that this module uses. They are never passed to a program.
  private static let reserved = "mpc."
  private static let nameKey = reserved + "n"
  private static let longestPair = 255

  let name: String
  let info: [String: String]?

  init(_ peer: Peer, _ info: [String: String]?) { (name, self.info) = (peer.name, info) }

  /// Reads a record; `nil` if it is not the record of a peer.
  init?(_ record: TXTRecord) {
    var pairs: [String: String] = [:]
    var name: String?
    var rest = record.bytes[...]
    while let length = rest.popFirst(), rest.count >= Int(length) {
      let pair = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      guard
        let end = pair.firstIndex(of: UInt8(ascii: "=")), let key = String(validating: pair[..<end], as: UTF8.self),
        let value = String(validating: pair[(end + 1)...], as: UTF8.self)
      else { continue }
      // The first of equal keys counts (RFC 6763 §6.4).
      if key == Self.nameKey {
        name = name ?? value
      } else if !key.hasPrefix(Self.reserved), pairs[key] == nil {
        pairs[key] = value
      }
    }
    guard let name, (1...MultipeerLimits.name).contains(name.utf8.count) else { return nil }
    self.name = name
    info = pairs.isEmpty ? nil : pairs
  }

  var record: TXTRecord {
    let pairs = [(Self.nameKey, name)] + (info ?? [:]).sorted { $0.key < $1.key }
    return TXTRecord(
      bytes: pairs.flatMap { key, value in
        let pair = Array("\(key)=\(value)".utf8)
        return [UInt8(pair.count)] + pair
      })
  }

  /// The most bytes of all pairs with one more for the length of each: what is left beside the longest name.
  static let limit = TXTRecord.maximumLength - (nameKey.utf8.count + 2 + MultipeerLimits.name)

  /// Returns whether a program may announce this: each pair has at most 255 bytes, and a key that is not empty and has
  /// no `=`; all of them have at most `limit`.
  static func isValid(_ info: [String: String]?) -> Bool {
    let pairs = info ?? [:]
    let lengths = pairs.map { $0.utf8.count + 1 + $1.utf8.count }
    return pairs.keys.allSatisfy { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "=")) }
      && lengths.allSatisfy { $0 <= longestPair } && lengths.reduce(0, +) + lengths.count <= limit
  }

  /// Returns a peer's instance name: its identity in hexadecimal, since display names are not unique.
  static func instanceName(of id: PeerID) -> String {
    id.bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
  }

  /// Returns the identity in an instance name; `nil` if the name has another form.
  static func id(ofInstance name: String) -> PeerID? {
    let digits = Array(name.utf8)
    guard digits.count == 2 * PeerID.length, name.allSatisfy({ $0.isASCII && $0.isHexDigit && !$0.isUppercase }) else {
      return nil
    }
    return PeerID(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
      })
  }
}
