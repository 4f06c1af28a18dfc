import BumpClaims
import BumpClip
import Testing

/// Which experience takes a URL, and what is captured of it.
@Suite struct RoutingTests {
  private static let npub = Links.npub
  private static let router = Experiences.builtIn.router

  private static let matches: [(String, experience: String, captured: [String: String])] = [
    (Links.claim, "irl", ["claimId": "abc-_1"]),
    (Links.driver, "roadflare", ["npub": npub]),
    ("https://roadflare.app/share/d/\(npub.uppercased())", "roadflare", ["npub": npub]),
    ("https://roadflare.app/share/d/nostr:\(npub)", "roadflare", ["npub": npub]),
    ("https://roadflare.app/share/d/NOSTR%3A\(npub.uppercased())", "roadflare", ["npub": npub]),
    ("https://roadflare.app/share/r/\(npub)", "roadflare-rider", ["npub": npub]),
    (Links.pack, "bluesky", ["name": "alice.example", "rkey": "3kabc", "starterPackUri": Links.pack]),
    (
      "https://bsky.app/starter-pack/did:plc:abc/x?clip=true#x", "bluesky",
      ["name": "did:plc:abc", "rkey": "x", "starterPackUri": "https://bsky.app/starter-pack/did:plc:abc/x"]
    ),
    (
      "HTTPS://BSKY.app:443/%73tart/did%3Aplc%3Aabc/x/", "bluesky",
      ["name": "did:plc:abc", "rkey": "x", "starterPackUri": "https://bsky.app/start/did:plc:abc/x"]
    ),
    (
      "https://bsky.app/start/did:web:a%253A1/x", "bluesky",
      ["name": "did:web:a%3A1", "rkey": "x", "starterPackUri": "https://bsky.app/start/did:web:a%253A1/x"]
    ),
    (Links.short, "bluesky-short", ["code": "AbC1", "shortUrl": Links.short]),
    (Links.message, "orbiting", ["text": "hello", "theme": "mono"]),
    ("https://orbiting.app/clip", "orbiting", [:]),
    ("https://orbiting.app:/clip/", "orbiting", [:]),
    (Links.card, "businesscard", ["id": "0A1B2C3D-0000-4000-8000-00000000ABCD"]),
  ]

  @Test(arguments: matches) func `a URL of an experience is taken by it, and its values are captured`(
    url: String, experience: String, captured: [String: String]
  ) throws {
    let match = try Links.match(url)
    #expect(match.experience.id == experience && match.captured == captured)
  }

