import BumpDiscovery
import BumpSystem
import Glibc

/// Checks whether multicast DNS packets leave and enter by each interface.
enum MulticastCheck {
  struct Facts: Hashable, Sendable {
    var interface: Interface
    var echoResults: [MulticastGroup: MulticastEcho.EchoResult]

    /// The groups of the families for which the interface has an address.
    fileprivate var groups: [MulticastGroup] {
      MulticastGroup.allCases.filter { echoResults[$0] != nil && !interface.addresses(of: $0).isEmpty }
    }
  }

  static func gather(
    _ interface: Interface, _ type: ServiceType, own: Set<String>, for duration: Duration = MulticastEcho.duration
  ) async -> Facts {
    var facts = Facts(interface: interface, echoResults: [:])
    // A group cannot be joined on the loopback interface.
    guard interface.flags.contains(.multicast) else { return facts }
    async let ipv4 = MulticastEcho(group: .ipv4, interface: interface, type: type, own: own).run(for: duration)
    async let ipv6 = MulticastEcho(group: .ipv6, interface: interface, type: type, own: own).run(for: duration)
    facts.echoResults = [.ipv4: await ipv4, .ipv6: await ipv6]
    return facts
  }

  /// - Parameter isExplained: returns whether an earlier finding explains why a group does not work.
  static func judge(_ facts: Facts, isExplained: (MulticastGroup) -> Bool = { _ in false }) -> [Finding] {
    let groups = facts.groups
    let (back, deaf) = (
      facts.heard, groups.filter { facts.isDeaf(to: $0) }
    )
    var findings: [Finding] = []
    if !back.isEmpty {
      let names = back.map(\.rawValue).joinedInProse
      findings.append(.ok(.multicast, "packets sent on \(facts.interface.name) to \(names) are received again"))
    }
    let unexplained = deaf.filter { !isExplained($0) }
    guard !unexplained.isEmpty else { return findings }
    let (what, cause, remedy) = words(facts, unexplained)
    // If one of the two groups works, machines find each other through it.
    findings.append(
      back.isEmpty && unexplained == deaf
        ? .problem(.multicast, what, cause: cause, remedy: remedy)
        : .note(.multicast, what, cause: cause, remedy: remedy))
    return findings
  }

  /// Describes a failure. It has one cause, even if it concerns both families.
  private static func words(_ facts: Facts, _ groups: [MulticastGroup]) -> (what: String, cause: String, remedy: String)
  {
    let (name, names) = (facts.interface.name, groups.map(\.rawValue).joinedInProse)
    let errors = groups.compactMap { group -> (group: MulticastGroup, code: Int32)? in
      if case .failed(let code) = facts.echoResults[group]?.outcome { (group, code) } else { nil }
    }
    guard let error = errors.first?.code else {
      return (
        "packets sent on \(name) to \(names), port 5353, are not received again",
        "a firewall of this machine drops them, on their way out or in",
        "let UDP port 5353 through on \(name), both ways"
      )
    }
    let what = "no packets can be sent on \(name) to \(names), port 5353: \(BumpSystem.words(errno: error))"
    // The kernel returns EPERM if a rule for outgoing packets drops the packet.
    guard error == EPERM else {
      let routes = errors.map { $0.group == .ipv4 ? "`ip route`" : "`ip -6 route show table all`" }
      let commands = ["`ip address show \(name)`"] + routes
      return (what, "the kernel has no route for them", commands.joined(separator: ", "))
    }
    return (what, "a firewall of this machine drops them on their way out", "let UDP port 5353 out on \(name)")
  }
}

extension MulticastCheck.Facts {
  /// Returns whether packets that are sent to the group do not come back.
  func isDeaf(to group: MulticastGroup) -> Bool {
    guard let echoResult = echoResults[group], !interface.addresses(of: group).isEmpty else { return false }
    return echoResult.outcome != .cameBack
  }

  /// The groups whose packets come back.
  var heard: [MulticastGroup] { groups.filter { !isDeaf(to: $0) } }

  /// Whether any other machine was heard.
  var hearsOthers: Bool { echoResults.values.contains { !$0.respondingHosts.isEmpty } }

  var isDeaf: Bool { !groups.isEmpty && groups.allSatisfy(isDeaf) }
}

extension Interface {
  func addresses(of group: MulticastGroup) -> [String] { group == .ipv4 ? ipv4 : ipv6 }
}
