import BumpWire
import Lab
import Testing

extension HostileTests {
  /// Somebody who tries codes.
  @Suite(.processes(3)) struct GuessTests {
    /// How many guesses the sender says it has judged.
    private static func judgements(_ sent: ProcessResult) -> Int {
      sent.standardError.matches(of: /Somebody tried a wrong code:/).count
    }

    @Test func `of eight guesses that come at once three are judged, and then the code is burnt`() async throws {
      try await withUsers { sender, receiver in
        let (sending, port, credential) = try await InterceptedBump(in: .code, sender, receiver).send()
        let right = try OneTimeCode(credential[1])
        let near = try await inThreads(Array(1...8)) { step in
          var rogue = try RogueReceiver(to: port, claiming: .code(right.wrong(step)))
          try rogue.approach()
          return rogue
        }
        // All eight have the sender's share: what each knows now is worth one guess.
        let rogues = try await inThreads(near) { rogue in
          var rogue = rogue
          try rogue.knock()
          rogue.listen()
          return rogue
        }
        for rogue in rogues {
          #expect(rogue.types.prefix(2) == [.welcome, .pakeS], "it came as far as NOISE_1: \(rogue.types)")
          #expect(rogue.isKeptOut, "\(rogue.types)")
        }
        try await Self.expectBurnt(try await sending.finish(), sender, by: rogues)
      }
    }

    @Test func `a right code is not opened any more once three wrong ones were`() async throws {
      try await withUsers { sender, receiver in
        let (sending, port, credential) = try await InterceptedBump(in: .code, sender, receiver).send()
        let right = try OneTimeCode(credential[1])
        let rogues = try await inThread {
          // It was there before the others, and has all but NOISE_1 behind it.
          var late = try RogueReceiver(to: port, claiming: .code(right))
          try late.approach()
          var rogues: [RogueReceiver] = []
          for step in 1...3 {
            var rogue = try RogueReceiver(to: port, claiming: .code(right.wrong(step)))
            try rogue.approach()
            try rogue.knock()
            rogue.listen()
            rogues.append(rogue)
          }
          try late.knock()
          late.listen()
          return rogues + [late]
        }
        for rogue in rogues.dropLast() { #expect(rogue.types == [.welcome, .pakeS, .abort]) }
        #expect(rogues.last?.isKeptOut == true, "\(rogues.last?.types ?? [])")
        try await Self.expectBurnt(try await sending.finish(), sender, by: rogues)
      }
    }

    private static func expectBurnt(_ sent: ProcessResult, _ sender: BumpUser, by rogues: [RogueReceiver]) async throws
    {
      let refusal = AbortReason.authentication.frame.bytes
      #expect(rogues.count { $0.frames.last == refusal } >= 3, "\(rogues.map(\.types))")
      #expect(judgements(sent) == 3, "\(sent)")
      #expect(sent.status == 6, "\(sent)")
      #expect(!(sent.standardOutput + sent.standardError).contains("https://"), "\(sent)")
      #expect(try !sent.events.contains { $0.string("event") == "fallback" }, "\(sent)")
      #expect(try await sender.history().map { $0.string("state") } == ["new"])
    }

    @Test func `a slip stops at NOISE_1, costs one guess, and the right code still brings the claim`() async throws {
      try await withUsers { sender, receiver in
        let bump = InterceptedBump(in: .code, sender, receiver)
        let (sending, port, credential) = try await bump.send()
        let slip = try OneTimeCode(credential[1]).wrong()
        let proxy = try Proxy()
        do {
          let receiving = try await bump.receive(port: proxy.port, ["--code", slip.exposed])
          proxy.start(to: port) { _ in .forward }
          let mistaken = try await receiving.finish()
          await proxy.close()
          #expect(mistaken.status == 6, "\(mistaken)")
        } catch {
          await proxy.close()
          throw error
        }
        let came = proxy.transcript.came
        #expect(came.filter { $0.direction == .fromReceiver }.map(\.type) == [.hello, .pakeR, .noise1], "\(came)")
        #expect(came.filter { $0.direction == .fromSender }.map(\.type) == [.welcome, .pakeS, .abort], "\(came)")

        let received = try await bump.receive(port: port, credential).finish()
        let sent = try await sending.finish()
        #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
        #expect(Self.judgements(sent) == 1, "\(sent)")
      }
    }
  }
}
