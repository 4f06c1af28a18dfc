import BumpDNSSD
import BumpDiscovery
import BumpSystem
import Glibc
import NIOCore
import NIOPosix

/// Checks whether avahi-daemon answers, and the D-Bus to it.
enum DaemonCheck {
  struct Facts: Hashable, Sendable {
    var busAddress: String
    /// Why the D-Bus cannot be reached; `nil` if it can.
    var busFailure: String?
    /// Why the daemon does not answer; `nil` if it does.
    var daemonFailure: DiscoveryError?
  }

  /// Whether discovery needs the daemon.
  enum Need: Sendable {
    case required
    /// Discovery works without it.
    case optional
  }

  static func gather(bus address: String?) async -> Facts {
    async let daemonFailure = daemonFailure()
    let path = busPath(address)
    let busFailure = if let path { await connectFailure(path) } else { String?.none }
    return Facts(
      busAddress: path ?? address ?? "", busFailure: busFailure, daemonFailure: await daemonFailure)
  }

  /// Judges the D-Bus and the daemon.
  ///
  /// - Parameter isRunning: whether an avahi-daemon has the port of multicast DNS.
  static func judge(_ facts: Facts, _ need: Need, isRunning: Bool = false) -> [Finding] {
    // The daemon is reached by D-Bus: if that fails, one finding is enough.
    let bus = bus(facts, need)
    return facts.busFailure != nil && facts.daemonFailure != nil ? [bus] : [bus, daemon(facts, need, isRunning)]
  }

  /// Returns whether discovery fails without the daemon. If so, `judge` has reported it.
  static func isFatal(_ facts: Facts, _ need: Need) -> Bool { need == .required && facts.daemonFailure != nil }

  private static func bus(_ facts: Facts, _ need: Need) -> Finding {
    guard let failure = facts.busFailure else { return .ok(.dbus, "the D-Bus system bus answers") }
    return finding(
      .dbus, need,
      "the D-Bus system bus cannot be reached" + (facts.daemonFailure == nil ? "" : ", and with that avahi-daemon"),
      cause: "\(facts.busAddress): \(failure)",
      remedy: "sudo systemctl start dbus (without systemd: sudo dbus-daemon --system --fork)")
  }

  private static func daemon(_ facts: Facts, _ need: Need, _ isRunning: Bool) -> Finding {
    guard let failure = facts.daemonFailure else { return .ok(.daemon, "avahi-daemon answers") }
    if failure.code == .unavailable, isRunning {
      return finding(
        .daemon, need, "avahi-daemon runs, but cannot be asked by D-Bus",
        cause: "a policy of D-Bus forbids it, or the daemon runs without D-Bus (enable-dbus=no), as in a container",
        remedy: "`journalctl -u dbus -u avahi-daemon` tells which. The policies are in /etc/dbus-1/system.d")
    }
    // The doctor's remedy is a command, not a sentence.
    let command = failure.code == .unavailable ? DiscoveryError.startingDaemon : failure.remedy
    return finding(
      .daemon, need, "avahi-daemon cannot be asked", cause: failure.reason,
      remedy: command ?? "`journalctl -u avahi-daemon` tells why")
  }

  private static func finding(
    _ check: Finding.Check, _ need: Need, _ what: String, cause: String, remedy: String
  ) -> Finding {
    switch need {
    case .required: .problem(check, what, cause: cause, remedy: remedy)
    case .optional: .note(check, what + ", but bump does not need it", cause: cause, remedy: remedy)
    }
  }

  /// Returns the path in a D-Bus address (D-Bus specification, "Server Addresses"); `nil` for other kinds of addresses.
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

  private static func daemonFailure() async -> DiscoveryError? {
    if await DNSSDDiscovery.isAnswered() { return nil }
    // An error takes milliseconds, unless the daemon hangs.
    let failure = await withTimeout(.seconds(1)) { () async -> DiscoveryError? in
      do {
        for try await _ in DNSSDDiscovery().browse(.bumpDoctor) { return nil }
        return nil
      } catch {
        return DiscoveryError(error)
      }
    }
    return (failure ?? nil)
      ?? DiscoveryError(
        .failed, "it accepts connections, but does not answer", remedy: "sudo systemctl restart avahi-daemon")
  }
}
