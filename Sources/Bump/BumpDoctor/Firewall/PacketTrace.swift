/// Follows one packet through the rules.
struct PacketTrace {
  /// The rule or policy that drops the packet.
  struct DropPoint: Hashable, Sendable {
    /// The base chain, which the kernel calls. A rule at its head decides before all others.
    var entry: Ruleset.ChainID
    var chain: Ruleset.ChainID
    /// Whether the chain's policy decides. It applies if no rule does.
    var isPolicy: Bool
  }

  enum Outcome: Hashable, Sendable {
    case passes
    /// Unknown conditions decide whether the packet is dropped.
    case mayBeDropped(DropPoint)
    case isDropped(DropPoint)
  }

  private enum End { case accepted, dropped(DropPoint), ranOut }

  /// The greatest depth of jumps to follow. The kernel rejects circular jumps.
  private static let maximumDepth = 16

  private let ruleset: Ruleset
  private let packet: Packet
  private var entry: Ruleset.ChainID
  private var doubt: DropPoint?
  /// Whether an earlier rule may have accepted the packet.
  private var mayHavePassed = false

  static func outcome(of packet: Packet, in ruleset: Ruleset) -> Outcome {
    var doubt: DropPoint?
    for entry in ruleset.entries(for: packet) {
      var trace = PacketTrace(ruleset, packet, entry)
      if let place = trace.drop() {
        guard trace.mayHavePassed else { return .isDropped(place) }
        doubt = doubt ?? place
      }
      doubt = doubt ?? trace.doubt
    }
    return doubt.map { .mayBeDropped($0) } ?? .passes
  }

  private init(_ ruleset: Ruleset, _ packet: Packet, _ entry: Ruleset.ChainID) {
    (self.ruleset, self.packet, self.entry) = (ruleset, packet, entry)
  }

  /// Returns where the packet is dropped; `nil` if it is accepted.
  private mutating func drop() -> DropPoint? {
    switch walk(entry, depth: 0) {
    case .accepted: return nil
    case .dropped(let place): return place
    case .ranOut:
      let isDropped = ruleset.chains[entry]?.isDroppedAtEnd == true
      return isDropped ? DropPoint(entry: entry, chain: entry, isPolicy: true) : nil
    }
  }

  private mutating func walk(_ id: Ruleset.ChainID, depth: Int) -> End {
    guard depth < Self.maximumDepth, let chain = ruleset.chains[id] else {
      mayHavePassed = true
      return .ranOut
    }
    for rule in chain.rules {
      let truth = rule.holds(for: packet)
      guard truth != .no, let end = follow(rule.verdict, from: id, depth: depth) else { continue }
      if truth == .yes { return end }
      switch end {
      case .accepted, .ranOut: mayHavePassed = true
      case .dropped(let place): doubt = doubt ?? place
      }
    }
    return .ranOut
  }

  /// Returns how a verdict ends the chain; `nil` if the next rule decides.
  private mutating func follow(_ verdict: Rule.Verdict, from id: Ruleset.ChainID, depth: Int) -> End? {
    switch verdict {
    case .none: return nil
    case .accept: return .accepted
    case .drop: return .dropped(DropPoint(entry: entry, chain: id, isPolicy: false))
    case .leave: return .ranOut
    case .goto(let name): return walk(named(name, id), depth: depth + 1)
    case .jump(let name):
      let end = walk(named(name, id), depth: depth + 1)
      if case .ranOut = end { return nil }
      return end
    case .unknown:
      mayHavePassed = true
      return nil
    }
  }

  private func named(_ name: String, _ id: Ruleset.ChainID) -> Ruleset.ChainID {
    Ruleset.ChainID(family: id.family, table: id.table, chain: name)
  }
}
