import Lab
import Testing

/// `--quiet` on a terminal.
@Suite(.processes()) struct QuietTests {
  @Test func `with --quiet a question is about money, and its digits are on both screens`() async throws {
    let (alice, bob) = (try Person(), try Person())
    let sending = try await RunningProcess.start(
      [BumpCommand.binary, "send", "9", "--quiet", "--json", "--discovery", "none"], environment: alice.environment,
      streams: .terminalButOutput)
    let port = try #require(try await sending.event("advertising").number("port").map { Int($0) })
    let receiving = try await RunningProcess.start(
      [BumpCommand.binary] + BumpCommand.patient(["receive", "--quiet", "--peer", "127.0.0.1:\(port)"]),
      environment: bob.environment.merging(["BUMP_NAME": "bob"]) { $1 }, streams: .terminalButOutput)

    try await receiving.text("? [y/n] ", on: .error)
    let asked = receiving.standardError.text
    #expect(asked.contains(#""alice" offers 9.00 USDC."#), "\(asked)")
    let digits = try #require(asked.firstMatch(of: /Does the sender's screen show (\d{3} \d{3})\?/)).1
    try await sending.text("\(digits): 127.0.0.1 is deciding", on: .error)

    receiving.type("y\n")
    try await sending.text("Does the receiver's screen show \(digits)? Send 9.00 USDC? [y/n] ", on: .error)
    #expect(sending.standardError.text.contains(#""bob" accepts 9.00 USDC."#), "\(sending.standardError.text)")
    sending.type("y\n")
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    for word in ["Sending 9", "Waiting for a", "Delivered", "Accepted"] {
      #expect(!sent.standardError.contains(word) && !received.standardError.contains(word), "\(sent)\n\(received)")
    }
  }
}
