import BumpText
import Testing

@testable import BumpSession

@Suite struct WantedNameTests {
  /// What is typed, a name as it came, and whether that is wanted.
  @Test(arguments: [
    ("alice", "alice", true), ("ali", "alice", false), ("alicea", "alice", false), ("ali…", "alice", false),
    (#"a\u{7}"#, "a\u{7}", true), ("a\u{7}", "a\u{7}", true), (#""alice""#, "alice", false),
    (#""alice""#, #""alice""#, true), ("a   b", "a   b", true), ("a b", "a   b", false),
    ("ali…", "ali…", true), ("(no name)", " ", true),
  ])
  func `a name is wanted as it is, or made visible`(text: String, name: String, isWanted: Bool) {
    #expect(WantedName(text).matches(VisibleText.ofName(name)) == isWanted)
  }

  @Test(arguments: [(46, false), (47, true)])
  func `an instance's name has room for 46 bytes of the display name`(length: Int, isCut: Bool) {
    #expect(WantedName(String(repeating: "a", count: length)).isCut == isCut)
  }

  /// Where an instance's name has less than the whole display name.
  @Test(arguments: [
    ("alice and her brother", "alice and", true), ("alice and her brother", "bob", false), ("alice", "alice", true),
    ("a\u{7}lice and her brother", #"a\u{7}lice and"#, true), ("ali", "alice", false),
    // Cut behind a letter that a non-joiner follows.
    ("\u{639}\u{644}\u{6CC}\u{200C}\u{631}", "\u{639}\u{644}\u{6CC}", true),
  ])
  func `a name may be the beginning of the wanted one`(text: String, beginning: String, isWanted: Bool) {
    #expect(WantedName(text).mayBegin(with: beginning) == isWanted)
  }
}
