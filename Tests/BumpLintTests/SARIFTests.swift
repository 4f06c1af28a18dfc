import Foundation
import Testing

@testable import BumpLint

/// The log for code review, by the properties that SARIF 2.1.0 requires (OASIS, §3.13 and on).
@Suite struct SARIFTests {
  private func log(of findings: [Finding], folder: String = "") throws -> [String: Any] {
    let text = SARIF(findings, version: "1.2.3", folder: folder).json()
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func run(_ log: [String: Any]) throws -> (driver: [String: Any], results: [[String: Any]]) {
    #expect(log["version"] as? String == "2.1.0")
    #expect((log["$schema"] as? String)?.hasSuffix("sarif-schema-2.1.0.json") == true)
    let runs = try #require(log["runs"] as? [[String: Any]])
    try #require(runs.count == 1)
    let driver = try #require((runs[0]["tool"] as? [String: Any])?["driver"] as? [String: Any])
    return (driver, try #require(runs[0]["results"] as? [[String: Any]]))
  }

  /// As Apple's facts weigh: an error keeps a clip or app from what it is for, a warning may.
  @Test func `each rule has its severity`() {
    let warnings: Set<Rule> = [
      .localNetworkUsageMissing, .clipURLScheme, .appApplinksMissing, .developerMode, .aasaContentType,
      .aasaAppclipsDetails, .aasaClipInApplinks, .aasaPathBare, .aasaPathWide, .aasaCase, .aasaUncovered,
      .aasaUnreachable, .redirectTarget, .registeredQuery, .debugURL,
    ]
    let notes: Set<Rule> = [
      .bonjourUDPMissing, .aasaLegacyApps, .aasaLegacyFormat, .bannerArgument, .buildSetting,
    ]
    for rule in Rule.allCases {
      let expected: Rule.Severity = warnings.contains(rule) ? .warning : notes.contains(rule) ? .note : .error
      #expect(rule.severity == expected, "\(rule.id)")
    }
  }

  @Test func `each rule is described once, and each finding names its rule, its place and its level`() throws {
    var findings: [Finding] = []
    for breaking in RuleTests.breaks {
      var project = SampleProject()
      for change in breaking.changes { try project.make(change) }
      findings += project.findings
    }
    let (driver, results) = try run(log(of: findings))
    #expect(driver["name"] as? String == "bump-clip lint" && driver["version"] as? String == "1.2.3")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.compactMap { $0["id"] as? String } == Rule.allCases.map(\.id))
    for rule in rules {
      #expect(((rule["shortDescription"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
    }
    try #require(results.count == findings.count)
    for (result, finding) in zip(results, findings) {
      #expect(result["ruleId"] as? String == finding.rule.id)
      #expect(rules[try #require(result["ruleIndex"] as? Int)]["id"] as? String == finding.rule.id)
      #expect(["error", "warning", "note"].contains(result["level"] as? String))
      #expect(((result["message"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
      let locations = try #require(result["locations"] as? [[String: Any]])
      try #require(locations.count == 1)
      let physical = try #require(locations[0]["physicalLocation"] as? [String: Any])
      #expect((physical["artifactLocation"] as? [String: Any])?["uri"] as? String == finding.file)
      #expect((physical["region"] as? [String: Any])?["startLine"] as? Int == finding.line)
      #expect(finding.line ?? 1 >= 1)
    }
  }

  @Test func `a path is a reference relative to the repository`() throws {
    let finding = Finding(.unreadable, at: FileLocation("My App: é/Info.plist"), "x")
    let (_, results) = try run(log(of: [finding], folder: "ios"))
    let text = try String(
      decoding: JSONSerialization.data(withJSONObject: results, options: .withoutEscapingSlashes), as: UTF8.self)
    #expect(text.contains(#""uri":"ios/My%20App%3A%20%C3%A9/Info.plist""#), "\(text)")
    #expect(!text.contains("region"))
  }

  @Test func `no finding is an empty list`() throws {
    #expect(try run(log(of: [])).results.isEmpty)
  }

  @Test func `each rule says why, by what, and what to do`() {
    for rule in Rule.allCases {
      #expect(!rule.why.isEmpty && rule.why.hasSuffix("."), "\(rule.id)")
      #expect(!rule.example.isEmpty && !rule.mend.isEmpty && !rule.mend.hasSuffix("."), "\(rule.id)")
      #expect(rule.id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(rule.id)")
    }
    #expect(Set(Rule.allCases.map(\.id)).count == 55)
  }
}
