import BumpClaims
import Lab
import Testing

/// `bump-clip`: links as a phone opens them, and what an App Clip hands to its app.
@Suite(.processes()) struct ClipTests {
  private let person: LocalUser
  private static let npub = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
  private static let driver = "https://roadflare.app/share/d/\(npub)"
  private static let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"

  private static let sevens = "BwcHBwcHBwcHBwcHBwcHBw"

  /// The link of a claim whose secret is sevens.
  private static func claim() throws -> String {
    let claim = Claim(
      id: try ClaimID("stranger"), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
    return try ClaimLink(claim: claim, expiry: #require(Expiry(unixSeconds: 4_000_000_000))).text
  }

  init() throws { person = try LocalUser() }

  private func clip(_ arguments: String..., input: String = "") async throws -> ProcessResult {
    try await person.run(arguments, input: input, of: BumpCommand.clip)
  }

  @Test func `a driver's link is opened, handed over, and taken once by the app`() async throws {
    let opened = try await clip("open", Self.driver)
    #expect(opened.status == 0 && opened.standardOutput == "Driver npub10elfcs4…zvjptg\n", "\(opened)")
    #expect(opened.standardError.contains("opens the App Clip of RoadFlare. Its button says: Get RoadFlare."))
    let handed = try await clip("handover", "roadflare", "--field", "name=Ann")
    #expect(
      handed.status == 0 && handed.standardOutput.hasPrefix(#"{"npub":"\#(Self.npub)","name":"Ann","#), "\(handed)")
    let status = try await clip("status", "roadflare")
    #expect(status.standardOutput == "roadflare  App Clip  left: pendingDriver\n", "\(status)")
    #expect(try await clip("install", "roadflare").status == 0)
    let again = try await clip("open", "-", "--json", input: Self.driver + "\n")
    #expect(try again.events.first?.string("opens") == "app", "\(again)")
    let taken = try await clip("consume", "roadflare")
    #expect(taken.status == 0 && taken.standardOutput == handed.standardOutput, "\(taken)")
    let nothing = try await clip("consume", "roadflare", "--json")
    #expect(try nothing.status == 0 && nothing.result.string("outcome") == "nothing", "\(nothing)")
    #expect(try await clip("status", "roadflare").standardOutput == "roadflare  app  taken: 1\n")
  }

  @Test func `an eviction leaves nothing, and onboarding runs without it`() async throws {
    _ = try await clip("open", "https://orbiting.app/clip?text=hello")
    #expect(try await clip("handover", "orbiting").standardOutput == "hello\n")
    #expect(try await clip("evict", "orbiting", "--json").result.string("outcome") == "evicted")
    #expect(try await clip("install", "orbiting").status == 0)
    let consumed = try await clip("consume", "orbiting")
    #expect(consumed.status == 0 && consumed.standardError.contains("Nothing was handed over"), "\(consumed)")
  }

  @Test func `a link that is broken is said to be, and a private key in it is shown nowhere`() async throws {
    let broken = try await clip("open", "\(Self.driver)x", "--json")
    #expect(try broken.status == 1 && broken.events.first?.string("reason") == "npub", "\(broken)")
    let secret = try await clip("open", "https://roadflare.app/share/d/\(Self.nsec)", "--json")
    #expect(try secret.status == 1 && secret.events.first?.string("reason") == "secret-key", "\(secret)")
    let profile = try await clip("profile", "nostr:\(Self.nsec)", "--relay", "wss://relay.example", "--json")
    #expect(
      try profile.status == 1 && profile.result.string("error")?.hasPrefix("that is a private key.") == true,
      "\(profile)")
    let status = try await clip("status", "--json")
    for finished in [secret, profile, status] {
      #expect(!(finished.standardOutput + finished.standardError).contains("nsec1v"), "\(finished)")
    }
  }

  @Test(arguments: [
    ["open", "-", "LINK"], ["resolve", "LINK", "LINK"], ["handover", "LINK"], ["LINK"],
    ["card", "fetch", "-", "LINK"], ["lint", "--product", "LINK"], ["aasa", "write", "--product=LINK"],
  ]) func `an error about the arguments repeats no link, code or private key`(arguments: [String]) async throws {
    for secret in ["https://irl.app/claim/x#s=\(Self.sevens)", Self.nsec, "nostr:\(Self.nsec)", "27-482915"] {
      let words = arguments.map { $0.replacing("LINK", with: secret) } + ["--json"]
      let finished = try await person.run(words, of: BumpCommand.clip)
      let told = finished.standardOutput + finished.standardError
      #expect(finished.status != 0 && !told.contains(secret.suffix(6)), "\(finished)")
    }
  }

  @Test func `a link that no product takes is a browser's, with the rule that it breaks`() async throws {
    for (link, words) in [
      ("https://irl.app:8443/claim/x", "it names a port"), ("https://irl.example/claim/x", "no product has its host"),
    ] {
      let opened = try await clip("open", link)
      #expect(opened.status == 1 && opened.error == "no experience takes the link: \(words). A browser opens it")
    }
  }

  @Test func `the preview of a claim shows its amount, and its secret nowhere`() async throws {
    let link = try Self.claim()
    let opened = try await clip("open", "-", input: link + "\n")
    #expect(opened.status == 0 && opened.standardOutput == "You've got 1.00 USDC\nClaim stranger\n", "\(opened)")
    #expect(opened.standardError.contains("bump receive --link -"))
    let json = try await clip("open", "-", "--json", input: link + "\n")
    #expect(try json.status == 0 && json.result.string("outcome") == "clip", "\(json)")
    let all = try await person.shell("cat \"$HOME\"/.local/share/bump/clips/irl/*")
    #expect(all.status == 0 && all.standardOutput.contains("stranger"), "\(all)")
    for finished in [opened, json, all] {
      #expect(!(finished.standardOutput + finished.standardError).contains(Self.sevens), "\(finished)")
    }
    #expect(try await person.run("history").standardOutput == "nothing sent or received yet\n", "taken by nobody")
  }

  @Test func `a claim's link that was altered is not opened`() async throws {
    let link = try Self.claim()
    for broken in [String(link.dropLast()), link.replacing("a=1.00", with: "a=9.00")] {
      let opened = try await clip("open", "-", "--json", input: broken + "\n")
      #expect(try opened.status == 6 && opened.result.string("outcome") == "unauthenticated", "\(opened)")
    }
  }

  @Test func `a claim's link that lost its fragment ends as it does where it is received`() async throws {
    let lost = try #require(try Self.claim().split(separator: "#").first)
    for link in ["\(lost)", "\(lost)#"] {
      let opened = try await clip("open", "-", "--json", input: link + "\n")
      let received = try await person.run("receive", "--link", "-", "--json", input: link + "\n")
      for finished in [opened, received] {
        #expect(try finished.status == 6 && finished.result.string("outcome") == "unauthenticated", "\(finished)")
        let error = try #require(try finished.result.string("error"))
        #expect(error.hasPrefix("not a whole claim link"), "\(error)")
        #expect(error.hasSuffix("Scan it again, or ask for a new one"), "\(error)")
      }
    }
  }

  @Test func `a product of one's own is known, and a mistake in its file is named with its line`() async throws {
    let file = #"""
      {"product": "menu", "name": "Menu", "next": "Order", "experiences": [{"id": "menu",
       "hosts": ["menu.example"], "paths": ["/table/{table}"],
       "rules": {"table": {"reason": "table", "characters": "0-9", "length": 3}}, "preview": ["Table {table}"]}]}
      """#
    let folder = "\(person.home)/.config/bump/experiences"
    _ = try await person.shell("mkdir -p '\(folder)'; cat >'\(folder)/menu.json' <<'END'\n\(file)\nEND")
    let opened = try await clip("open", "https://menu.example/table/42")
    #expect(opened.standardOutput == "Table 42\n", "\(opened)")
    _ = try await person.shell("sed -i 's/\"0-9\"/\"9-0\"/' '\(folder)/menu.json'")
    let wrong = try await clip("status")
    #expect(
      wrong.status == 1 && wrong.error == "\(folder)/menu.json:3: characters look like \"A-Z a-z 0-9 - _\"", "\(wrong)")
  }

  @Test func `what cannot be done is said with what to try`() async throws {
    let unknown = try await clip("install", "menu")
    #expect(unknown.status == 1 && unknown.error == "no product is called menu. `bump-clip status` lists them")
    let missing = try await clip("consume", "roadflare")
    #expect(missing.error == "RoadFlare is not installed. Install it with: bump-clip install roadflare")
    let none = try await clip("handover", "bluesky")
    #expect(none.error == "there is no App Clip of Bluesky. Open one of its URLs first")
    let field = try await clip("handover", "bluesky", "--field", "x")
    #expect(field.status == 64, "\(field)")
    let bare = try await clip()
    #expect(bare.status == 64 && bare.error?.contains("name a command: open,") == true, "\(bare)")
  }
}
