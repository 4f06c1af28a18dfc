/// The result of a check: one sentence, and for a problem its cause and a remedy.
public struct Finding: Hashable, Sendable {
  /// How serious a finding is.
  public enum Severity: String, Sendable, CaseIterable {
    /// What was checked is in order. Such a finding has neither cause nor remedy.
    case ok
    /// Worth knowing. Two machines can find each other nevertheless.
    case note
    /// Keeps two machines from finding or reaching each other.
    case problem
  }

  /// What was checked. Programs read these names (`bump doctor --json`), so they must not change.
  public enum Check: String, Sendable, CaseIterable {
    /// In this order: the network interfaces, the D-Bus system bus, avahi-daemon, UDP port 5353, the TCP port
    /// `Doctor.Configuration.port` of a sender here, the firewall's rules, multicast DNS packets out of and into each
    /// interface, a service that is published and found, the senders in sight or why there are none, `mdns` in
    /// nsswitch.conf(5), the clock, and `Doctor.Configuration.peer`.
    case interfaces, dbus, daemon, port5353, port, firewall, multicast, publishing, senders, nsswitch, clock, peer
  }

  /// What was checked.
  public let check: Check
  /// How serious the finding is.
  public let severity: Severity
  /// What was found, for a person.
  public let what: String
  /// Why it is so, for a person.
  public let cause: String?
  /// What to try, for a person.
  public let remedy: String?
  /// The transports of which a firewall of this machine blocks packets.
  var blocked: Set<Packet.Transport> = []

  static func ok(_ check: Check, _ what: String) -> Finding {
    Finding(check: check, severity: .ok, what: what, cause: nil, remedy: nil)
  }

  static func note(_ check: Check, _ what: String, cause: String? = nil, remedy: String? = nil) -> Finding {
    Finding(check: check, severity: .note, what: what, cause: cause, remedy: remedy)
  }

  /// Makes a problem, which always has a cause and a remedy.
  static func problem(
    _ check: Check, _ what: String, cause: String, remedy: String, blocking: Set<Packet.Transport> = []
  ) -> Finding {
    Finding(check: check, severity: .problem, what: what, cause: cause, remedy: remedy, blocked: blocking)
  }
}
