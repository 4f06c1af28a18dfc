import ArgumentParser
import BumpTerminal
import Foundation
import Lab
import Testing

@testable import BumpCLI

/// What is an answer goes to stdout; what is a mistake is one line on stderr.
@Suite(.processes()) struct HelpTests {
  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["browse", "--help"], ["history", "-h"], ["key", "--help"], ["wallet", "--help"],
    ["wallet", "new", "--help"], ["wallet", "show", "--help"], ["wallet", "balance", "--help"], ["help", "send"],
    ["help", "claim"], ["help", "key", "new"], ["doctor", "--help"], ["simulate", "--help"],
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

  private static let acting = [
    "send", "send --again", "receive", "receive --link", "claim", "refund", "show", "link", "settle", "restore",
    "wallet trust",
    "key forget", "key new",
  ]

  /// A script's `bump claim "$id"` with an id of a stranger's.
  @Test(arguments: acting, ["-h", "--help", "--version", "--experimental-dump-help", "--generate-completion-script"])
  func `what asks for help in the place of an id, an amount or a link is no success`(command: String, word: String)
    async throws
  {
    let words = command.split(separator: " ").map(String.init) + [word]
    let finished = try await Person().run(words)
    #expect(finished.status == 64 && finished.error != nil, "\(finished)")
    #expect(try await Person().run(["help"] + words.dropLast().filter { !$0.hasPrefix("-") }).status == 0)
  }

  @Test func `a person who asks a command for help gets it`() async throws {
    let finished = try await Person().run("claim", "--help")
    #expect(finished.status == 64 && finished.standardOutput.contains("USAGE: bump claim"), "\(finished)")
    #expect(
      finished.error == "nothing was done. `bump help claim` shows the same help with exit status 0", "\(finished)")
    let json = try await Person().run("claim", "-h", "--json")
    #expect(try json.events.count == 1 && json.result.number("exit") == 64, "\(json)")
  }

  @Test(arguments: [["claim", "-"], ["show", "--", "-bumpVectorClaim000001"], ["link", "--", "--help"]])
  func `a word that begins with a hyphen is no claim's id`(arguments: [String]) async throws {
    let finished = try await Person().run(arguments)
    #expect(finished.status == (arguments[0] == "claim" ? 1 : 64) && finished.error != nil, "\(finished)")
  }

  private static let sectioned: [any SectionedHelp.Type] = [SendCommand.self, ReceiveCommand.self]

  @Test(arguments: sectioned.indices)
  func `the help of a bump explains the everyday options in sections, and names the others`(index: Int) async throws {
    let type = Self.sectioned[index]
    let command = try #require(type.configuration.commandName)
    let help = try await Person().run(["help", command])
    let text = help.standardOutput
    #expect(help.lines.count <= 44, "a screen and a half: \(help)")
    let whole = try await Person().run([command, "--help-hidden"])
    let all = whole.standardOutput.matches(of: /\n {2}(--[a-z-]+)/).map { String($0.1) }
    let everyday = type.helpSections.flatMap(\.options)
    #expect(Set(all).isSuperset(of: everyday) && Set(everyday).count == everyday.count, "\(everyday)")
    for option in all {
      #expect(text.contains("\n  \(option) ") == everyday.contains(option), "\(option)")
      #expect(text.contains(option), "\(option)")
    }
    let tail = text.components(separatedBy: "OTHER OPTIONS:\n").last ?? ""
    #expect(tail.contains("--simulate,") && tail.contains("-h, --help\n"), "\(help)")
    #expect(tail.contains("`bump \(command) --help-hidden`"), "\(help)")
    #expect(whole.status == 64 && whole.error == "nothing was done", "\(whole)")
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
    (["nonsense"], "'nonsense' is not a command. Name one: send, receive, browse,"),
    (["recieve"], "'recieve' is not a command. Did you mean `bump receive`? See `bump --help`"),
    (["snd", "1"], "'snd' is not a command. Did you mean `bump send`? See `bump --help`"),
    (["hist"], "'hist' is not a command. Did you mean `bump history`?"),
    (["12.50"], "'12.50' is not a command. Try `bump send 12.50`. See `bump --help`"),
    (["27-482915"], "a code is not a command. `bump receive` asks for it"),
    (["https://irl.app/claim/x#s=y"], "a link is not a command. `bump receive --link -` asks for it"),
    (["send", "-50"], "an amount has no sign. Write 50. See"), (["send", "-1", "--yes"], "an amount has no sign"),
    (["send", "0"], "an amount is greater than zero"),
    (["send"], "say how much, such as `bump send 12.50`. See `bump send --help`"),
    (["send", "1", "--amount", "1"], "the amount is given twice"),
    (["send", "me.vcf"], "a contact card is sent with --card: bump send --card FILE.vcf. See `bump send --help`"),
    (["send", "--url", "example.org/a"], "a link begins with https:// and a host, and has no more than 2048"),
    (["send", "1", "--card", "me.vcf"], "--card sends no claim. Leave out the amount. See `bump send --help`"),
    (["send", "https://example.org/"], "a link is sent with --url: bump send --url https://HOST/PATH. See"),
    (["send", "https://irl.app/claim/x#s=AA"], "that is a claim's link, which is money. To offer the claim itself:"),
    (["send", "x"], "an amount is digits and a point, such as 1.00"),
    (["send", "--again", "--amount", "1"], "--again sends a claim as it was made"),
    (["send", "--again", "--link-only"], "`bump link CLAIMID` shows the link again"),
    (["send", "--again", "a/b"], "a claim id"),
    (["settle", "x"], "say what became of the claim: --delivered or --lost"),
    (["settle", "x", "--delivered", "--lost"], "--lost and --delivered contradict each other. See"),
    (["send", "5", "USDC"], "'USDC' is a token: --token USDC names it. See `bump send --help`"),
    (["send", "1", "--code=27-482915"], "--code takes no value. The code is chosen for you, and shown. See"),
    (["send", "1", "--code", "27-482915"], "--code takes no value. The code is chosen for you, and shown. See"),
    (["send", "1", "000"], "an amount has no spaces. Write 1000. See"),
    (["send", "--port", "80", "1", "000"], "an amount has no spaces. Write 1000. See"),
    (["send", "1", "000", "000.50", "--yes"], "an amount has no spaces. Write 1000000.50. See"),
    (["send", "bob", "1"], "the amount comes first: bump send 1 --to bob. See"),
    (["send", "USDC", "1.00"], "the amount comes first: bump send 1.00 --token USDC. See"),
    (["send", "5", "bob"], "--to names a remembered receiver: --to bob. See"),
    (["send", "5", "usdc"], "a token is in capitals: --token USDC names it. See"),
    (["send", "5", "--with", "bob"], "--to names a remembered receiver"),
    (["send", "5", "--peer", "x"], "--peer is an option of `bump receive`"),
    (["send", "5", "--wallet", "x"], "--wallet needs --vault"),
    (["receive", "--to", "alice"], "--with names a remembered sender"),
    (["history", "--limit", "x"], "--limit is a number greater than zero"),
    (["key", "lst"], "'lst' is not a command of key. Did you mean `bump key list`? See `bump key --help`"),
    (["key", "remove"], "'remove' is not a command of key. Name one: new, list or forget. See `bump key --help`"),
    (["key", "forget"], "name somebody: `bump key list` lists the names. See `bump key forget --help`"),
    (["wallet", "trust"], "such as `bump wallet trust https://vault.example`. See `bump wallet trust --help`"),
    (["simulate"], "name a failure: `bump simulate list` lists them"),
    (["send", "--amount", "-1"], "'-1' is invalid for '--amount <amount>': an amount has no sign. Write 1. See"),
    (["send", "--amount", "1", "--nonsense"], "unknown option '--nonsense'. See `bump send --help`"),
    (["send", "--amount", "1", "--qr", "big"], "one of 'auto' and 'never'. See `bump send --help`"),
    (["send", "--amount", "1", "--link-only", "--qr", "never"], "--link-only and --qr never contradict each other"),
    (["send", "--amount", "1", "--verify", "--yes"], "--verify and --yes contradict each other"),
    (["send", "--amount", "1", "--verify"], "--verify needs a terminal"),
    (["send", "--amount", "1", "--decide"], "--decide needs --json"),
    (["receive", "--decide", "--yes"], "--decide and --yes contradict each other"),
    (["receive", "--wait", "--discovery-timeout", "5"], "--wait and --discovery-timeout contradict each other"),
    (["receive", "--keep", "--wait"], "--keep and --wait contradict each other"),
    (["receive", "27-482915", "--link", "-"], "name one code or one link"),
    (["receive", "27-4829"], "that is neither a code, such as 27-482915, nor a whole claim link"),
    (["receive", "alice"], "nor a whole claim link. For a sender's name: bump receive --from alice. See"),
    (["receive", "s=BwcHBwcHBwcHBwcHBwcHBw"], "For a sender's name: bump receive --from NAME. See"),
    (
      ["receive", "--remember", "alice"],
      "--remember needs the sender's code, such as `bump receive 27-482915 --remember alice`. See"
    ),
    (["receive", "--discovery", "none"], "--discovery none needs --peer HOST:PORT"),
    (["receive", "--link", "x", "--peer", "localhost:1"], "Name one. See `bump receive --help`"),
    (["receive", "--keep", "--link", "x"], "--keep and --link contradict each other"),
    (["receive", "--keep", "--peer", "localhost:1"], "--keep and --peer contradict each other"),
    (["receive", "--keep", "--code", "27-482915"], "--keep and --code contradict each other"),
    (["receive", "--keep", "27-482915"], "--keep and a code contradict each other: a code is for one claim"),
    (["receive", "--keep", "-"], "--keep and a link contradict each other"),
    (["receive", "--wait", "-"], "a link and --wait contradict each other: a link needs no sender"),
    (["receive", "--wait", "--link", "-"], "--link and --wait contradict each other: a link needs no sender"),
    (["receive", "--keep", "--discovery-timeout", "5"], "--keep and --discovery-timeout contradict each other"),
    (["receive", "--keep", "--discovery", "none"], "--keep needs discovery"),
    (["browse", "--discovery", "none"], "--discovery none finds nobody to show"),
    (["browse", "--for", "0"], "a number of seconds from 0.001 to 3600. Try 10 or 2.5"),
    (["send", "1", "--discovery-timeout", "0"], "a time is more than 0 s. Try --wait, to wait until Ctrl-C, or"),
    (["send", "1", "--discovery-timeout", "0s"], "a time is more than 0 s. Try --wait, to wait until Ctrl-C, or"),
    (["receive", "--discovery-timeout", "0.000"], "or `bump send 1.00 --link-only`, not to wait at all"),
    (["receive", "--send-timeout", "0"], "Try 10 or 2.5"),
    (["receive", "--send-timeout", "-1"], "'-1' is invalid for '--send-timeout <seconds>': a time is"),
    (["receive", "--discovery-timeout", "-1"], "'-1' is invalid for '--discovery-timeout <seconds>': a time is"),
    (["browse", "--for", "-1"], "'-1' is invalid for '--for <seconds>': a time is"),
    (["send", "1", "--expires", "-1h"], "'-1h' is invalid for '--expires <lifetime>': a lifetime is"),
    (["send", "1", "--port", "-1"], "'-1' is invalid for '--port <port>': a port is"),
    (["doctor", "--port", "-1"], "'-1' is invalid for '--port <port>': a port is"),
    (["help", "nonsense"], "'nonsense' is not a command. Name one: send, receive, browse,"),
    (["help", "key", "nonsense"], "'nonsense' is not a command of key. See `bump --help`"),
    (["send", "1", "--expires", "0s"], "from 1s to 365d. Try 90s, 15m, 24h or 7d"),
    (["send", "--again", "12.50"], "Leave out the amount, or name a claim by its id"),
    (["send", "--amount", "1", "--qr-file", "x.svg", "--qr", "never"], "--qr-file and --qr never contradict"),
    (["send", "--amount", "1", "--qr-file", "x.png"], "'--qr-file <x.svg>': the QR file is an SVG drawing, so"),
    (["send", "--amount", "1", "--port", "65536"], "a port is a number from 1 to 65535, or 0 for one that is free"),
    (["receive", "--from", ""], "--from is the name of a sender. Name one, or leave it out"),
    (["history", "--store", ""], "a store is a file. Name it, or leave out --store"),
    (["history", "--limit", "-1"], "--limit is a number greater than zero"),
    (["key"], "name a command: new, list or forget. See `bump key --help`"),
    (["send", "1", "--vault", "vault.example"], "a vault is a URL of a host, such as https://vault.example"),
    (["claim", "x", "--address", "0x0"], "an address is 0x and 40 hex digits"),
    (["receive", "--address", "0x00000000000000000000000000000000000000AA"], "--address needs --claim"),
    (["receive", "--expiry-margin", "-1m"], "'-1m' is invalid for '--expiry-margin <time>': a lifetime is"),
    (["show"], "name a claim: `bump history` lists them. See `bump show --help`"),
    (["restore"], "name the backup, such as `bump restore copy.sqlite`"),
    (["key", "new"], "name the file, such as `bump key new bump.key`. See `bump key new --help`"),
    (["send", "1", "--porrt", "1"], "Did you mean '--port'? See `bump send --help`"),
    (["send", "1", "--hepl"], "unknown option '--hepl'. Did you mean '--help'? See `bump send --help`"),
    (["receive", "--halp"], "Did you mean '--help'? See `bump receive --help`"),
    (["wallet"], "name a command: new, show, balance, history, trust, import or export. See `bump wallet --help`"),
    (["wallet", "new", "--wallet", ""], "a wallet is a file. Name it, or leave out --wallet"),
    (["doctor", "--port", "0"], "a port is a number from 1 to 65535. See `bump doctor --help`"),
    (["history", "--limit", "0"], "--limit is a number greater than zero"), (["show", "a/b"], "a claim id is 1 to 64"),
    (["claim", "abc", "--to", "0x0"], "--to is an option of send. --address names an address to pay to"),
    (
      ["claim", "abc", "--address", "0x00000000000000000000000000000000000000aa"],
      "the address has no checksum (EIP-55)"
    ),
    (
      ["send", "1", "--to", "0x00000000000000000000000000000000000000aa"],
      "--address, an option of claim, names an address"
    ),
    (["send", "--again", "--port", "-1"], "'-1' is invalid for '--port <port>': a port is"),
    (["send", "--amount", "1\n2\u{1B}[2J"], #"'1 2\u{1b}[2J' is invalid"#),
    (["27\u{2013}482915"], "a code is not a command. `bump receive` asks for it"),
    (["send", "--amount", "1\u{1B}[2J"], #"'1\u{1b}[2J' is invalid"#), ([#"a\b"#], #"'a\u{5c}b' is not a command"#),
  ])
  func `a mistake is one line that says what and where`(arguments: [String], words: String) async throws {
    let finished = try await Person().run(arguments)
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.error?.contains(words) == true, "\(finished)")
  }

  /// The text after `--url`, and the link that is written in its place.
  @Test(arguments: [
    ("example.org", "https://example.org"), ("example.org/a/b.html", "https://example.org/a/b.html"),
    ("http://example.org/a", "https://example.org"), ("example.org/?token=7", "https://example.org"),
    ("example.org/#s=7", "https://example.org"), ("javascript:alert(1)", "https://example.org"),
    ("https://", "https://example.org"),
  ])
  func `a link without its scheme is written with it, and a query or a fragment is not repeated`(
    text: String, link: String
  ) async throws {
    let finished = try await Person().run("send", "--url", text)
    #expect(finished.status == 64 && finished.error?.hasSuffix("of ASCII. Write \(link)") == true, "\(finished)")
  }

  @Test func `the link of a claim without its scheme is money too`() async throws {
    let link = String(try strangersLink().dropFirst("https://".count))
    let finished = try await Person().run("send", "--url", link)
    #expect(finished.status == 64 && finished.error?.contains("which is money") == true, "\(finished)")
    #expect(finished.error?.contains(sevens) == false)
  }
}
