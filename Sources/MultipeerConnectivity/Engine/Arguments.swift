import BumpDiscovery

/// What Apple's framework raises NSInvalidArgumentException for ends the program here, with the same reason.
enum Arguments {
  /// The service type: 1 to 15 characters of letters, digits and single inner hyphens, with a letter. Upper case is taken,
  /// as on Apple's systems; on the wire it is lower case, which DNS does not tell apart.
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
