import BumpText
public import BumpWire

/// A sender that the person here may choose. Nothing in it is authenticated.
public struct SenderCandidate: Hashable, Sendable {
  /// The instance name as received.
  public let name: String
  /// The name to show to a person: safe to print, and different from all others in the list. It is as short as it can
  /// be: `alice`; `alice-69ea` where any name of another sender is one of this sender's too; the whole instance name
  /// where another has these four digits.
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
      id.instanceName.map { (id, $0, InstanceName.shown($0), VisibleText.ofName($0)) }
    }
    // Somebody may call themselves as another's screen says, digits included: no short name of one is any name of another.
    let uses = count(named.flatMap { _, _, shown, whole in Set([shown.short, shown.distinct, whole]) })
    let distinct = count(named.map(\.2.distinct))
    return named.map { id, name, shown, whole in
      let isAlone = [shown.short, shown.distinct, whole].allSatisfy { uses[$0] == 1 }
      let text = isAlone ? shown.short : distinct[shown.distinct] == 1 ? shown.distinct : whole
      return SenderCandidate(name: name, shown: text, mode: modes[id])
    }.sorted { ($0.distinct, $0.name) < ($1.distinct, $1.name) }
  }

  private static func count(_ names: [String]) -> [String: Int] {
    Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
  }
}
