import Glibc
import Lab
import Testing

/// The only receiver there, which comes again after a no.
@Suite(.live) struct TurnsTests {
  @Test func `a receiver that comes again is admitted twice, and once more where the sender's person lets it in`()
    async throws
  {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "1.14", "--wait", streams: .terminalButOutput)
      let declining = try await bob.start("receive", streams: .terminalButOutput)
      try await declining.text("? [y/n]", on: .error)
      declining.type("n\n")
      #expect(try await declining.finish().status == 4)
      // The sender's own question is cancelled: the next one is not the one that was in its place.
      let leaving = try await bob.start("receive", streams: .terminalButOutput)
      try await leaving.text("? [y/n]", on: .error)
      leaving.type("y\n")
      try await sending.text("Does the receiver's screen show", on: .error)
      leaving.signal(SIGINT)
      #expect(try await leaving.finish().status == 130)
      let refused = try await bob.runOut(["receive"], seconds: 5) {
        $0.standardError.matches(of: /refused this machine/).count == 1
      }
      #expect(refused.status == 3 && !refused.standardError.contains("busy with another"), "\(refused)")
      let told = refused.standardError.matches(of: /refused this machine/).count
      #expect(refused.standardError.matches(of: /The transfer failed/).count == 1 && told == 1, "\(refused)")
      #expect(refused.standardError.contains("its person may say y"), "\(refused)")

      // What its person was told to do.
      try await sending.text("connected again. It has seen the digits as often as this send allows.", on: .error)
      try await sending.text("This question replaces the one before it.", on: .error)
      try await sending.text("Let it try once more? [y/n]", on: .error)
      sending.type("y\n")
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("? [y/n]", on: .error)
      receiving.type("y\n")
      try await sending.confirmDigits()
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent) \(received)")
      #expect(sent.standardError.matches(of: /connected again/).count == 1, "\(sent)")
      #expect(!sent.standardError.contains("no network") && !received.standardError.contains("no network"))
    }
  }
}
