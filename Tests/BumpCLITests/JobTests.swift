import BumpKit
import Foundation
import Glibc
import Lab
import Testing

/// bump as a job of a shell on a terminal.
@Suite(.processes(2)) struct JobTests {
  private let alice: Person
  private let bob: Person
  private let carol: Person

  init() throws { (alice, bob, carol) = (try Person(), try Person(), try Person()) }

  /// A shell that reads whole lines, as bump does.
  private func shell() async throws -> RunningProcess {
    let environment = alice.environment.merging(["PATH": "/usr/bin:/bin", "PS1": "alice$ "]) { $1 }
    let shell = try await RunningProcess.start(
      ["bash", "--noprofile", "--norc", "--noediting", "-i"], environment: environment, streams: .terminal)
    try await shell.text("alice$ ", on: .output)
    return shell
  }

  /// Returns the port of a sender in the shell that was started after so many bytes of its output.
  private func port(of shell: RunningProcess, after count: Int = 0) async throws -> Int {
    try await shell.text("Listening on port ", on: .output, after: count)
    try await shell.text("bump receive", on: .output, after: count)
    let text = String(decoding: shell.standardOutput.bytes.dropFirst(count), as: UTF8.self)
    return try #require(text.firstMatch(of: /Listening on port (\d+)\./).flatMap { Int($0.1) })
  }

  /// Starts a receiver that accepts.
  private func receiver(_ person: Person, named name: String, at port: Int) async throws -> RunningProcess {
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(["receive", "--yes", "--json", "--peer", "127.0.0.1:\(port)"]),
      environment: person.environment.merging(["BUMP_NAME": name]) { $1 })
    receiving.closeInput()
    return receiving
  }

  /// Starts bob, who accepts, at the sender of the shell.
  private func receiver(of shell: RunningProcess) async throws -> RunningProcess {
    try await receiver(bob, named: "bob", at: port(of: shell))
  }

  /// Waits until the question is on the screen, with its money and its digits.
  private func expectQuestion(
    of receiving: RunningProcess, accepting money: String, on shell: RunningProcess, after count: Int
  ) async throws {
    let digits = try #require(try await receiving.event("digits").string("digits"))
    let question = "Does the receiver's screen show \(digits)? Send \(money)? "
    try await shell.text("accepts \(money).\r\n\(question)", on: .output, after: count)
    try await shell.text("\(question)[y/n] ", on: .output, after: count)
  }

  private func expectDelivery(_ shell: RunningProcess, _ receiving: RunningProcess) async throws {
    try await shell.text("Delivered 2.00 USDC", on: .output)
    let received = try await receiving.finish()
    #expect(received.status == 0, "\(received)")
    shell.type("exit\n")
    _ = try await shell.finish()
  }

  @Test func `what is typed at a shell does not answer a send in its background, which asks again in the foreground`()
    async throws
  {
    let shell = try await shell()
    shell.type("'\(BumpCommand.binary)' send 2 --discovery none --wait &\n")
    let receiving = try await receiver(of: shell)
    try await shell.text(#"In the background: "bob" accepts 2.00 USDC. `fg` brings the question."#, on: .output)
    for word in ["one", "two", "three"] {
      shell.type("echo the shell read $((1 + 1)) \(word)\n")
      try await shell.text("the shell read 2 \(word)", on: .output)
    }
    let digits = try #require(try await receiving.event("digits").string("digits"))
    #expect(!shell.standardOutput.text.contains(digits), "\(shell)")
    let before = shell.standardOutput.bytes.count
    shell.type("fg\n")
    try await expectQuestion(of: receiving, accepting: "2.00 USDC", on: shell, after: before)
    shell.type("y\n")
    try await expectDelivery(shell, receiving)
    #expect(!shell.standardOutput.text.contains("The input ended"))
  }

  @Test func `a bump in the background draws nothing over a question in the foreground, and takes no answer of it`()
    async throws
  {
    let shell = try await shell()
    shell.type("'\(BumpCommand.binary)' send 7 --discovery none &\n")
    let behind = try await port(of: shell)
    let started = shell.standardOutput.bytes.count
    shell.type("'\(BumpCommand.binary)' send 1 --discovery none\n")
    let first = try await receiver(bob, named: "bob", at: port(of: shell, after: started))
    try await expectQuestion(of: first, accepting: "1.00 USDC", on: shell, after: started)
    let asked = shell.standardOutput.bytes.count
    let second = try await receiver(carol, named: "carol", at: behind)
    try await shell.text(
      "\nIn the background: \"carol\" accepts 7.00 USDC. `fg` brings the question.", on: .output, after: asked)
    let digits = try #require(try await second.event("digits").string("digits"))
    #expect(!shell.standardOutput.text.contains(digits), "\(shell)")
    shell.type("y\n")
    try await shell.text("Delivered 1.00 USDC", on: .output, after: asked)
    #expect(try await first.finish().status == 0)
    // What was typed before the question is on the screen does not answer it.
    let delivered = shell.standardOutput.bytes.count
    shell.type("fg\ny\n")
    try await expectQuestion(of: second, accepting: "7.00 USDC", on: shell, after: delivered)
    shell.type("n\n")
    try await shell.text(#"bump: not sent to "carol""#, on: .output, after: delivered)
    #expect(try await second.finish().status == 4)
    shell.type("exit\n")
    _ = try await shell.finish()
  }

  @Test(arguments: [["fg"], ["bg", "fg"]])
  func `a question that was left with Ctrl-Z is asked again after fg, with its money`(commands: [String]) async throws {
    let shell = try await shell()
    shell.type("'\(BumpCommand.binary)' send 2 --discovery none --wait\n")
    let receiving = try await receiver(of: shell)
    try await shell.text("? [y/n] ", on: .output)
    let asked = shell.standardOutput.bytes.count
    shell.type("\u{1A}")
    try await shell.text("Stopped", on: .output, after: asked)
    for command in commands {
      let before = shell.standardOutput.bytes.count
      shell.type("\(command)\n")
      if command == "bg" {
        try await shell.text("`fg` brings the question.", on: .output, after: before)
      } else {
        try await expectQuestion(of: receiving, accepting: "2.00 USDC", on: shell, after: before)
      }
    }
    shell.type("y\n")
    try await expectDelivery(shell, receiving)
  }

  @Test func `a yes that is typed with fg, after Ctrl-Z, answers nothing`() async throws {
    let shell = try await shell()
    shell.type("'\(BumpCommand.binary)' send 2 --discovery none\n")
    let receiving = try await receiver(of: shell)
    try await shell.text("? [y/n] ", on: .output)
    // Which of the two is read first was a matter of chance.
    for _ in 1...8 {
      let asked = shell.standardOutput.bytes.count
      shell.type("\u{1A}")
      try await shell.text("Stopped", on: .output, after: asked)
      let stopped = shell.standardOutput.bytes.count
      shell.type("fg\ny\n")
      try await shell.text("? [y/n] ", on: .output, after: stopped)
    }
    shell.type("n\n")
    try await shell.text(#"bump: not sent to "bob""#, on: .output)
    #expect(try await receiving.finish().status == 4)
    shell.type("exit\n")
    _ = try await shell.finish()
  }

  @Test func `in the background Ctrl-C is not said to end anything`() async throws {
    let shell = try await shell()
    shell.type("'\(BumpCommand.binary)' browse --discovery embedded --interface lo &\n")
    try await shell.text("Watching for senders. `kill ", on: .output)
    shell.type("kill %1; wait; exit\n")
    _ = try await shell.finish()
    #expect(!shell.standardOutput.text.contains("Ctrl-C"), "\(shell)")
  }

  @Test(arguments: [("trap '' INT;", "`kill $"), ("trap '' INT TERM;", "`kill -KILL $"), ("", "Ctrl-C")])
  func `what is said to end a send ends it`(before: String, words: String) async throws {
    let sending = try await RunningProcess.start(
      ["sh", "-c", "\(before) exec '\(BumpCommand.binary)' send 2 --discovery none --wait"],
      environment: alice.environment, streams: .terminal)
    let end = words.replacing("$", with: "\(sending.processID)`")
    try await sending.text("Waiting for a receiver until \(end), for ", on: .output)
    switch words {
    case "Ctrl-C": sending.type("\u{3}")
    case "`kill $": sending.signal(SIGTERM)
    default: sending.signal(SIGKILL)
    }
    let sent = try await sending.finish()
    #expect(sent.status == (words == "`kill -KILL $" ? -SIGKILL : 130), "\(sent)")
  }
}
