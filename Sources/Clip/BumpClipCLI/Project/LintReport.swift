import BumpKit
import BumpLint
import BumpTerminal
import BumpText

/// Reports the findings of `bump-clip lint` to stdout.
struct LintReport: Sendable {
  let console: Console
  let json: JSONLines
  let isQuiet: Bool

  /// Reports findings, one a line.
  ///
  /// - Parameter folder: the folder to print before each path, for people.
  func found(_ report: Linter.Report, folder: String) -> ExitStatus {
    for finding in report.findings {
      json.write(
        "finding",
        [
          "rule": .string(finding.rule.id), "severity": .string(finding.rule.severity.rawValue),
          "file": .string(finding.file), "line": finding.line.map { .integer(Int64($0)) },
          "what": .string(finding.what),
          "try": .string(finding.mend),
        ])
      guard !json.isOn, !isQuiet || finding.rule.severity == .error else { continue }
      let path = folder.isEmpty ? finding.file : "\(folder)/\(finding.file)"
      let place = path + (finding.line.map { ":\($0)" } ?? "")
      Console.result(
        VisibleText.of(
          "\(place): \(finding.rule.severity.rawValue) \(finding.rule.id): \(finding.what). \(finding.mend)"))
    }
    return concluded(report)
  }

  /// Writes all findings as one SARIF log.
  func logged(_ report: Linter.Report, folder: String) -> ExitStatus {
    // Outside of strings, line feeds are the only characters that would be escaped.
    let lines = SARIF(report.findings, version: Version.current, folder: folder).json().split(separator: "\n")
    Console.result(lines.map { VisibleText.ofJSON(String($0)) }.joined(separator: "\n"))
    return concluded(report)
  }

  private func concluded(_ report: Linter.Report) -> ExitStatus {
    func count(_ severity: Rule.Severity) -> Int { report.findings.count { $0.rule.severity == severity } }
    let status = count(.error) == 0 ? ExitStatus.success : .failure
    let absent = report.absent.joined(separator: ", ")
    json.write(
      "result",
      [
        "outcome": status == .success ? "well" : "errors", "errors": .integer(Int64(count(.error))),
        "warnings": .integer(Int64(count(.warning))), "notes": .integer(Int64(count(.note))),
        "unchecked": absent.isEmpty ? nil : .string(absent),
        "exit": .integer(Int64(status.rawValue)),
      ])
    if !json.isOn {
      let counts = Rule.Severity.allCases.map { severity in
        "\(count(severity)) \(severity.rawValue)\(count(severity) == 1 ? "" : "s")"
      }
      console.say(counts.joined(separator: ", ") + ".")
      if !absent.isEmpty {
        console.say("Not checked, since the folder does not have them: \(absent).")
      }
      if report.findings.count == Linter.limit {
        console.say("There may be more. Mend these, and run `bump-clip lint` again.")
      }
    }
    return status
  }

  /// Explains a rule.
  func explained(_ rule: Rule) -> ExitStatus {
    write(rule)
    if !json.isOn {
      Console.result("\(rule.id) (\(rule.severity.rawValue))")
      Console.result(rule.why)
      Console.result("Example: \(rule.example)")
      Console.result("Try: \(rule.mend).")
    }
    return ended("explained")
  }

  /// Lists the rules.
  func listed() -> ExitStatus {
    for rule in Rule.allCases {
      write(rule)
      if !json.isOn {
        Console.result("\(rule.id.padded(to: 28)) \(rule.severity.rawValue.padded(to: 8)) \(rule.example)")
      }
    }
    return ended("listed")
  }

  private func write(_ rule: Rule) {
    json.write(
      "rule",
      [
        "rule": .string(rule.id), "severity": .string(rule.severity.rawValue), "why": .string(rule.why),
        "example": .string(rule.example), "try": .string(rule.mend),
      ])
  }

  private func ended(_ outcome: String) -> ExitStatus {
    json.write("result", ["outcome": .string(outcome), "exit": 0])
    return .success
  }
}
