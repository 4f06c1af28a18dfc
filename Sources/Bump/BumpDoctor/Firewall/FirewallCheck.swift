/// Checks whether the firewall of this machine lets through the packets of a bump.
enum FirewallCheck {
  /// Returns the packets that must pass on each interface: multicast DNS both ways, and connections to a sender here
  /// and to others.
  ///
  /// - Parameters:
  ///   - port: the port of a sender here; `nil` if it is not fixed.
  ///   - ephemeral: the ports that a sender without a fixed port may get, here or elsewhere.
  static func packets(
    _ interfaces: [Interface], port: UInt16?, ephemeral: ClosedRange<UInt16>, isMulticastWanted: Bool
  ) -> [Packet] {
    interfaces.flatMap { interface -> [Packet] in
      var packets: [Packet] = []
      let groups = MulticastGroup.allCases.filter { !($0 == .ipv4 ? interface.ipv4 : interface.ipv6).isEmpty }
      for group in groups {
        if isMulticastWanted {
          packets.append(.multicastDNS(.input, group, by: interface.name))
          packets.append(.multicastDNS(.output, group, by: interface.name))
        }
        let family: Packet.Family = group == .ipv4 ? .ipv4 : .ipv6
        packets.append(.connection(family, to: port.map { $0...$0 } ?? ephemeral, by: interface.name))
        packets.append(.connecting(family, to: ephemeral, by: interface.name))
      }
      return packets
    }
  }

  static func judge(_ reading: FirewallReader.Reading, _ packets: [Packet]) -> [Finding] {
    switch reading {
    case .noTool:
      return [.note(.firewall, "no firewall can be read: neither nft nor iptables is installed")]
    case .unreadable:
      return [
        .note(
          .firewall, "the rules of the firewall cannot be read", cause: "only root can read them",
          remedy: "sudo bump doctor")
      ]
    case .rules(let rulesets):
      guard !packets.isEmpty else { return [] }
      let findings = rulesets.flatMap { judge($0, packets) }
      return findings.isEmpty ? [.ok(.firewall, "the firewall lets through \(passing(packets))")] : findings
    }
  }

  /// Returns whether the firewall drops, or may drop, multicast DNS of a group on an interface, in either direction. If
  /// so, `judge` has reported it.
  static func drops(_ group: MulticastGroup, by interface: String, _ reading: FirewallReader.Reading) -> Bool {
    let packets = [Packet.Direction.input, .output].map { Packet.multicastDNS($0, group, by: interface) }
    return packets.contains { packet in outcomes(of: packet, reading).contains { $0 != .passes } }
  }

  /// Returns whether the firewall lets this machine connect to senders, and lets their answers in.
  static func letsConnect(_ reading: FirewallReader.Reading, _ interfaces: [Interface], to ports: ClosedRange<UInt16>)
    -> Truth
  {
    guard case .rules = reading else { return .unknown }
    let packets = interfaces.flatMap { interface in
      [(interface.ipv4, Packet.Family.ipv4), (interface.ipv6, .ipv6)].filter { !$0.0.isEmpty }.flatMap {
        [Packet.connecting($0.1, to: ports, by: interface.name), .reply($0.1, to: ports, by: interface.name)]
      }
    }
    let all = packets.flatMap { outcomes(of: $0, reading) }
    if all.allSatisfy({ $0 == .passes }) { return .yes }
    return all.contains(where: \.isCertain) ? .no : .unknown
  }

  private static func outcomes(of packet: Packet, _ reading: FirewallReader.Reading) -> [PacketTrace.Outcome] {
    guard case .rules(let rulesets) = reading else { return [] }
    return rulesets.map { PacketTrace.outcome(of: packet, in: $0) }
  }

  /// The outcome for one kind of packet.
  private struct Fate: Hashable {
    var outcome: PacketTrace.Outcome
    var what: String
    var transports: Set<Packet.Transport>
    /// Whether the other address family is blocked too, or not in use.
    var isFinal: Bool
  }

