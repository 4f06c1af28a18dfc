/// Whether multicast DNS leaves and enters by each interface.
enum MulticastCheck {
  struct Facts: Hashable, Sendable {
    var interface: String
    var outcomes: [MulticastGroup: MulticastEcho.Outcome]
  }

  static func gather(_ interface: Interface) async -> Facts {
    var facts = Facts(interface: interface.name, outcomes: [:])
    // No group can be joined on the loopback interface.
    guard interface.flags.contains(.multicast) else { return facts }
    async let ipv4 = interface.ipv4.isEmpty ? nil : MulticastEcho(group: .ipv4, interface: interface).run()
    async let ipv6 = interface.ipv6.isEmpty ? nil : MulticastEcho(group: .ipv6, interface: interface).run()
    facts.outcomes[.ipv4] = await ipv4
    facts.outcomes[.ipv6] = await ipv6
    return facts
  }

  static func judge(_ facts: Facts) -> [Finding] {
    let groups = MulticastGroup.allCases.filter { facts.outcomes[$0] != nil }
    let back = groups.filter { facts.outcomes[$0] == .cameBack }.map(\.rawValue)
    var findings: [Finding] = []
    if !back.isEmpty {
      findings.append(.ok(.multicast, "what goes out by \(facts.interface) to \(back.joinedInProse) comes back in"))
    }
    for group in groups {
      switch facts.outcomes[group] {
      case .lost:
        findings.append(
          finding(
            isFinal: back.isEmpty,
            "what goes out by \(facts.interface) to \(group.rawValue), port 5353, does not come back",
            cause: "a firewall of this machine drops it, on its way out or in",
            mend: "let UDP port 5353 through on \(facts.interface), both ways"))
      case .failed(let reason):
        findings.append(
          finding(
            isFinal: back.isEmpty, "nothing can be sent by \(facts.interface) to \(group.rawValue), port 5353",
            cause: reason, mend: "see the findings above, and `ip address show \(facts.interface)`"))
      default: break
      }
    }
    return findings
  }

  /// Where one of the two groups works, machines find each other by that.
  private static func finding(isFinal: Bool, _ what: String, cause: String, mend: String) -> Finding {
    isFinal ? .problem(.multicast, what, cause: cause, mend: mend) : .note(.multicast, what, cause: cause, mend: mend)
  }
}
