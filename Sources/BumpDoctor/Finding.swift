/// What a check has to say: one sentence, and where something is wrong, its cause and its mend.
public struct Finding: Hashable, Sendable {
  public enum Severity: String, Sendable {
    case ok
    /// Worth knowing; two machines may find each other all the same.
    case note
    /// Keeps two machines from finding or reaching each other.
    case problem
  }

  /// What was looked at.
  public enum Check: String, Sendable {
    case interfaces, dbus, daemon, port5353, firewall, multicast, publishing, senders, nsswitch, clock, peer
  }

  public let check: Check
  public let severity: Severity
  public let what: String
  public let cause: String?
  /// What to try.
  public let mend: String?

  static func ok(_ check: Check, _ what: String) -> Finding {
    Finding(check: check, severity: .ok, what: what, cause: nil, mend: nil)
  }

  static func note(_ check: Check, _ what: String, cause: String? = nil, mend: String? = nil) -> Finding {
    Finding(check: check, severity: .note, what: what, cause: cause, mend: mend)
  }

  /// There is no problem without a cause and a mend.
  static func problem(_ check: Check, _ what: String, cause: String, mend: String) -> Finding {
    Finding(check: check, severity: .problem, what: what, cause: cause, mend: mend)
  }
}
