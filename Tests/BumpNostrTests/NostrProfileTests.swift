import NostrAuthor
import Testing

@testable import BumpNostr

/// What is shown of a person.
@Suite struct NostrProfileTests {
  private static let author = NostrAuthor(3)

  private static func profile(_ content: String) throws -> NostrProfile? {
    let json = Array(author.event(content).json.utf8)
    return NostrProfile(try ProfileEvent(json, by: author.key, at: 1_700_000_000))
  }

  @Test func `a driver has a name, a picture and a car`() throws {
    let profile = try Self.profile(
      #"""
      {"name":"ann","display_name":"Ann \ud83d\ude97","picture":"https://a.example/p.jpg","about":"x","car_make":"Volvo",
       "car_color":"red","car_model":"240","nested":{"name":"no"}}
      """#)
    #expect(profile?.name == "Ann \u{1F697}")
    #expect(profile?.picture == "https://a.example/p.jpg")
    #expect(profile?.vehicle == "red Volvo 240")
  }

  @Test(arguments: ["", "null", "[]", "1", "\"{}\"", "{", "{} {}"])
  func `content that is no object shows nothing`(content: String) throws {
    #expect(try Self.profile(content) == nil)
  }

  @Test(
    arguments: [
      (#"{"display_name":" ","name":"b"}"#, "b"), (#"{"display_name":1,"name":"b"}"#, "b"),
      (#"{"display_name":null,"name":" \n b\t"}"#, "b"), (#"{"displayName":"a"}"#, nil), (#"{"username":"a"}"#, nil),
      (#"{"name":{"a":"b"}}"#, nil), (#"{"name":"\u3000"}"#, nil), (#"{"name":true}"#, nil),
      (#"{"name":"\ud800"}"#, nil), ("{}", nil),
    ] as [(String, String?)]) func `a name of another type, or a blank one, counts as absent`(
      content: String, name: String?
    )
    throws
  {
    let profile = try #require(try Self.profile(content))
    #expect(profile.name == name)
  }

  @Test func `a name has 256 scalars at most`() throws {
    let long = String(repeating: "e\u{301}", count: 400)
    let name = try #require(try Self.profile("{\"name\":\"\(long)\"}")?.name)
    #expect(name.unicodeScalars.count == 256)
  }

  @Test(arguments: [
    ("http://a.example/p", false), ("https://a.example/p", true), ("HTTPS://a.example/p", true),
    ("data:image/png;base64,AA==", false),
    ("javascript:alert(1)", false), ("https://a.example/ p", false), ("https://b\u{FC}cher.example/", false),
    ("", false),
    ("https://a.example/" + String(repeating: "p", count: 2030), true),
    ("https://a.example/" + String(repeating: "p", count: 2031), false),
  ]) func `a picture is an address by https of 2,048 bytes at most`(text: String, isShown: Bool) throws {
    #expect(try Self.profile("{\"picture\":\"\(text)\"}")?.picture == (isShown ? text : nil))
  }

  @Test func `white space around a picture's address is left out`() throws {
    #expect(try Self.profile(#"{"picture":" https://a.example/p\n"}"#)?.picture == "https://a.example/p")
  }

  @Test func `a car may be told in part`() throws {
    #expect(try Self.profile(#"{"car_make":" Volvo ","car_model":240}"#)?.vehicle == "Volvo")
    #expect(try Self.profile(#"{"car_color":""}"#)?.vehicle == nil)
  }
}