  private static let mismatches: [(rule: String, url: String, Route.Mismatch)] = [
    ("at most 2,048 bytes", "\(Links.claim)?\(String(repeating: "a", count: 2048 - Links.claim.utf8.count))", .length),
    ("no space", "https://irl.app/claim/a b", .character),
    ("no backslash", #"https://bsky.app\@evil.example/"#, .character),
    ("no brace", "https://irl.app/claim/{claimId}", .character),
    ("no quotation mark", #"https://irl.app/claim/"a""#, .character),
    ("no angle bracket", "https://irl.app/claim/<a>", .character),
    ("no caret", "https://irl.app/claim/a^b", .character),
    ("no bar", "https://irl.app/claim/a|b", .character),
    ("no backquote", "https://irl.app/claim/a`b", .character),
    ("nothing outside ASCII", "https://bsky。app/start/alice.example/x", .character),
    ("no control character", "https://irl.app/claim/a\n", .character),
    ("two digits behind a percent sign", "https://irl.app/claim/a%2", .percent),
    ("hex digits behind a percent sign", "https://irl.app/claim/a%2g", .percent),
    ("one # at most", "https://irl.app/claim/a#b#c", .character),
    ("https", "http://irl.app/claim/a", .scheme),
    ("an authority", "https:/irl.app/claim/a", .scheme),
    ("no scheme of an app", "irl://irl.app/claim/a", .scheme),
    ("nothing", "", .scheme),
    ("no user", "https://irl.app@evil.example/claim/a", .user),
    ("no user before the host", "https://evil.example@irl.app/claim/a", .user),
    ("no other port", "https://irl.app:8443/claim/a", .port),
    ("no other spelling of the port", "https://irl.app:0443/claim/a", .port),
    ("a listed host", "https://irl.example/claim/a", .host),
    ("no subdomain", "https://www.irl.app/claim/a", .host),
    ("no trailing dot", "https://irl.app./claim/a", .host),
    ("no escape in the host", "https://irl%2Eapp/claim/a", .host),
    ("a host", "https:///claim/a", .host),
    ("no empty segment", "https://irl.app//claim/a", .segment),
    ("one trailing slash at most", "https://irl.app/claim/a//", .segment),
    ("no dot", "https://irl.app/claim/.", .segment),
    ("no two dots", "https://irl.app/x/../claim/a", .segment),
    ("no escaped dots", "https://irl.app/%2e%2E/a", .segment),
    ("no escaped slash", "https://irl.app/claim%2Fa", .segment),
    ("no escaped control character", "https://irl.app/claim/a%00", .segment),
    ("no escaped C1 control character", "https://irl.app/claim/a%C2%85", .segment),
    ("UTF-8", "https://irl.app/claim/a%FF", .segment),
    ("words in their case", "https://irl.app/Claim/a", .path),
    ("no segment too few", "https://irl.app/claim", .path),
    ("no segment too many", "https://irl.app/claim/a/b", .path),
    ("no path", "https://irl.app", .path),
    ("decoded once", "https://orbiting.app/cl%2569p", .path),
    ("no path of a hundred segments", "https://irl.app\(String(repeating: "/a", count: 100))", .path),
  ]

  @Test(arguments: mismatches) func `a URL that breaks a rule is taken by none`(
    rule: String, url: String, mismatch: Route.Mismatch
  ) {
    #expect(Self.router.route(url) == .none(mismatch), "\(rule)")
  }

  @Test func `a URL of 2,048 bytes is taken`() throws {
    let url = "\(Links.claim)?\(String(repeating: "a", count: 2047 - Links.claim.utf8.count))"
    #expect(try url.utf8.count == 2048 && Links.match(url).experience.id == "irl")
  }

  private static let nprofile =
    "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"

  private static let broken: [(url: String, experience: String, reason: String)] = [
    ("https://irl.app/claim/a.b", "irl", "claim-id"),
    ("https://irl.app/claim/\(String(repeating: "a", count: 65))", "irl", "claim-id"),
    ("https://roadflare.app/share/d/\(npub.dropLast())q", "roadflare", "npub"),
    ("https://roadflare.app/share/d/N\(npub.dropFirst())", "roadflare", "npub"),
    ("https://roadflare.app/share/d/a12uel5l", "roadflare", "npub"),
    // Of NIP-19: a key too, but of another kind.
    ("https://roadflare.app/share/d/\(nprofile)", "roadflare", "npub"),
    ("https://roadflare.app/share/d/nostr:\(nprofile)", "roadflare", "npub"),
    ("https://roadflare.app/share/d/nostr:\(npub)x", "roadflare", "npub"),
    ("https://roadflare.app/share/d/\(Links.nsec)", "roadflare", "secret-key"),
    ("https://roadflare.app/share/d/nostr:\(Links.nsec)", "roadflare", "secret-key"),
    ("https://roadflare.app/share/r/\(Links.nsec.uppercased())", "roadflare-rider", "secret-key"),
    // A typing error in a private key leaves most of it.
    ("https://roadflare.app/share/d/\(Links.nsec.dropLast())", "roadflare", "secret-key"),
    ("https://bsky.app/start/alice/x", "bluesky", "name"),
    ("https://bsky.app/start/alice.3xample/x", "bluesky", "name"),
    ("https://bsky.app/start/-a.example/x", "bluesky", "name"),
    ("https://bsky.app/start/\(String(repeating: "a.", count: 126))aa/x", "bluesky", "name"),
    ("https://bsky.app/start/did:plc/x", "bluesky", "name"),
    ("https://bsky.app/start/did:plc:a:/x", "bluesky", "name"),
    ("https://bsky.app/start/a.example/x!", "bluesky", "rkey"),
    ("https://bsky.app/start/a.example/\(String(repeating: "a", count: 513))", "bluesky", "rkey"),
    ("https://go.bsky.app/a!", "bluesky-short", "code"),
    ("https://go.bsky.app/\(String(repeating: "a", count: 65))", "bluesky-short", "code"),
    ("https://yourapp.com/appclip/shared/0a1b2c3d-0000-4000-8000-00000000abc", "businesscard", "uuid"),
    ("https://yourapp.com/appclip/shared/0a1b2c3d00-00-4000-8000-00000000abcd", "businesscard", "uuid"),
    ("https://yourapp.com/appclip/shared/0a1b2c3g-0000-4000-8000-00000000abcd", "businesscard", "uuid"),
  ]

  @Test(arguments: broken) func `a URL with a value that is not valid is broken, with the reason`(
    url: String, experience: String, reason: String
  ) throws {
    guard case .broken(let found, _, let why) = Self.router.route(url) else {
      Issue.record("not broken: \(Self.router.route(url))")
      return
    }
    #expect(found.id == experience && why.description == reason)
  }

  @Test func `the greatest values are taken`() throws {
    let name = "\(String(repeating: "a.", count: 125))aaa"
    #expect(name.utf8.count == 253)
    _ = try Links.match("https://bsky.app/start/\(name)/\(String(repeating: "a", count: 512))")
    _ = try Links.match("https://irl.app/claim/\(String(repeating: "a", count: 64))")
    _ = try Links.match("https://go.bsky.app/\(String(repeating: "~", count: 64))")
  }

  private static let queries: [(rule: String, query: String, captured: [String: String])] = [
    ("an escape is decoded once", "text=100%2525", ["text": "100%25"]),
    ("a percent sign may be escaped", "text=100%25", ["text": "100%"]),
    ("a plus sign stays", "text=1+1", ["text": "1+1"]),
    ("the first item of a name counts", "text=a&text=b", ["text": "a"]),
    ("the first item counts though it is empty", "text=&text=b", [:]),
    ("the first item counts though it is not valid", "text=%00&text=b", [:]),
    ("an item is split at its first =", "text=a=b", ["text": "a=b"]),
    ("an item without = is empty", "text", [:]),
    ("names are decoded", "te%78t=a", ["text": "a"]),
    ("the case of a name counts", "Text=a", [:]),
    ("other items are free", "&&x=1&text=a", ["text": "a"]),
    ("a value is UTF-8", "text=%FF", [:]),
    ("a text may have lines and tabs", "text=a%0A%09b", ["text": "a\n\tb"]),
    ("a text has no carriage return", "text=a%0D", [:]),
    ("a text has no C1 control character", "text=%C2%9B", [:]),
    (
      "a text has 1,024 bytes", "text=\(String(repeating: "a", count: 1024))",
      ["text": String(repeating: "a", count: 1024)]
    ),
    ("a text has no more", "text=\(String(repeating: "a", count: 1025))", [:]),
    (
      "a text has 1,024 bytes, not characters",
      "text=\(String(repeating: "%C3%A9", count: 200))\(String(repeating: "a", count: 625))", [:]
    ),
    ("a text has no DEL", "text=%7F", [:]),
    ("a theme that is not known is passed on", "theme=Neon-2", ["theme": "Neon-2"]),
    ("a theme has 32 characters at most", "theme=\(String(repeating: "a", count: 33))", [:]),
    ("a theme has letters, digits and hyphens", "theme=a_b", [:]),
    ("what is not valid leaves the other", "text=a&theme=a_b", ["text": "a"]),
  ]

  @Test(arguments: queries) func `the query of a message is read by its rules`(
    rule: String, query: String, captured: [String: String]
  ) throws {
    let match = try Links.match("https://orbiting.app/clip?\(query)")
    #expect(match.experience.id == "orbiting" && match.captured == captured, "\(rule)")
  }

  @Test func `query and fragment never change which experience takes a URL`() throws {
    #expect(try Links.match("https://orbiting.app/clip#?text=a").captured == [:])
    for tail in ["?x=1", "?/claim/b", "#/claim/b", "?%FF", "#%00", "?a=%7B"] {
      #expect(try Links.match(Links.claim + tail).captured == ["claimId": "abc-_1"])
    }
  }

  @Test func `a fragment is read as a claim link's, and shows its amount but no secret`() throws {
    let secret = try ClaimSecret([UInt8](repeating: 7, count: 16))
    let claim = Claim(id: try ClaimID("abc"), secret: secret, token: .usdc, amount: try Amount("12.50"))
    let link = try ClaimLink(claim: claim, expiry: #require(Expiry(unixSeconds: 4_000_000_000))).text
    let match = try Links.match(link)
    #expect(match.preview == ["You've got 12.50 USDC", "Claim abc"] && match.captured == ["claimId": "abc"])
    guard case .claim(let verified) = match.fragment else {
      Issue.record("not a claim")
      return
    }
    #expect(verified.claim.secret == secret)
    #expect(!"\(match)".contains("BwcHBwcHBwcHBwcHBwcHBw"))
    // The claim is that of the page: a link whose id stands behind another one shows nothing of it.
    let other = try ClaimLink(
      base: "https://irl.app/claim/victim?x=", claim: claim, expiry: #require(Expiry(unixSeconds: 4_000_000_000)))
    let two = try Links.match(other.text)
    #expect(two.fragment == .unverified && two.preview == ["Claim victim"])
    // A garbled link is still that experience's, and shows nothing that it does not prove.
    let garbled = try Links.match(link.replacing("a=12.50", with: "a=92.50"))
    #expect(garbled.fragment == .unverified && garbled.preview == ["Claim abc"])
    var dumped = "\(match)"
    dump(match, to: &dumped)
    #expect(!dumped.contains("#s="), "a secret that is printed")
  }

  @Test(arguments: ["", "#", "?x=1", "?x=1#", "/"])
  func `a claim's link that lost its fragment is still that experience's, and has no claim`(tail: String) throws {
    let match = try Links.match(Links.claim + tail)
    #expect(match.fragment == .missing && match.preview == ["Claim abc-_1"])
  }

  @Test func `a link of another experience needs no fragment`() throws {
    for link in [Links.driver, Links.pack, Links.message, Links.card] {
      #expect(try Links.match(link).fragment == .none)
    }
  }

  @Test func `a preview shows captured values alone`() throws {
    #expect(try Links.match(Links.driver).preview == ["Driver npub10elfcs4…zvjptg"])
    #expect(try Links.match(Links.pack).preview == ["Starter pack 3kabc of alice.example"])
    #expect(try Links.match(Links.message).preview == ["hello", "Theme mono"])
    #expect(try Links.match("https://orbiting.app/clip").preview == [])
  }
}
