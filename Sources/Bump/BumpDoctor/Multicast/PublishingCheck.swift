import BumpDiscovery

/// Checks whether a service published on an interface is found on it.
enum PublishingCheck {
  struct Facts: Hashable, Sendable {
    var interface: String
    /// The discovery backend.
    var backend: String
    var outcome: TestService.Outcome
  }

  /// Judges all interfaces. Those on which publishing fails for the same reason share one finding.
  static func judge(_ all: [Facts]) -> [Finding] {
    var groups: [(outcome: TestService.Outcome, facts: [Facts])] = []
    for facts in all {
      if case .failed = facts.outcome, let known = groups.firstIndex(where: { $0.outcome == facts.outcome }) {
        groups[known].facts.append(facts)
      } else {
        groups.append((facts.outcome, [facts]))
      }
    }
    return groups.map { judge($0.outcome, by: $0.facts.map(\.interface).joinedInProse, $0.facts[0].backend) }
  }

  private static func judge(_ outcome: TestService.Outcome, by interface: String, _ backend: String) -> Finding {
    let remedy =
      backend == "daemon"
      ? "look at allow-interfaces and deny-interfaces in /etc/avahi/avahi-daemon.conf, and at `journalctl -u avahi-daemon`"
      : "see the findings above"
    switch outcome {
    case .seen(let time):
      let seconds = (time / .milliseconds(10)).rounded() / 100
      return .ok(.publishing, "a service published on \(interface) is found after \(seconds) s (\(backend))")
    case .published:
      return .problem(
        .publishing, "a service is published on \(interface), but not found (\(backend))",
        cause: "the browser receives nothing on this interface", remedy: remedy)
    case .notPublished:
      return .problem(
        .publishing, "nothing is published on \(interface) (\(backend))",
        cause: "the publisher does not use this interface", remedy: remedy)
    case .failed(let error):
      return .problem(
        .publishing, "nothing can be published or found on \(interface) (\(backend))",
        cause: error.reason, remedy: error.remedy ?? remedy)
    }
  }
}
