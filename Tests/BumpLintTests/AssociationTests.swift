import Testing

@testable import BumpLint

/// What the patterns of an apple-app-site-association file take.
@Suite struct AssociationTests {
  private func matches(_ pattern: String, _ text: String, ignoringCase: Bool = false) throws -> Bool {
    var work = MatchWork()
    let variables = ["kind": [Pattern.value("claim"), Pattern.value("gift*")]]
    let pattern = try Pattern(pattern, variables)
    return pattern.matches(Array(text.unicodeScalars), ignoringCase: ignoringCase, &work)
  }

  private static let taken: [(pattern: String, text: String, takes: Bool)] = [
    ("/clip", "/clip", true), ("/clip", "/clip/", false), ("/clip/*", "/clip/", true), ("/clip/*", "/clip/a/b", true),
    ("/clip/*", "/clip", false), ("/clip?", "/clip", false), ("/clip?", "/clips", true), ("/?*", "/", false),
    ("/?*", "/a", true), ("*", "", true), ("/*/x", "/a/b/x", true), ("/*/x", "/x", false), ("/A", "/a", false),
    ("/$(digit)$(digit)", "/42", true), ("/$(digit)", "/a", false), ("/$(xdigit)", "/F", true),
    ("/$(lang)/", "/de/", true), ("/$(lang)/", "/gsw/", true), ("/$(lang)/", "/DE/", false),
    ("/$(region)", "/CH", true),
    ("/$(kind)/1", "/claim/1", true), ("/$(kind)/1", "/gifts/1", true), ("/$(kind)/1", "/other/1", false),
  ]

  @Test(arguments: taken) func `a pattern takes what Apple's reference says`(pattern: String, text: String, takes: Bool)
    throws
  {
    #expect(try matches(pattern, text) == takes)
  }

  @Test func `case is ignored where it is said`() throws {
    #expect(try matches("/Claim/$(upper)", "/cLAIM/x", ignoringCase: true))
  }

  private static let undefined: [(text: String, name: String?)] = [("/$(uuid)", "uuid"), ("/$(digit", nil)]

  @Test(arguments: undefined)
  func `a variable that is not there is named`(text: String, name: String?) {
    do throws(Pattern.Fault) {
      _ = try Pattern(text, [:])
      Issue.record("read")
    } catch {
      guard case .variable(let told) = error else { return }
      #expect(told == name)
    }
  }

  /// By trying each way in turn this one takes longer than the universe has.
  @Test func `a pattern that was made to take for ever does not`() throws {
    var work = MatchWork()
    let pattern = try Pattern(String(repeating: "*a", count: 200) + "b", [:])
    #expect(!pattern.matches(Array(String(repeating: "a", count: 2000).unicodeScalars), ignoringCase: false, &work))
    #expect(!work.isSpent)
  }

