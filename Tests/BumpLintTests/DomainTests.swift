import Testing

@testable import BumpLint

/// Associated domains of entitlements.
@Suite struct DomainTests {
  /// The findings of the sample project after replacements of texts, as `rule: what is wrong`.
  private func findings(_ path: String, _ replacements: (String, String)...) throws -> [String] {
    var project = SampleProject()
    for (text, other) in replacements { try project.make(.replace(path, text, other)) }
    return project.findings.map { "\($0.rule.id): \($0.what)" }
  }

  private static let hosts: [(entry: String, host: String, takes: Bool)] = [
    ("applinks:irl.app", "irl.app", true), ("applinks:irl.app", "www.irl.app", false),
    ("applinks:*.irl.app", "www.irl.app", true), ("applinks:*.irl.app", "a.b.irl.app", true),
    ("applinks:*.irl.app", "irl.app", false), ("applinks:*.irl.app", "notirl.app", false),
    ("applinks:IRL.app?mode=developer", "irl.app", true),
  ]

  @Test(arguments: hosts) func `a wildcard takes the subdomains of its host, and not the host`(
    entry: String, host: String, takes: Bool
  ) throws {
    #expect(try #require(AssociatedDomain(entry)).takes(host) == takes)
  }

  @Test func `an app whose wildcard leaves its host out lacks the host`() throws {
    #expect(
      try findings("App.entitlements", ("applinks:irl.app", "applinks:*.irl.app"))
        == ["app-applinks-missing: the app has no applinks:irl.app"])
    // The wildcard takes the other host.
    #expect(try findings("App.entitlements", ("applinks:go.irl.app", "applinks:*.irl.app")) == [])
  }

  @Test func `a clip's wildcard of applinks asks for the hosts by name`() throws {
    let clip = "Clip.entitlements"
    #expect(
      try findings(clip, ("<string>appclips:irl", "<string>applinks:*.irl.app</string>\n<string>appclips:irl")) == [])
    #expect(
      try findings(clip, ("<string>appclips:irl", "<string>applinks:*.other.app</string>\n<string>appclips:irl"))
        == ["clip-domain-prefix: the clip has no appclips: for a subdomain of other.app"])
  }
}
