import BumpClip
import Testing

/// Short links, and what their host may make of them.
@Suite struct LinkResolutionTests {
  private static let router = Experiences.builtIn.router

  private static func resolution(_ link: String = Links.short) throws -> LinkResolution {
    try #require(LinkResolution(of: link, in: router))
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect to a pack resolves a link`(status: Int) throws {
    var resolution = try Self.resolution()
    guard case .resolved(let link, let match) = resolution.answered(status: status, location: Links.pack + "?clip=true")
    else {
      Issue.record("not resolved")
      return
    }
    #expect(link == Links.pack + "?clip=true" && match.captured["starterPackUri"] == Links.pack)
    #expect(resolution.product.id == "bluesky")
  }

  @Test(arguments: [Links.pack, Links.claim, Links.driver, Links.message, Links.card, "https://a.example/", ""])
  func `a link that is not short is not asked for`(link: String) {
    #expect(LinkResolution(of: link, in: Self.router) == nil)
  }

  @Test(arguments: [
    "https://evil.example/start/alice.example/3kabc", "http://bsky.app/start/alice.example/3kabc",
    "https://bsky.app:8443/start/alice.example/3kabc", "https://user@bsky.app/start/alice.example/3kabc",
    "https://bsky.app@evil.example/start/alice.example/3kabc", "https://bsky.app/profile/alice.example",
    "https://bsky.app/start/alice/3kabc", Links.claim, "file:///etc/passwd", "https://127.0.0.1/", "",
  ]) func `a redirect elsewhere is not followed`(location: String) throws {
    var resolution = try Self.resolution()
    #expect(resolution.answered(status: 302, location: location) == .failed(.elsewhere))
  }

  @Test(arguments: [200, 204, 300, 304, 400, 404, 500, 0]) func `what is no redirect leads nowhere`(status: Int) throws
  {
    var resolution = try Self.resolution()
    #expect(resolution.answered(status: status, location: Links.pack) == .failed(.noRedirect))
  }

  @Test func `a redirect without a place leads nowhere`() throws {
    var resolution = try Self.resolution()
    #expect(resolution.answered(status: 302, location: nil) == .failed(.noRedirect))
  }

  @Test func `a short link may lead to another, five times at most`() throws {
    var resolution = try Self.resolution()
    for number in 1..<5 {
      let next = "https://go.bsky.app/n\(number)"
      #expect(resolution.answered(status: 301, location: next) == .ask(next))
    }
    var other = resolution
    #expect(resolution.answered(status: 301, location: "https://go.bsky.app/n5") == .failed(.tooLong))
    guard case .resolved = other.answered(status: 301, location: Links.pack) else {
      Issue.record("the fifth redirect is one too many")
      return
    }
  }
}
