import Foundation
import Testing

@testable import BumpLint

/// Each rule, with a project that breaks it alone.
@Suite struct RuleTests {
  typealias Change = SampleProject.Change

  /// A rule, what is changed, and where the finding is.
  struct Break: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let changes: [Change]
    let place: String
    var testDescription: String { "\(rule.id) at \(place)" }

    init(_ rule: Rule, _ changes: Change..., at place: String) {
      (self.rule, self.changes, self.place) = (rule, changes, place)
    }
  }

  static let site = SampleProject.site
  private static let siteSize = SampleProject().files[site]?.utf8.count ?? 0
  private static let domains = "com.apple.developer.associated-domains"
  private static let components = #"{"/": "/claim/*"},"#
  private static let cloud =
    "<dict>\n\t<key>com.apple.developer.icloud-services</key>\n\t<array>\n\t\t<string>CloudKit</string>\n\t</array>"

  static let breaks: [Break] = [
    Break(
      .serviceTypeSyntax, .replace("project.json", #""irl-bump""#, #""irl--bump""#), at: "project.json:8"),
    Break(
      .serviceTypeSyntax,
      .replace(
        "App-Info.plist", "\t\t<string>_irl-bump._udp",
        "\t\t<string>_irl_bump._udp</string>\n\t\t<string>_irl-bump._udp"),
      at: "App-Info.plist:10"),
    Break(
      .serviceTypeMismatch, .replace("project.json", #""irl-bump""#, #""irl-bump-v1""#), at: "App-Info.plist:7"),
    Break(
      .bonjourFormat,
      .replace(
        "App-Info.plist", "\t\t<string>_irl-bump._udp", "\t\t<string>_x._tcp.</string>\n\t\t<string>_irl-bump._udp"),
      at: "App-Info.plist:10"),
    Break(.bonjourMissing, .replace("App-Info.plist", "NSBonjourServices", "NSOther"), at: "App-Info.plist"),
    Break(
      .bonjourUDPMissing, .replace("App-Info.plist", "\n\t\t<string>_irl-bump._udp</string>", ""),
      at: "App-Info.plist:9"),
    Break(
      .localNetworkUsageMissing, .replace("App-Info.plist", "To hand over a claim to somebody near.", " "),
      at: "App-Info.plist:7"),
    Break(.clipLocalNetwork, .replace("project.json", "SwiftUI", "Multipeer Connectivity"), at: "project.json:5"),
    Break(
      .clipLocalNetwork,
      .replace(
        "Clip-Info.plist", "\t<key>NSAppClip<",
        "\t<key>NSBonjourServices</key>\n\t<array><string>_irl-bump._tcp</string></array>\n\t<key>NSAppClip<"),
      at: "Clip-Info.plist:5"),
    Break(.clipFramework, .replace("project.json", "SwiftUI", "Core Motion"), at: "project.json:5"),
    Break(.clipCloud, .replace("Clip.entitlements", "<dict>", cloud), at: "Clip.entitlements:7"),
    Break(
      .clipCloud, .replace("Clip.entitlements", "<dict>", cloud.replacing("CloudKit<", with: "CloudKit-Anonymous<")),
      .replace(
        "project.json", #""deploymentTarget": "17.0", "frameworks": ["SwiftUI"]"#, #""deploymentTarget": "15.1""#),
      at: "Clip.entitlements:7"),
    Break(
      .clipBackground,
      .replace(
        "Clip-Info.plist", "\t<key>NSAppClip<",
        "\t<key>UIBackgroundModes</key>\n\t<array><string>fetch</string></array>\n\t<key>NSAppClip<"),
      at: "Clip-Info.plist:5"),
    Break(
      .clipURLScheme,
      .replace(
        "Clip-Info.plist", "\t<key>NSAppClip<",
        "\t<key>CFBundleURLTypes</key>\n\t<array><dict/></array>\n\t<key>NSAppClip<"),
      at: "Clip-Info.plist:5"),
    Break(
      .clipDomainPrefix, .replace("Clip.entitlements", "appclips:irl.app", "applinks:irl.app"),
      .replace("project.json", #", "https://irl.app/claim/x"]]"#, #", "https://go.irl.app/y"]]"#),
      at: "Clip.entitlements:7"),
    Break(
      .appAppclipsMissing, .replace("App.entitlements", "\t\t<string>appclips:irl.app</string>\n", ""),
      at: "App.entitlements:5"),
    Break(
      .appApplinksMissing, .replace("App.entitlements", "applinks:irl.app", "webcredentials:irl.app"),
      at: "App.entitlements:5"),
    Break(
      .hostMismatch, .replace("Clip.entitlements", "\n\t\t<string>appclips:go.irl.app</string>", ""),
      .replace("project.json", #"["https://go.irl.app/x", "https://irl.app/claim/x"]"#, ""), at: "Clip.entitlements:5"),
    Break(
      .hostPlaceholder, .replace("project.json", #"["https://irl.app/claim"]"#, #"["https://www.example.com/claim"]"#),
      at: "project.json:11"),
    Break(
      .domainSyntax,
      .replace(
        "Clip.entitlements", "\t\t<string>appclips:irl.app",
        "\t\t<string>appclips:https://irl.app/</string>\n\t\t<string>appclips:irl.app"),
      at: "Clip.entitlements:7"),
    Break(
      .domainSyntax,
      .replace(
        "App.entitlements", "\t\t<string>appclips:irl.app",
        "\t\t<string>applinks:irl.app:443</string>\n\t\t<string>appclips:irl.app"),
      at: "App.entitlements:7"),
    Break(
      .domainWildcard,
      .replace(
        "Clip.entitlements", "\t\t<string>appclips:irl.app",
        "\t\t<string>appclips:*.irl.app</string>\n\t\t<string>appclips:irl.app"),
      at: "Clip.entitlements:7"),
    Break(
      .developerMode, .replace("Clip.entitlements", "appclips:irl.app", "appclips:irl.app?mode=developer"),
      at: "Clip.entitlements:7"),
    Break(
      .groupMissing, .replace("App.entitlements", "\n\t\t<string>group.app.irl</string>", ""), at: "App.entitlements:16"
    ),
    Break(
      .groupMismatch, .replace("App.entitlements", "group.app.irl", "group.app.other"), at: "Clip.entitlements:16"),
    Break(.groupMismatch, .replace("project.json", "group.app.irl", "group.app.other"), at: "project.json:9"),
    Break(
      .groupPrefix, .replace("project.json", #""group.app.irl""#, #""app.irl.IRL""#),
      .replace("App.entitlements", "group.app.irl", "app.irl.IRL"),
      .replace("Clip.entitlements", "group.app.irl", "app.irl.IRL"),
      at: "App.entitlements:18 Clip.entitlements:18 project.json:9"),
    Break(
      .parentIdentifier,
      .replace("Clip.entitlements", "$(AppIdentifierPrefix)app.irl.IRL", "$(AppIdentifierPrefix)app.irl.Other"),
      at: "Clip.entitlements:14"),
    Break(
      .parentIdentifier, .replace("Clip.entitlements", "$(AppIdentifierPrefix)app.irl.IRL", "Z1B2C3D4E5.app.irl.IRL"),
      at: "Clip.entitlements:14"),
    Break(
      .parentIdentifier, .replace("Clip.entitlements", "\n\t\t<string>$(AppIdentifierPrefix)app.irl.IRL</string>", ""),
      at: "Clip.entitlements:12"),
    Break(
      .associatedClipIdentifier, .replace("App.entitlements", "app.irl.IRL.Clip", "app.irl.IRL.Other"),
      at: "App.entitlements:14"),
    Break(
      .onDemandMissing, .replace("Clip.entitlements", "<true/>", "<false/>"), at: "Clip.entitlements:10"),
    Break(
      .bundlePrefix,
      .replace("project.json", #""bundleId": "app.irl.IRL.Clip""#, #""bundleId": "app.irl.Clip""#),
      .replace("project.json", "=app.irl.IRL.Clip,", "=app.irl.Clip,"),
      .replace("sites/irl.app/index.html", "app.irl.IRL.Clip", "app.irl.Clip"),
      .replace("App.entitlements", "app.irl.IRL.Clip", "app.irl.Clip"),
      .replace(site, "app.irl.IRL.Clip", "app.irl.Clip"),
      .replace("sites/go.irl.app/.well-known/apple-app-site-association", "app.irl.IRL.Clip", "app.irl.Clip"),
      at: "project.json:5"),
    Break(
      .sizeLimit,
      .replace(
        "project.json", #""deploymentTarget": "17.0", "frameworks": ["SwiftUI"], "sizeMB": 9.5"#,
        #""deploymentTarget": "15.1", "sizeBudgetMB": 15"#),
      at: "project.json:5"),
    Break(.sizePhysical, .replace("project.json", "9.5", "15.1"), at: "project.json:5"),
    Break(.aasaAbsent, .remove("sites/go.irl.app/.well-known/apple-app-site-association"), at: "project.json:7"),
    Break(.aasaJson, .replace(site, "{\n  \"appclips\"", "{ // our clip\n  \"appclips\""), at: "\(site):1"),
    Break(.aasaJson, .write(site, "<html></html>"), at: "\(site):1"),
    Break(.aasaJson, .write(site, "[]"), at: "\(site):1"),
    Break(.aasaServed, .replace("\(site).headers", "200", "301"), at: "\(site).headers:1"),
    Break(.aasaName, .move(site, "\(site).json"), .remove("\(site).headers"), at: "\(site).json"),
    Break(
      .aasaName, .move(site, "sites/irl.app/apple-app-site-association"), .remove("\(site).headers"),
      at: "sites/irl.app/apple-app-site-association"),
    Break(
      .aasaContentType, .replace("\(site).headers", "application/json", "application/octet-stream"),
      at: "\(site).headers:2"),
    Break(
      .aasaSize, .replace(site, components, components + String(repeating: " ", count: 131_072)), at: site),
    Break(.aasaClipMissing, .replace(site, #""A1B2C3D4E5.app.irl.IRL.Clip""#, ""), at: "\(site):2"),
    Break(.aasaClipMissing, .replace(site, "IRL.Clip", "IRL.Other"), at: "\(site):2"),
    Break(.aasaClipMissing, .replace(site, #".Clip"]"#, #".Clip", "A1B2C3D4E5.app.irl.IRL"]"#), at: "\(site):2"),
    Break(.aasaAppIDSyntax, .replace(site, "A1B2C3D4E5.app.irl.IRL.Clip", "app.irl.IRL.Clip"), at: "\(site):2"),
    Break(.aasaAppIDSyntax, .replace(site, #""A1B2C3D4E5.app.irl.IRL"]"#, #""TEAMID.app.irl.IRL"]"#), at: "\(site):6"),
    Break(.aasaAppclipsDetails, .replace(site, #""appclips": {"#, #""appclips": {"details": [], "#), at: "\(site):2"),
    Break(
      .aasaClipInApplinks,
      .replace(site, #""A1B2C3D4E5.app.irl.IRL"]"#, #""A1B2C3D4E5.app.irl.IRL", "A1B2C3D4E5.app.irl.IRL.Clip"]"#),
      at: "\(site):6"),
    Break(.aasaLegacyApps, .replace(site, #""details""#, "\"apps\": [],\n    \"details\""), at: "\(site):4"),
    Break(
      .aasaLegacyFormat,
      .write(
        site,
        #"{"appclips": {"apps": ["A1B2C3D4E5.app.irl.IRL.Clip"]}, "applinks": {"details": [\#n{"appID": "A1B2C3D4E5.app.irl.IRL", "paths": ["NOT /claim/old", "/claim/*", "/clip"]}]}}"#
      ),
      at: "\(site):2"),
    Break(
      .aasaMixedFormat,
      .write(
        site,
        #"{"appclips": {"apps": ["A1B2C3D4E5.app.irl.IRL.Clip"]}, "applinks": {"details": [\#n{"appIDs": ["A1B2C3D4E5.app.irl.IRL"], "paths": ["/claim/*", "/clip"]}]}}"#
      ),
      at: "\(site):2"),
    Break(.aasaPathBare, .replace(site, #""/clip""#, #""/clip/*""#), at: "\(site):9"),
    Break(.aasaPathWide, .replace(site, #""/clip""#, #""/clip*""#), at: "\(site):9"),
    Break(.aasaCase, .replace(site, "/claim/*", "/Claim/*"), at: "\(site):8"),
    Break(.aasaUncovered, .replace(site, #""/clip""#, #""/other""#), at: "\(site):3"),
    Break(.aasaUncovered, .replace(site, components, #"{"/": "/claim/*", "exclude": true},"#), at: "\(site):8"),
    Break(.aasaUncovered, .replace(site, #""/clip""#, #""/clip", "?": {"id": "?*"}"#), at: "\(site):3"),
    Break(.aasaUncovered, .replace(site, #""/clip""#, ##""/clip", "#": "?*""##), at: "\(site):3"),
    Break(.aasaUnreachable, .replace(site, components, "{\"/\": \"/*\"},"), at: "\(site):9"),
    Break(.aasaUnreachable, .replace(site, components, components + components), at: "\(site):8"),
    Break(.aasaPatternSyntax, .replace(site, components, components + #"{"/": "/claim/{id}"},"#), at: "\(site):8"),
    Break(.aasaPatternSyntax, .replace(site, components, components + #"{"/": "/claim/.*"},"#), at: "\(site):8"),
    Break(.aasaPatternSyntax, .replace(site, components, components + #"{"/": "/a/**"},"#), at: "\(site):8"),
    Break(.aasaPatternSyntax, .replace(site, components, components + #"{"/": "claim"},"#), at: "\(site):8"),
    Break(.aasaVariable, .replace(site, components, components + #"{"/": "/a/$(uuid)"},"#), at: "\(site):8"),
    Break(
      .aasaVariable,
      .replace(site, #""details""#, "\"substitutionVariables\": {\"a\": [\"$(digit)\"]},\n    \"details\""),
      at: "\(site):4"),
    Break(
      .aasaVariable,
      .replace(site, #""details""#, "\"substitutionVariables\": {\"a(\": [\"b\"]},\n    \"details\""), at: "\(site):4"),
    Break(
      .redirectTarget, .replace("project.json", #""https://irl.app/claim/x"]]"#, #""https://www.irl.app/claim/x"]]"#),
      at: "project.json:12"),
    Break(
      .registeredQuery, .replace("project.json", #"["https://irl.app/claim"]"#, #"["https://irl.app/claim?x=1"]"#),
      at: "project.json:11"),
    Break(
      .bannerAppID, .replace("project.json", "app-id=1234567890", "app-id=xyz.blueskyweb.app"), at: "project.json:14"),
    Break(
      .bannerAppID, .replace("sites/irl.app/index.html", "IRL.Clip", "IRL.Other"), at: "sites/irl.app/index.html:3"),
    Break(.bannerArgument, .replace("project.json", "app-clip-display=card", "app-argument=x"), at: "project.json:14"),
    Break(
      .debugURL,
      .replace("project.json", #""debugURL": "https://irl.app/claim/4711""#, #""debugURL": "https://irl.app/other""#),
      at: "project.json:13"),
    Break(
      .debugURL, .replace("IRL.xcodeproj/xcshareddata/xcschemes/Clip.xcscheme", "irl.app/clip", "irl.app/other"),
      at: "IRL.xcodeproj/xcshareddata/xcschemes/Clip.xcscheme:5"),
    Break(
      .buildSetting, .replace("App.entitlements", "applinks:irl.app", "applinks:$(HOST)"), at: "App.entitlements:9"),
    Break(.unreadable, .replace("Clip-Info.plist", "</dict>\n</plist>", ""), at: "Clip-Info.plist:11"),
    Break(
      .unreadable, .replace("project.json", "teamId", "team"), .replace("project.json", "A1B2C3D4E5", "x"),
      at: "project.json:2"),
  ]

  /// Limits, and further cases of rules that have several.
  static let limits: [Break] =
    ["IRL", "irl-bump-bump-bu", "4711", "-irl", "irl-"].map { name in
      Break(.serviceTypeSyntax, .replace("project.json", #""irl-bump""#, #""\#(name)""#), at: "project.json:8")
    }
    + [("15", 10.1), ("16", 15.1), ("17", 100.1)].map { target, size in
      Break(
        .sizeLimit, .replace("project.json", #""physical": true"#, #""physical": false"#),
        .replace(
          "project.json", #""deploymentTarget": "17.0", "frameworks": ["SwiftUI"], "sizeMB": 9.5"#,
          #""deploymentTarget": "\#(target).0", "sizeMB": \#(size)"#), at: "project.json:5")
    }
    + [
      "App Intents", "BackgroundTasks", "CallKit", "Contacts", "ContactsUI", "EventKit", "EventKitUI", "FileProvider",
      "FileProviderUI", "HealthKit", "HealthKitUI", "HomeKit", "Messages", "NearbyInteraction", "PhotoKit", "Photos",
      "Speech",
    ].map { Break(.clipFramework, .replace("project.json", "SwiftUI", $0), at: "project.json:5") }
    + [
      Break(
        .bonjourFormat,
        .replace(
          "App-Info.plist", "\t\t<string>_irl-bump._udp", "\t\t<string>irl-bump</string>\n\t\t<string>_irl-bump._udp"),
        at: "App-Info.plist:10"),
      Break(
        .clipCloud,
        .replace(
          "project.json", #""deploymentTarget": "17.0", "frameworks": ["SwiftUI"]"#,
          #""deploymentTarget": "15.0", "frameworks": ["CloudKit"]"#), at: "project.json:5"),
      Break(
        .parentIdentifier,
        .replace(
          "Clip.entitlements", "\t\t<string>$(AppIdentifierPrefix)app.irl.IRL",
          "\t\t<string>$(AppIdentifierPrefix)app.irl.IRL</string>\n\t\t<string>$(AppIdentifierPrefix)app.irl.IRL"),
        at: "Clip.entitlements:12"),
      // Xcode puts the clip's own id in its place.
      Break(
        .parentIdentifier,
        .replace("Clip.entitlements", "app.irl.IRL</string>", "$(PRODUCT_BUNDLE_IDENTIFIER)</string>"),
        at: "Clip.entitlements:14"),
      Break(
        .associatedClipIdentifier, .replace("App.entitlements", "app.irl.IRL.Clip", "$(PRODUCT_BUNDLE_IDENTIFIER)"),
        at: "App.entitlements:14"),
      Break(
        .domainSyntax,
        .replace(
          "Clip.entitlements", "\t\t<string>appclips:irl.app",
          "\t\t<string>appclips:irl.app/claim</string>\n\t\t<string>appclips:irl.app"),
        at: "Clip.entitlements:7"),
      Break(.aasaServed, .replace("\(site).headers", "200", "404"), at: "\(site).headers:1"),
      Break(
        .aasaServed, .replace("\(site).headers", "HTTP/2 200", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 404"),
        at: "\(site).headers:3"),
      Break(
        .aasaContentType, .replace("\(site).headers", "content-type: application/json; charset=utf-8\r\n", ""),
        at: "\(site).headers:1"),
    ]

  /// What is just within a limit, or looks like a fault and is none.
  static let clean: [[Change]] = [
    [
      .replace("project.json", #""irl-bump""#, #""irl-bump-bump-b""#),
      .replace("App-Info.plist", "_irl-bump._tcp", "_irl-bump-bump-b._tcp"),
      .replace("App-Info.plist", "_irl-bump._udp", "_irl-bump-bump-b._udp"),
    ],
    [
      .replace(
        "project.json", #""deploymentTarget": "17.0", "frameworks": ["SwiftUI"], "sizeMB": 9.5"#,
        #""deploymentTarget": "15.0", "sizeMB": 10"#)
    ],
    [.replace("project.json", #""17.0", "frameworks": ["SwiftUI"], "sizeMB": 9.5"#, #""16.0", "sizeMB": 15"#)],
    [
      .replace("project.json", #""physical": true"#, #""physical": false"#), .replace("project.json", "9.5", "100"),
    ],
    [.replace(site, components, components + String(repeating: " ", count: 131_072 - siteSize))],
    [.replace("\(site).headers", "HTTP/2 200", "HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200")],
    [.replace("\(site).headers", "HTTP/2 200", "HTTP/2 103\r\nlink: </a>\r\n\r\nHTTP/2 200")],
    [
      .write("MyWidgetExtension.entitlements", SampleProject.plist("")),
      .write("IRLTests/Info.plist", SampleProject.plist("")),
    ],
    [.write("Other/App-Info.plist", SampleProject.plist("\t<key>CFBundlePackageType</key>\n\t<string>APPL</string>"))],
  ]

  @Test func `a project without a fault has no finding`() {
    #expect(SampleProject().findings.isEmpty)
  }

  @Test(arguments: clean.indices) func `what is just within a limit has no finding`(index: Int) throws {
    var project = SampleProject()
    for change in Self.clean[index] { try project.make(change) }
    #expect(project.findings.isEmpty)
  }

  @Test(arguments: breaks + limits) func `a project that breaks one rule has that finding alone, with its line`(
    breaking: Break
  ) throws {
    var project = SampleProject()
    for change in breaking.changes { try project.make(change) }
    let findings = project.findings
    #expect(Set(findings.map(\.rule)) == [breaking.rule], "\(findings)")
    let places = findings.map { finding in finding.file + (finding.line.map { ":\($0)" } ?? "") }
    #expect(places.joined(separator: " ") == breaking.place, "\(findings)")
  }

  /// As IRL's requirements have it: the name in the code is not the one in the clip's list.
  @Test func `a service of the code that the clip's list has under another name is a mismatch`() throws {
    let app = SampleProject().files["App-Info.plist"]
    var project = SampleProject()
    try project.make(.replace("project.json", #""irl-bump""#, #""irl-bump-v1""#))
    try project.make(.remove("App-Info.plist"))
    try project.make(
      .replace(
        "Clip-Info.plist", "\t<key>NSAppClip<",
        "\t<key>NSBonjourServices</key>\n\t<array><string>_irl-bump._tcp</string></array>\n\t<key>NSAppClip<"))
    let rules: Set<Rule> = [.clipLocalNetwork, .serviceTypeMismatch]
    #expect(Set(project.findings.map(\.rule)) == rules, "\(project.findings)")
    #expect(project.findings.allSatisfy { $0.file == "Clip-Info.plist" && $0.line == 5 }, "\(project.findings)")
    // Also beside an app whose list is right.
    let right = try #require(app).replacing("_irl-bump.", with: "_irl-bump-v1.")
    try project.make(.write("App-Info.plist", right))
    #expect(Set(project.findings.map(\.rule)) == rules, "\(project.findings)")
  }

  @Test func `each rule has a project that breaks it`() {
    #expect(Set(Self.breaks.map(\.rule)) == Set(Rule.allCases))
  }

  /// What a property list says is the same in both formats, but for its lines.
  @Test(arguments: breaks.filter { $0.rule != .unreadable })
  func `a binary property list has the findings of the same one in XML, without lines`(breaking: Break) throws {
    var project = SampleProject()
    for change in breaking.changes { try project.make(change) }
    let sources = try project.sources { path, text in
      guard path.hasSuffix(".plist") || path.hasSuffix(".entitlements") else { return Array(text.utf8) }
      let value = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
      return Array(try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }
    let findings = Linter.findings(in: sources)
    #expect(Set(findings.map(\.what)) == Set(project.findings.map(\.what)))
    for finding in findings where finding.file.hasSuffix(".plist") || finding.file.hasSuffix(".entitlements") {
      #expect(finding.line == nil)
    }
  }
}
