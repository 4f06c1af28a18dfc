public import BumpWire

/// A sender that the person here may choose. Nothing in it is authenticated.
public struct SenderCandidate: Hashable, Sendable {
  /// The instance name as received.
  public let name: String
  /// The name to show to a person: safe to print, and different from all others in the list.
  public let shown: String
  /// The mode that the sender announces; `nil` if none is known.
  public let mode: Mode?

  /// Makes a candidate.
  public init(name: String, shown: String, mode: Mode?) {
    (self.name, self.shown, self.mode) = (name, shown, mode)
  }

  package var id: SenderConnector.SenderID { .instance(name) }
  var distinct: String { InstanceName.shown(name).distinct }

  /// Returns the senders as a list sorted by name, so that a number always means the same sender.
  static func list(
    of ids: [SenderConnector.SenderID], modes: [SenderConnector.SenderID: Mode]
  ) -> [SenderCandidate] {
    let named = ids.compactMap { id in
      if case .instance(let name) = id { (id, name, InstanceName.shown(name)) } else { nil }
    }
    let counts = Dictionary(named.map { ($0.2.short, 1) }, uniquingKeysWith: +)
    return named.map { id, name, shown in
      SenderCandidate(name: name, shown: counts[shown.short] == 1 ? shown.short : shown.distinct, mode: modes[id])
    }.sorted { ($0.distinct, $0.name) < ($1.distinct, $1.name) }
  }
}
