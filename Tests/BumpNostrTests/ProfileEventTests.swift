import NostrAuthor
import Testing

@testable import BumpNostr

/// Which events are believed.
@Suite struct ProfileEventTests {
  private static let author = NostrAuthor(3)
  private static let now: Int64 = 1_700_000_000

  private static func refusal(_ event: SignedEvent, by key: NostrKey = author.key) -> ProfileEvent.Refusal? {
    refusal(event.json, by: key)
  }

  private static func refusal(_ json: String, by key: NostrKey = author.key) -> ProfileEvent.Refusal? {
    do throws(ProfileEvent.Refusal) {
      _ = try ProfileEvent(Array(json.utf8), by: key, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: BIP340Vector.all) func `a signature is valid as BIP-340 says`(vector: BIP340Vector) throws {
    let key = try #require(NostrKey(Self.bytes(vector.key)))
    let (message, signature) = (Self.bytes(vector.message), Self.bytes(vector.signature))
    #expect(Schnorr.isValid(signature, of: message, by: key) == vector.isValid)
    // What the tests sign with signs as the standard does, too.
    if !vector.secret.isEmpty, message.count == 32 {
      let author = NostrAuthor(secret: Self.bytes(vector.secret))
      #expect(author.key == key)
      #expect(author.sign(message, chance: Self.bytes(vector.chance)) == signature)
    }
  }

  @Test func `there are 19 vectors`() { #expect(BIP340Vector.all.map(\.index) == Array(0...18)) }

  private static func bytes(_ hex: String) -> [UInt8] {
    Hex.bytes(hex.lowercased(), count: hex.utf8.count / 2) ?? []
  }

  /// An event that is widely used in other implementations' tests: its id and signature are not ours.
  @Test func `the id and signature of a published event are right`() throws {
    let pubkey = "f86c44a2de95d9149b51c6a29afeabba264c18e2fa7c49de93424a0c56947785"
    let signature =
      "a5d9290ef9659083c490b303eb7ee41356d8778ff19f2f91776c8dc4443388a64ffcf336e61af4c25c05ac3ae952d1ced889ed655b67790891222aaa15b99fdd"
    let key = try #require(NostrKey(Self.bytes(pubkey)))
    let event = UnverifiedEvent(
      id: Self.bytes("2be17aa3031bdcb006f0fce80c146dea9c1c0268b0af2398bb673365c6444d45"), author: key,
      createdAt: 1_640_839_235, kind: 4,
      tags: [["p", "13adc511de7e1cfcf1c6b7f6365fb5a03442d7bcacf565ea57fa7770912c023d"]],
      content: "uRuvYr585B80L6rSJiHocw==?iv=oh6LVqdsYYol3JfFnXTbPA==", signature: Self.bytes(signature))
    #expect(event.computedID == event.id)
    #expect(Schnorr.isValid(event.signature, of: event.id, by: key))
  }

  @Test func `what is hashed has seven escapes, and all else as it is`() {
    let event = UnverifiedEvent(
      id: [], author: Self.author.key, createdAt: 7, kind: 0, tags: [["a", "/\"\\"], ["b"]],
      content: "\n\r\t\u{8}\u{C}\u{1}\u{7F}/é\u{1F697}", signature: [])
    #expect(
      String(decoding: event.serialized, as: UTF8.self)
        == #"[0,"\#(Self.author.key.hex)",7,0,[["a","/\"\\"],["b"]],"\n\r\t\b\f"# + "\u{1}\u{7F}/é\u{1F697}\"]")
  }

  @Test(arguments: ["", "{}", "a/b", "\u{0}\u{1}\u{2028}", #""\"#, "e\u{301}", "\u{1F469}\u{200D}\u{1F680}"])
  func `a signed event is believed, whatever it says`(content: String) throws {
    let event = Self.author.event(content, tags: [["d", content]])
    let read = try ProfileEvent(Array(event.json.utf8), by: Self.author.key, at: Self.now)
    #expect(read.content.unicodeScalars.elementsEqual(content.unicodeScalars))
    #expect(read.createdAt == Self.now && read.author == Self.author.key)
  }

  @Test func `each check has its turn`() {
    // Everything is wrong, and is put right one after the other.
    var event = NostrAuthor(4).event("{}", at: Self.now + 901, kind: 1)
    event.content = "{ }"
    event.sig = event.sig.uppercased()
    #expect(Self.refusal(event) == .malformed)
    event.sig = event.sig.lowercased()
    #expect(Self.refusal(event) == .kind)
    event.kind = 0
    #expect(Self.refusal(event) == .author)
    event.pubkey = Self.author.key.hex
    #expect(Self.refusal(event) == .id)
    event.id = Self.author.event("{ }", at: event.created_at).id
    #expect(Self.refusal(event) == .signature)
    event.sig = Self.author.event("{ }", at: event.created_at).sig
    #expect(Self.refusal(event) == .future)
    #expect(Self.refusal(Self.author.event("{ }", at: Self.now + 900)) == nil)
  }

  @Test func `an event of another key is refused, though it is signed`() {
    #expect(Self.refusal(NostrAuthor(5).event("{}")) == .author)
  }

  @Test func `each changed digit of an id or a signature is seen`() {
    let event = Self.author.event("{}")
    func flipped(_ text: String, at index: Int) -> String {
      var digits = Array(text.utf8)
      digits[index] = digits[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      return String(decoding: digits, as: UTF8.self)
    }
    for index in 0..<64 {
      var other = event
      other.id = flipped(event.id, at: index)
      #expect(Self.refusal(other) == .id, "\(index)")
    }
    for index in 0..<128 {
      var other = event
      other.sig = flipped(event.sig, at: index)
      #expect(Self.refusal(other) == .signature, "\(index)")
    }
  }

  @Test(arguments: [
    ("nothing", ""), ("a list", "[]"), ("no fields", "{}"),
    ("a time before 1970", author.event("{}").json.replacing("1700000000", with: "-1")),
    ("a time that is a string", author.event("{}").json.replacing("1700000000", with: "\"1700000000\"")),
    ("a time with a fraction", author.event("{}").json.replacing("1700000000", with: "1700000000.5")),
    ("a time beyond 64 bits", author.event("{}").json.replacing("1700000000", with: "9223372036854775808")),
    ("an empty tag", author.event("{}", tags: [[]]).json),
    ("a tag that is a string", author.event("{}").json.replacing("\"tags\":[]", with: "\"tags\":[\"a\"]")),
    ("a tag with a number", author.event("{}").json.replacing("\"tags\":[]", with: "\"tags\":[[1]]")),
    ("no content", author.event("{}").json.replacing("\"content\"", with: "\"contents\"")),
    ("half a surrogate pair", author.event("{}").json.replacing("\"{}\"", with: #""\ud800""#)),
    ("a short id", author.event("{}").json.replacing("\"id\":\"", with: "\"id\":\"0")),
    ("something behind it", author.event("{}").json + "{}"),
  ]) func `what is no event is malformed`(what: String, json: String) {
    #expect(Self.refusal(json) == .malformed, "\(what)")
  }

  @Test func `the newer event replaces, and of two as new the lower id`() throws {
    let events = try (0..<4).map { number in
      try ProfileEvent(
        Array(Self.author.event("{\"n\":\(number)}", at: Self.now - (number == 0 ? 1 : 0)).json.utf8),
        by: Self.author.key, at: Self.now)
    }
    #expect(events.dropFirst().allSatisfy { $0.replaces(events[0]) && !events[0].replaces($0) })
    let sorted = events.dropFirst().sorted { $0.id.lexicographicallyPrecedes($1.id) }
    #expect(sorted[0].replaces(sorted[1]) && sorted[1].replaces(sorted[2]) && !sorted[2].replaces(sorted[0]))
    #expect(!sorted[0].replaces(sorted[0]))
  }
}
