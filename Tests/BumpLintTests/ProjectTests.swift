import BumpClip
import Foundation
import Testing

@testable import BumpLint

/// Which target a file belongs to, and what is read of a folder.
@Suite struct ProjectTests {
  private func project(_ files: [String: String]) -> Project {
    Project(files.map { SourceFile(path: $0, content: Array($1.utf8)) }, .builtIn, product: nil)
  }

  @Test(arguments: [
    ("OrbitingClip.entitlements", true), ("Orbiting.entitlements", false), ("App.entitlements", false),
    ("Clip/Support/Release.entitlements", true), ("BlueskyAppClip/x.entitlements", true),
    ("IRLClip.entitlements", true), ("IRLAppClip/x.entitlements", true), ("Clip/App.entitlements", false),
    ("Clipboard/x.entitlements", false), ("Eclipse/x.entitlements", false),
  ]) func `a file belongs to the clip by the words of its path`(path: String, isClip: Bool) {
    let project = project([path: SampleProject.plist("<key>x</key><true/>")])
    #expect(project.clip.entitlements.count == (isClip ? 1 : 0))
    #expect(project.app.entitlements.count == (isClip ? 0 : 1))
  }

  @Test func `a file belongs to the clip by a key that only clips have`() {
    let project = project([
      "App.entitlements": SampleProject.plist("<key>com.apple.developer.on-demand-install-capable</key><true/>")
    ])
    #expect(project.clip.entitlements.count == 1)
  }

  @Test func `files of extensions and frameworks belong to neither`() {
    let project = project([
      "Share/Info.plist": SampleProject.plist("<key>NSExtension</key><dict/>"),
      "Share/Share.entitlements": SampleProject.plist("<key>x</key><true/>"),
      "Kit/Info.plist": SampleProject.plist("<key>CFBundlePackageType</key><string>FMWK</string>"),
      "App/Info.plist": SampleProject.plist("<key>CFBundlePackageType</key><string>APPL</string>"),
    ])
    #expect(project.app.infos.map(\.path) == ["App/Info.plist"])
    #expect(project.app.entitlements.isEmpty && project.clip.infos.isEmpty)
  }

  @Test(arguments: [
    "macos/Runner/Release.entitlements", "Clip/macOS/Release.entitlements", "IRLMac.entitlements",
    "IRL (macOS)/IRL.entitlements", "IRL Watch App/IRL.entitlements", "watchOS/x.entitlements",
    "IRLClipWatch.entitlements", "IRL WatchKit App/x.entitlements", "tvOS/App.entitlements", "MacCatalyst-Info.plist",
    "visionOS/App-Info.plist", "OSX/Info.plist", "IRLTV/tv-Info.plist",
  ]) func `a file of another platform belongs to neither by the words of its path`(path: String) {
    let project = project([path: SampleProject.plist("<key>x</key><true/>")])
    let files = project.app.entitlements + project.app.infos + project.clip.entitlements + project.clip.infos
    #expect(files.isEmpty)
  }

  @Test(arguments: [
    "WatchStore/WatchStore.entitlements", "Stopwatch.entitlements", "Macro.entitlements", "MacRoberts/x.entitlements",
    "VisionBoard.entitlements", "TVGuide/App.entitlements",
  ]) func `an app whose name only begins like a platform's is read`(path: String) {
    #expect(project([path: SampleProject.plist("<key>x</key><true/>")]).app.entitlements.count == 1)
  }

