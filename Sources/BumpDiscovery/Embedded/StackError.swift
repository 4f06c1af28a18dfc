import CAvahi

extension DiscoveryError {
  /// What an error code of avahi-core means.
  init(stackCode code: some BinaryInteger) {
    switch Int(code) {
    case AVAHI_ERR_COLLISION: self = .nameTakenHere
    case AVAHI_ERR_NO_NETWORK:
      self.init(.unavailable, "multicast DNS cannot use UDP port 5353 here; `ss -ulpn` tells who has it")
    default:
      self.init(.failed, "multicast DNS failed: \(String(cString: avahi_strerror(Int32(code))).lowercased())")
    }
  }

  static let nameTakenHere = DiscoveryError(.nameTaken, "another service has that name; choose another")
}
