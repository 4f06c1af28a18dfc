public import BumpWire

/// A sender that our person may choose. All of it is a stranger's word.
public struct SenderCandidate: Hashable, Sendable {
  /// The instance name as it came.
  public let name: String
  /// The name to show: safely, and so that no two of one list look alike.
  public let shown: String
  /// How the sender wants to know who takes the claim, where it says so.
  public let mode: Mode?

  public init(name: String, shown: String, mode: Mode?) {
    (self.name, self.shown, self.mode) = (name, shown, mode)
  }

  package var id: SenderSearch.SenderID { .instance(name) }
  var short: String { InstanceName.shown(name).short }
  var distinct: String { InstanceName.shown(name).distinct }

  /// The senders as they are listed: by name, so that a number means the same each time.
  static func list(
    of ids: [SenderSearch.SenderID], modes: [SenderSearch.SenderID: Mode]
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
