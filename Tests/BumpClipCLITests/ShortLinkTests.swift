import Foundation
import Glibc
import Lab
import Testing

/// `bump-clip resolve`: short links, and the hosts that are asked where they lead.
@Suite(.processes()) struct ShortLinkTests {
  private let person: LocalUser
  private static let pack = "https://bsky.app/start/alice.example/3kabc"

  init() throws { person = try LocalUser() }

  /// Resolves a link behind a proxy that answers for every host.
  ///
  /// - Parameters:
  ///   - answers: status and Location by host and path.
  ///   - count: the bytes of each of these answers.
  /// - Returns: how `bump-clip resolve` ended, and what was asked for.
  private func resolve(
    _ link: String, _ answers: [String: (Int, String)], of count: Int = 5, _ arguments: String...
  ) async throws -> (ProcessResult, asked: [String]) {
    let pem = "\(person.home)/proxy.pem"
    let made = try await person.shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=go.bsky.app \
      -addext subjectAltName=DNS:go.bsky.app,DNS:bsky.app,DNS:evil.example -keyout key -out cert && cat cert key >\(pem)
      """)
    try #require(made.status == 0, "\(made)")
    let table = try JSONSerialization.data(withJSONObject: answers.mapValues { [$0.0, $0.1, count] as [Any] })
    let script = URL(filePath: #filePath).appending(path: "../../Tools/Redirects/proxy.py").standardized.path
    let proxy = try await RunningProcess.start(["python3", script, pem, String(decoding: table, as: UTF8.self)])
    defer { proxy.signal(9) }
    let port = try await proxy.line { $0.hasPrefix("port ") }.dropFirst(5)
    let finished = try await person.run(
      ["resolve", link, "--roots", "\(person.home)/cert"] + arguments,
      changes: ["https_proxy": "http://127.0.0.1:\(port)"], of: BumpCommand.clip)
    proxy.signal(9)
    return (finished, Array(try await proxy.finish().lines.dropFirst()))
  }

  @Test func `a short link's host is asked, and the link that it stands for is opened`() async throws {
    let (resolved, asked) = try await resolve(
      "https://go.bsky.app/AbC1", ["go.bsky.app/AbC1": (301, Self.pack + "?ref=x")], "--json")
    #expect(try resolved.status == 0 && resolved.result.string("outcome") == "clip", "\(resolved)")
    #expect(try resolved.events.first?.string("link") == Self.pack + "?ref=x", "\(resolved)")
    // The page of the pack itself is nobody's to fetch here.
    #expect(asked == ["go.bsky.app/AbC1"])
    let handed = try await person.clip("handover", "bluesky")
    #expect(handed.standardOutput == Self.pack + "\n", "\(handed)")
  }

  @Test(arguments: [
    "https://evil.example/start/alice.example/3kabc", "http://bsky.app/start/alice.example/3kabc",
    "https://bsky.app:8443/start/alice.example/3kabc", "https://bsky.app@evil.example/start/a.b/c",
    "//evil.example/start/a.b/c", "https://roadflare.app/share/r/x", "file:///etc/passwd",
  ]) func `a redirect to anywhere else is not followed`(place: String) async throws {
    let (resolved, asked) = try await resolve("https://go.bsky.app/AbC1", ["go.bsky.app/AbC1": (302, place)])
    #expect(resolved.status == 1 && resolved.standardError.contains("was not followed"), "\(resolved)")
    #expect(asked == ["go.bsky.app/AbC1"])
  }

  @Test func `a short link that leads to itself is asked five times`() async throws {
    let (resolved, asked) = try await resolve(
      "https://go.bsky.app/AbC1", ["go.bsky.app/AbC1": (302, "https://go.bsky.app/AbC1")])
    #expect(resolved.status == 1 && resolved.standardError.contains("more than 5 times"), "\(resolved)")
    #expect(asked == [String](repeating: "go.bsky.app/AbC1", count: 5))
  }

  @Test func `a redirect with more behind it than anybody needs is not followed`() async throws {
    let (resolved, asked) = try await resolve(
      "https://go.bsky.app/AbC1", ["go.bsky.app/AbC1": (302, Self.pack)], of: 1_000_000)
    #expect(resolved.status == 1 && resolved.standardError.contains("leads nowhere"), "\(resolved)")
    #expect(asked.first == "go.bsky.app/AbC1")
  }

  @Test func `an answer that is no redirect leads nowhere, and another link is not asked`() async throws {
    let (page, asked) = try await resolve("https://go.bsky.app/AbC1", [:])
    #expect(page.status == 1 && page.standardError.contains("leads nowhere"), "\(page)")
    #expect(asked == ["go.bsky.app/AbC1"])
    for link in [Self.pack, "https://evil.example/AbC1", "https://irl.app/claim/x"] {
      let (other, asked) = try await resolve(link, [:])
      #expect(other.status == 1 && other.standardError.contains("is not a short link"), "\(other)")
      #expect(asked.isEmpty)
    }
  }

  @Test func `a host that is not reached is said to be`() async throws {
    let resolved = try await person.run(
      ["resolve", "https://go.bsky.app/AbC1"],
      changes: ["https_proxy": "http://127.0.0.1:\(closedPort())"], of: BumpCommand.clip)
    #expect(resolved.status == 1 && resolved.standardError.contains("was not reached"), "\(resolved)")
  }
}