  @Test(arguments: [
    "<key>NSPrincipalClass</key><string>NSApplication</string>", "<key>LSMinimumSystemVersion</key><string>13</string>",
    "<key>WKApplication</key><true/>", "<key>WKWatchKitApp</key><true/>",
    "<key>WKCompanionAppBundleIdentifier</key><string>app.irl.IRL</string>",
  ]) func `files beside an Info.plist of another platform belong to neither`(keys: String) {
    let project = project([
      "Desk/Info.plist": SampleProject.plist(keys),
      "Desk/Desk.entitlements": SampleProject.plist("<key>x</key><true/>"),
      "Both/Other-Info.plist": SampleProject.plist(keys), "Both/Info.plist": SampleProject.plist("<key>x</key><true/>"),
      "Both/Both.entitlements": SampleProject.plist("<key>x</key><true/>"),
      "Desk/Clip.entitlements": SampleProject.plist("<key>\(Entitlement.onDemand)</key><true/>"),
    ])
    #expect(project.app.infos.map(\.path) == ["Both/Info.plist"])
    #expect(project.app.entitlements.map(\.path) == ["Both/Both.entitlements"])
    #expect(project.clip.entitlements.map(\.path) == ["Desk/Clip.entitlements"])
  }

  @Test func `an app of iOS that is one of the Mac too is read`() {
    let keys = "<key>LSMinimumSystemVersion</key><string>13</string><key>LSRequiresIPhoneOS</key><true/>"
    let sandbox = "<key>com.apple.security.app-sandbox</key><true/>"
    let one = project(["Info.plist": SampleProject.plist(keys), "IRL.entitlements": SampleProject.plist(sandbox)])
    #expect(one.app.infos.count == 1 && one.app.entitlements.count == 1)
    // Beside the file of iOS, one with the sandbox is that of the Mac.
    let two = project([
      "IRL.entitlements": SampleProject.plist("<key>x</key><true/>"), "Desk.entitlements": SampleProject.plist(sandbox),
    ])
    #expect(two.app.entitlements.map(\.path) == ["IRL.entitlements"])
  }

  @Test func `entitlements of a Mac and a Watch app beside the project have no finding`() throws {
    var sample = SampleProject()
    let sandbox = SampleProject.plist("<key>com.apple.security.app-sandbox</key><true/>")
    for path in ["macos/Runner/DebugProfile", "macos/Runner/Release", "IRLClip Watch App/IRL", "Desktop"] {
      try sample.make(.write("\(path).entitlements", sandbox))
    }
    #expect(sample.findings == [])
  }

  @Test func `bundle ids are those of Info.plist where project.json has none`() throws {
    var sample = SampleProject()
    try sample.make(.remove("project.json"))
    try sample.make(.replace("App-Info.plist", "$(PRODUCT_BUNDLE_IDENTIFIER)", "app.irl.Other"))
    #expect(sample.findings.contains { $0.rule == .parentIdentifier }, "\(sample.findings)")
  }

