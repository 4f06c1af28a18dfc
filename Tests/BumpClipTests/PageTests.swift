import BumpClip
import Testing

/// Messages of the web page that Bluesky's App Clip shows.
@Suite struct PageTests {
  private let fixture = PhoneFixture()
  private static let origin = "https://bsky.app"
  private static let present = #"{"action":"present"}"#

  private static func store(_ value: String, as key: String = "starterPackUri") -> String {
    #"{"action":"store","keyToStoreAs":"\#(key)","jsonToStore":"\#(value)"}"#
  }

  @discardableResult
  private func post(_ message: String, from origin: String = origin, isMainFrame: Bool = true) throws -> String? {
    try fixture.phone.receive(
      message, from: origin, isMainFrame: isMainFrame, of: PhoneFixture.product("bluesky"),
      in: Experiences.builtIn.router)
  }

  private func refusal(of message: String, from origin: String = origin, isMainFrame: Bool = true) -> PhoneError? {
    #expect(throws: PhoneError.self) { try post(message, from: origin, isMainFrame: isMainFrame) }
  }

  private var left: String? { get throws { try fixture.value("starterPackUri", of: "bluesky") } }

  @Test func `present leaves the canonical link of the pack, which the app takes`() throws {
    try fixture.open("https://BSKY.app/start/alice.example/3kabc/?clip=true#x")
    #expect(try post(Self.present) == Links.pack)
    #expect(try left == Links.pack)
    _ = try fixture.phone.install(PhoneFixture.product("bluesky"))
    #expect(try fixture.consume("bluesky") == .stored(key: "starterPackUri", value: Links.pack))
  }

  @Test func `present leaves nothing while only a short link is known`() throws {
    try fixture.open(Links.short)
    #expect(try post(Self.present) == nil)
    #expect(try left == nil)
  }

  @Test func `a page stores a link that the app takes, under a key of the list`() throws {
    try fixture.open(Links.short)
    #expect(try post(Self.store(Links.pack)) == Links.pack)
    #expect(try left == Links.pack)
    _ = try fixture.phone.install(PhoneFixture.product("bluesky"))
    #expect(try fixture.consume("bluesky") == .stored(key: "starterPackUri", value: Links.pack))
  }

  @Test(arguments: ["migrated", "../starterPackUri", "starterpackuri", ""])
  func `a page chooses no other key`(key: String) throws {
    try fixture.open(Links.pack)
    #expect(refusal(of: Self.store(Links.pack, as: key))?.code == .input)
    #expect(try left == nil)
  }

  @Test(arguments: [
    "https://bsky.app/start/alice.example/3kabc?clip=true", "https://bsky.app/start/alice.example/3kabc/",
    "https://bsky.app.evil.example/start/alice.example/3kabc", Links.short, Links.driver, "alice", "",
  ])
  func `a page stores nothing that the app would not take as it is`(value: String) throws {
    try fixture.open(Links.pack)
    #expect(refusal(of: Self.store(value))?.code == .input)
    #expect(try left == nil)
  }

  @Test(arguments: [
    "http://bsky.app", "https://bsky.app:8443", "https://bsky.app.evil.example", "https://evil.example",
    "https://go.bsky.app", "HTTPS://bsky.app", "null", "",
  ])
  func `a message counts from no other origin`(origin: String) throws {
    try fixture.open(Links.pack)
    for message in [Self.present, Self.store(Links.pack)] {
      #expect(refusal(of: message, from: origin)?.code == .input)
    }
    #expect(try left == nil)
  }

  @Test func `a message counts from no frame within the page`() throws {
    try fixture.open(Links.pack)
    for message in [Self.present, Self.store(Links.pack)] {
      #expect(refusal(of: message, isMainFrame: false)?.code == .input)
    }
    #expect(try left == nil)
  }

  @Test(arguments: [
    "", "present", "[]", #""present""#, "{}", #"{"action":7}"#, #"{"action":"Present"}"#, #"{"action":"remove"}"#,
    #"{"action":"store"}"#, #"{"action":"store","keyToStoreAs":"starterPackUri"}"#,
    #"{"action":"store","jsonToStore":"x"}"#,
    #"{"action":"store","keyToStoreAs":"starterPackUri","jsonToStore":{"uri":"x"}}"#,
    #"{"action":"present","action":"store"}"#, #"{"action":"present"} x"#,
  ])
  func `what is no message is refused`(message: String) throws {
    try fixture.open(Links.pack)
    #expect(refusal(of: message)?.code == .input)
    #expect(try left == nil)
  }

  @Test func `a message has at most 4,096 bytes`() throws {
    func message(of count: Int) -> String {
      let (head, tail) = (#"{"action":"present","pad":""#, #""}"#)
      return head + String(repeating: "x", count: count - head.utf8.count - tail.utf8.count) + tail
    }
    try fixture.open(Links.pack)
    #expect(refusal(of: message(of: 4097))?.code == .input)
    #expect(try left == nil)
    #expect(try post(message(of: 4096)) == Links.pack)
  }

  @Test func `without an App Clip, and with the app, a page leaves nothing`() throws {
    for message in [Self.present, Self.store(Links.pack)] { #expect(refusal(of: message)?.code == .state) }
    _ = try fixture.phone.install(PhoneFixture.product("bluesky"))
    for message in [Self.present, Self.store(Links.pack)] { #expect(refusal(of: message)?.code == .state) }
    #expect(try left == nil)
  }

  @Test func `no other product has a page that may post`() throws {
    for product in Experiences.builtIn.products where product.id != "bluesky" {
      #expect(throws: PhoneError.self) {
        try fixture.phone.receive(
          Self.present, from: Self.origin, isMainFrame: true, of: product, in: Experiences.builtIn.router)
      }
    }
  }
}
