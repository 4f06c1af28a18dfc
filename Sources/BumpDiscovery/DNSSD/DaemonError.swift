import CAvahi

extension DiscoveryError {
  /// What an error code of dns_sd.h means when Avahi gives it.
  init(daemonCode code: DNSServiceErrorType) {
    switch Int(code) {
    // Avahi folds "no D-Bus", "no daemon" and "disconnected" into Unknown.
    case kDNSServiceErr_Unknown: self = .noDaemon
    case kDNSServiceErr_NameConflict:
      self.init(.nameTaken, "another service on this host has that name; choose another")
    // Its limits on clients and on queries, or the policy of the bus.
    case kDNSServiceErr_Refused: self.init(.failed, "avahi-daemon refuses: too many queries at once, or not allowed")
    default: self.init(.failed, "avahi-daemon answered with error \(code) of dns_sd.h")
    }
  }

  static let noDaemon = DiscoveryError(
    .unavailable,
    "no avahi-daemon answers; start one with: sudo systemctl start avahi-daemon "
      + "(without systemd: sudo avahi-daemon -D, once a dbus-daemon runs)")
}
