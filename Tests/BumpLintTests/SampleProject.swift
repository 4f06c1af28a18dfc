import BumpLint
import Testing

/// A project without a fault, and changes of its files that each break one rule.
struct SampleProject {
  private(set) var files: [String: String] = [
    "project.json": """
    {
      "teamId": "A1B2C3D4E5",
      "app": {"bundleId": "app.irl.IRL", "deploymentTarget": "17.0", "frameworks": ["MultipeerConnectivity"]},
      "clip": {
        "bundleId": "app.irl.IRL.Clip", "deploymentTarget": "17.0", "frameworks": ["SwiftUI"], "sizeMB": 9.5
      },
      "invocations": ["https://irl.app/claim/{claimId}", "https://irl.app/clip", "https://go.irl.app/{code}"],
      "serviceType": "irl-bump",
      "groups": ["group.app.irl"],
      "physical": true,
      "registered": ["https://irl.app/claim"],
      "redirects": [["https://go.irl.app/x", "https://irl.app/claim/x"]],
      "debugURL": "https://irl.app/claim/4711",
      "banner": "app-id=1234567890, app-clip-bundle-id=app.irl.IRL.Clip, app-clip-display=card"
    }
    """,
    "App-Info.plist": plist(
      """
      \t<key>CFBundleIdentifier</key>
      \t<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
      \t<key>NSBonjourServices</key>
      \t<array>
      \t\t<string>_irl-bump._tcp</string>
      \t\t<string>_irl-bump._udp</string>
      \t</array>
      \t<key>NSLocalNetworkUsageDescription</key>
      \t<string>To hand over a claim to somebody near.</string>
      """),
    "Clip-Info.plist": plist(
      """
      \t<key>NSAppClip</key>
      \t<dict>
      \t\t<key>NSAppClipRequestLocationConfirmation</key>
      \t\t<false/>
      \t</dict>
      """),
    "App.entitlements": plist(
      """
      \t<key>com.apple.developer.associated-domains</key>
      \t<array>
      \t\t<string>appclips:irl.app</string>
      \t\t<string>appclips:go.irl.app</string>
      \t\t<string>applinks:irl.app</string>
      \t\t<string>applinks:go.irl.app</string>
      \t</array>
      \t<key>com.apple.developer.associated-appclip-app-identifiers</key>
      \t<array>
      \t\t<string>$(AppIdentifierPrefix)app.irl.IRL.Clip</string>
      \t</array>
      \t<key>com.apple.security.application-groups</key>
      \t<array>
      \t\t<string>group.app.irl</string>
      \t</array>
      """),
    "Clip.entitlements": plist(
      """
      \t<key>com.apple.developer.associated-domains</key>
      \t<array>
      \t\t<string>appclips:irl.app</string>
      \t\t<string>appclips:go.irl.app</string>
      \t</array>
      \t<key>com.apple.developer.on-demand-install-capable</key>
      \t<true/>
      \t<key>com.apple.developer.parent-application-identifiers</key>
      \t<array>
      \t\t<string>$(AppIdentifierPrefix)app.irl.IRL</string>
      \t</array>
      \t<key>com.apple.security.application-groups</key>
      \t<array>
      \t\t<string>group.app.irl</string>
      \t</array>
      """),
    site: """
    {
      "appclips": {"apps": ["A1B2C3D4E5.app.irl.IRL.Clip"]},
      "applinks": {
        "details": [
          {
            "appIDs": ["A1B2C3D4E5.app.irl.IRL"],
            "components": [
              {"/": "/claim/*"},
              {"/": "/clip"}
            ]
          }
        ]
      }
    }
    """,
    "sites/go.irl.app/.well-known/apple-app-site-association": """
    {
      "appclips": {"apps": ["A1B2C3D4E5.app.irl.IRL.Clip"]},
      "applinks": {
        "details": [{"appIDs": ["A1B2C3D4E5.app.irl.IRL"], "components": [{"/": "/????*"}, {"/": "/?"}]}]
      }
    }
    """,
    "\(site).headers": """
    HTTP/2 200\r
    content-type: application/json; charset=utf-8\r
    \r
    """,
    "sites/irl.app/index.html": """
    <!doctype html>
    <!-- <meta name="apple-itunes-app" content="app-id=none"> -->
    <META content='app-id=1234567890, app-clip-bundle-id=app.irl.IRL.Clip' name=apple-itunes-app>
    """,
    "IRL.xcodeproj/xcshareddata/xcschemes/Clip.xcscheme": """
    <?xml version="1.0" encoding="UTF-8"?>
    <Scheme>
      <LaunchAction>
        <EnvironmentVariables>
          <EnvironmentVariable key = "_XCAppClipURL" value = "https://irl.app/clip?x=1&amp;y=2" isEnabled = "YES">
          </EnvironmentVariable>
        </EnvironmentVariables>
      </LaunchAction>
    </Scheme>
    """,
  ]

  static let site = "sites/irl.app/.well-known/apple-app-site-association"

  /// A property list of a dictionary's content. The first line of the content is the fifth.
  static func plist(_ content: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \(content)
    </dict>
    </plist>

    """
  }

  /// A change of a file.
  enum Change: Sendable {
    /// A text that is there once, replaced.
    case replace(String, String, String)
    case write(String, String)
    case remove(String)
    /// A file under another path.
    case move(String, String)
  }

  mutating func make(_ change: Change) throws {
    switch change {
    case .replace(let path, let text, let other):
      let parts = try #require(files[path]).split(separator: text, omittingEmptySubsequences: false)
      try #require(parts.count == 2, "\(text) in \(path)")
      files[path] = parts.joined(separator: other)
    case .write(let path, let text): files[path] = text
    case .remove(let path): _ = try take(path)
    case .move(let path, let other): files[other] = try take(path)
    }
  }

  private mutating func take(_ path: String) throws -> String {
    let text = try #require(files[path])
    files[path] = nil
    return text
  }

  /// The files, with a function of the bytes of each.
  func sources(_ content: (String, String) throws -> [UInt8]) rethrows -> [SourceFile] {
    try files.map { path, text in SourceFile(path: path, content: try content(path, text)) }
  }

  var findings: [Finding] { Linter.findings(in: sources { Array($1.utf8) }) }
}
