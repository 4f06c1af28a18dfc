import Lab
import Testing

/// What is an answer goes to stdout; what is a mistake is one line on stderr.
@Suite struct HelpTests {
  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["send", "--help"], ["receive", "--help"], ["browse", "--help"], ["history", "-h"],
    ["show", "--help"], ["link", "--help"], ["key", "--help"], ["key", "new", "--help"],
    ["doctor", "--help"],
  ])
  func `help is an answer`(arguments: [String]) async throws {
    let finished = try await Person().run(arguments)
    #expect(finished.status == 0 && finished.standardError.isEmpty, "\(finished)")
    #expect(finished.standardOutput.contains("USAGE: bump"), "\(finished)")
    #expect(finished.lines.allSatisfy { $0.count <= 80 }, "\(finished)")
  }

  @Test func `nothing is no command`() async throws {
    let finished = try await Person().run([])
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
  }

  @Test func `a usage error is a result too, where JSON was asked for`() async throws {
    let finished = try await Person().run(["send", "--json", "--amount", "x"])
    #expect(finished.status == 64, "\(finished)")
    #expect(try finished.result.string("outcome") == "failed", "\(finished)")
  }

  @Test func `an id that begins with a hyphen may stand behind two hyphens`() async throws {
    let finished = try await Person().run(["show", "--", "-bumpVectorClaim000001"])
    #expect(finished.status == 1 && finished.standardError.contains("-bumpVectorClaim000001"), "\(finished)")
  }

  @Test func `help fills its lines`() async throws {
    let finished = try await Person().run("--help")
    let text = try #require(finished.standardOutput.split(separator: "\n\n").dropFirst().first)
    // No line ends where the next one's first word would still have fitted.
    let lines = text.split(separator: "\n")
    for (line, next) in zip(lines, lines.dropFirst()) {
      let word = try #require(next.split(separator: " ").first)
      #expect(line.count + 1 + word.count > 80, "\(line)")
    }
  }

  @Test func `the version is an answer`() async throws {
    let finished = try await Person().run("--version")
    #expect(finished.status == 0 && finished.standardError.isEmpty, "\(finished)")
    #expect(finished.standardOutput.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(finished)")
  }

  /// A mistake, and what its line must say: what was wrong, and where to look.
  @Test(arguments: [
    (["nonsense"], "'nonsense' is no command; name one: send, receive,"),
    (["12.50"], "'12.50' is no command; try: bump send 12.50; see `bump --help`"),
    (["27-482915"], "a code is no command; `bump receive` asks for it"),
    (["https://irl.app/claim/x#s=y"], "a link is no command; `bump receive --link -` asks for it"),
    (["send", "-1"], "an amount has no sign; write 1.00"), (["send", "-1", "--yes"], "an amount has no sign"),
    (["send", "0"], "an amount is greater than zero"),
    (["send"], "say how much, such as: bump send 12.50; see `bump send --help`"),
    (["send", "1", "--amount", "1"], "the amount is given twice"),
    (["send", "x"], "an amount is digits and a point, such as 1.00"),
    (["send", "--again", "--amount", "1"], "--again sends a claim as it was made"),
    (["send", "--again", "--link-only"], "`bump link CLAIMID` shows the link again"),
    (["send", "--again", "a/b"], "a claim id"),
    (["settle", "x"], "say what became of the claim: --delivered or --lost"),
    (["settle", "x", "--delivered", "--lost"], "--lost"),
    (["send", "--amount", "-1"], "'-1' is invalid for '--amount <amount>': an amount has no sign; write 1.00"),
    (["send", "--amount", "1", "--nonsense"], "unknown option '--nonsense'; see `bump send --help`"),
    (["send", "--amount", "1", "--qr", "big"], "one of 'auto' and 'never'; see `bump send --help`"),
    (["send", "--amount", "1", "--link-only", "--qr", "never"], "--link-only and --qr never contradict each other"),
    (["send", "--amount", "1", "--verify", "--yes"], "--verify and --yes contradict each other"),
    (["send", "--amount", "1", "--verify"], "--verify needs a terminal"),
    (["send", "--amount", "1", "--decide"], "--decide needs --json"),
    (["receive", "--decide", "--yes"], "--decide and --yes contradict each other"),
    (["receive", "--wait", "--discovery-timeout", "5"], "--wait and --discovery-timeout contradict each other"),
    (["receive", "--keep", "--wait"], "--keep and --wait contradict each other"),
    (["receive", "27-482915", "--link", "-"], "name one code or one link"),
    (["receive", "27-4829"], "that is neither a code, such as 27-482915, nor a whole claim link"),
    (["receive", "--discovery", "none"], "--discovery none needs --peer HOST:PORT"),
    (["receive", "--link", "x", "--peer", "localhost:1"], "name one; see `bump receive --help`"),
    (["receive", "--keep", "--link", "x"], "--keep and --link contradict each other"),
    (["receive", "--keep", "--peer", "localhost:1"], "--keep and --peer contradict each other"),
    (["receive", "--keep", "--code", "27-482915"], "--keep and --code contradict each other"),
    (["receive", "--keep", "--discovery-timeout", "5"], "--keep and --discovery-timeout contradict each other"),
    (["receive", "--keep", "--discovery", "none"], "--keep needs discovery"),
    (["browse", "--discovery", "none"], "--discovery none finds nobody to show"),
    (["browse", "--for", "0"], "number of seconds"),
    (["send", "--amount", "1", "--qr-file", "x.svg", "--qr", "never"], "--qr-file and --qr never contradict"),
    (["send", "--amount", "1", "--qr-file", "x.png"], "'--qr-file <x.svg>': the file is an SVG drawing: name it so"),
    (["send", "--amount", "1", "--port", "65536"], "a port is a number from 1 to 65535, or 0 for one that is free"),
    (["receive", "--from", ""], "--from is a sender's name or its number in the list"),
    (["receive", "--from", "0"], "--from counts the list from 1 to 99"),
    (["receive", "--from", "100"], "a name of digits alone is quoted"),
    (["receive", "--keep", "--from", "2"], "--from takes a name with it, no number"),
    (["history", "--store", ""], "a store is a file; name it, or leave out --store"),
    (["history", "--limit", "-1"], "--limit is a number greater than zero"),
    (["key"], "name a command: new, list or forget; see `bump key --help`"),
    (["doctor", "--port", "0"], "a port is a number from 1 to 65535; see `bump doctor --help`"),
    (["history", "--limit", "0"], "--limit is a number greater than zero"), (["show", "a/b"], "a claim id is 1 to 64"),
    (["send", "--amount", "1\n2\u{1B}[2J"], #"'1 2\u{1b}[2J' is invalid"#),
  ])
  func `a mistake is one line that says what and where`(arguments: [String], words: String) async throws {
    let finished = try await Person().run(arguments)
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.error?.contains(words) == true, "\(finished)")
  }
}
