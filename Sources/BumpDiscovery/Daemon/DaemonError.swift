import CAvahi

extension DiscoveryError {
  /// What an error code of dns_sd.h means when Avahi gives it.
  init(daemonCode code: DNSServiceErrorType) {
    switch Int(code) {
    // Avahi folds "no D-Bus", "no daemon" and "disconnected" into Unknown.
    case kDNSServiceErr_Unknown: self = .noDaemon
    case kDNSServiceErr_NameConflict: self = .nameTakenOnHost
    case kDNSServiceErr_Refused: self = .refused
    default: self.init(.failed, "avahi-daemon answered with error \(code) of dns_sd.h")
    }
  }

  /// What an error code of Avahi's client library means.
  init(clientCode code: some BinaryInteger) {
    switch Int(code) {
    case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED: self = .noDaemon
    case AVAHI_ERR_ACCESS_DENIED, AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS: self = .refused
    default:
      self.init(.failed, "avahi-daemon answered: \(String(cString: avahi_strerror(Int32(code))).lowercased())")
    }
  }

  static let nameTakenOnHost = DiscoveryError(
    .nameTaken, "another service on this host has that name; choose another")
  /// Its limits on clients and on queries, or the policy of the bus.
  private static let refused = DiscoveryError(
    .failed, "avahi-daemon refuses: too many queries at once, or not allowed")
  static let noDaemon = DiscoveryError(
    .unavailable,
    "no avahi-daemon answers; start one with: sudo systemctl start avahi-daemon "
      + "(without systemd: sudo avahi-daemon -D, once a dbus-daemon runs)")
}
