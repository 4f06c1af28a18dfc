/// A process that has ended, and all it said.
public struct ProcessResult: Sendable, CustomStringConvertible {
  public let command: [String]
  /// The exit status, or minus the number of the signal that killed it.
  public let status: Int32
  /// From its start to its end.
  public let duration: Duration
  public let standardOutput: String
  /// The same as `standardOutput` where both were one terminal.
  public let standardError: String
  /// The output as a terminal got it, where messages are broken into lines.
  public let screen: String

  public var lines: [String] { Output.lines(of: Array(standardOutput.utf8)) }

  /// The output as `--json` promises it: one object a line and nothing else.
  public var events: [JSONObject] {
    get throws { try lines.map { try JSONObject($0) } }
  }

  /// The last event of `--json`.
  ///
  /// - Throws: `OutputEnded` where it is not a result that tells the true exit status.
  public var result: JSONObject {
    get throws {
      guard let last = try events.last, last.string("event") == "result", last.number("exit") == Double(status) else {
        throw OutputEnded(description: "no result that tells the exit status: \(self)")
      }
      return last
    }
  }

  /// From its first event of one name to its first of another, by the process's own clock.
  ///
  /// - Throws: `OutputEnded` where one of them was not said.
  public func time(from first: String, to second: String) throws -> Duration {
    let moments = try [first, second].map { name in
      guard let milliseconds = try events.first(where: { $0.string("event") == name })?.number("ms") else {
        throw OutputEnded(description: "no event \(name): \(self)")
      }
      return Duration.milliseconds(milliseconds)
    }
    return moments[1] - moments[0]
  }

  public var description: String {
    "\(command.joined(separator: " ")) → \(status) after \(duration)\n┆ \(standardOutput)\n┆ \(standardError)"
  }
}
