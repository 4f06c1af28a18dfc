import BumpDoctor
import BumpTerminal
import Synchronization

/// Reports the findings of `bump doctor` to stdout.
final class DoctorReport: Sendable {
  private let console: Console
  private let json: JSONLines
  private let isQuiet: Bool
  private let counts = Mutex<[Finding.Severity: Int]>([:])

  init(console: Console, json: JSONLines, isQuiet: Bool) {
    (self.console, self.json, self.isQuiet) = (console, json, isQuiet)
  }

  func tell(_ finding: Finding) {
    counts.withLock { $0[finding.severity, default: 0] += 1 }
    json.write(
      "finding",
      [
        "check": .string(finding.check.rawValue), "severity": .string(finding.severity.rawValue),
        "what": .string(finding.what), "cause": finding.cause.map { .string($0) },
        "try": finding.remedy.map { .string($0) },
      ])
    guard !json.isOn, !isQuiet || finding.severity == .problem else { return }
    for line in Self.lines(finding) { Console.result(line) }
  }

  /// Returns a finding for people, with its cause and remedy on the lines below.
  static func lines(_ finding: Finding) -> [String] {
    let mark =
      switch finding.severity {
      case .ok: "ok      "
      case .note: "note    "
      case .problem: "PROBLEM "
      }
    let below = [("cause", finding.cause), ("try", finding.remedy)].compactMap { name, text in
      text.map { "          \(name): \($0)" }
    }
    return [mark + finding.what] + below
  }

  /// Reports the number of problems, and returns the exit status.
  func result() -> ExitStatus {
    let (problems, notes) = counts.withLock { ($0[.problem] ?? 0, $0[.note] ?? 0) }
    let status = problems == 0 ? ExitStatus.success : .failure
    json.write(
      "result",
      [
        "outcome": problems == 0 ? "well" : "problems", "problems": .integer(Int64(problems)),
        "notes": .integer(Int64(notes)), "exit": .integer(Int64(status.rawValue)),
      ])
    let summary = problems == 0 ? "No problem found." : problems == 1 ? "1 problem." : "\(problems) problems."
    if !json.isOn { console.say(summary) }
    return status
  }

  func interrupted() -> ExitStatus {
    let status = ExitStatus.interrupted
    json.write("result", ["outcome": "interrupted", "exit": .integer(Int64(status.rawValue))])
    return status
  }
}
