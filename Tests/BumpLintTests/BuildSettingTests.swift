import Testing

@testable import BumpLint

/// Build settings in property lists: what they stand for is unknown, and not absent.
@Suite struct BuildSettingTests {
  private static let texts: [(text: String, other: String, canBecome: Bool)] = [
    ("$(A)", "applinks:irl.app", true), ("${A}", "applinks:irl.app", true), ("applinks:$(A)", "applinks:irl.app", true),
    ("applinks:$(A)", "appclips:irl.app", false), ("applinks:${A}.irl.app", "applinks:www.irl.app", true),
    ("applinks:$(A).irl.app", "applinks:irl.app", false), ("$(A)links:$(B).app", "applinks:irl.app", true),
    ("$(A)irl$(B)irl", "xirlyirl", true), ("$(A)irl$(B)irl", "irl", false), ("x$(A)x", "x", false),
    ("applinks:$(HOST_$(CONFIGURATION)).app", "applinks:irl.app", true), ("applinks:$(A", "applinks:irl.app", true),
    ("applinks:$(A:lower).app", "applinks:irl.com", false), ("applinks:irl.app$(MODE)", "applinks:irl.app", true),
  ]

  @Test(arguments: texts) func `a text with settings can become what its other parts allow`(
    text: String, other: String, canBecome: Bool
  ) throws {
    #expect(try #require(UnknownText(text)).canBecome(other) == canBecome)
  }

  @Test(arguments: ["", "$", "applinks:irl.app", "$A", "$ (A)", "(A)", "{A}"])
  func `a text without a setting is known`(text: String) {
    #expect(UnknownText(text) == nil && !text.hasBuildSetting)
  }

  /// The rules that have findings after replacements of texts, and the property lists with them.
  private func rules(_ replacements: [(file: String, text: String, other: String)]) throws -> Set<Rule> {
    var project = SampleProject()
    for (file, text, other) in replacements {
      try project.make(.write(file, #require(project.files[file]).replacing(text, with: other)))
    }
    return Set(project.findings.map(\.rule))
  }

  private static let app = "App.entitlements"
  private static let clip = "Clip.entitlements"

  private static let unknown: [[(file: String, text: String, other: String)]] = [
    [(app, "s:irl.app", "s:$(HOST)")], [(app, "s:irl.app", "s:${HOST}")], [(clip, "s:irl.app", "s:$(HOST)")],
    [(app, "s:irl.app", "s:$(HOST)"), (clip, "s:irl.app", "s:$(HOST)")],
    [(clip, "appclips:irl.app", "$(SERVICE):irl.app")], [(clip, "appclips:irl.app", "$(DOMAIN)")],
    [(clip, "s:irl.app", "s:$(NAME).app"), (clip, "s:go.irl.app", "s:go.$(NAME).app")],
    [(clip, "s:irl.app", "s:$(HOST)?mode=managed")], [(app, "applinks:go.irl.app", "applinks:*.$(DOMAIN)")],
    // The other target, the code and the redirects may mean the same.
    [(app, "group.app.irl", "group.$(NAME)")], [(clip, "group.app.irl", "${GROUP}")],
    [(app, "group.app.irl", "$(GROUP)"), (clip, "group.app.irl", "$(GROUP)")],
    [("App-Info.plist", "_irl-bump._tcp", "_$(SERVICE)._tcp")],
    [("App-Info.plist", "_irl-bump._udp", "$(UDP_SERVICE)")],
    [("App-Info.plist", "_irl-bump.", "_${SERVICE}.")],
  ]

  @Test(arguments: unknown.indices) func `of what a setting may stand for nothing is said to be absent`(index: Int)
    throws
  {
    #expect(try rules(Self.unknown[index]) == [.buildSetting])
  }

  private static let known: [(changes: [(file: String, text: String, other: String)], rule: Rule)] = [
    ([(app, "applinks:irl.app", "applinks:www.$(DOMAIN)")], .appApplinksMissing),
    ([(app, "applinks:irl.app", "webcredentials:$(HOST)")], .appApplinksMissing),
    ([(app, "appclips:irl.app", "applinks:$(HOST)")], .appAppclipsMissing),
    ([(clip, "appclips:irl.app", "appclips:$(NAME).example")], .hostMismatch),
    ([(clip, "group.app.irl", "app.$(NAME)")], .groupPrefix),
    ([("App-Info.plist", "_irl-bump.", "_other-$(SERVICE).")], .serviceTypeMismatch),
  ]

  @Test(arguments: known.indices) func `of what no setting can stand for it is said to be absent`(index: Int) throws {
    #expect(try rules(Self.known[index].changes).contains(Self.known[index].rule))
  }

  @Test func `a group of settings whose values are known is compared`() throws {
    // The bundle id of the clip is not that of the app.
    let id = "group.$(PRODUCT_BUNDLE_IDENTIFIER)"
    #expect(try rules([(Self.app, "group.app.irl", id), (Self.clip, "group.app.irl", id)]) == [.groupMismatch])
    let group = ("project.json", "group.app.irl", "group.app.irl.IRL")
    #expect(try rules([(Self.app, "group.app.irl", id), (Self.clip, "group.app.irl", group.2), group]) == [])
    #expect(
      try rules([
        (Self.app, "group.app.irl", "group.${PRODUCT_BUNDLE_IDENTIFIER}"), (Self.clip, "group.app.irl", group.2), group,
      ]) == [])
  }

  @Test func `a service of iCloud that is a setting is not said to be wrong`() throws {
    let cloud =
      "<dict>\n\t<key>com.apple.developer.icloud-services</key>\n\t<array>\n\t\t<string>$(CLOUD)</string>\n\t</array>"
    #expect(try rules([(Self.clip, "<dict>", cloud)]) == [])
  }

  @Test func `a redirect and a URL for debugging may lead to a host that a setting names`() throws {
    let domains = [(Self.clip, "s:irl.app", "s:$(HOST)"), (Self.clip, "s:go.irl.app", "s:$(SHORT_HOST)")]
    let redirect = ("project.json", #"["https://go.irl.app/x""#, #"["https://www.irl.app/x""#)
    #expect(try rules(domains + [redirect]) == [.buildSetting])
    #expect(try rules([redirect]) == [.redirectTarget])
    var project = SampleProject()
    try project.make(
      .write(
        "project.json",
        #"{"app": {"bundleId": "app.irl.IRL"}, "clip": {"bundleId": "app.irl.IRL.Clip"}, "debugURL": "https://x.app/y"}"#
      ))
    #expect(project.findings.map(\.rule) == [.debugURL])
    try project.make(.replace(Self.clip, "appclips:irl.app", "appclips:$(HOST)"))
    #expect(Set(project.findings.map(\.rule)) == [.buildSetting])
  }

  @Test func `a setting is reported once, with its line and what to do`() throws {
    var project = SampleProject()
    try project.make(.replace(Self.clip, "appclips:irl.app", "appclips:$(HOST)"))
    let finding = try #require(project.findings.first)
    #expect(project.findings.count == 1 && finding.rule.severity == .note && finding.line == 7)
    #expect(finding.what == "appclips:$(HOST) has a build setting")
    #expect(finding.mend == "Look up the value in Xcode: what depends on it was not checked")
  }
}
