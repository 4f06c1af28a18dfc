/// A known failure with a name: its description in one sentence, its evidence, and its faults.
public struct FaultProfile: Hashable, Sendable, Identifiable {
  /// Whether the failure is described in documentation, reported by somebody, or only inferred.
  public enum Evidence: String, Hashable, Sendable {
    /// In this order: a document describes the failure, somebody has seen it, or the sources only make it likely.
    case documented, reported, inferred
  }

  /// The protocol in which a failure occurs.
  public enum Wire: String, Hashable, Sendable, CaseIterable {
    /// Sessions like those of Apple's MultipeerConnectivity.
    case multipeer
    /// bump's own protocol.
    case bump
  }

  /// The name, such as `connecting-stall`.
  public let name: String
  /// The protocol in which the failure occurs.
  public let wire: Wire
  /// The description, in one sentence.
  public let sentence: String
  /// The kind of evidence.
  public let evidence: Evidence
  /// The sources of the evidence.
  public let sources: [String]
  /// How a robust program handles the failure.
  public let remedy: String
  /// The faults that cause it.
  public let faults: [Fault]

  public var id: String { name }

  package init(
    _ name: String, _ sentence: String, wire: Wire = .multipeer, _ evidence: Evidence, _ sources: [String],
    remedy: String, _ faults: [Fault]
  ) {
    (self.name, self.wire, self.sentence, self.evidence) = (name, wire, sentence, evidence)
    (self.sources, self.remedy, self.faults) = (sources, remedy, faults)
  }

  /// All profiles, grouped by topic: connecting, discovery, a connected session, bump's own protocol.
  public static let all = whileConnecting + ofDiscovery + onceConnected + ofBump

  /// Returns the profile with this name; `nil` if there is none.
  public static func named(_ name: String) -> FaultProfile? { all.first { $0.name == name } }
}
