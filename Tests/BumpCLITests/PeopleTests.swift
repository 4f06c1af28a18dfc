import BumpClaims
import BumpKit
import Foundation
import Glibc
import Lab
import Testing

/// What people see on terminals of 80 × 24, and what comes of what they type there.
@Suite(.processes(2)) struct PeopleTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(), try Person()) }

  /// Starts it. A sender whose address is given is waited for a minute, where nothing else is said.
  private func start(_ arguments: [String], as person: Person, _ streams: Streams = .terminalButOutput) async throws
    -> RunningProcess
  {
    let process = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(arguments), environment: person.environment, streams: streams)
    if case .pipes = streams { process.closeInput() }
    return process
  }

  /// Starts a send that listens alone, and gives what its receiver types for its address.
  private func listen(_ arguments: [String], _ streams: Streams = .terminalButOutput) async throws -> (
    RunningProcess, String
  ) {
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
    try #require(rows.count == 24 && rows[23].isEmpty, "\(rows)")
    #expect(rows[22].wholeMatch(of: note) != nil, "\(rows[22])")
    #expect(rows[22].count < 80)
    #expect(rows[1..<22].allSatisfy { $0.contains(#/[█▀▄]/#) }, "\(rows.joined(separator: "\n"))")
    // The link's own line has scrolled away: its pieces are beside the code.
    let link = try #require(text.firstMatch(of: #/\r\n(https:\S+)\r\n/#)).1
    let pieces = rows[0..<22].compactMap { $0.firstMatch(of: #/  ([A-Za-z0-9:\/.#=&_-]+)$/#)?.1 }
    #expect(pieces.joined() == link, "\(rows.joined(separator: "\n"))")
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
      #/Not delivered\. This link is the money\. Retry: bump send --again (?:-- )?\S{6}/#, on: sent.screen)
  }

  @Test func `below the code of a claim that a receiver may have stands for whom alone it is, and what to do then`()
    async throws
  {
    let (sending, address) = try await listen(["--send-timeout", "5"], .terminal)
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("? [y/n] ")
    await receiving.freeze()
    sending.type("y\n")
    let sent = try await sending.finish()
    #expect(sent.status == 5, "\(sent)")
    let id = try #require(try await alice.history().first?.string("claimId"))
    #expect(
      sent.standardOutput.contains(#"No valid answer from "bob", who may already have the claim. Show the link"#))
    let note = #/Show this only to "bob", and ask first\. In \d\d? s: bump settle (?:-- )?\S{6}/#
    try expectNote(note, on: sent.screen)
    let printed = TerminalScreen(showing: sent.screen).rows[22].split(separator: ": bump ").last ?? ""
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
    let later = #/Show this only to "bob", and ask first\. Then: bump settle (?:-- )?\S{6}/#
    try expectNote(later, on: shown.screen)
    let settling = try await start(words, as: alice)
    try await settling.text(#"Does "bob" have the 1.00 USDC? [y/n] "#, on: .error)
    settling.type("y\n")
    #expect(try await settling.finish().status == 0)
    #expect(try await alice.history().first?.string("state") == "delivered")
  }

  @Test func `a terminal too small for the code and what is below it is told how large one must be`() async throws {
    let command = "stty rows 23; exec \(BumpCommand.binary) send 1 --link-only"
    let sent = try await RunningProcess.start(
      ["sh", "-c", command], environment: alice.environment, streams: .terminal
    )
    .finish()
    #expect(sent.standardOutput.contains("Its QR code needs a terminal of 45×24, or a file: bump link "), "\(sent)")
    #expect(sent.lines.last?.hasPrefix("Not delivered. This link is the money. Retry: bump send --again ") == true)
  }

  @Test func `of a claim that may have arrived and has no link it is advised to ask and to settle`() async throws {
    let (sending, address) = try await listen(["--send-timeout", "5", "--qr", "never", "--verify"])
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("? [y/n] ", on: .error)
    await receiving.freeze()
    sending.type("y\n")
    let sent = try await sending.finish()
    receiving.signal(SIGCONT)
    _ = try await receiving.finish()
    #expect(sent.status == 5 && sent.standardOutput.isEmpty, "\(sent)")
    #expect(!sent.standardError.contains("--again") && !sent.standardError.contains("bump link"), "\(sent)")
    let words = #/"bob", who may already have the claim\. Ask whether the claim is there, and then, in \d\d? s at the /#
    #expect(sent.standardError.contains(words), "\(sent)")
    try await land(alice)
    let advice = try #require(sent.standardError.firstMatch(of: /earliest: bump (settle \S+)/)).1
    #expect(try await alice.run(advice.split(separator: " ").map(String.init) + ["--delivered"]).status == 0)
  }

  // MARK: Settling

  @Test func `settle asks what became of the claim, and the end of the input settles nothing`() async throws {
    let id = try await alice.claim(.unknown).description
    let reminder = try await alice.run(
      "receive", "--peer", "127.0.0.1:\(closedPort())", "--discovery-timeout", "0.1")
    let words = try #require(reminder.standardError.firstMatch(of: /Then: bump (settle \S+)\n/)).1.split(separator: " ")
    let first = try await start(words.map(String.init), as: alice)
    try await first.text(#"Does "bob" have the 1.00 USDC? [y/n] "#, on: .error)
    first.type("\n")
    try await first.text("Type y or n. Does", on: .error)
    first.type("\u{4}")
    let ended = try await first.finish()
    #expect(
      ended.status == 1 && ended.standardError.contains("nothing was settled: claim \(id) is unknown"), "\(ended)")
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

  @Test func `of a claim whose link was shown settle asks what can be answered, and takes no for an answer`()
    async throws
  {
    let id = try await alice.claim(.linkShown).description
    let question = "so it cannot be settled as lost. Settle it as delivered? [y/n] "
    let declining = try await start(["settle", id], as: alice)
    try await declining.text(question, on: .error)
    declining.type("n\n")
    let declined = try await declining.finish()
    #expect(
      declined.status == 1
        && declined.standardError.hasSuffix("bump: nothing was settled: the link of claim \(id) was shown\r\n"),
      "\(declined)")
    let settling = try await start(["settle", id], as: alice)
    try await settling.text(question, on: .error)
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
    #expect(
      received.status == 6 && received.standardError.contains("bump: nothing was received: no code was entered"),
      "\(received)")
    sending.signal(SIGINT)
    _ = try await sending.finish()
  }

  @Test func `a wrong code is one line at the sender, and asked for again until the input ends`() async throws {
    let (sending, address) = try await listen(["--code"], .pipes)
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    let code = try #require(line.firstMatch(of: /\d+-\d{6}/)).output
    let wrong = code.dropLast() + (code.last == "0" ? "1" : "0")
    let receiving = try await start(["receive", "--peer", address, String(wrong)], as: bob)
    try await receiving.text("The code: ", on: .error)
    receiving.type("\u{4}")
    let received = try await receiving.finish()
    #expect(
      received.status == 6 && received.standardError.hasSuffix("bump: nothing was received: no code was entered\r\n"))
    sending.signal(SIGINT)
    let sent = try await sending.finish()
    // What is waited for is said too, where the test takes longer than a second.
    let said = sent.standardError.split(separator: "\n").filter { !$0.hasPrefix("Waiting for a receiver") }.suffix(2)
    #expect(said.first == "Somebody tried a wrong code: 2 tries are left.", "\(sent)")
    #expect(said.last?.hasPrefix("bump: interrupted") == true, "\(sent)")
  }

  @Test func `a wrong code that is typed again is asked for again, and each other one is a try`()
    async throws
  {
    let (sending, address) = try await listen(["--code"], .pipes)
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    let code = String(try #require(line.firstMatch(of: /\d+-\d{6}/)).output)
    let wrong = ["0", "1", "2"].filter { !code.hasSuffix($0) }.map { "\(code.dropLast())\($0)" }
    let receiving = try await start(["receive", "--peer", address, wrong[0], "--yes"], as: bob)
    var count = 0
    for (typed, question) in [
      (wrong[0], "The code: "),
      (wrong[1], "The code: "),
      (code, "The code: "),
    ] {
      try await receiving.text(question, on: .error, after: count)
      count = receiving.standardError.bytes.count
      receiving.type(typed + "\n")
    }
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    #expect(sent.standardError.matches(of: /tried a wrong code/).count == 2, "\(sent)")
    let words = "That code was tried already, and is tried with no other sender.\r\n"
    #expect(received.standardError.contains(words), "\(received)")
    #expect(!received.standardError.contains("Waiting for another sender"), "\(received)")
  }

  /// The sender compares digits, and the receiver, who was told to accept, types the code alone.
  @Test func `who has typed a code sees the digits, and that the sender has yet to decide`() async throws {
    let (sending, address) = try await listen(["--code", "--verify"])
    let code = try #require(sending.standardError.text.firstMatch(of: /The code is (\d+-\d{6})/)).1
    let receiving = try await start(["receive", "--peer", address, "--yes"], as: bob)
    try await receiving.text("asks for a code: ", on: .error)
    receiving.type("\(code)\n")
    try await sending.text("? [y/n] ", on: .error)
    let digits = try #require(sending.standardError.text.firstMatch(of: /screen show (\d{3} \d{3})\?/)).1
    try await receiving.text("\(digits): 127.0.0.1 has yet to decide, ", on: .error)
    sending.type("y\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
  }

  @Test(arguments: [true, false])
  func `after a code nobody is asked to compare digits, whether it is typed or named`(isNamed: Bool) async throws {
    let (sending, address) = try await listen(["--code"])
    let code = String(try #require(sending.standardError.text.firstMatch(of: /The code is (\d+-\d{6})/)).1)
    let receiving = try await start(["receive", "--peer", address] + (isNamed ? [code] : []), as: bob)
    if !isNamed {
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type("\(code)\n")
    }
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    #expect(!(sent.standardError + received.standardError).contains("[y/n]"), "\(sent)\n\(received)")
  }

  @Test func `who waits behind another is not said to be decided about, and is asked about after a no`() async throws {
    let (sending, address) = try await listen(["--code", "--verify", "--wait"])
    let code = String(try #require(sending.standardError.text.firstMatch(of: /The code is (\d+-\d{6})/)).1)
    let carol = try Person()
    let first = try await start(["receive", "--peer", address, code, "--yes", "--name", "bob"], as: bob)
    try await sending.text(#""bob" accepts 1.00 USDC."#, on: .error)
    let second = try await start(["receive", "--peer", address, code, "--yes", "--name", "carol"], as: carol)
    try await sending.text(#""carol" accepts too: 1 other waits."#, on: .error)
    try await second.text(": 127.0.0.1 has yet to decide, ", on: .error)
    try await sending.text("? [y/n] ", on: .error)
    let count = sending.standardError.bytes.count
    sending.type("n\n")
    try await sending.text(#"Not sent to "bob". 1 other waits."#, on: .error)
    try await sending.text(#""carol" accepts 1.00 USDC."#, on: .error)
    try await sending.confirmDigits(after: count)
    let sent = try await sending.finish()
    #expect(sent.status == 0 && !sent.standardError.contains("Waiting for another receiver"), "\(sent)")
    #expect(try await second.finish().status == 0)
    #expect(try await first.finish().status == 4)
    #expect(try await carol.history().count == 1)
  }

  @Test func `another key is called that`() async throws {
    for person in [alice, bob] { #expect(try await person.run("key", "new", "\(person.home)/key").status == 0) }
    let (sending, address) = try await listen(["--key", "\(alice.home)/key"], .pipes)
    let received = try await bob.run("receive", "--peer", address, "--key", "\(bob.home)/key")
    #expect(received.status == 6 && received.error?.contains("the sender has another key") == true, "\(received)")
    try await sending.text("127.0.0.1 has another key, or none.", on: .error)
    let none = try await bob.run("receive", "--peer", address, "--quiet")
    #expect(
      none.status == 3 && none.error?.contains("127.0.0.1 requires a key, and none was named here") == true, "\(none)")
    sending.signal(SIGINT)
    #expect(try await !sending.finish().standardError.contains("code or key"))
  }

  @Test func `of codes that are typed at once each is heard`() async throws {
    let (sending, address) = try await listen(["--code"], .pipes)
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    let code = String(try #require(line.firstMatch(of: /\d+-\d{6}/)).output)
    let wrong = ["0", "1", "2"].filter { !code.hasSuffix($0) }.map { "\(code.dropLast())\($0)" }
    let receiving = try await start(["receive", "--peer", address, wrong[0], "--yes"], as: bob)
    try await receiving.text("The code: ", on: .error)
    receiving.type("12-34\n\n\(wrong[0])\n\(wrong[1])\n\(code)\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
  }

  @Test func `a sender that was told of no key is not said to have another`() async throws {
    #expect(try await bob.run("key", "new", "\(bob.home)/key").status == 0)
    for (arguments, words, known) in [
      ([], "has no key, or does not use one", "requires a code or a key, and none was named here"),
      (["--code"], "requires a code, not a key", "uses no code"),
    ] as [([String], String, String)] {
      let (sending, address) = try await listen(arguments, .pipes)
      let received = try await bob.run("receive", "--peer", address, "--key", "\(bob.home)/key")
      #expect(received.status == 3 && received.error?.contains("127.0.0.1 \(words)") == true, "\(received)")
      try await sending.text("The transfer failed: 127.0.0.1 \(known).", on: .error)
      sending.signal(SIGINT)
      _ = try await sending.finish()
    }
  }

  /// With a code that is typed, with a wish to be remembered, and with a key that each remembers by another name.
  @Test(arguments: [["--code"], ["--code", "--remember", "bobby"], ["--to", "bobby"]])
  func `what a sender without discovery prints for the other machine works as it is printed`(arguments: [String])
    async throws
  {
    for (byte, name, person) in [(8, "dora", bob), (7, "ally", bob), (7, "bobby", alice)] as [(UInt8, String, Person)]
    where arguments.first == "--to" {
      let key = try #require(SharedKey([UInt8](repeating: byte, count: 32)))
      #expect(try await ClaimStore.open(at: person.store).remember(key, as: DisplayName(name)) == .kept)
    }
    let sending = try await start(["send", "1.00", "--discovery", "none", "--yes"] + arguments, as: alice)
    let line = try await sending.line(on: .error) { $0.contains(" machine: ") }
    let words = try #require(line.firstMatch(of: /machine: bump (.*)/)).1.split(separator: " ").map(String.init)
    let receiving = try await start(words + ["--yes"], as: bob)
    if arguments.first == "--code" {
      let code = try #require(sending.standardError.text.firstMatch(of: /\d+-\d{6}/)).output
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type(code + "\n")
    }
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    let promise = #"Waiting for a sender with a code, to remember it as "alice"."#
    #expect(received.standardError.contains(promise) == arguments.contains("--remember"), "\(received)")
    // That bob's bump tries which of its keys is meant is no failure.
    if arguments.first == "--to" { #expect(!sent.standardError.contains("failed"), "\(sent)") }
    if arguments.contains("--remember") {
      #expect(try await bob.run("key", "list").standardOutput == "alice\n")
    }
  }

  @Test func `a peer's name that has no address is called that at once, with what to try`() async throws {
    // No DNS server is asked for a label of more than 63 bytes (RFC 1035 §2.3.4).
    let name = String(repeating: "a", count: 64)
    let received = try await bob.run("receive", "--peer", "\(name):4000", "--wait", "--quiet")
    #expect(received.status == 3, "\(received)")
    #expect(received.error?.hasPrefix("the name \(name) has no address. Check its spelling") == true, "\(received)")
  }

  // MARK: The last lines

  @Test func `once the claim was sent nobody is waited for, on either screen`() async throws {
    let (sending, address) = try await listen([])
    try await sending.text("Waiting for a receiver… ", on: .error)
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob)
    try await receiving.text("? [y/n] ", on: .error)
    receiving.type("y\n")
    try await sending.text("? [y/n] ", on: .error)
    sending.type("y\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    let after = try #require(sent.standardError.split(separator: "? [y/n] ").last)
    #expect(after.contains("Delivered 1.00 USDC") && !after.contains("Waiting for a receiver"), "\(sent)")
    let last = try #require(received.standardError.split(separator: "Accepted.").last)
    #expect(!last.contains("Waiting for a sender"), "\(received)")
  }

  @Test(arguments: ["x", String(repeating: " ", count: 80) + "x", String(repeating: "x ", count: 60)])
  func `a question that is asked again takes the place of the old one and of all that was typed`(typed: String)
    async throws
  {
    let id = try await alice.claim(.unknown).description
    let settling = try await start(["settle", id], as: alice)
    let question = #"Does "bob" have the 1.00 USDC? [y/n] "#
    try await settling.text(question, on: .error)
    settling.type(typed + "\n")
    try await settling.text("Type y or n. " + question, on: .error)
    let rows = TerminalScreen(showing: settling.standardError.screen).rows.filter { !$0.isEmpty }.dropFirst()
    #expect(rows == ["Type y or n. " + question.dropLast()])
    settling.type("\u{4}")
    _ = try await settling.finish()
  }

  // MARK: Signals

  /// In the background of a shell without job control SIGINT is ignored, and by nohup(1) SIGHUP.
  @Test(arguments: [("INT", ""), ("HUP", "nohup ")])
  func `a signal that was ignored at the start stays ignored`(signal: String, prefix: String) async throws {
    let script = #"\#(prefix)"$0" send 1.00 --discovery none & echo "pid $!" >&2; wait "$!""#
    let sending = try await RunningProcess.start(
      ["sh", "-c", script, BumpCommand.binary], environment: alice.environment)
    sending.closeInput()
    let started = try await sending.line(on: .error) { $0.hasPrefix("pid ") }
    let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
    let port = try #require(line.firstMatch(of: /Listening on port (\d+)/)).1
    #expect(try await alice.shell("kill -\(signal) \(started.dropFirst(4))").status == 0)
    let received = try await bob.run("receive", "--peer", "127.0.0.1:\(port)")
    #expect(received.status == 0, "\(received)")
    let sent = try await sending.finish()
    #expect(sent.status == 0, "\(sent)")
  }

  // MARK: Names and links

  @Test(arguments: ["zoë", "a  b", #"the "boss""#, "somebody whose name is longer than a line", "7", "ali…"])
  func `a name is taken as it is`(name: String) async throws {
    let (sending, address) = try await listen(["--name", name], .pipes)
    let received = try await bob.run("receive", "--peer", address, "--from", name)
    #expect(received.status == 0, "\(received)")
    _ = try await sending.finish()
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
    #expect(ended.status == 1 && ended.standardError.contains("nothing was received: no link was entered"), "\(ended)")
    let third = try await start(["receive", "--link", "-"], as: bob)
    try await third.text("The link: ", on: .error)
    third.type("money\n")
    try await third.text("whole claim link", on: .error)
    third.type("\u{4}")
    let refused = try await third.finish()
    #expect(refused.status == 6 && refused.standardError.contains("no link that can be taken"), "\(refused)")
  }

  // MARK: Answers

  @Test func `a no of the sender's ends a send that one receiver was told of, and at once`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob, .pipes)
    try await sending.text("? [y/n] ", on: .error)
    sending.type("n\n")
    // It would wait for two minutes.
    let sent = try await sending.finish()
    #expect(sent.status == 4 && !sent.standardError.contains("Waiting for another"), "\(sent)")
    #expect(try await alice.history().map { $0.string("state") } == ["new"])
    #expect(try await receiving.finish().status == 4)
  }

  @Test func `a no where others may come says that they are waited for`() async throws {
    let (sending, address) = try await listen(["--wait"])
    let receiving = try await start(["receive", "--peer", address, "--name", "bob"], as: bob, .pipes)
    try await sending.text("? [y/n] ", on: .error)
    sending.type("n\n")
    try await sending.text(#"Not sent to "bob". Waiting for another receiver. Ctrl-C ends it."#, on: .error)
    #expect(try await receiving.finish().status == 4)
    sending.type("\u{3}")
    #expect(try await sending.finish().status == 130)
  }

  @Test func `the end of the input is said to be taken as no`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("? [y/n] ", on: .error)
    receiving.type("\u{4}")
    let received = try await receiving.finish()
    #expect(received.status == 4, "\(received)")
    #expect(received.standardError.contains("The input ended, which counts as no."), "\(received)")
    sending.type("\u{3}")
    _ = try await sending.finish()
  }

  @Test func `a receiver that ends before it has answered is said to have left`() async throws {
    let (sending, address) = try await listen([])
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("? [y/n] ", on: .error)
    receiving.type("\u{3}")
    #expect(try await receiving.finish().status == 130)
    try await sending.text("The receiver at 127.0.0.1 left, and has received nothing.", on: .error)
    sending.type("\u{3}")
    _ = try await sending.finish()
  }

  // MARK: The status line

  /// The status lines that were written, each as it was.
  private func statuses(of process: RunningProcess) -> [Substring] {
    process.standardError.text.matches(of: /\u{1B}\[\?7l([^\u{1B}]*)\u{1B}\[\?7h/).map(\.1)
  }

  @Test func `digits are whole on a terminal of forty columns`() async throws {
    let command = "stty cols 40; exec \(BumpCommand.binary) send 1.00 --discovery none"
    let sending = try await RunningProcess.start(
      ["sh", "-c", command], environment: alice.environment, streams: .terminalButOutput)
    let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
    let port = try #require(line.firstMatch(of: /Listening on port (\d+)/)).1
    let receiving = try await start(["receive", "--peer", "127.0.0.1:\(port)"], as: bob)
    try await receiving.text("? [y/n] ", on: .error)
    let digits = try #require(receiving.standardError.text.firstMatch(of: /\d{3} \d{3}/)).output
    try await sending.text("\(digits): 127.0.0.1 is deciding, 59 s l…", on: .error)
    #expect(statuses(of: sending).allSatisfy { $0.count < 40 }, "\(sending)")
    for process in [sending, receiving] {
      process.signal(SIGINT)
      _ = try await process.finish()
    }
  }

  @Test func `no question breaks an amount or the digits, and an answer is typed behind it`() async throws {
    let (sending, address) = try await listen(["--yes"], .pipes)
    let command = "stty cols 40; exec \(BumpCommand.binary) receive --peer \(address)"
    let receiving = try await RunningProcess.start(
      ["sh", "-c", command], environment: bob.environment, streams: .terminalButOutput)
    try await receiving.text("? [y/n] ", on: .error)
    let count = receiving.standardError.bytes.count
    receiving.type("maybe\n")
    try await receiving.text("Accept 1.00 USDC? [y/n] ", on: .error, after: count)
    let text = receiving.standardError.screen
    #expect(text.contains(#/screen show \d{3} \d{3}\? \r\nAccept 1\.00 USDC\?/#), "\(text)")
    #expect(text.contains(#/Type y or n\. Does the sender's screen \r\nshow \d{3} \d{3}\? Accept 1\.00/#), "\(text)")
    receiving.type("y\n")
    #expect(try await receiving.finish().status == 0)
    #expect(try await sending.finish().status == 0)
  }

  @Test func `once the claim has gone out that is what the sender waits with`() async throws {
    // Longer than any machine takes to pass on the Ctrl-C below.
    let (sending, address) = try await listen(["--send-timeout", "60"])
    let receiving = try await start(["receive", "--peer", address], as: bob)
    try await receiving.text("? [y/n] ", on: .error)
    receiving.type("y\n")
    try await sending.text("? [y/n] ", on: .error)
    await receiving.freeze()
    sending.type("y\n")
    try await sending.text("Sent. Waiting for its answer.", on: .error)
    sending.type("\u{3}")
    let sent = try await sending.finish()
    #expect(sent.status == 130 && sent.standardError.contains("it may have arrived"), "\(sent)")
    // Before that line it may say so truly: this side's yes can come before the receiver's is read.
    let since = sent.standardError.split(separator: "Sent. Waiting for its answer.", maxSplits: 1).last ?? ""
    #expect(!since.contains("is deciding"), "\(sent)")
    receiving.signal(SIGCONT)
    _ = try await receiving.finish()
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
    #expect(sent.error?.contains("\(missing) cannot be made: its directory is not there. Make that") == true, "\(sent)")
    #expect(!FileManager.default.fileExists(atPath: "\(alice.home)/no"))
  }
}
