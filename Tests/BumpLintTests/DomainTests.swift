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

  @Test(arguments: AssociatedDomain.services) func `each service of Apple's has no finding`(service: String) throws {
    #expect(
      try findings(
        "App.entitlements", ("<string>appclips:irl", "<string>\(service):x.app</string>\n<string>appclips:irl"))
        == [])
  }

  private static let faults: [(entry: String, what: String, mend: String)] = [
    (
      "applink:irl.app", "applink:irl.app begins with applink:, which is not a service",
      "Begin it with applinks, appclips, webcredentials, activitycontinuation or authsrv, and a colon"
    ),
    (
      "https://irl.app", "https://irl.app begins with https:, which is not a service",
      "Begin it with applinks, appclips, webcredentials, activitycontinuation or authsrv, and a colon"
    ),
    (
      "irl.app", "irl.app names no service",
      "Write the service and a colon in front of the host, as in applinks:HOST"
    ),
    (
      "irl.app:443", "irl.app:443 names no service",
      "Write the service and a colon in front of the host, as in applinks:HOST"
    ),
    ("authsrv:irl.app/x", "authsrv:irl.app/x is not an associated domain", "Write it as SERVICE:HOST"),
    ("applinks:", "applinks: is not an associated domain", "Write it as SERVICE:HOST"),
  ]

  @Test(arguments: faults) func `an entry that is not valid is reported with what to do`(
    entry: String, what: String, mend: String
  ) throws {
    var project = SampleProject()
    try project.make(
      .replace("App.entitlements", "<string>appclips:irl", "<string>\(entry)</string>\n<string>appclips:irl"))
    let findings = project.findings
    #expect(findings.map(\.what) == [what] && findings.map(\.mend) == [mend], "\(findings)")
    #expect(findings.map(\.rule) == [.domainSyntax])
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
