import BumpClip
import Foundation
import Testing

@testable import BumpLint

/// What is written from a description has no fault.
@Suite struct WriterTests {
  /// What each product leaves open, as project.json says it.
  private static let additions = [
    "bluesky": "{}", "orbiting": "{}", "roadflare": "{}",
    "irl": #"{"teamId": "A1B2C3D4E5", "app": {"bundleId": "app.irl.IRL"}, "clip": {"bundleId": "app.irl.IRL.Clip"}}"#,
    "businesscard": #"{"teamId": "A1B2C3D4E5", "invocations": ["https://card.irl.app/appclip/shared/{id}"]}"#,
  ]

  private func description(_ id: String) throws -> ProjectDescription {
    var description = try ProjectDescription(Array(try #require(Self.additions[id]).utf8))
    description.add(ProjectDescription(try #require(Experiences.builtIn.product(id))))
    return description
  }

  @Test(arguments: Experiences.builtIn.products.map(\.id))
  func `what is written of each of the five products has no finding`(id: String) throws {
    let writer = try ProjectWriter(try description(id))
    var files = [
      "App.entitlements": writer.appEntitlements, "Clip.entitlements": writer.clipEntitlements,
      "project.json": try #require(Self.additions[id]),
    ]
    for host in writer.hosts {
      files["sites/\(host)/.well-known/apple-app-site-association"] = try writer.association(of: host)
    }
    let product = ProjectDescription(try #require(Experiences.builtIn.product(id)))
    let sources = files.map { SourceFile(path: $0, content: Array($1.utf8)) }
    #expect(Linter.findings(in: sources, product: product) == [])
    // The linter has seen them: without any one of them there is a finding.
    for path in files.keys where path != "project.json" && path != "App.entitlements" && path != "Clip.entitlements" {
      let others = sources.filter { $0.path != path }
      #expect(Linter.findings(in: others, product: product).map(\.rule) == [.aasaAbsent], "\(path)")
    }
  }

  @Test func `a file of a host lists the paths of its URLs`() throws {
    let writer = try ProjectWriter(try description("roadflare"))
    #expect(
      try writer.association(of: "roadflare.app") == """
        {
          "appclips" : {
            "apps" : [
              "6Y98438M9X.com.roadflare.RoadFlare.Clip"
            ]
          },
          "applinks" : {
            "details" : [
              {
                "appIDs" : [
                  "6Y98438M9X.com.roadflare.RoadFlare"
                ],
                "components" : [
                  {
                    "/" : "/share/d/*"
                  },
                  {
                    "/" : "/share/r/*"
                  }
                ]
              }
            ]
          }
        }

        """)
  }

  @Test func `beside a path that takes all no other is written`() throws {
    let text =
      #"{"teamId": "A1B2C3D4E5", "app": {"bundleId": "app.irl.IRL"}, "clip": {"bundleId": "app.irl.IRL.Clip"}, "invocations": ["https://irl.app/claim/{id}", "https://irl.app/{x}"]}"#
    let file = try ProjectWriter(ProjectDescription(Array(text.utf8))).association(of: "irl.app")
    #expect(file.contains(#""/" : "/*""#) && !file.contains("claim"))
  }

  @Test func `entitlements are those that Apple asks of both targets`() throws {
    let writer = try ProjectWriter(try description("orbiting"))
    let clip = try PropertyListSerialization.propertyList(from: Data(writer.clipEntitlements.utf8), format: nil)
    let expected: [String: Any] = [
      "com.apple.developer.associated-domains": ["appclips:orbiting.app"],
      "com.apple.developer.on-demand-install-capable": true,
      "com.apple.developer.parent-application-identifiers": ["$(AppIdentifierPrefix)com.harperrules.Orbiting"],
      "com.apple.security.application-groups": ["group.com.harperrules.Orbiting"],
    ]
    #expect((clip as? NSDictionary) == expected as NSDictionary)
    let app = try PropertyListSerialization.propertyList(from: Data(writer.appEntitlements.utf8), format: nil)
    let ofApp: [String: Any] = [
      "com.apple.developer.associated-domains": ["appclips:orbiting.app", "applinks:orbiting.app"],
      "com.apple.security.application-groups": ["group.com.harperrules.Orbiting"],
    ]
    #expect((app as? NSDictionary) == ofApp as NSDictionary)
  }

  @Test func `a URL for the app alone asks for no clip`() throws {
    let text =
      #"{"teamId": "A1B2C3D4E5", "app": {"bundleId": "app.irl.IRL"}, "clip": {"bundleId": "app.irl.IRL.Clip"}, "invocations": ["https://irl.app/x"], "appLinks": ["https://www.irl.app/y"]}"#
    let writer = try ProjectWriter(ProjectDescription(Array(text.utf8)))
    #expect(try !writer.association(of: "www.irl.app").contains("appclips"))
    #expect(!writer.clipEntitlements.contains("www.irl") && writer.appEntitlements.contains("applinks:www.irl.app"))
    #expect(!writer.appEntitlements.contains("appclips:www"))
  }

  @Test(arguments: [
    ("bluesky", #"{"groups": ["app.bsky"]}"#, "app.bsky is not an App Group"),
    ("bluesky", #"{"groups": ["group.\u001b]"]}"#, "group.\u{1B}] is not an App Group"),
    ("irl", "{}", "the app's bundle id is not described"),
    ("businesscard", "{}", "the host yourapp.com is a placeholder"),
  ]) func `what is not described is asked for`(id: String, text: String, words: String) throws {
    var description = try ProjectDescription(Array(text.utf8))
    description.add(ProjectDescription(try #require(Experiences.builtIn.product(id))))
    let missing = #expect(throws: ProjectWriter.Missing.self) { try ProjectWriter(description) }
    #expect(missing?.reason == words)
  }
}
