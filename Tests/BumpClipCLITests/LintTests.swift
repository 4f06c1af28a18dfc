import Foundation
import Lab
import Testing

/// `bump-clip lint`, `bump-clip aasa` and `bump-clip entitlements`, as a person or a workflow runs them.
@Suite(.processes()) struct LintTests {
  private let person: LocalUser

  init() throws { person = try LocalUser() }

  private var folder: String { "\(person.home)/app" }

  /// Writes all that a product needs, and its description.
  private func writeProject() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for command in ["aasa", "entitlements"] {
      let written = try await person.clip(command, "write", folder, "--product", "roadflare")
      #expect(written.status == 0, "\(written)")
    }
  }

  private func replace(_ text: String, with other: String, in path: String) throws {
    let before = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    try #require(before.contains(text))
    try before.replacing(text, with: other).write(toFile: "\(folder)/\(path)", atomically: true, encoding: .utf8)
  }

  @Test func `what is written has no finding, and what breaks it is found with its line`() async throws {
    try await writeProject()
    let clean = try await person.clip("lint", folder, "--product", "roadflare")
    #expect(clean.status == 0 && clean.standardOutput.isEmpty, "\(clean)")
    let unchecked = "Info.plist of the app, Info.plist of the clip"
    let note = "Not checked, since the folder does not have them: \(unchecked).\n"
    #expect(clean.standardError == "0 errors, 0 warnings, 0 notes.\n\(note)", "\(clean)")

    try replace("appclips:roadflare.app", with: "appclips:https://roadflare.app/", in: "Clip.entitlements")
    let broken = try await person.shell("\"$clip\" lint ./app/ --product roadflare")
    #expect(
      broken.status == 1
        && broken.lines == [
          "app/Clip.entitlements:5: error host-mismatch: the clip has no entry for roadflare.app, whose URLs open it. Add appclips:roadflare.app to the clip, or mend the URL",
          "app/Clip.entitlements:7: error domain-syntax: appclips:https://roadflare.app/ is not an associated domain. Write it as SERVICE:HOST",
        ], "\(broken)")
    #expect(broken.standardError == "2 errors, 0 warnings, 0 notes.\n\(note)", "\(broken)")

    let json = try await person.clip("lint", folder, "--product", "roadflare", "--json")
    #expect(json.status == 1 && json.standardError.isEmpty, "\(json)")
    #expect(try json.events.map { $0.string("event") } == ["finding", "finding", "result"])
    let finding = try json.events[1]
    #expect(finding.string("rule") == "domain-syntax" && finding.string("file") == "Clip.entitlements")
    #expect(finding.string("severity") == "error" && finding.number("line") == 7)
    #expect(try json.result.number("errors") == 2 && json.result.number("exit") == 1)
    #expect(try json.result.string("unchecked") == unchecked)
  }

  @Test func `a project without entitlements is said not to be checked for them`() async throws {
    try await writeProject()
    for file in ["App", "Clip"] { try FileManager.default.removeItem(atPath: "\(folder)/\(file).entitlements") }
    let finished = try await person.clip("lint", folder, "--product", "roadflare")
    #expect(finished.status == 0 && finished.standardError.contains("entitlements of the clip"), "\(finished)")
  }

  @Test func `a log for code review has the paths of the repository`() async throws {
    try await writeProject()
    try replace("<true/>", with: "<false/>", in: "Clip.entitlements")
    let finished = try await person.shell("\"$clip\" lint app --product roadflare --sarif --quiet")
    #expect(finished.status == 1 && finished.standardError.isEmpty, "\(finished)")
    let log = try JSONSerialization.jsonObject(with: Data(finished.standardOutput.utf8)) as? [String: Any]
    let runs = try #require(log?["runs"] as? [[String: Any]])
    let results = try #require(runs.first?["results"] as? [[String: Any]])
    #expect(results.compactMap { $0["ruleId"] as? String } == ["on-demand-missing"], "\(finished)")
    #expect(finished.standardOutput.contains(#""uri" : "app/Clip.entitlements""#), "\(finished)")
  }

  @Test func `a folder with nothing to check is no project without mistakes`() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "let x = 1".write(toFile: "\(folder)/App.swift", atomically: true, encoding: .utf8)
    let empty = try await person.clip("lint", folder)
    #expect(empty.status == 1 && empty.standardOutput.isEmpty, "\(empty)")
    #expect(empty.standardError.contains("none of the files that the rules are about"), "\(empty)")
  }

  @Test func `a warning is no failure`() async throws {
    try await writeProject()
    try replace("appclips:roadflare.app", with: "appclips:roadflare.app?mode=developer", in: "Clip.entitlements")
    let finished = try await person.clip("lint", folder, "--product", "roadflare")
    #expect(finished.status == 0 && finished.lines.count == 1, "\(finished)")
    #expect(finished.standardOutput.contains(": warning developer-mode: "), "\(finished)")
    let quiet = try await person.clip("lint", folder, "--product", "roadflare", "--quiet")
    #expect(quiet.status == 0 && quiet.standardOutput.isEmpty && quiet.standardError.isEmpty, "\(quiet)")
  }

  @Test func `what a file says is escaped before a terminal sees it`() async throws {
    try await writeProject()
    try replace("appclips:roadflare.app", with: "appclips:\u{9B}2Jx", in: "Clip.entitlements")
    for options in [[], ["--json"], ["--sarif"]] {
      let finished = try await person.run(["lint", folder] + options, of: BumpCommand.clip)
      #expect(finished.status == 1 && !finished.standardOutput.unicodeScalars.contains("\u{9B}"), "\(finished)")
      #expect(finished.standardOutput.contains("9b"), "\(finished)")
    }
  }

  @Test func `a rule is explained, and all are listed`() async throws {
    let explained = try await person.clip("lint", "--explain", "clip-local-network")
    #expect(explained.status == 0 && explained.lines.first == "clip-local-network (error)", "\(explained)")
    #expect(explained.lines.last == "Try: Leave the peers to the app, and give the clip a link.", "\(explained)")
    let listed = try await person.clip("lint", "--rules")
    #expect(listed.status == 0 && listed.lines.count == 55, "\(listed)")
    let json = try await person.clip("lint", "--rules", "--json")
    #expect(try json.events.count == 56 && json.result.string("outcome") == "listed", "\(json)")
  }

  @Test func `a file is written once, and replaced only where that is said`() async throws {
    try await writeProject()
    let again = try await person.clip("entitlements", "write", folder, "--product", "roadflare")
    #expect(again.lines == ["unchanged: App.entitlements", "unchanged: Clip.entitlements"], "\(again)")
    try replace("<true/>", with: "<false/>", in: "Clip.entitlements")
    let refused = try await person.clip("entitlements", "write", folder, "--product", "roadflare")
    #expect(
      refused.status == 1
        && refused.error == "Clip.entitlements is there, with something else in it. Replace it with --force",
      "\(refused)")
    let forced = try await person.clip("entitlements", "write", folder, "--product", "roadflare", "--force")
    #expect(forced.lines == ["unchanged: App.entitlements", "written: Clip.entitlements"], "\(forced)")
    let shown = try await person.clip("entitlements", "show", "--target", "clip", folder, "--product", "roadflare")
    #expect(try shown.standardOutput == String(contentsOfFile: "\(folder)/Clip.entitlements", encoding: .utf8))
  }

  @Test func `what is not described is asked for`() async throws {
    let finished = try await person.clip("aasa", "show", person.home, "--product", "irl")
    #expect(
      finished.status == 1
        && finished.error == #"the app's bundle id is not described. Write it as "app.bundleId" in project.json"#,
      "\(finished)")
    let hosts = try await person.clip("aasa", "show", person.home, "--product", "bluesky")
    #expect(hosts.error == "the project has several hosts. Name one with --host: bsky.app, go.bsky.app", "\(hosts)")
    let missing = try await person.clip("lint", "\(person.home)/none")
    #expect(missing.error == "the folder \(person.home)/none cannot be read. Name a folder that is there", "\(missing)")
  }

  @Test func `the file is served at its very URL, to a real client, until Ctrl-C`() async throws {
    try await writeProject()
    let server = try await RunningProcess.start(
      [BumpCommand.clip, "aasa", "serve", folder, "--json"], environment: person.environment, streams: .pipes)
    defer { server.signal(9) }
    let serving = try await server.event("serving")
    let port = Int(try #require(serving.number("port")))
    let path = "/.well-known/apple-app-site-association"
    let got = try await person.shell(
      "curl --silent --show-error --max-time 50 --dump-header head --connect-to roadflare.app:80:localhost:\(port) http://roadflare.app\(path)"
    )
    #expect(
      try got.standardOutput == String(contentsOfFile: "\(folder)/sites/roadflare.app\(path)", encoding: .utf8),
      "\(got)")
    let head = try String(contentsOfFile: "\(person.home)/head", encoding: .utf8)
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"), "\(head)")
    // The head that curl has kept is one in which the linter finds nothing.
    try head.write(toFile: "\(folder)/sites/roadflare.app\(path).headers", atomically: true, encoding: .utf8)
    #expect(try await person.clip("lint", folder, "--product", "roadflare").status == 0)
    let other = try await person.shell(
      "curl --silent --max-time 50 --output none --write-out '%{http_code}' http://127.0.0.1:\(port)/")
    #expect(other.standardOutput == "404", "\(other)")
    server.signal(SIGINT)
    let ended = try await server.finish()
    #expect(try ended.status == 0 && ended.result.string("outcome") == "ended", "\(ended)")
  }
}