  @Test func `a file whose patterns cost too much is said to, and ends`() throws {
    var project = SampleProject()
    let values = [String](repeating: #""\#(String(repeating: "*", count: 500))""#, count: 200).joined(separator: ",")
    let pattern = String(repeating: "$(a)", count: 100)
    try project.make(
      .replace(
        SampleProject.site, #""details""#, #""substitutionVariables": {"a": [\#(values)]}, "details""#))
    try project.make(.replace(SampleProject.site, #""/claim/*""#, #""/x\#(pattern)""#))
    try project.make(
      .replace(
        "project.json", "https://irl.app/claim/{claimId}", "https://irl.app/x\(String(repeating: "y", count: 1000))"))
    let findings = project.findings
    #expect(
      findings.contains { $0.rule == .unreadable && $0.what == "its patterns take too long to compare" }, "\(findings)")
  }

  /// The findings of a file for irl.app with one entry of details.
  private func findings(_ entry: String, defaults: String = "{}") throws -> [Rule] {
    var project = SampleProject()
    try project.make(
      .write(
        SampleProject.site,
        #"{"appclips": {"apps": ["A1B2C3D4E5.app.irl.IRL.Clip"]}, "applinks": {"defaults": \#(defaults), "details": [\#(entry)]}}"#
      ))
    return project.findings.map(\.rule)
  }

  @Test func `the nearer default holds`() throws {
    let rules = #""components": [{"/": "/CLAIM/*"}, {"/": "/clip"}]"#
    let id = #""appIDs": ["A1B2C3D4E5.app.irl.IRL"]"#
    #expect(try findings("{\(id), \(rules)}") == [.aasaCase])
    #expect(try findings("{\(id), \(rules)}", defaults: #"{"caseSensitive": false}"#) == [])
    #expect(
      try findings(#"{\#(id), "defaults": {"caseSensitive": true}, \#(rules)}"#, defaults: #"{"caseSensitive": false}"#)
        == [.aasaCase])
    #expect(
      try findings(#"{\#(id), "components": [{"/": "/CLAIM/*", "caseSensitive": false}, {"/": "/clip"}]}"#) == [])
  }

  @Test func `a URL is compared as it is written, or decoded where that is said`() throws {
    var project = SampleProject()
    try project.make(.replace("project.json", #""https://irl.app/clip""#, #""https://irl.app/caf%C3%A9""#))
    try project.make(.remove("IRL.xcodeproj/xcshareddata/xcschemes/Clip.xcscheme"))
    try project.make(.replace(SampleProject.site, #""/clip""#, #""/café""#))
    #expect(project.findings.map(\.rule) == [.aasaUncovered])
    try project.make(.replace(SampleProject.site, #""/café""#, #""/café", "percentEncoded": false"#))
    #expect(project.findings.isEmpty)
    // A sign is no digit, so nothing is encoded here.
    try project.make(.replace("project.json", "caf%C3%A9", "caf%+3%A9"))
    #expect(project.findings.map(\.rule) == [.aasaUncovered])
  }

  @Test func `the first pattern that matches decides`() throws {
    let id = #""appIDs": ["A1B2C3D4E5.app.irl.IRL"]"#
    let (taken, excluded) = (#"{"/": "/claim/*"}"#, #"{"/": "/claim/?", "exclude": true}"#)
    #expect(try findings(#"{\#(id), "components": [\#(taken), \#(excluded), {"/": "/clip"}]}"#) == [])
    #expect(try findings(#"{\#(id), "components": [\#(excluded), \#(taken), {"/": "/clip"}]}"#) == [.aasaUncovered])
  }

  @Test func `the rules of another app do not count`() throws {
    #expect(
      try findings(
        #"{"appIDs": ["A1B2C3D4E5.app.irl.IRL"], "components": [{"/": "/claim/*"}]}, {"appIDs": ["A1B2C3D4E5.app.irl.Other"], "components": [{"/": "/clip"}]}"#
      ) == [.aasaUncovered])
  }

  private static let mistyped: [(text: String, words: String)] = [
    (#"{"applinks": []}"#, "applinks is a list, not an object"),
    (#"{"applinks": {"details": {}}}"#, "details is an object, not a list"),
    (#"{"applinks": {"details": [{"appIDs": [1]}]}}"#, "an element of appIDs is a number, not a string"),
    (#"{"applinks": {"details": [{"components": [{"exclude": "yes"}]}]}}"#, "exclude is a string, not true or false"),
    (#"{"a": 1, "a": 2}"#, #"this is not JSON: "a" occurs twice"#),
    (
      "\u{FEFF}{}", "the file begins with a byte order mark (BOM), an invisible character that JSON does not have"
    ), ("", "this is not JSON: no value"),
    (String(repeating: "[", count: 100_000), "this is not JSON: it is nested more than 16 deep"),
  ]

  @Test(arguments: mistyped) func `what has another type than it should is named`(text: String, words: String) {
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: Array(text.utf8)), heads: [])
    #expect(file.faults.map(\.what) == [words])
    #expect(file.faults.allSatisfy { $0.rule == .aasaJson })
  }

  @Test func `a file with a byte order mark is read, and the mark is reported with what to do`() throws {
    var project = SampleProject()
    try project.make(.replace(SampleProject.site, #""/clip""#, #""/other""#))
    let sources = project.sources { path, text in
      (path == SampleProject.site ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
    }
    let findings = Linter.findings(in: sources)
    #expect(findings.map(\.rule) == [.aasaJson, .aasaUncovered] && findings.map(\.line) == [1, 3], "\(findings)")
    #expect(findings.first?.mend == "Save the file as UTF-8 without BOM")
  }

  private static let marks: [(mark: [UInt8], encoding: String)] = [
    ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
  ]

  @Test(arguments: marks) func `a file in another encoding is said to be, with what to do`(
    mark: [UInt8], encoding: String
  ) {
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: mark + [0x7B, 0, 0x7D, 0]), heads: [])
    #expect(file.faults.map(\.what) == ["the file is in \(encoding), not in UTF-8"])
    #expect(file.faults.map(\.mend) == ["Save the file as UTF-8 without BOM"] && file.association == nil)
  }

  private static let foreign: [(path: String, what: String, mend: String)] = [
    ("/a/**", "** in it, as of another tool's patterns", "Write /a/*: one * takes slashes too"),
    ("/a/**/b/***", "** in it, as of another tool's patterns", "Write /a/*/b/*: one * takes slashes too"),
    ("/a/{id}", "a brace in it", "Write * in place of the braces and what is between them"),
    ("/a/.*", "a .* as of a regular expression in it", "Write /* in place of /.*"),
    ("/a/.+", "a .+ as of a regular expression in it", "Write /?* in place of /.+"),
    ("/a/[0-9]", "a bracket in it", "Use * and ? only"),
  ]

  @Test(arguments: foreign) func `a path of another notation is said to be, with what to write`(
    path: String, what: String, mend: String
  ) throws {
    var project = SampleProject()
    try project.make(.replace(SampleProject.site, #"{"/": "/clip"}"#, #"{"/": "/clip"}, {"/": "\#(path)"}"#))
    let findings = project.findings
    #expect(findings.map(\.what) == ["the pattern \(path) has \(what)"] && findings.map(\.mend) == [mend])
  }

  @Test func `two asterisks take what one takes`() throws {
    var project = SampleProject()
    try project.make(.replace(SampleProject.site, "/claim/*", "/claim/**"))
    #expect(project.findings.map(\.rule) == [.aasaPatternSyntax])
  }

  private static let app = #""A1B2C3D4E5.app.irl.IRL""#
  private static let right = #""components": [{"/": "/claim/*"}, {"/": "/clip"}]"#

  @Test(arguments: [
    #"{"appID": \#(app), \#(right)}"#, #"{"appID": \#(app), "appIDs": [\#(app)], \#(right)}"#,
    #"{"appIDs": [\#(app)], "paths": ["/old/*"], \#(right)}"#, #"{"appID": \#(app), \#(right), "paths": ["*"]}"#,
  ]) func `an old key beside components is right by Apple's page`(entry: String) throws {
    #expect(try findings(entry) == [])
  }

  @Test(arguments: [
    (#"{"appIDs": [\#(app)], "paths": ["/claim/*", "/clip"]}"#, [Rule.aasaMixedFormat]),
    (#"{"appID": \#(app), "paths": ["/claim/*", "/clip"]}"#, [.aasaLegacyFormat]),
  ]) func `an old key without components is not`(entry: String, rules: [Rule]) throws {
    #expect(try findings(entry) == rules)
  }

  @Test(arguments: [
    #"{"appIDs": [\#(app)], "paths": ["/claim/*", "/clip"], "components": [{"/": "/other/*"}]}"#,
    #"{"appID": \#(app), "components": [], "paths": ["*"]}"#,
  ]) func `paths beside components cover nothing`(entry: String) throws {
    #expect(try findings(entry) == [.aasaUncovered, .aasaUncovered])
  }

  @Test func `paths beside components do not shadow them`() throws {
    let text = #"{"applinks": {"details": [{"paths": ["*", "/old"], "components": [{"/": "/new"}]}]}}"#
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: Array(text.utf8)), heads: [])
    #expect(try #require(file.association).entries.map { $0.rules.map(\.text) } == [["/new"]])
  }

  private static let queries: [(query: String, takes: Bool)] = [
    ("code=123456", true), ("code=123456&code=654321", true), ("code=123456&x=1", true),
    ("code=123456&code=1", false), ("code=1&code=123456", false), ("code=123456&code", false), ("code", false),
    ("x=1", false), ("", false), ("Code=123456", false),
  ]

  @Test(arguments: queries) func `a pattern of a query item is for each item of that name`(query: String, takes: Bool)
    throws
  {
    let text = #"{"applinks": {"details": [{"components": [{"?": {"code": "??????"}}]}]}}"#
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: Array(text.utf8)), heads: [])
    let rule = try #require(file.association?.entries.first?.rules.first)
    var work = MatchWork()
    #expect(try rule.matches(#require(ProjectLink("https://irl.app/x?\(query)")), &work) == takes)
  }

  @Test func `an absent query item counts as empty`() throws {
    let text = #"{"applinks": {"details": [{"components": [{"?": {"code": "*"}}]}]}}"#
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: Array(text.utf8)), heads: [])
    let rule = try #require(file.association?.entries.first?.rules.first)
    var work = MatchWork()
    for link in ["https://irl.app/x", "https://irl.app/x?code", "https://irl.app/x?code=&code=1"] {
      #expect(try rule.matches(#require(ProjectLink(link)), &work), "\(link)")
    }
  }

  @Test func `a JSON value is any that RFC 8259 has`() {
    let text = #"{"x": [1.5, -2e10, 0, -0, "\ud83d\ude00", null, true], "appclips": {"apps": []}}"#
    let file = AssociationFile(SourceFile(path: SampleProject.site, content: Array(text.utf8)), heads: [])
    #expect(file.faults.isEmpty && file.association?.clips?.isEmpty == true)
  }

  @Test(arguments: ["01", "1.", ".5", "+1", "1e", "--1", "1.e5", #""\ud83d""#, #""\ude00\ud83d""#, "1e999"])
  func `what RFC 8259 has not is no JSON`(value: String) {
    let file = AssociationFile(
      SourceFile(path: SampleProject.site, content: Array(#"{"x": \#(value)}"#.utf8)), heads: [])
    #expect(file.faults.map(\.rule) == [.aasaJson])
  }
}
