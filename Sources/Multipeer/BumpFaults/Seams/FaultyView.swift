/// One peer's browser under a plan, as a state machine: takes the services that are there, and returns what to report
/// and when. It has no network and no clock.
package struct FaultyView<Service: Hashable & Sendable>: Sendable {
  /// A report to the browser's program.
  package enum Report: Hashable, Sendable {
    case found(Service)
    case lost(Service)
    /// A service for which nobody answers is found.
    case ghost(isOwn: Bool)
  }

  /// A report, and when it is due.
  package struct Due: Hashable, Sendable {
    package let at: Duration
    package let report: Report
  }

  /// How long services continue flapping.
  private static var horizon: Duration { .seconds(600) }

  private let faults: [DiscoveryFault]
  private var generator: SplitMix64
  private var lostBefore: Set<Service> = []
  private var seen: Set<Service> = []

  /// Makes the view of a peer.
  package init(_ plan: FaultPlan, of peer: String) {
    faults = plan.discovery
    generator = plan.stream(peer, "discovery")
  }

  /// Handles the start of browsing, each time.
  package mutating func began(at now: Duration) -> [Due] {
    faults.compactMap { if case .ghost(let isOwn) = $0 { Due(at: now, report: .ghost(isOwn: isOwn)) } else { nil } }
  }

  /// Handles a service that is found.
  package mutating func found(_ service: Service, at now: Duration) -> [Due] {
    guard !faults.contains(.never) else { return [] }
    let isBack = !seen.insert(service).inserted
    var due = now
    for case .late(let span) in faults { due += generator.draw(span) }
    var all = [Due(at: due, report: .found(service))]
    for fault in faults {
      switch fault {
      case .again(let count, let after, let apart, let onReturn) where isBack || !onReturn:
        var next = due + generator.draw(after)
        for _ in 0..<generator.draw(count) {
          all.append(Due(at: next, report: .found(service)))
          next += generator.draw(apart)
        }
      case .lostWrongly(let after, let back):
        guard lostBefore.insert(service).inserted else { break }
        let lost = due + generator.draw(after)
        all.append(Due(at: lost, report: .lost(service)))
        if let back { all.append(Due(at: lost + generator.draw(back), report: .found(service))) }
      case .flapping(let span):
        guard lostBefore.insert(service).inserted else { break }
        var next = due
        while next < due + Self.horizon {
          next += generator.draw(span)
          all.append(Due(at: next, report: .lost(service)))
          next += generator.draw(span)
          all.append(Due(at: next, report: .found(service)))
        }
      case .again, .late, .never, .lossUnseen, .ghost, .stale, .refused: break
      }
    }
    return all
  }

  /// Handles a service that is lost.
  package mutating func lost(_ service: Service, at now: Duration) -> [Due] {
    faults.contains(.never) || faults.contains(.lossUnseen) ? [] : [Due(at: now, report: .lost(service))]
  }
}