  /// Judges the packets. Interfaces on which packets are dropped at the same place share one finding.
  private static func judge(_ ruleset: Ruleset, _ packets: [Packet]) -> [Finding] {
    var fates: [(fate: Fate, packet: Packet, interfaces: [String])] = []
    for packet in packets {
      let fate = fate(of: packet, among: packets, ruleset)
      guard let known = fates.firstIndex(where: { $0.fate == fate }) else {
        fates.append((fate, packet, [packet.interface]))
        continue
      }
      if !fates[known].interfaces.contains(packet.interface) { fates[known].interfaces.append(packet.interface) }
    }
    return merged(fates).compactMap { fate, packet, interfaces in
      let what = "\(fate.what) on \(interfaces.joinedInProse)"
      switch fate.outcome {
      case .passes:
        return nil
      case .isDropped(let place):
        let (cause, remedy) = (place.words(in: ruleset), FirewallRemedy.words(for: packet, at: place, in: ruleset))
        return fate.isFinal
          ? .problem(
            .firewall, "the firewall drops \(what)", cause: cause, remedy: remedy, blocking: fate.transports)
          : .note(.firewall, "the firewall drops \(what)", cause: cause, remedy: remedy)
      case .mayBeDropped(let place):
        return .note(
          .firewall, "the firewall may drop \(what)",
          cause: place.words(in: ruleset) + ", under conditions that bump cannot evaluate",
          remedy: FirewallRemedy.words(for: packet, at: place, in: ruleset))
      }
    }
  }

  /// Merges the packets that the same policy drops into one finding. Packets dropped by rules stay apart, since each
  /// may be dropped by another rule.
  private static func merged(
    _ fates: [(fate: Fate, packet: Packet, interfaces: [String])]
  ) -> [(fate: Fate, packet: Packet, interfaces: [String])] {
    var merged: [(fate: Fate, packet: Packet, interfaces: [String])] = []
    for fate in fates {
      let known = merged.firstIndex {
        guard case .isDropped(let place) = fate.fate.outcome, place.isPolicy else { return false }
        return ($0.fate.outcome, $0.fate.isFinal, $0.interfaces) == (
          fate.fate.outcome, fate.fate.isFinal, fate.interfaces
        )
      }
      guard let known else {
        merged.append(fate)
        continue
      }
      merged[known].fate.what += " and \(fate.fate.what)"
      merged[known].fate.transports.formUnion(fate.fate.transports)
    }
    return merged
  }

  private static func fate(of packet: Packet, among packets: [Packet], _ ruleset: Ruleset) -> Fate {
    let outcome = PacketTrace.outcome(of: packet, in: ruleset)
    let twin = packets.first {
      $0.family != packet.family && $0.what == packet.what && $0.interface == packet.interface
    }
    guard let twin else {
      return Fate(outcome: outcome, what: packet.what, transports: [packet.transport], isFinal: true)
    }
    let other = PacketTrace.outcome(of: twin, in: ruleset)
    let what = other == outcome ? packet.what : "\(packet.what) over \(packet.family == .ipv4 ? "IPv4" : "IPv6")"
    return Fate(outcome: outcome, what: what, transports: [packet.transport], isFinal: other.isCertain)
  }

  private static func passing(_ packets: [Packet]) -> String {
    var words: [String] = []
    for packet in packets where !words.contains(packet.what) { words.append(packet.what) }
    return words.joinedInProse
  }
}

extension Packet {
  /// The packet's description for a person.
  fileprivate var what: String {
    switch (transport, direction) {
    case (.udp, .input): "UDP 5353 coming in"
    case (.udp, .output): "UDP 5353 going out"
    case (.tcp, let direction):
      (ports.count == 1 ? "TCP \(ports.lowerBound)" : "TCP \(ports.lowerBound) to \(ports.upperBound)")
        + (direction == .input ? " coming in" : " going out")
    }
  }
}

extension PacketTrace.Outcome {
  /// Whether the packet is dropped, whatever the unknown conditions are.
  fileprivate var isCertain: Bool { if case .isDropped = self { true } else { false } }
}

extension PacketTrace.DropPoint {
  fileprivate func words(in ruleset: Ruleset) -> String {
    let tool = ruleset.chains[entry]?.tool ?? .nft
    let table = tool == .nft ? "\(chain.family) \(chain.table)" : chain.table
    let program = tool == .nft ? "nft" : chain.family == "ip" ? "iptables" : "ip6tables"
    return "\(isPolicy ? "the policy" : "a rule") of chain \(chain.chain) in table \(table) (\(program))"
  }
}
