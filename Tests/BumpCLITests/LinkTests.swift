import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing

/// `bump receive --link`.
@Suite(.processes()) struct LinkTests {
  @Test func `a link brings its claim`() async throws {
    let bob = try Person()
    let received = try await bob.take(strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardOutput == "1.00 USDC from a link (stranger)\n")
    #expect(received.standardError.contains("nothing proves who made it"), "\(received)")
    #expect(!received.standardError.contains(sevens) && !received.standardOutput.contains(sevens))
    #expect(try await bob.history().map { $0.string("claimId") } == ["stranger"])
  }

  /// A message that ends in a colon is the heading of the line below it.
  @Test(arguments: [
    (["--discovery", "none", "--discovery-timeout", "0.1"], "The same claim as a link is on stdout."),
    (["--discovery", "none", "--discovery-timeout", "0.1", "--json"], "as a link is in the event `fallback`."),
    (["--link-only"], "Whoever has the link can take the 1.00 USDC."),
    (["--link-only", "--json"], "Whoever has the link can take the 1.00 USDC."),
  ])
  func `where the link is not below it no message says so`(arguments: [String], words: String) async throws {
    let sent = try await Person().run(["send", "1.00"] + arguments)
    #expect(sent.standardError.contains(words), "\(sent)")
    #expect(!sent.standardError.contains(":\n"), "\(sent)")
  }

  @Test func `a link that was taken before is already here`() async throws {
    let bob = try Person()
    _ = try await bob.take(strangersLink())
    let received = try await bob.take(strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardOutput == "already here: 1.00 USDC from a link (stranger)\n")
    #expect(
      received.standardError.contains(#/You have had this claim since [^.]*\d\d:\d\d\. Nothing new was received\.\n/#),
      "\(received)")
    #expect(try await bob.history().count == 1)
  }

  @Test func `another claim with an id that is here is said to be that`() async throws {
    let bob = try Person()
    _ = try await bob.take(strangersLink(secret: 8))
    let received = try await bob.take(strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardError.contains("bump show stranger"), "\(received)")
    #expect(try await bob.history().count == 2)
  }

  @Test(arguments: ["0", " 0 \n", "0\r\n", "\n"])
  func `a link on the input may have white space around it`(shape: String) async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", "-", input: shape.replacing("0", with: strangersLink()))
    // A line with nothing on it is no link.
    #expect(received.status == (shape == "\n" ? 1 : 0), "\(received)")
    #expect(received.standardError.contains("no link came on stdin") == (shape == "\n"), "\(received)")
  }

  @Test(arguments: [["receive", "--link", "-"], ["receive", "-"], ["claim", "-"]])
  func `where no link came, that is a failure and no forged link`(arguments: [String]) async throws {
    let finished = try await Person().run(arguments + ["--json"], input: "")
    #expect(finished.status == 1 && finished.error == "no link came on stdin", "\(finished)")
    #expect(try finished.result.string("outcome") == "failed" && finished.result.number("exit") == 1, "\(finished)")
  }

  @Test func `a link that a terminal broke over two lines is one link`() async throws {
    var link = try strangersLink()
    link.insert("\n", at: link.index(link.startIndex, offsetBy: 80))
    #expect(try await Person().run("receive", "--link", link).status == 0)
  }

  @Test(arguments: [
    "nothing but spaces": " ", "a word": "money", "another link": "https://irl.app/claim",
    "a link in capitals": "HTTPS://IRL.APP/CLAIM/X#S=",
    "control characters": "\u{1B}[2J",
  ])
  func `what is no link is refused, and nothing is stored`(why: String, text: String) async throws {
    let bob = try Person()
    let received = try await bob.take(text)
    #expect(received.status == 6, "\(received)")
    #expect(received.standardOutput.isEmpty)
    #expect(received.error?.contains("not a whole claim link") == true, "\(received)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a garbled link is refused, and nothing is stored`() async throws {
    let bob = try Person()
    let received = try await bob.take(strangersLink().replacing("a=1.00", with: "a=9.00"))
    #expect(received.status == 6, "\(received)")
    #expect(received.error?.contains("garbled") == true, "\(received)")
    #expect(received.error?.contains(sevens) == false)
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a link whose time has passed is refused, and nothing is stored`() async throws {
    let bob = try Person()
    let received = try await bob.take(strangersLink(expiry: 1_000_000_000))
    #expect(received.status == 7, "\(received)")
    #expect(received.standardOutput.isEmpty)
    #expect(received.error?.contains("stranger has expired") == true, "\(received)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `the secret is shown where that is asked for, and nowhere else`() async throws {
    let bob = try Person()
    let received = try await bob.take(strangersLink(), "--show-secret", "--quiet")
    #expect(received.standardOutput == "1.00 USDC from a link (stranger)\n\(sevens)==\n")
    #expect(received.standardError.isEmpty)
    let verbose = try await Person().take(strangersLink(), "--verbose")
    #expect(!(verbose.standardOutput + verbose.standardError).contains(sevens), "\(verbose)")
  }

  /// A link, and how taking it ends: in an outcome, an exit status, and an error or none.
  @Test(arguments: [
    ("good", "received", 0), ("garbled", "unauthenticated", 6), ("expired", "expired", 7),
    ("no link", "unauthenticated", 6),
  ])
  func `programs read one object a line, and the result last`(kind: String, outcome: String, exit: Int32) async throws {
    let links = [
      "good": try strangersLink(), "garbled": try strangersLink().replacing("1.00", with: "2.00"),
      "expired": try strangersLink(expiry: 1), "no link": "money",
    ]
    let received = try await Person().take(#require(links[kind]), "--json")
    #expect(received.status == exit, "\(received)")
    #expect(try received.result.string("outcome") == outcome)
    #expect(try (received.result.string("error") == nil) == (exit == 0))
    #expect(try received.events.allSatisfy { $0.string("event") != nil && $0.number("ms").map { $0 >= 0 } == true })
    #expect(try received.events.count == (exit == 0 ? 2 : 1))
    #expect(!received.standardOutput.contains("secret"))
    if exit == 0 {
      #expect(try received.events[0].string("event") == "stored" && received.events[0].number("status") == 0)
      #expect(try received.result.string("amount") == "1.00" && received.result.string("claimId") == "stranger")
    }
  }

  @Test(arguments: [["link", "stran"], ["send", "--again", "stran"], ["settle", "stran", "--lost"]])
  func `a claim that was received is said to be, where one of ours is meant`(arguments: [String]) async throws {
    let bob = try Person()
    #expect(try await bob.take(strangersLink()).status == 0)
    let refused = try await bob.run(arguments)
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.error == "claim stranger was received, and not made here. See: bump show stranger", "\(refused)")
  }

  @Test func `a link of a simulation is not taken`() async throws {
    let bob = try Person()
    let refused = try await bob.run("receive", "--link", "-", input: strangersLink(token: "TEST"))
    #expect(refused.status == 6 && refused.standardError.contains("of a simulation"), "\(refused)")
    #expect(try await bob.history().isEmpty)
  }

  @Test(arguments: [["--link"], []])
  func `a link on the command line is taken, and its owner warned`(option: [String]) async throws {
    let received = try await Person().run(["receive"] + option + [strangersLink()])
    #expect(received.status == 0, "\(received)")
    #expect(
      received.standardError.contains("can be seen by others here (ps). With `-` in its place bump asks"), "\(received)"
    )
    #expect(!received.standardError.contains(sevens))
  }

  @Test(arguments: [["--link", "-"], ["-"]])
  func `on a terminal the link is asked for, and may be pasted in pieces`(arguments: [String]) async throws {
    let bob = try Person()
    let process = try await RunningProcess.start(
      [BumpCommand.binary, "receive"] + arguments, environment: bob.environment, streams: .terminalButOutput)
    try await process.text("The link: ", on: .error)
    let link = try strangersLink()
    process.type("\(link.prefix(80))\n")
    try await process.text("… ", on: .error)
    process.type("\(link.dropFirst(80))\n")
    let received = try await process.finish()
    #expect(received.status == 0 && received.standardOutput == "1.00 USDC from a link (stranger)\n", "\(received)")
  }

  /// Remembers a key in somebody's store.
  private func remember(_ byte: UInt8, as name: String, by person: Person) async throws {
    let key = try #require(SharedKey([UInt8](repeating: byte, count: 32)))
    let store = try await ClaimStore.open(at: person.store)
    #expect(try await store.remember(key, as: DisplayName(name)) == .kept)
  }

  @Test func `a link made for who is remembered is taken by them alone, whether they name the key or not`() async throws
  {
    let (alice, bob, carol) = (try Person(), try Person(), try Person())
    try await remember(7, as: "bobby", by: alice)
    try await remember(7, as: "ally", by: bob)
    try await remember(8, as: "dora", by: bob)
    try await remember(8, as: "dora", by: carol)
    let link = try #require(try await alice.run("send", "--amount", "1", "--to", "bobby", "--link-only").lines.first)
    for refused in [
      try await carol.take(link), try await carol.take(link, "--with", "dora"),
      try await bob.take(link, "--with", "dora"),
    ] {
      #expect(refused.status == 6 && refused.standardOutput.isEmpty, "\(refused)")
    }
    #expect(try await carol.history().isEmpty)
    let named = try await bob.take(link, "--with", "ally", "--json")
    #expect(try named.status == 0 && named.result.string("outcome") == "received", "\(named)")
    let found = try await bob.take(link)
    #expect(found.status == 0 && found.standardError.contains(#"made by "ally", who is remembered"#), "\(found)")
    #expect(found.standardOutput.hasPrefix("already here: "))
  }

  @Test func `a link made without a key is refused where a key is named`() async throws {
    let bob = try Person()
    try await remember(7, as: "ally", by: bob)
    #expect(try await bob.run("key", "new", "\(bob.home)/key").status == 0)
    for key in [["--key", "\(bob.home)/key"], ["--with", "ally"]] {
      let refused = try await bob.run(["receive", "--link", "-"] + key, input: strangersLink())
      #expect(refused.status == 6 && refused.error?.contains("was not made with this key") == true, "\(refused)")
    }
    #expect(try await bob.history().isEmpty)
  }

  /// What makes a link of a claim of alice's, who shares a key with bob, in a file and as one that is remembered.
  @Test(arguments: [[], ["--key", "bump key"], ["--to", "bobby"]])
  func `what a sender prints for the other side works as it is printed`(arguments: [String]) async throws {
    let (alice, bob) = (try Person(), try Person())
    try await remember(7, as: "bobby", by: alice)
    try await remember(7, as: "ally", by: bob)
    let made = try await alice.shell(#""$bump" key new "bump key" && cp -p "bump key" "\#(bob.home)/""#)
    try #require(made.status == 0, "\(made)")
    let words = ["send", "--amount", "1", "--link-only"] + arguments
    let command = #"cd "$HOME"; exec "$bump" \#(words.map { "'\($0)'" }.joined(separator: " "))"#
    let environment = alice.environment.merging(["bump": BumpCommand.binary]) { $1 }
    let sent = try await RunningProcess.start(["sh", "-c", command], environment: environment, streams: .terminal)
      .finish()
    let link = try #require(sent.lines.first { $0.hasPrefix("https://") }, "\(sent)")
    let printed = try #require(sent.lines.first { $0.hasPrefix("bump receive ") }, "\(sent)")
    let note = try #require(sent.lines.last)
    #expect(note.contains("This link is the money") == arguments.isEmpty, "\(note)")
    if !arguments.isEmpty {
      // Of no use to who has lost the key: both ends are told of the link that is.
      let refused = try await Person().take(link)
      #expect(refused.status == 6, "\(refused)")
      let there = try #require(refused.error?.firstMatch(of: /make a link without one: (bump link \S+)$/)).1
      let here = try #require(note.firstMatch(of: /^Show this only to \S.*\. A link for anybody: (bump link .*)$/)).1
      for command in [there, here] {
        let other = try await alice.shell(#"bump() { "$bump" "$@"; }; \#(command)"#)
        #expect(try await Person().take(#require(other.lines.last)).status == 0, "\(other)")
      }
    }
    #expect(!printed.contains("#s="), "\(printed)")
    let script = #"bump() { "$bump" "$@"; }; printf '%s\n' "$link" | \#(printed)"#
    let received = try await bob.shell(script, changes: ["link": link])
    #expect(received.status == 0 && received.standardOutput.hasPrefix("1.00 USDC from a link"), "\(received)")
  }
}
