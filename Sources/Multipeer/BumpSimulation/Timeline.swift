public import BumpFaults

/// The calls and events of each emulated peer in one run, with their times. Nothing of it is real, and each form of it
/// says so.
public struct SimulatedTimeline: Sendable {
  /// One line: a call of a delegate or of a program, or an event.
  public struct Line: Hashable, Sendable {
    /// The kind of a line.
    public enum Kind: String, Hashable, Sendable {
      /// The program is called.
      case callback
      /// The program makes a call.
      case call
      /// An event that no program sees.
      case note
    }

    /// The time since the start, in milliseconds.
    public let milliseconds: Int
    /// The peer whose program it is.
    public let peer: String
    /// Whether the program is called, makes a call, or sees nothing of it.
    public let kind: Kind
    /// The name of the call or event; the full name of a method of Apple's: `browser(_:foundPeer:withDiscoveryInfo:)`.
    public let name: String
    /// The call or event in a few words.
    public let text: String
  }

  /// The plan of the run.
  public let plan: FaultPlan
  /// The peers, in the order of the columns.
  public let peers: [String]
  /// The calls and events, in order.
  public let lines: [Line]

  /// The line above every timeline.
  public var heading: String {
    "SIMULATED: \(plan.profile.name), seed \(plan.seed). Emulated peers, emulated time: nothing here is real."
  }

  /// The timeline for programs: one JSON object (RFC 8259) per line.
  public var json: [String] {
    lines.map { line in
      JSONText.object([
        ("simulated", "true"), ("profile", JSONText.string(plan.profile.name)), ("seed", "\(plan.seed)"),
        ("ms", "\(line.milliseconds)"), ("peer", JSONText.string(line.peer)),
        ("kind", JSONText.string(line.kind.rawValue)), ("name", JSONText.string(line.name)),
        ("text", JSONText.string(line.text)),
      ])
    }
  }

  private static let widest = 46

  /// The timeline for people: a column for each peer, and the time in seconds.
  public var columns: [String] {
    let indent = String(repeating: " ", count: 11)
    func row(_ time: String, _ cells: [String]) -> String {
      var text = time + cells.map { Self.padded($0, to: Self.widest) }.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }
    var rows = [heading, plan.profile.sentence, "", row(indent, peers)]
    for line in lines {
      let time = Self.seconds(line.milliseconds)
      let mark =
        switch line.kind {
        case .callback: ""
        case .call: "> "
        case .note: "- "
        }
      let cells = peers.map { $0 == line.peer ? mark + line.text : "" }
      rows.append(row(String(repeating: " ", count: max(0, 9 - time.count)) + time + "  ", cells))
    }
    return rows
  }

  /// Returns milliseconds as seconds, without floating point.
  static func seconds(_ milliseconds: Int) -> String {
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// Collects the lines of a run.
struct TimelineRecorder {
  private(set) var lines: [SimulatedTimeline.Line] = []
  /// When the run began, by the emulation's clock.
  var origin: Duration = .zero
  /// Whether lines are not recorded yet.
  var isMuted = false

  mutating func add(
    _ kind: SimulatedTimeline.Line.Kind, _ peer: String, _ name: String, _ text: String, at now: Duration
  ) {
    guard !isMuted else { return }
    let time = now - origin
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    lines.append(.init(milliseconds: Int(milliseconds), peer: peer, kind: kind, name: name, text: text))
  }
}

extension SimulatedTimeline {
  /// Runs two emulated peers under a plan, and returns their timeline. The same plan gives the same timeline.
  public static func of(_ plan: FaultPlan) -> SimulatedTimeline {
    switch plan.profile.wire {
    case .multipeer: return MultipeerEmulation(plan).run()
    case .bump:
      // Each value of the two ends is a constant, and valid.
      guard let emulation = try? BumpEmulation(plan) else { preconditionFailure("an emulated bump") }
      return emulation.run()
    }
  }
}
