import BumpDiscovery
import Glibc

/// Whether multicast DNS leaves and enters by each interface.
enum MulticastCheck {
  struct Facts: Hashable, Sendable {
    var interface: Interface
    var hearings: [MulticastGroup: MulticastEcho.Hearing]

    /// The groups of whose family the interface has an address.
    fileprivate var groups: [MulticastGroup] {
      MulticastGroup.allCases.filter { hearings[$0] != nil && !interface.addresses(of: $0).isEmpty }
    }
  }

  static func gather(_ interface: Interface, _ type: ServiceType, own: Set<String>) async -> Facts {
    var facts = Facts(interface: interface, hearings: [:])
    // No group can be joined on the loopback interface.
    guard interface.flags.contains(.multicast) else { return facts }
    async let ipv4 = MulticastEcho(group: .ipv4, interface: interface, type: type, own: own).run()
    async let ipv6 = MulticastEcho(group: .ipv6, interface: interface, type: type, own: own).run()
    facts.hearings = [.ipv4: await ipv4, .ipv6: await ipv6]
    return facts
  }

  /// - Parameter isExplained: whether it was said already why a group does not work on an interface.
  static func judge(_ facts: Facts, isExplained: (MulticastGroup) -> Bool = { _ in false }) -> [Finding] {
    let groups = facts.groups
    let (back, deaf) = (
      groups.filter { facts.hearings[$0]?.outcome == .cameBack }, groups.filter { facts.isDeaf(to: $0) }
    )
    var findings: [Finding] = []
    if !back.isEmpty {
      let names = back.map(\.rawValue).joinedInProse
      findings.append(.ok(.multicast, "what goes out by \(facts.interface.name) to \(names) comes back in"))
    }
    let unexplained = deaf.filter { !isExplained($0) }
    guard !unexplained.isEmpty else { return findings }
    let (what, cause, mend) = words(facts, unexplained)
    // Where one of the two groups works, machines find each other by that.
    findings.append(
      back.isEmpty && unexplained == deaf
        ? .problem(.multicast, what, cause: cause, mend: mend) : .note(.multicast, what, cause: cause, mend: mend))
    return findings
  }

  /// What fails in both families has one cause.
  private static func words(_ facts: Facts, _ groups: [MulticastGroup]) -> (what: String, cause: String, mend: String) {
    let (name, names) = (facts.interface.name, groups.map(\.rawValue).joinedInProse)
    let errors = groups.compactMap { group -> Int32? in
      if case .failed(let code) = facts.hearings[group]?.outcome { code } else { nil }
    }
    guard let error = errors.first else {
      return (
        "what goes out by \(name) to \(names), port 5353, does not come back",
        "a firewall of this machine drops it, on its way out or in", "let UDP port 5353 through on \(name), both ways"
      )
    }
    let what = "nothing can be sent by \(name) to \(names), port 5353: \(BumpDoctor.words(errno: error))"
    // The kernel says so of what a rule for outgoing packets drops.
    guard error == EPERM else { return (what, "the kernel knows no way out", "`ip address show \(name)`, `ip route`") }
    return (what, "a firewall of this machine drops it on its way out", "let UDP port 5353 out on \(name)")
  }
}

extension MulticastCheck.Facts {
  /// Whether what is sent to the group does not come back.
  func isDeaf(to group: MulticastGroup) -> Bool {
    guard let hearing = hearings[group], !interface.addresses(of: group).isEmpty else { return false }
    return hearing.outcome != .cameBack
  }

  var isDeaf: Bool { !groups.isEmpty && groups.allSatisfy(isDeaf) }
}

extension Interface {
  func addresses(of group: MulticastGroup) -> [String] { group == .ipv4 ? ipv4 : ipv6 }
}
