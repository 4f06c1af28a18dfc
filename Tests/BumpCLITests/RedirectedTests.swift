import Foundation
import Glibc
import Lab
import Testing

/// A person at a terminal who has some of the streams go elsewhere.
@Suite(.processes(2)) struct RedirectedTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(), try Person()) }

  /// Starts a script in somebody's home on a terminal, in which `"$bump"` is the binary.
  private func shell(_ person: Person, _ script: String) async throws -> RunningProcess {
    try await RunningProcess.start(
      ["sh", "-c", "cd \"$HOME\"; \(script)"],
      environment: person.environment.merging(["bump": BumpCommand.binary]) { $1 }, streams: .terminal)
  }

  /// Starts a sender who accepts whoever comes, and returns its port.
  private func sender() async throws -> (RunningProcess, port: Int) {
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "3", "--discovery", "none", "--json"], environment: alice.environment)
    sending.closeInput()
    return (sending, try #require(try await sending.event("advertising").number("port").map { Int($0) }))
  }

  @Test(arguments: [("2>log", "n"), ("2>&1 | tee log", "y"), ("2>&- --quiet", "n"), ("--verify 2>log", "y")])
  func `a receiver is asked on the terminal wherever the messages go`(end: String, answer: String) async throws {
    let (sending, port) = try await sender()
    let receiving = try await shell(bob, "\"$bump\" receive --discovery-timeout 60 --peer 127.0.0.1:\(port) \(end)")
    let digits = try #require(try await sending.event("digits").string("digits"))
    let question = "Does the sender's screen show \(digits)? Accept 3.00 USDC? "
    try await receiving.text("\"alice\" offers 3.00 USDC.\r\n\(question)")
    try await receiving.text("\(question)[y/n] ")
    receiving.type("\n")
    try await receiving.text("Type y or n. \(question)[y/n] ")
    receiving.type("\(answer)\n")
    let received = try await receiving.finish()
    #expect(try await bob.history().count == (answer == "y" ? 1 : 0), "\(received)")
    let log = try? String(contentsOfFile: "\(bob.home)/log", encoding: .utf8)
    #expect(log?.contains("[y/n]") != true, "\(received)")
    // After a no it waits for another receiver.
    if answer == "n" { sending.signal(SIGINT) }
    #expect(try await sending.finish().status == (answer == "y" ? 0 : 130))
  }

  @Test(arguments: [("2>log", "n"), ("2>&1 | tee log", "y"), ("2>&- --quiet", "n"), ("--verify 2>log", "y")])
  func `a sender is asked on the terminal wherever the messages go`(end: String, answer: String) async throws {
    let sending = try await shell(alice, "\"$bump\" send 2 --discovery none --json \(end)")
    let port = try #require(try await sending.event("advertising").number("port").map { Int($0) })
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(["receive", "--peer", "127.0.0.1:\(port)"]),
      environment: bob.environment)
    receiving.closeInput()
    try await sending.text("\"alice\" accepts 2.00 USDC.\r\n")
    try await sending.text("? Send 2.00 USDC? [y/n] ")
    sending.type("\(answer)\n")
    let sent = try await sending.finish()
    #expect(sent.standardOutput.contains(#""outcome":"\#(answer == "y" ? "delivered" : "declined")""#), "\(sent)")
    #expect(try await receiving.finish().status == (answer == "y" ? 0 : 4))
  }

  @Test func `a code to tell and digits to compare are on the terminal where the messages go to a file`() async throws {
    let sending = try await shell(alice, "exec \"$bump\" send 2 --code --verify --discovery none --json 2>log")
    let port = try #require(try await sending.event("advertising").number("port").map { Int($0) })
    let code = try #require(try await sending.event("code").string("code"))
    try await sending.text("The code is \(code): tell it to the receiver alone.\r\n")
    let receiving = try await shell(
      bob, "\"$bump\" receive --verify --code \(code) --discovery-timeout 60 --peer 127.0.0.1:\(port)")
    try await receiving.text("? Accept 2.00 USDC? [y/n] ")
    let digits = try #require(try await sending.event("digits").string("digits"))
    try await sending.text("\(digits): 127.0.0.1")
    receiving.type("n\n")
    #expect(try await receiving.finish().status == 4)
    sending.signal(SIGINT)
    _ = try await sending.finish()
    #expect(try !String(contentsOfFile: "\(alice.home)/log", encoding: .utf8).contains(code))
  }

  @Test(arguments: [("dumb", true), ("xterm", false)])
  func `a terminal that rewrites no line gets the status once`(terminal: String, isOnce: Bool) async throws {
    let send = "send 2 --discovery none --discovery-timeout 3.5 --qr never"
    let sent = try await shell(alice, "export TERM=\(terminal); exec \"$bump\" \(send)").finish()
    let count = sent.standardOutput.matches(of: /Waiting for a receiver…/).count
    #expect(sent.status == 3 && (count == 1) == isOnce && count > 0, "\(sent)")
  }

  @Test(arguments: ["--yes 2>log", "</dev/null", "</dev/null 2>log", "--json --decide 2>log"])
  func `who says yes beforehand, and a program, is not asked on the terminal`(end: String) async throws {
    let (sending, port) = try await sender()
    let receiving = try await shell(bob, "\"$bump\" receive --discovery-timeout 60 --peer 127.0.0.1:\(port) \(end)")
    if end.contains("--decide") {
      try await receiving.event("question")
      receiving.type("y 1\n")
    }
    let received = try await receiving.finish()
    #expect(received.status == 0 && !received.standardOutput.contains("[y/n]"), "\(received)")
    let log = (try? String(contentsOfFile: "\(bob.home)/log", encoding: .utf8)) ?? received.standardOutput
    // Who accepts without having said so is told.
    for words in ["There is no terminal to ask on, so the first offer", #""alice" offers 3.00 USDC."#] {
      #expect(log.contains(words) == end.hasPrefix("</dev/null"), "\(log)")
    }
    #expect(try await sending.finish().status == 0)
  }

  @Test(arguments: ["send 2 --discovery none", "receive --peer 127.0.0.1:1", "receive --keep"])
  func `where a question can be shown nowhere that is said, and no money moves`(command: String) async throws {
    let refused = try await shell(bob, "setsid --wait \"$bump\" \(command) 2>log").finish()
    #expect(refused.status == 64 && refused.standardOutput.isEmpty, "\(refused)")
    let log = try String(contentsOfFile: "\(bob.home)/log", encoding: .utf8)
    #expect(
      log.hasPrefix("bump: the question cannot be shown: stderr is not a terminal") && log.contains("--yes"), "\(log)")
    #expect(try await bob.history().isEmpty)
  }
}
