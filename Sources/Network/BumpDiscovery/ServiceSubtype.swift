/// A subtype of a DNS-SD type, such as `_c27` of `_irl-bump._tcp` (RFC 6763 §7.1).
///
/// A service with subtypes is found by its type and by each of them. Browsing a subtype costs a host only what the
/// services of that subtype send.
public struct ServiceSubtype: Hashable, Sendable, CustomStringConvertible {
  /// The label with its underscore: `_c27`.
  public let description: String

  /// Makes a subtype.
  ///
  /// - Parameter name: 1 to 62 characters of `a-z 0-9 -`, without the underscore. RFC 6763 §7.1 allows any bytes. These
  ///   need no escapes, so all backends take them.
  /// - Throws: `DiscoveryError.badServiceType` for any other name.
  public init(_ name: String) throws(DiscoveryError) {
    let isAllowed = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
      default: false
      }
    }
    guard (1...62).contains(name.utf8.count), name.utf8.allSatisfy(isAllowed) else {
      throw DiscoveryError(.badServiceType, "a subtype is 1 to 62 characters of a-z, 0-9 and hyphens, such as c27")
    }
    self.init(unchecked: name)
  }

  /// Makes a subtype of a name that is known to be valid.
  package init(unchecked name: String) { description = "_\(name)" }
}

extension ServiceType {
  /// The type, and after a comma its subtype, as in dns_sd.h: `_irl-bump._tcp,_c27`.
  package func with(_ subtypes: [ServiceSubtype]) -> String {
    ([description] + subtypes.map(\.description)).joined(separator: ",")
  }

  /// The name that is browsed for a subtype: `_c27._sub._irl-bump._tcp`; for `nil`, that of the type.
  package func browsed(_ subtype: ServiceSubtype?) -> String {
    subtype.map { "\($0)._sub.\(self)" } ?? description
  }
}
