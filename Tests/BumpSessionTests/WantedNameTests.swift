import BumpClaims
import BumpText
import Testing

@testable import BumpSession

@Suite struct WantedNameTests {
  /// What is typed, a name as it came, and whether that is wanted.
  @Test(arguments: [
    ("alice", "alice", true), (#""alice""#, "alice", true), ("ali…", "alice", true), (#""ali…""#, "alice", true),
    ("ali", "alice", false), ("alicea", "alice", false), ("…", "alice", false), (#""""#, "alice", false),
    (#"a\u{7}"#, "a\u{7}", true), ("a\u{7}", "a\u{7}", true), (#""alice""#, #""alice""#, true),
    (#"\u{22}alice\u{22}"#, #""alice""#, true), (#"alice"#, #""alice""#, false), ("a b", "a   b", true),
    ("a   b", "a   b", true), ("a  b", "a   b", false), ("wait…", "wait…", true), ("(no name)", " ", true),
  ])
  func `a name is wanted as it is, made visible, in quotes or cut`(text: String, name: String, isWanted: Bool) {
    #expect(WantedName(text).matches(VisibleText.ofName(name)) == isWanted)
  }

  /// As above, and whether it is the whole name.
  @Test(arguments: [
    ("alice", "alice", true), ("ali…", "alice", false), (#""ali…""#, "alice", false), ("ali…", "ali…", true),
    ("a name that is longer than there…", "a name that is longer than there is room for", false),
  ])
  func `a name that was cut is the whole one only of who is called so`(text: String, name: String, isWhole: Bool) {
    #expect(WantedName(text).isWhole(VisibleText.ofName(name)) == isWhole)
    #expect(WantedName(text).isCut == (text != "alice"))
    #expect(WantedName(text, mayBeCut: false).matches(VisibleText.ofName(name)) == isWhole)
  }

  /// An instance's name has room for 46 bytes of the display name.
  @Test(arguments: [
    ("alice and her brother", "alice and", true), ("alice and her brother", "bob", false), ("ali…", "alice", true),
    ("alice and her broth…", "alice and", true), (#""alice and""#, "alice and", true),
  ])
  func `a name that was cut without a mark may be the beginning of the wanted one`(
    text: String, beginning: String, isWanted: Bool
  ) {
    #expect(WantedName(text).mayBegin(with: beginning) == isWanted)
  }
}
