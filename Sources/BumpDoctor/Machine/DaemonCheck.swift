import BumpDiscovery
import Glibc
import NIOCore
import NIOPosix

/// Whether avahi-daemon answers, and the D-Bus through which it is asked.
enum DaemonCheck {
  struct Facts: Hashable, Sendable {
    var busAddress: String
    /// Why the bus cannot be reached; `nil` where it can.
    var busFailure: String?
    /// Why the daemon cannot be asked; `nil` where it can.
    var daemonFailure: String?
  }

  /// How much depends on the daemon.
  enum Need: Sendable {
    case required
    /// Something else takes its place.
    case optional
  }

  static func gather(bus address: String?) async -> Facts {
    async let daemonFailure = daemonFailure()
    let path = busPath(address)
    let busFailure = if let path { await connectFailure(path) } else { String?.none }
    return Facts(
      busAddress: path ?? address ?? "", busFailure: busFailure, daemonFailure: await daemonFailure)
  }

  static func judge(_ facts: Facts, _ need: Need) -> [Finding] {
    // The daemon is asked through the bus: without that there is one thing to mend.
    let bus = bus(facts, need)
    return facts.busFailure != nil && facts.daemonFailure != nil ? [bus] : [bus, daemon(facts, need)]
  }

  /// Whether nothing can be found for want of the daemon, which was said then.
  static func isFatal(_ facts: Facts, _ need: Need) -> Bool { need == .required && facts.daemonFailure != nil }

  private static func bus(_ facts: Facts, _ need: Need) -> Finding {
    guard let failure = facts.busFailure else { return .ok(.dbus, "the D-Bus system bus answers") }
    return finding(
      .dbus, need,
      "the D-Bus system bus cannot be reached" + (facts.daemonFailure == nil ? "" : ", and with that avahi-daemon"),
      cause: "\(facts.busAddress): \(failure)",
      mend: "sudo systemctl start dbus (without systemd: sudo dbus-daemon --system --fork)")
  }

  private static func daemon(_ facts: Facts, _ need: Need) -> Finding {
    guard let failure = facts.daemonFailure else { return .ok(.daemon, "avahi-daemon answers") }
    let parts = failure.split(separator: ";", maxSplits: 1).map { $0.drop { $0 == " " } }
    return finding(
      .daemon, need, "avahi-daemon cannot be asked", cause: String(parts[0]),
      mend: parts.count > 1 ? String(parts[1]) : "journalctl -u avahi-daemon tells why")
  }

  private static func finding(
    _ check: Finding.Check, _ need: Need, _ what: String, cause: String, mend: String
  ) -> Finding {
    switch need {
    case .required: .problem(check, what, cause: cause, mend: mend)
    case .optional: .note(check, what + "; bump does without", cause: cause, mend: mend)
    }
  }

  /// The path in a D-Bus address (D-Bus specification, "Server Addresses"); `nil` for an address of another kind.
  static func busPath(_ address: String?) -> String? {
    guard let address else { return "/run/dbus/system_bus_socket" }
    let first = address.split(separator: ";").first ?? ""
    guard first.hasPrefix("unix:") else { return nil }
    let pairs = first.dropFirst("unix:".count).split(separator: ",")
    return pairs.first { $0.hasPrefix("path=") }.map { String($0.dropFirst("path=".count)) }
  }

  private static func connectFailure(_ path: String) async -> String? {
    do {
      let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connectTimeout(.seconds(1)).connect(unixDomainSocketPath: path).get()
      channel.close(promise: nil)
      return nil
    } catch let error as IOError {
      return words(errno: error.errnoCode)
    } catch {
      return "no answer"
    }
  }

  private static func daemonFailure() async -> String? {
    if await DNSSDDiscovery.isAnswered() { return nil }
    // What is wrong with a daemon is told within milliseconds, unless that hangs too.
    let failure = await within(.seconds(1)) { () async -> String? in
      do {
        for try await _ in DNSSDDiscovery().browse(.bumpDoctor) { return nil }
        return nil
      } catch {
        return (error as? DiscoveryError)?.description
      }
    }
    return (failure ?? nil) ?? "it takes questions, and hangs; sudo systemctl restart avahi-daemon"
  }
}
