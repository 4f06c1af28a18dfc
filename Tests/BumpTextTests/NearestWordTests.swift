import BumpText
import Testing

@Suite struct NearestWordTests {
  private static let words = ["send", "receive", "browse", "history", "restore", "refund", "show", "claim", "key"]

  @Test(arguments: [
    ("recieve", "receive"), ("reciv", "receive"), ("snd", "send"), ("sned", "send"), ("sends", "send"),
    ("hist", "history"), ("claims", "claim"), ("kye", "key"), ("RECEIVE", "receive"),
  ])
  func `a slip is taken for the word that was meant`(typed: String, word: String) {
    #expect(NearestWord.of(typed, among: Self.words) == word)
  }

  @Test(arguments: ["", "s", "re", "nonsense", "money", "bob", "x"])
  func `a word that is near none, or begins several, means none`(typed: String) {
    #expect(NearestWord.of(typed, among: Self.words) == nil)
  }

  @Test func `a character that is missing, added, wrong or exchanged is one step`() {
    for typed in ["sen", "sennd", "sent", "sned"] {
      #expect(NearestWord.distance(Array(typed), Array("send")) == 1, "\(typed)")
    }
    #expect(NearestWord.distance([], Array("send")) == 4 && NearestWord.distance(Array("send"), []) == 4)
    #expect(NearestWord.distance(Array("send"), Array("send")) == 0)
  }
}
