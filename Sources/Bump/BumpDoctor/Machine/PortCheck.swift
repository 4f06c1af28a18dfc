import BumpSystem
import BumpText
import Glibc
import NIOCore
import NIOPosix

/// Checks whether UDP port 5353 of multicast DNS can be shared, and which programs have it.
enum PortCheck {
  struct Facts: Hashable, Sendable {
    /// The names of the programs that have the port, one for each process.
    var holders: [String]
    /// Why the port cannot be bound for a group as well; empty if it can.
    var refusals: [MulticastGroup: String] = [:]

    /// Whether a holder is an avahi-daemon. A process that may not inspect it sees a program of the daemon's user.
    var hasAvahi: Bool { holders.contains { ["avahi-daemon", PortHolders.program(of: "avahi")].contains($0) } }
  }

  /// Multicast DNS responders, by the 15 bytes that the kernel keeps of a program's name (PR_SET_NAME of prctl(2)).
  private static let responders: Set<String> = ["avahi-daemon", "systemd-resolve", "mdnsd", "mDNSResponder"]

  static func gather() async -> Facts {
    async let ipv4 = refusal(.ipv4)
    async let ipv6 = refusal(.ipv6)
    var facts = Facts(holders: PortHolders.names(port: MulticastGroup.port))
    facts.refusals[.ipv4] = await ipv4
    facts.refusals[.ipv6] = await ipv6
    return facts
  }

  /// Judges the port.
  ///
  /// - Parameter heard: the groups whose packets come in by some interface. Machines find each other through those.
  static func judge(_ facts: Facts, heard: Set<MulticastGroup>) -> Finding {
    // Escaped, since a program may choose any name.
    let holders = Set(facts.holders.map { VisibleText.of($0) }).sorted()
    let refused = MulticastGroup.allCases.filter { facts.refusals[$0] != nil }
    if let refusal = refused.first.flatMap({ facts.refusals[$0] }) {
      let rest = heard.subtracting(refused).map(\.family).sorted()
      let families = refused.count < MulticastGroup.allCases.count ? " over \(refused[0].family)" : ""
      let what = "UDP port 5353 cannot be shared\(families): \(refusal)"
      let cause =
        holders.isEmpty
        ? "a program holds it for itself" : "\(holders.joinedInProse) holds it for itself, without SO_REUSEADDR"
      let remedy = "end that program, or have it share the port. `sudo ss -ulpn 'sport = :5353'` names it"
      return rest.isEmpty
        ? .problem(.port5353, what, cause: cause, remedy: remedy)
        : .note(.port5353, "\(what); bump uses \(rest.joinedInProse) alone", cause: cause, remedy: remedy)
    }
    let responders = facts.holders.filter(Self.responders.contains)
    guard responders.count < 2 else {
      let names = Set(responders).sorted().joinedInProse
      let several = Set(responders).count < responders.count ? "\(responders.count) processes: \(names)" : names
      return .note(
        .port5353, "UDP port 5353 is shared by \(several)",
        cause: "each of them answers for this machine, and they may contradict each other",
        remedy: responders.contains("systemd-resolve")
          ? "MulticastDNS=no in /etc/systemd/resolved.conf, then sudo systemctl restart systemd-resolved"
          : "turn off all but one. `sudo ss -ulpn 'sport = :5353'` names them")
    }
    return .ok(
      .port5353,
      holders.isEmpty ? "UDP port 5353 is free" : "UDP port 5353 can be shared with \(holders.joinedInProse)")
  }

  /// Returns why the port cannot be bound beside another program. `nil` if it can be bound, or if another error
  /// prevents that, which `MulticastCheck` reports.
  private static func refusal(_ group: MulticastGroup) async -> String? {
    do {
      // Linux numbers the loopback interface 1. A program that does not share the port holds it there too.
      let channel = try await group.bind(on: 1) { $0.eventLoop.makeSucceededVoidFuture() }
      channel.close(promise: nil)
      return nil
    } catch {
      let number = (error as? IOError)?.errnoCode
      return number == EADDRINUSE ? words(errno: EADDRINUSE) : nil
    }
  }
}
