import BumpVaultAPI
import Foundation
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Docs/claim-page.md, held against the page and the server.
struct ClaimPageDocumentTests {
  private let document: String
  private let script: String

  init() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    document = try String(contentsOf: root.appending(path: "Docs/claim-page.md"), encoding: .utf8)
    script = String(decoding: try #require(PageFiles.embedded["claim.js"]), as: UTF8.self)
  }

  /// The example for a web view.
  private var snippet: Substring {
    get throws { try #require(document.firstMatch(of: /```swift\n((?:.|\n)*?)```/)).1 }
  }

  @Test func `the example reads the messages that the page sends`() throws {
    let names = Set(try snippet.matches(of: /body\["([a-zA-Z]+)"\]/).map { String($0.1) })
    #expect(names == ["v", "status", "txHash", "address"])
    #expect(try snippet.contains(#"body["v"] as? Int == 1"#) && script.contains(/\{\s*v: 1,\s*status\b/))
    for name in ["txHash", "address"] { #expect(script.contains("message.\(name) ="), "\(name)") }
    #expect(
      try snippet.contains(#"add(self, name: "bump")"#) && script.contains(/messageHandlers\??\.bump\??\.postMessage\(/)
    )
    #expect(script.contains(#"CustomEvent("bump""#) && document.contains("an event `bump` on `window`"))
  }

  /// A link of another port is another service of that host.
  @Test func `the example opens pages of the vault's own origin, and hears those alone`() throws {
    let snippet = try snippet
    #expect(snippet.contains("guard Origin(link) == vault else { return nil }"))
    #expect(snippet.contains("Origin(message.frameInfo.securityOrigin) == vault"))
    for part in ["url.scheme", "url.host()", "url.port ?? 443", "origin.protocol", "origin.host", "origin.port"] {
      #expect(snippet.contains(part), "\(part)")
    }
  }

  @Test func `an app is told of an old payment by a status of its own`() {
    for text in [document, script] { #expect(text.contains("alreadyPaid")) }
    #expect(document.contains("| `alreadyPaid` | paid to this receiver before"))
  }

  @Test func `the example names the receiver as the page reads it`() throws {
    #expect(try snippet.contains(#"window.bump = {receiver: \"\(receiver)\"}"#))
    #expect(script.contains("bump?.receiver"))
    #expect(document.contains("an event `bump:receiver` on `window`") && script.contains(#""bump:receiver""#))
  }

  /// Each status has a screen, which has a title. Money on its way shares that of the offer, or of what it comes to.
  @Test func `the table has each status that the page tells an app`() throws {
    let texts = try JSONValue.strings(try #require(PageFiles.embedded["en.json"]))
    let onChain = try JSONValue.strings(try #require(PageFiles.embedded["chain.en.json"]))
    let moving: Set = ["paying", "submitted", "included"]
    #expect(moving.allSatisfy { texts[$0] != nil || onChain[$0] != nil })
    let screens = Set(texts.keys.compactMap { $0.wholeMatch(of: /([a-zA-Z]+)\.(?:head|over)/).map { String($0.1) } })
    let rows = document.split(separator: "\n").drop { $0 != "| `status` | |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let listed = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([a-zA-Z]+)`/).map { String($0.1) }
    }
    #expect(Set(listed) == screens.subtracting(["noscript"]).union(moving) && Set(listed).count == listed.count)
  }

  @Test func `the policy in the document is the one that is sent`() async throws {
    let served = try await Served { $0.origin.set(VaultURL("https://vault.example")) }
    let response = try await served.ask("GET", "/claim/x", isTLS: true)
    for name in [
      "Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy", "X-Content-Type-Options",
      "Strict-Transport-Security",
    ] {
      let value = try #require(response.header(name))
      #expect(document.contains("\(name): \(value)"), "\(name)")
    }
  }

  /// The same text as in `PageTests`, which runs it.
  @Test func `the document has the command that computes the hash`() {
    #expect(
      document.contains("LC_ALL=C sha256sum *.css *.js *.*.json *.svg | LC_ALL=C sort -k 2 | sha256sum | cut -c 1-16"))
  }

  @Test func `each file of the repository that the document leads to is there`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../Docs").standardized
    for link in document.matches(of: /\]\(([a-zA-Z.\/-]+)(?:#[a-z-]+)?\)/) {
      let path = root.appending(path: String(link.1)).standardized.path
      // Pictures are made from a running page.
      if path.hasSuffix(".png") { continue }
      #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
    }
  }
}
