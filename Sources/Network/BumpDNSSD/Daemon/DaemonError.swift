package import BumpDiscovery
import CAvahi

extension DiscoveryError {
  /// Makes the error for an error code of Avahi's dns_sd.h.
  init(daemonCode code: DNSServiceErrorType) {
    switch Int(code) {
    // Avahi reports "no D-Bus", "no daemon" and "disconnected" as Unknown.
    case kDNSServiceErr_Unknown: self = .noDaemon
    case kDNSServiceErr_NameConflict: self = .nameTakenOnHost
    case kDNSServiceErr_Refused: self = .refused
    default: self.init(.failed, "avahi-daemon answered with error \(code) of dns_sd.h", underlying: AvahiError(code))
    }
  }

  /// Makes the error for an error code of Avahi's client library.
  init(clientCode code: some BinaryInteger) {
    switch Int(code) {
    case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED: self = .noDaemon
    case AVAHI_ERR_ACCESS_DENIED, AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS: self = .refused
    default:
      self.init(
        .failed, "avahi-daemon answered: \(String(cString: avahi_strerror(Int32(code))).lowercased())",
        underlying: AvahiError(Int32(code)))
    }
  }

  static let nameTakenOnHost = DiscoveryError(
    .nameTaken, "another service on this host has that name", remedy: "Choose another")
  /// The daemon's limits on clients and queries, or the policy of D-Bus.
  private static let refused = DiscoveryError(
    .failed, "avahi-daemon refuses: too many queries at once, or not allowed")
  static let noDaemon = DiscoveryError(
    .unavailable,
    "no avahi-daemon answers",
    remedy: "Start one with: \(startingDaemon)")
  /// The command that starts an avahi-daemon.
  package static let startingDaemon =
    "sudo systemctl start avahi-daemon (without systemd: sudo avahi-daemon -D, once a dbus-daemon runs)"
}

/// An error of Avahi's libraries: a number of dns_sd.h below −65,536, otherwise of avahi-common/error.h.
public struct AvahiError: Error, Hashable, Sendable {
  /// The number.
  public let code: Int32

  init(_ code: Int32) { self.code = code }
}
