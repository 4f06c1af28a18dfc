import Glibc
import Lab
import Testing

/// Ends that stand still, or give up, while a claim is on its way.
@Suite(.live) struct LateTests {
  @Test func `a claim that lay unread past the receiver's time is not taken once it goes on`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "1.00", "--discovery", "none", "--send-timeout", "4", "--yes", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let receiving = try await bob.start(
        "receive", "--peer", "127.0.0.1:\(port)", "--send-timeout", "2", streams: .terminalButOutput)
      try await receiving.text("[y/n]", on: .error)
      // It gives the receiver's person their time.
      try await sending.event("deciding")
      // The sender reads ACCEPT, and the receiver CLAIM, when the test says so.
      await sending.freeze()
      let wire = try await host.watch("lo", for: "tcp dst port \(port) and tcp[tcpflags] & tcp-push != 0")
      receiving.type("y\n")
      try await wire.line { $0.contains("length") }
      await receiving.freeze()
      sending.signal(SIGCONT)
      // It has waited for twice as long as the receiver may.
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      let said = receiving.standardError.bytes.count
      receiving.signal(SIGCONT)
      try await receiving.text("The transfer failed", on: .error, after: said)
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130 && received.standardOutput.isEmpty, "\(received)")
      #expect(try await bob.history().isEmpty)
      #expect(try await alice.states() == ["unknown"])
    }
  }

  @Test func `an answer that came while the sender stood still past its time is heard once it goes on`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "1.00", "--verify", "--send-timeout", "3", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      let received = try await sending.stopUnanswered(by: receiving, on: host)
      #expect(received.status == 0, "\(received)")
      // Longer than the sender waits, and than a timer is late by itself.
      #expect(try await bob.run("browse", "--for", "5").status == 0)
      sending.signal(SIGCONT)
      let sent = try await sending.finish()
      #expect(sent.status == 0 && sent.standardError.contains("Delivered 1.00 USDC"), "\(sent)")
      #expect(try await alice.states() == ["delivered"])
    }
  }

  @Test func `a claim whose sender was interrupted after the release is nobody else's while its receiver may take it`()
    async throws
  {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "1.00", "--verify", "--send-timeout", "60", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      await receiving.freeze()
      let wire = try await host.watch("lo", for: "tcp and greater 200")
      sending.type("y\n")
      try await wire.line { $0.contains("length") }
      sending.type(InterruptTests.controlC)
      #expect(try await sending.finish().status == 130)
      #expect(try await alice.states() == ["unknown"])

      let id = try #require(try await alice.history().first?.string("claimId"))
      for command in [["link"], ["settle", "--lost"], ["settle", "--delivered"], ["send", "--again"]] {
        let refused = try await alice.start(command + [id]).finish()
        #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
        #expect(refused.standardError.contains("was sent to \"bob\", who may still take it for "), "\(refused)")
      }
      // It may, and does: the claim has one owner.
      receiving.signal(SIGCONT)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
    }
  }

  @Test func `an offer that expires while the receiver's person decides has expired at both ends`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      var isAsked = false
      // On a machine so busy that the first expires before it is asked about, another has more time.
      for seconds in [10, 50] where !isAsked {
        let sending = try await alice.start(
          "send", "1.00", "--discovery", "none", "--expires", "\(seconds)s", "--json")
        if let port = try? await sending.event("advertising").number("port") {
          let receiving = try await bob.start(
            "receive", "--peer", "127.0.0.1:\(Int(port))", streams: .terminalButOutput)
          isAsked = (try? await receiving.text("[y/n]", on: .error)) != nil
          let received = try await receiving.finish()
          if isAsked {
            #expect(received.status == 7 && received.standardError.contains("has expired"), "\(received)")
          }
        }
        let sent = try await sending.finish()
        #expect(sent.status == 7, "\(sent)")
      }
      #expect(isAsked)
      #expect(try await bob.history().isEmpty)
    }
  }
}

extension RunningProcess {
  /// Lets this sender's person say yes, and stops the sender once CLAIM is on its way, so that the answer lies there unread.
  ///
  /// - Returns: how the receiver ended.
  func stopUnanswered(by receiving: RunningProcess, on host: Host) async throws -> ProcessResult {
    try await text("[y/n]", on: .error)
    await receiving.freeze()
    let wire = try await host.watch("lo", for: "tcp and greater 200")
    type("y\n")
    try await wire.line { $0.contains("length") }
    await freeze()
    receiving.signal(SIGCONT)
    return try await receiving.finish()
  }
}
