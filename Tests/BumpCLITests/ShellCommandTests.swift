import BumpClaims
import BumpText
import Lab
import Testing

/// The commands that are printed for a shell.
@Suite(.processes()) struct ShellCommandTests {
  @Test(arguments: [
    ("a.key", "a.key"), ("a b'c.key", #"'a b'\''c.key'"#), (#"a\b"#, #"'a\b'"#), ("é", "'é'"),
    ("\u{1B}[31m'\\.key", #"$'\033[31m\'\\.key'"#), ("a\nb", #"$'a\012b'"#), ("\u{202E}1", #"$'\342\200\2561'"#),
  ])
  func `a shell reads a printed word as it was, and a terminal shows it`(word: String, printed: String) async throws {
    #expect(ShellCommand.text([word]) == printed)
    let read = try await RunningProcess.start(["bash", "-c", "printf %s \(printed)"], environment: [:]).finish()
    #expect(read.standardOutput == word, "\(read)")
  }

  /// A remembered name may begin with a hyphen.
  @Test func `a value that begins with a hyphen is printed so that it is taken for no option`() {
    #expect(ShellCommand.option("--with", "alice") == ["--with", "alice"])
    #expect(ShellCommand.option("--with", "--yes") == ["--with=--yes"])
    #expect(ShellCommand.argument("alice") == ["alice"])
    #expect(ShellCommand.argument("-h") == ["--", "-h"])
  }
}
