/// The DNS-SD type of a service over TCP, such as `_irl-bump._tcp`.
///
/// The syntax is checked here because Avahi accepts invalid names.
public struct ServiceType: Hashable, Sendable, CustomStringConvertible {
  /// The service name alone: `irl-bump`.
  public let name: String

  /// `_irl-bump._tcp`.
  public static let irlBump = ServiceType(unchecked: "irl-bump")

  /// Makes a type.
  ///
  /// - Parameter name: 1 to 15 characters of `a-z 0-9 -`, at least one letter, no hyphen at
  ///   either end and no two in a row (RFC 6335 §5.1, in the lower case that MultipeerConnectivity asks for).
  /// - Throws: `DiscoveryError.badServiceType` for any other name.
  public init(_ name: String) throws(DiscoveryError) {
    let bytes = Array(name.utf8)
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let hyphen = UInt8(ascii: "-")
    guard
      (1...15).contains(bytes.count),
      bytes.allSatisfy({ isLetter($0) || isDigit($0) || $0 == hyphen }),
      bytes.contains(where: isLetter),
      bytes.first != hyphen, bytes.last != hyphen,
      !zip(bytes, bytes.dropFirst()).contains(where: { $0 == hyphen && $1 == hyphen })
    else {
      throw DiscoveryError(
        .badServiceType,
        "a service type is 1 to 15 characters of a-z, 0-9 and single inner hyphens, "
          + "with at least one letter, such as irl-bump")
    }
    self.init(unchecked: name)
  }

  private init(unchecked name: String) {
    self.name = name
  }

  /// The type as in dns_sd.h: `_irl-bump._tcp`.
  public var description: String { "_\(name)._tcp" }
}
