import BumpClaims
import BumpTesting
import BumpWire
import Glibc
import Lab
import Testing

extension HostileTests {
  /// Somebody in the middle in mode open, who draws digits again and again, for two screens that agree by chance.
  @Suite(.processes(2)) struct AttemptTests {
    /// One attempt: a handshake that comes to its end, up to the question to the sender's person.
    ///
    /// - Returns: the digits; `nil` where there is no attempt any more.
    private static func attempt(at port: UInt16) async throws -> String? {
      try await inThread {
        guard var rogue = try? RogueReceiver(to: port, claiming: .none) else { return nil }
        do {
          try rogue.approach()
          try rogue.knock()
          // NOISE_2 and OFFER.
          try rogue.hear()
          try rogue.hear()
        } catch is RogueReceiver.Refused {
          return nil
        }
        try rogue.say(.accept(DisplayName("bob")))
        return rogue.digits?.description
      }
    }

    @Test func `a sender whose person compares shows its key three times, and then its link`() async throws {
      try await withUsers { sender, _ in
        let sending = try await sender.start(
          ["send", "--amount", "1.00", "--discovery", "none", "--discovery-timeout", "60", "--verify", "--json"],
          streams: .terminalButOutput)
        let port = UInt16(try await sending.event("advertising").number("port") ?? 0)
        var drawn: [String] = []
        // One that a busy machine keeps for two seconds is shown out, and is no attempt.
        for _ in 1...20 {
          if let digits = try await Self.attempt(at: port) { drawn.append(digits) }
        }
        let sent = try await sending.finish()
        #expect(drawn.count == 3, "\(sent)")
        let shown = try sent.events.filter { $0.string("event") == "digits" }.map { $0.string("digits") }
        #expect(shown == drawn, "\(sent)")
        #expect(sent.status == 3, "\(sent)")
        let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" }, "\(sent)")
        #expect(fallback.string("reason") == "interference", "\(sent)")
        #expect(fallback.string("link")?.hasPrefix("https://") == true, "\(sent)")
        #expect(try await sender.history().map { $0.string("state") } == ["linkShown"])
      }
    }

    @Test func `a sender that hangs up once it knows the digits sees a receiver's key three times, not at once`()
      async throws
    {
      try await withUsers { _, receiver in
        let (listener, port) = try Socket.listening()
        async let attempts = inThread { Self.attempts(at: listener) }
        let began = ContinuousClock.now
        let received: ProcessResult
        do {
          received = try await receiver.start(
            ["receive", "--peer", "127.0.0.1:\(port)", "--discovery-timeout", "60", "--verify", "--json"],
            streams: .terminalButOutput
          ).finish()
        } catch {
          listener.end()
          throw error
        }
        listener.end()
        #expect(try await attempts == 3, "\(received)")
        listener.close()
        #expect(began.duration(to: .now) > .seconds(2), "others have a second each to come first")
        #expect(received.status == 3 && received.standardError.contains("somebody may interfere"), "\(received)")
      }
    }

    /// Says WELCOME to whoever comes to the listener, takes their key, computes the digits and hangs up, as none suit.
    ///
    /// - Returns: how many keys it saw, until the listener is ended.
    private static func attempts(at listener: Socket) -> Int {
      var attempts = 0
      while let connection = try? listener.accepted() {
        var peer = ScriptedPeer(.sender)
        if let hello = connection.readFrame(), (try? peer.read(hello)) != nil {
          connection.write(peer.welcome())
          if let noise1 = connection.readFrame(), (try? peer.read(noise1)) != nil, (try? peer.noise()) != nil,
            peer.channel?.digits != nil
          {
            attempts += 1
          }
        }
        connection.close()
      }
      return attempts
    }

    @Test(.live) func `a receiver whose person compares ends after three attempts, and tries no fourth sender`()
      async throws
    {
      try await withHost { host in
        var senders: [String: RunningProcess] = [:]
        for number in 1...4 {
          let name = "mallory\(number)"
          senders[name] = try await BumpCommand(name, on: host).start(
            "send", "--amount", "1.00", "--discovery-timeout", "60", "--send-timeout", "20", "--json")
        }
        for sending in senders.values { try await sending.event("advertising") }
        let receiving = try await BumpCommand("bob", on: host).start(
          "receive", "--discovery-timeout", "60", "--send-timeout", "20", "--verify", "--json",
          streams: .terminalButOutput)

        // Each name is one attempt; who wants another takes another name.
        var met: Set<String> = []
        while met.count < 3 {
          let earlier = met
          // Whoever has just been met is gone, and the others are asked about anew.
          for name in met { senders[name]?.signal(SIGKILL) }
          try await receiving.text("Which? [1-\(4 - met.count)]", on: .error)
          receiving.type("1\n")
          let offer = try JSONObject(
            try await receiving.line { line in
              guard let offer = try? JSONObject(line), offer.string("event") == "offer" else { return false }
              return !earlier.contains(offer.string("from") ?? "")
            })
          met.insert(try #require(offer.string("from")))
        }
        for name in met { senders[name]?.signal(SIGKILL) }
        let received = try await receiving.finish()
        #expect(received.status == 3, "\(received)")
        #expect(received.standardError.contains("somebody may interfere"), "\(received)")
        #expect(try received.events.count { $0.string("event") == "digits" } == 3, "\(received)")

        let fourth = try #require(senders.first { !met.contains($0.key) }?.value)
        #expect(fourth.ended == nil, "it could have been met: \(fourth)")
        fourth.signal(SIGINT)
        let unmet = try await fourth.finish()
        #expect(try !unmet.events.contains { $0.string("event") == "connected" }, "\(unmet)")
      }
    }
  }
}
