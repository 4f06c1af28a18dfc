import FoundationEssentials

/// Findings as a SARIF 2.1.0 log (OASIS), which services for code review read.
public struct SARIF: Encodable, Sendable {
  private let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  private let version = "2.1.0"
  private let runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version
    case runs
  }

  /// Makes a log of findings.
  ///
  /// - Parameters:
  ///   - version: the version of the program.
  ///   - folder: the path of the linted folder in the repository: relative, without `.` and `..`, and empty for the
  ///     root.
  public init(_ findings: [Finding], version: String, folder: String = "") {
    let rules = Rule.allCases
    runs = [
      Run(
        tool: Tool(driver: Driver(version: version, rules: rules.map(Descriptor.init))),
        results: findings.map { finding in
          Result(finding, index: rules.firstIndex(of: finding.rule) ?? 0, folder: folder)
        })
    ]
  }

  /// Returns the log as JSON.
  public func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding strings and integers never fails.
    return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
  }

  private struct Run: Encodable {
    let tool: Tool
    /// The unit of columns. The log has lines only, but a run states the unit nevertheless.
    let columnKind = "utf16CodeUnits"
    let results: [Result]
  }

  private struct Tool: Encodable { let driver: Driver }

  private struct Driver: Encodable {
    let name = "bump-clip lint"
    let version: String
    let rules: [Descriptor]
  }

  private struct Text: Encodable { let text: String }

  private struct Configuration: Encodable { let level: String }

  /// The texts of a rule, written once for all its results.
  private struct Descriptor: Encodable {
    let id: String
    let shortDescription: Text
    let help: Text
    let defaultConfiguration: Configuration

    init(_ rule: Rule) {
      id = rule.id
      shortDescription = Text(text: rule.why)
      help = Text(text: "\(rule.mend). Example: \(rule.example)")
      defaultConfiguration = Configuration(level: rule.severity.rawValue)
    }
  }

  private struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Text
    let locations: [Location]

    init(_ finding: Finding, index: Int, folder: String) {
      (ruleId, ruleIndex, level) = (finding.rule.id, index, finding.rule.severity.rawValue)
      message = Text(text: "\(finding.what). \(finding.mend).")
      let path = folder.isEmpty ? finding.file : "\(folder)/\(finding.file)"
      locations = [
        Location(
          physicalLocation: Physical(
            artifactLocation: Artifact(uri: path.reference), region: finding.line.map { Region(startLine: $0) }))
      ]
    }
  }

  private struct Location: Encodable { let physicalLocation: Physical }

  private struct Physical: Encodable {
    let artifactLocation: Artifact
    let region: Region?
  }

  private struct Artifact: Encodable { let uri: String }

  private struct Region: Encodable { let startLine: Int }
}

extension String {
  /// A path as a relative reference (RFC 3986 §4.2). All characters but `/` and unreserved ones are escaped: a colon,
  /// for instance, would make a scheme.
  fileprivate var reference: String {
    utf8.map { byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
