/// Whether a condition holds; `unknown` if that cannot be told.
enum Truth: Hashable, Sendable {
  case yes, no, unknown

  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  static func of(_ isTrue: Bool) -> Truth { isTrue ? .yes : .no }
}

/// A condition of a rule on a packet.
struct Condition: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    case family([Packet.Family])
    case transport([String])
    case ports([ClosedRange<UInt16>])
    /// Names of interfaces. A `*` at the end matches any rest.
    case inInterface([String])
    case outInterface([String])
    case destination([String])
    /// States of connection tracking.
    case state([String])
    case isMulticast
    /// A condition that cannot be evaluated here: a source address, a rate, a named set.
    case unknown
  }

  var subject: Subject
  var isNegated = false

  func holds(for packet: Packet) -> Truth {
    let truth = isTrue(of: packet)
    return isNegated ? !truth : truth
  }

  private func isTrue(of packet: Packet) -> Truth {
    switch subject {
    case .family(let families): .of(families.contains(packet.family))
    case .transport(let names): .of(names.contains(packet.transport.rawValue) || names.contains("all"))
    case .ports(let ranges): ports(packet.ports, in: ranges)
    case .inInterface(let names): .of(packet.direction == .input && Self.matches(packet.interface, names))
    case .outInterface(let names): .of(packet.direction == .output && Self.matches(packet.interface, names))
    case .destination(let texts): destination(packet.destination, in: texts)
    case .state(let states): .of(states.contains { $0.lowercased() == (packet.isReply ? "established" : "new") })
    case .isMulticast: .of(packet.destination != nil)
    case .unknown: .unknown
    }
  }

  private func ports(_ ports: ClosedRange<UInt16>, in ranges: [ClosedRange<UInt16>]) -> Truth {
    if ranges.contains(where: { $0.contains(ports.lowerBound) && $0.contains(ports.upperBound) }) { return .yes }
    return ranges.contains { $0.overlaps(ports) } ? .unknown : .no
  }

  private func destination(_ address: String?, in texts: [String]) -> Truth {
    let prefixes = texts.map(Prefix.init)
    guard let address else { return prefixes.contains { $0?.isEverything == true } ? .yes : .unknown }
    if prefixes.contains(where: { $0?.contains(address) == true }) { return .yes }
    return prefixes.contains(nil) ? .unknown : .no
  }

  private static func matches(_ interface: String, _ names: [String]) -> Bool {
    names.contains { $0 == interface || ($0.hasSuffix("*") && interface.hasPrefix($0.dropLast())) }
  }
}

/// A verdict for the packets that meet all conditions.
struct Rule: Hashable, Sendable {
  enum Verdict: Hashable, Sendable {
    /// The next rule decides.
    case none
    case accept
    /// Drops or rejects the packet.
    case drop
    case leave
    case jump(String)
    case goto(String)
    /// Leaves the verdict to another program.
    case unknown
  }

  var conditions: [Condition]
  var verdict: Verdict

  func holds(for packet: Packet) -> Truth {
    let truths = conditions.map { $0.holds(for: packet) }
    if truths.contains(.no) { return .no }
    return truths.contains(.unknown) ? .unknown : .yes
  }
}
