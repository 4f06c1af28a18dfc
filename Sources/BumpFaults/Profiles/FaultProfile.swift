/// A known failure, by name: what goes wrong, in one sentence, and who has seen it.
public struct FaultProfile: Hashable, Sendable, Identifiable {
  /// Whether somebody has reported it, Apple documents it, or it only follows.
  public enum Evidence: String, Hashable, Sendable {
    case documented, reported, inferred
  }

  /// Which wire it concerns.
  public enum Wire: String, Hashable, Sendable, CaseIterable {
    /// Sessions as Apple's MultipeerConnectivity has them.
    case multipeer
    /// bump's own.
    case bump
  }

  /// Its name, such as `connecting-stall`.
  public let name: String
  /// Which wire it concerns.
  public let wire: Wire
  /// What happens, in one sentence.
  public let sentence: String
  /// What it rests on.
  public let evidence: Evidence
  /// Where that is to be read.
  public let sources: [String]
  /// What a robust program does about it.
  public let remedy: String
  /// What goes wrong.
  public let faults: [Fault]

  public var id: String { name }

  package init(
    _ name: String, _ sentence: String, wire: Wire = .multipeer, _ evidence: Evidence, _ sources: [String],
    remedy: String, _ faults: [Fault]
  ) {
    (self.name, self.wire, self.sentence, self.evidence) = (name, wire, sentence, evidence)
    (self.sources, self.remedy, self.faults) = (sources, remedy, faults)
  }

  /// All profiles, in the order of what they concern: connecting, discovery, a connected session, bump's own wire.
  public static let all = whileConnecting + ofDiscovery + onceConnected + ofBump

  /// The profile of a name; `nil` where there is none.
  public static func named(_ name: String) -> FaultProfile? { all.first { $0.name == name } }
}