  @Test(arguments: [
    (#"{"x": 1}"#, #""x" is not known here"#), (#"{"teamId": "short"}"#, "a team is ten of A-Z and 0-9"),
    (#"{"app": {"bundleId": "App"}}"#, "a bundle id looks like com.example.App"),
    (#"{"app": {"bundleId": "com.example.x<y"}}"#, "a bundle id looks like com.example.App"),
    (#"{"clip": {"deploymentTarget": 16}}"#, "this is a number, not a string"),
    (#"{"clip": {"deploymentTarget": "iOS"}}"#, #"a deployment target is a version such as "16.4""#),
    (#"{"clip": {"sizeMB": -1}}"#, "a size is more than 0 and at most 10000 megabytes"),
    (
      #"{"invocations": ["http://irl.app/"]}"#,
      "a URL looks like https://irl.app/claim/{claimId}: no user, no port, and braces around whole segments"
    ),
    (
      #"{"invocations": ["https://irl.app:443/"]}"#,
      "a URL looks like https://irl.app/claim/{claimId}: no user, no port, and braces around whole segments"
    ),
    (
      #"{"invocations": ["https://irl.app/claim-{id}"]}"#,
      "a URL looks like https://irl.app/claim/{claimId}: no user, no port, and braces around whole segments"
    ),
    (#"{"redirects": [["https://irl.app/"]]}"#, "a redirect is a list of two URLs"),
    (#"{"physical": 1}"#, "this is a number, not true or false"),
  ]) func `a mistake in project.json is named with its line`(text: String, words: String) {
    let findings = Linter.findings(in: [SourceFile(path: "project.json", content: Array(("\n" + text).utf8))])
    #expect(findings.map(\.what) == [words])
    #expect(findings.map(\.line) == [2])
  }

  @Test func `a byte order mark before project.json is passed over`() throws {
    let description = try ProjectDescription([0xEF, 0xBB, 0xBF] + Array(#"{"teamId": "A1B2C3D4E5"}"#.utf8))
    #expect(description.team?.value == "A1B2C3D4E5")
  }

  @Test(arguments: [
    ("https://irl.app/claim/{id}", "https://irl.app/claim/1", true),
    ("https://irl.app/claim/{id}", "https://irl.app/claim/1/2", true),
    ("https://irl.app/claim/{id}", "https://irl.app/claim/", false),
    ("https://irl.app/claim", "https://irl.app/claims", false),
    ("https://irl.app/claim", "https://irl.app/claim?x#y", true), ("https://irl.app", "https://irl.app/x", true),
    ("https://irl.app/claim", "https://www.irl.app/claim", false),
  ]) func `a URL covers what lies below it`(one: String, other: String, covers: Bool) throws {
    #expect(try #require(ProjectLink(one)).covers(#require(ProjectLink(other))) == covers)
  }

  /// A directory of files on the disk, which is removed at the end.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, to path: String) throws {
    let parent = URL(filePath: path).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  @Test func `a folder is read as it lies there, and what tools make is not`() throws {
    try withFolder { folder in
      for (path, text) in SampleProject().files { try write(text, to: "\(folder)/\(path)") }
      for path in ["Pods/x", ".git", "build", "X.framework"] { try write("x", to: "\(folder)/\(path)/Info.plist") }
      try write("x", to: "\(folder)/GoogleService-Info.plist")
      try write("x", to: "\(folder)/App.swift")
      let files = try ProjectFolder.read(folder)
      #expect(files.map(\.path).sorted() == SampleProject().files.keys.sorted())
      #expect(Linter.findings(in: files).isEmpty)
    }
  }

  @Test func `a link out of the folder is not followed, and one within it is`() throws {
    try withFolder { outside in
      try write(SampleProject.plist(""), to: "\(outside)/secret")
      try withFolder { folder in
        try write(SampleProject.plist(""), to: "\(folder)/Config/real.xml")
        for (name, target) in [
          ("Outer-Info.plist", "\(outside)/secret"), ("Inner-Info.plist", "Config/real.xml"),
          ("Gone-Info.plist", "gone"),
          ("folder", outside),
        ] {
          try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: target)
        }
        try write(SampleProject.plist(""), to: "\(outside)/Info.plist")
        let files = try ProjectFolder.read(folder)
        #expect(files.map(\.path) == ["Gone-Info.plist", "Inner-Info.plist", "Outer-Info.plist"])
        #expect(
          files.map(\.failure) == ["it is a symbolic link to nothing", nil, "it is a symbolic link out of the folder"])
        #expect(files[2].content.isEmpty)
      }
    }
  }

  /// Root opens every folder, so this is another user's process.
  @Test func `a folder that cannot be opened is reported`() async throws {
    await #expect(processExitsWith: .success) {
      let folder = "/tmp/bump-lint-closed-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: "\(folder)/closed", withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try #require(chmod("\(folder)/closed", 0) == 0)
      try #require(geteuid() != 0 || seteuid(65_534) == 0)
      defer { seteuid(getuid()) }
      let files = try ProjectFolder.read(folder)
      #expect(files.map(\.path) == ["closed"] && files.map(\.failure) == ["it is a folder that cannot be opened"])
      #expect(Linter.findings(in: files).contains { $0.file == "closed" })
    }
  }

  @Test func `a pipe is not waited for`() throws {
    try withFolder { folder in
      try #require(mkfifo("\(folder)/Info.plist", 0o600) == 0)
      #expect(try ProjectFolder.read(folder).isEmpty)
      try write("", to: "\(folder)/real")
    }
  }

  @Test func `a file may have a megabyte, and no byte more`() throws {
    try withFolder { folder in
      try write(String(repeating: " ", count: SourceFile.limit), to: "\(folder)/a-Info.plist")
      try write(String(repeating: " ", count: SourceFile.limit + 1), to: "\(folder)/b-Info.plist")
      let files = try ProjectFolder.read(folder)
      #expect(files.map(\.failure) == [nil, "the file has more than 1048576 bytes"])
    }
  }

  @Test func `a folder may be so deep, and no deeper`() throws {
    try withFolder { folder in
      let deep = String(repeating: "/d", count: ProjectFolder.depth)
      try write(SampleProject.plist(""), to: "\(folder)\(deep)/Info.plist")
      #expect(try ProjectFolder.read(folder).count == 1)
      try write(SampleProject.plist(""), to: "\(folder)\(deep)/d/Info.plist")
      #expect(throws: ProjectFolder.Failure.self) { try ProjectFolder.read(folder) }
    }
  }

  @Test func `a folder may have so many entries and bytes in all, and no more`() throws {
    try withFolder { folder in
      for name in ["a", "b"] { try write("12345", to: "\(folder)/\(name)/Info.plist") }
      // Each folder counts itself and the one above it.
      let entries = 2 + 2 + 3 * 2
      #expect(try ProjectFolder.read(folder, entries: entries, bytes: 10).count == 2)
      let crowded = #expect(throws: ProjectFolder.Failure.self) {
        try ProjectFolder.read(folder, entries: entries - 1, bytes: 10)
      }
      #expect(crowded?.reason == "the folder has more than 9 entries")
      let heavy = #expect(throws: ProjectFolder.Failure.self) {
        try ProjectFolder.read(folder, entries: entries, bytes: 9)
      }
      #expect(heavy?.reason == "the files have more than 9 bytes together")
    }
    #expect(ProjectFolder.entryLimit == 200_000 && ProjectFolder.byteLimit == 64 * 1024 * 1024)
  }

  @Test func `of more findings than there is room for, the errors are told`() {
    let notes = (0..<6000).map { "<string>applinks:a\($0).irl.app?mode=developer</string>" }
    let errors = (0..<6000).map { "<string>applinks:*.a\($0).irl.app/</string>" }
    let files = [("a.entitlements", notes), ("b.entitlements", errors)].map { path, domains in
      SourceFile(
        path: path,
        content: Array(
          SampleProject.plist(
            "<key>com.apple.developer.associated-domains</key><array>\(domains.joined())</array>"
          ).utf8))
    }
    let findings = Linter.findings(in: files)
    #expect(findings.count == Linter.limit)
    #expect(findings.count { $0.rule.severity == .error } >= 6000)
    #expect(findings.contains { $0.rule == .developerMode })
  }

  @Test func `a folder that is not there is said to be`() {
    #expect(throws: ProjectFolder.Failure.self) { try ProjectFolder.read("/nonexistent/folder") }
  }

  @Test func `pages made to do harm are read to their ends`() {
    let pages: [String] = [
      "<meta", "<meta name=\"apple-itunes-app", "<!--", String(repeating: "<meta ", count: 100_000),
      "<meta name=apple-itunes-app content",
    ]
    for page in pages {
      _ = Banner.all(in: SourceFile(path: "x.html", content: Array(page.utf8)))
    }
    let file = SourceFile(
      path: "x.html", content: Array("\n<p>\n<meta\nname = 'apple-itunes-app'\ncontent=\" app-id = 1 , x\">".utf8))
    let banners = Banner.all(in: file)
    #expect(banners.map(\.arguments) == [["app-id": "1", "x": ""]])
    #expect(banners.map(\.place.line) == [3])
  }
}
