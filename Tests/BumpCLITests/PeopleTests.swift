import BumpKit
import BumpWire
import Foundation
import Glibc
import Lab
import Testing

/// What people see on terminals of 80 × 24, and what comes of what they type there.
@Suite struct PeopleTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(), try Person()) }

  private func start(_ arguments: [String], as person: Person, _ streams: Streams = .terminalButOutput) async throws
    -> Running
  {
    let process = try await Running.start(
      [BumpCommand.binary] + arguments, environment: person.environment, streams: streams)
    if case .pipes = streams { process.closeInput() }
    return process
  }

  /// Starts a send that listens alone, and gives what its receiver types for its address.
  private func listen(_ arguments: [String], _ streams: Streams = .terminalButOutput) async throws -> (Running, String)
  {
    let sending = try await start(["send", "1.00", "--discovery", "none"] + arguments, as: alice, streams)
    let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
    return (sending, "127.0.0.1:\(try #require(line.firstMatch(of: /Listening on port (\d+)/)).1)")
  }

  /// Ends the time for which a receiver may still take somebody's claim: it is a minute where a person was asked.
  private func land(_ person: Person) async throws {
    let script = #"c = sqlite3.connect(sys.argv[1]); c.execute("UPDATE outgoing SET deadline = NULL"); c.commit()"#
    let changed = try await person.shell("python3 -c 'import sqlite3, sys; \(script)' \"$BUMP_STORE\"")
    try #require(changed.status == 0, "\(changed)")
  }

  // MARK: Below the QR code

  /// The last of 24 rows is the cursor's, the one above it the note, and all of the QR code stands above that.
  private func expectNote(_ note: Regex<Substring>, on text: String) throws {
    let rows = TerminalScreen(showing: text).rows
    #expect(rows.count == 24 && rows[23].isEmpty, "\(rows)")
    #expect(rows[22].wholeMatch(of: note) != nil, "\(rows[22])")
    #expect(rows[22].count < 80)
    #expect(rows[1..<22].allSatisfy { $0.contains(#/[█▀▄]/#) }, "\(rows.joined(separator: "\n"))")
  }

  @Test(arguments: [
    (["--discovery", "none", "--discovery-timeout", "0.1"], 3), (["--link-only"], 0),
  ])
  func `below the code of a claim that no receiver was sent stands just that`(arguments: [String], status: Int)
    async throws
  {
    let sent = try await start(["send", "9999999.99"] + arguments, as: alice, .terminal).finish()
    #expect(sent.status == Int32(status))
    try expectNote(
      #/No receiver has this claim: whoever takes its link first has the money\./#, on: sent.standardOutput)
  }

  @Test func `below the code of a claim that a receiver may have stands for whom alone it is, and what to do then`()
    async throws
  {
    let (sending, address) = try await listen(["--send-timeout", "1"], .terminal)
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("Send? [y/n] ")
    await receiving.freeze()
    sending.type("y\n")
    let sent = try await sending.finish()
    #expect(sent.status == 5, "\(sent)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(
      sent.standardOutput.contains(#"No valid answer from "bob", who may have the claim already. Its link is for"#))
    let note = #/For "bob" alone, who may have it already\. In \d\d? s: bump settle (?:-- )?\S{6}/#
    try expectNote(note, on: sent.standardOutput)
    let printed = TerminalScreen(showing: sent.standardOutput).rows[22].split(separator: ": bump ").last ?? ""
    #expect(id.hasPrefix(printed.suffix(6)))
    receiving.signal(SIGCONT)
    _ = try await receiving.finish()

    // What it says works as it is printed, once the seconds are over; and then the same stands below its link.
    let words = printed.split(separator: " ").map(String.init)
    let early = try await start(words, as: alice).finish()
    #expect(early.status == 1 && early.standardError.contains("may still take it for"), "\(early)")
    try await land(alice)
    let shown = try await start(["link", id], as: alice, .terminal).finish()
    #expect(shown.status == 0)
    let later = #/For "bob" alone, who may have it already\. Then: bump settle (?:-- )?\S{6}/#
    try expectNote(later, on: shown.standardOutput)
    let settling = try await start(words, as: alice)
    try await settling.text(#"Does "bob" have the 1.00 USDC? [y/n] "#, on: .error)
    settling.type("y\n")
    #expect(try await settling.finish().status == 0)
    #expect(try await alice.history().first?.string("state") == "delivered")
  }

  @Test func `a terminal too small for the code and what is below it is told how large one must be`() async throws {
    let command = "stty rows 23; exec \(BumpCommand.binary) send 1 --link-only"
    let sent = try await Running.start(["sh", "-c", command], environment: alice.environment, streams: .terminal)
      .finish()
    #expect(sent.standardOutput.contains("Its QR code needs a terminal of 45×24, or a file: bump link "), "\(sent)")
    #expect(sent.lines.last == "No receiver has this claim: whoever takes its link first has the money.")
  }

  @Test func `of a claim that may have arrived and has no link it is advised to ask and to settle`() async throws {
    let (sending, address) = try await listen(["--send-timeout", "1", "--qr", "never", "--verify"])
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("Send? [y/n] ", on: .error)
    await receiving.freeze()
    sending.type("y\n")
    let sent = try await sending.finish()
    receiving.signal(SIGCONT)
    _ = try await receiving.finish()
    #expect(sent.status == 5 && sent.standardOutput.isEmpty, "\(sent)")
    #expect(!sent.standardError.contains("--again") && !sent.standardError.contains("bump link"), "\(sent)")
    #expect(sent.standardError.contains(#""bob", who may have the claim already. Ask whether it is there. In "#))
    try await land(alice)
    let advice = try #require(sent.standardError.firstMatch(of: /`bump (settle \S+ --delivered)`/)).1
    #expect(try await alice.run(advice.split(separator: " ").map(String.init)).status == 0)
  }

  // MARK: Settling

  @Test func `settle asks what became of the claim, and the end of the input settles nothing`() async throws {
    let id = try await alice.claim(.unknown).description
    let reminder = try await alice.run("receive", "--peer", "127.0.0.1:9", "--discovery-timeout", "0.1")
    let words = try #require(reminder.standardError.firstMatch(of: /Then: bump (settle \S+)\n/)).1.split(separator: " ")
    let first = try await start(words.map(String.init), as: alice)
    try await first.text(#"Does "bob" have the 1.00 USDC? [y/n] "#, on: .error)
    first.type("\n")
    try await first.text("Type y or n. Does", on: .error)
    first.type("\u{4}")
    let ended = try await first.finish()
    #expect(
      ended.status == 1 && ended.standardError.contains("nothing was settled; claim \(id) is unknown"), "\(ended)")
    let second = try await start(["settle", id], as: alice)
    try await second.text("[y/n] ", on: .error)
    second.type("n\n")
    #expect(try await second.finish().status == 0)
    #expect(try await alice.history().map { $0.string("state") } == ["lost"])
  }

  @Test func `nothing that was settled is settled otherwise unasked`() async throws {
    let id = try await alice.claim(.delivered).description
    let settling = try await start(["settle", id], as: alice)
    try await settling.text(#"Does "bob" have the 1.00 USDC? [y/n] "#, on: .error)
    settling.type("y\n")
    #expect(try await settling.finish().status == 0)
    #expect(try await alice.history().map { $0.string("state") } == ["delivered"])
  }

  // MARK: Codes and keys

  @Test func `an empty line asks for the code again, and the end of the input is none`() async throws {
    let (sending, address) = try await listen(["--code"], .pipes)
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("asks for a code: ", on: .error)
    receiving.type("\n")
    try await receiving.text("Type the code, or Ctrl-D for none.", on: .error)
    receiving.type("\u{4}")
    let received = try await receiving.finish()
    #expect(received.status == 6 && received.standardError.contains("bump: no code was entered"), "\(received)")
    sending.signal(SIGINT)
    _ = try await sending.finish()
  }

  @Test func `a wrong code is one line at the sender, and asked for again until the input ends`() async throws {
    let (sending, address) = try await listen(["--code"], .pipes)
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    let code = try #require(line.firstMatch(of: /\d+-\d{6}/)).output
    let wrong = code.dropLast() + (code.last == "0" ? "1" : "0")
    let receiving = try await start(["receive", "--peer", address, String(wrong)], as: bob)
    try await receiving.text("2 tries are left.\r\nThe code: ", on: .error)
    receiving.type("\u{4}")
    let received = try await receiving.finish()
    #expect(
      received.status == 6 && received.standardError.hasSuffix("bump: no code was entered; nothing was received\r\n"))
    sending.signal(SIGINT)
    let sent = try await sending.finish()
    #expect(sent.standardError.contains("Somebody tried a wrong code: 2 tries are left.\nbump: interrupted"), "\(sent)")
  }

  @Test func `another key is called that`() async throws {
    for person in [alice, bob] { #expect(try await person.run("key", "new", "\(person.home)/key").status == 0) }
    let (sending, address) = try await listen(["--key", "\(alice.home)/key"], .pipes)
    let received = try await bob.run("receive", "--peer", address, "--key", "\(bob.home)/key")
    #expect(received.status == 6 && received.error?.contains("the sender has another key") == true, "\(received)")
    try await sending.text("127.0.0.1 has another key, or none.", on: .error)
    let none = try await bob.run("receive", "--peer", address)
    #expect(none.status == 3 && none.error?.contains("127.0.0.1 wants a code or a key, and none") == true, "\(none)")
    sending.signal(SIGINT)
    #expect(try await !sending.finish().standardError.contains("code or key"))
  }

  /// With a code that is typed, with a wish to be remembered, and with a key that each remembers by another name.
  @Test(arguments: [["--code"], ["--code", "--remember", "bobby"], ["--to", "bobby"]])
  func `what a sender without discovery prints for the other machine works as it is printed`(arguments: [String])
    async throws
  {
    for (byte, name, person) in [(8, "dora", bob), (7, "ally", bob), (7, "bobby", alice)] as [(UInt8, String, Person)]
    where arguments.first == "--to" {
      let key = try #require(SharedKey([UInt8](repeating: byte, count: 32)))
      #expect(try await ClaimStore.open(at: person.store).remember(key, as: DisplayName(name)))
    }
    let sending = try await start(["send", "1.00", "--discovery", "none", "--yes"] + arguments, as: alice)
    let line = try await sending.line(on: .error) { $0.contains("On the other machine: ") }
    let words = try #require(line.firstMatch(of: /machine: bump (.*)/)).1.split(separator: " ").map(String.init)
    let receiving = try await start(words + ["--yes"], as: bob)
    if arguments.first == "--code" {
      let code = try #require(sending.standardError.text.firstMatch(of: /\d+-\d{6}/)).output
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type(code + "\n")
    }
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    if arguments.contains("--remember") {
      #expect(try await bob.run("key", "list").standardOutput == "alice\n")
    }
  }

  // MARK: Names and links

  /// Names as they are, and what may be typed for each.
  @Test(arguments: [
    ("zoë", ["zoë", #""zoë""#, "zo…"]), ("a  b", ["a  b", "a b", #""a b""#]),
    (#"the "boss""#, [#"the "boss""#, #"the \u{22}boss\u{22}"#, #""the \u{22}boss\u{22}""#]),
    (
      "somebody whose name is longer than a line",
      ["somebody whose name is longer than a line", #""somebody whose name is longer t…""#, "somebody wh…"]
    ), ("7", [#""7""#]),
  ])
  func `a name is taken as it is and as it is shown`(name: String, forms: [String]) async throws {
    for form in forms {
      let (sending, address) = try await listen(["--name", name], .pipes)
      let received = try await bob.run("receive", "--peer", address, "--from", form, "--discovery-timeout", "2")
      #expect(received.status == 0, "\(received)")
      _ = try await sending.finish()
    }
  }

  @Test func `a malformed link is asked for again, until the input ends`() async throws {
    let receiving = try await start(["receive", "--link", "-"], as: bob)
    try await receiving.text("The link: ", on: .error)
    var count = 0
    for (typed, answer) in [
      ("", "Paste the link, or Ctrl-D for none."), ("money", "not a whole claim link"),
      (try strangersLink().replacing("1.00", with: "2.00"), "garbled"),
      (String(try strangersLink().prefix(60)), "… "),
    ] {
      receiving.type(typed + "\n")
      try await receiving.text(answer, on: .error, after: count)
      count = receiving.standardError.bytes.count
    }
    // What begins anew is not the rest of what came before.
    receiving.type(try strangersLink() + "\n")
    #expect(try await receiving.finish().status == 0)
    let second = try await start(["receive", "--link", "-"], as: bob)
    try await second.text("The link: ", on: .error)
    second.type("\u{4}")
    let ended = try await second.finish()
    #expect(ended.status == 6 && ended.standardError.contains("no link was entered"), "\(ended)")
  }

  // MARK: Answers

  @Test func `a no of the sender's ends a send that one receiver was told of, and at once`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob, .pipes)
    try await sending.text("Send? [y/n] ", on: .error)
    sending.type("n\n")
    // It would wait for two minutes.
    let sent = try await sending.finish(within: .seconds(5))
    #expect(sent.status == 4 && !sent.standardError.contains("Waiting for another"), "\(sent)")
    #expect(try await alice.history().map { $0.string("state") } == ["new"])
    #expect(try await receiving.finish().status == 4)
  }

  @Test func `a no where others may come says that they are waited for`() async throws {
    let (sending, address) = try await listen(["--wait"])
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("Send? [y/n] ", on: .error)
    sending.type("n\n")
    try await sending.text(#"Not sent to "bob". Waiting for another receiver; Ctrl-C ends it."#, on: .error)
    #expect(try await receiving.finish().status == 4)
    sending.type("\u{3}")
    #expect(try await sending.finish().status == 130)
  }

  @Test func `the end of the input is said to be taken as no`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("Accept? [y/n] ", on: .error)
    receiving.type("\u{4}")
    let received = try await receiving.finish()
    #expect(received.status == 4, "\(received)")
    #expect(received.standardError.contains("The input ended, which is taken as no."), "\(received)")
    sending.type("\u{3}")
    _ = try await sending.finish()
  }

  @Test func `a receiver that ends before it has answered is said to have left`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("Accept? [y/n] ", on: .error)
    receiving.type("\u{3}")
    #expect(try await receiving.finish().status == 130)
    try await sending.text("The receiver at 127.0.0.1 left, and has no claim.", on: .error)
    sending.type("\u{3}")
    _ = try await sending.finish()
  }

  // MARK: Places

  @Test func `where nobody is remembered that is said, and no store is made for it`() async throws {
    let listed = try await alice.run("key", "list")
    #expect(listed.status == 0 && listed.standardOutput.isEmpty, "\(listed)")
    #expect(listed.standardError.hasPrefix("Nobody is remembered yet. Meet once with `bump send"), "\(listed)")
    #expect(!FileManager.default.fileExists(atPath: alice.store))
  }

  @Test(arguments: [["--store", "@/no/such/bump.sqlite"], []])
  func `a store's directories are made at the default place alone`(flag: [String]) async throws {
    let missing = "\(alice.home)/no/such/bump.sqlite"
    let sent = try await alice.run(
      ["send", "1", "--link-only"] + flag.map { $0.replacing("@", with: alice.home) }, changes: ["BUMP_STORE": missing])
    #expect(sent.status == 1 && sent.standardOutput.isEmpty, "\(sent)")
    #expect(sent.error?.contains("\(missing) cannot be made: its directory is not there; make that") == true, "\(sent)")
    #expect(!FileManager.default.fileExists(atPath: "\(alice.home)/no"))
  }
}
