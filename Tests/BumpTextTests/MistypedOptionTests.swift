import BumpText
import Testing

@Suite struct MistypedOptionTests {
  @Test(arguments: [
    ("hepl", "cap"), ("hlep", "key"), ("halp", "card"), ("hep", "keep"), ("helpp", "keep"), ("hel", nil),
  ])
  func `the help is suggested for a slip of it, whatever the parser suggests`(typed: String, parser: String?) {
    let suggestion = parser.map { ". Did you mean '--\($0)'?" } ?? ""
    #expect(
      MistypedOption.suggestingHelp(in: "Unknown option '--\(typed)'\(suggestion)")
        == "Unknown option '--\(typed)'. Did you mean '--help'?")
  }

  @Test(arguments: [
    "Unknown option '--kepp'. Did you mean '--keep'?", "Unknown option '--keelp'. Did you mean '--keep'?",
    "Unknown option '--porrt'. Did you mean '--port'?", "Unknown option '--nonsense'", "Unknown option '-h1'",
    "Missing expected argument '--help'", "",
  ])
  func `every other message stays as it is`(message: String) {
    #expect(MistypedOption.suggestingHelp(in: message) == message)
  }
}
