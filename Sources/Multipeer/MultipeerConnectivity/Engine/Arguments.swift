import BumpDiscovery

/// Checks arguments. Those for which Apple's framework raises NSInvalidArgumentException end the program here, with the
/// same reason.
enum Arguments {
  /// Returns the service type: 1 to 15 letters, digits and single inner hyphens, with at least one letter. Upper case
  /// is accepted, as on Apple's systems; it is sent as lower case, which is the same name in DNS.
  static func serviceType(_ text: String, of owner: String) -> ServiceType {
    guard let type = parsed(serviceType: text) else { fatalError("Invalid serviceType passed to \(owner)") }
    return type
  }

  static func parsed(serviceType text: String) -> ServiceType? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return try? ServiceType(text.lowercased())
  }

  static func discoveryInfo(_ info: [String: String]?, of owner: String) -> [String: String]? {
    guard PeerInfo.isValid(info) else { fatalError("Invalid discoveryInfo passed to \(owner)") }
    return info
  }
}
