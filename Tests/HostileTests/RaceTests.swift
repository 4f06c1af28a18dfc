import BumpClaims
import BumpWire
import Foundation
import Lab
import Testing

extension HostileTests {
  /// Receivers that come before the one who was meant.
  @Suite struct RaceTests {
    @Test func `who knows the code or the key gets the claim though three others came first, or nobody does`()
      async throws
    {
      await Seeds.each(quick: 0..<3, thorough: 12, isLong: true) { seed in
        try await withUsers { sender, receiver in
          try await Self.run(Race(seed: seed), "seed \(seed)", sender, receiver)
        }
      }
    }

    private static func run(_ race: Race, _ seed: String, _ sender: BumpUser, _ receiver: BumpUser) async throws {
      let bump = InterceptedBump(in: SessionKind(race.mode), sender, receiver)
      let (sending, port, credential) = try await bump.send()
      let runners = try await inThread { try race.runners(to: port, credential) }
      async let mute = inThreads(runners.filter { $0.pretence == .mute }) { try $0.finished() }
      async let others = inThreads(runners.filter { $0.pretence != .mute }) { try $0.finished() }
      if race.isOver { _ = try await others }
      let received = try await bump.receive(port: port, credential).finish()
      let sent = try await sending.finish()
      let told = try await mute + others

      let (given, taken) = (try await sender.claims(), try await receiver.claims())
      let what: Comment = "\(seed): \(race)\n\(told.map(\.rogue.types))\n\(sent)\n\(received)"
      if sent.status == 6 {
        #expect(race.canBurn, what)
        #expect([3, 6].contains(received.status) && taken.isEmpty, what)
        #expect(given.map { $0.string("state") } == ["new"], what)
      } else {
        #expect(!race.canBurn || !race.isOver, what)
        #expect(sent.status == 0 && received.status == 0, what)
        #expect(given.count == 1 && taken.map(\.payload) == given.map(\.payload), what)
      }
      try Self.expectIgnorance(of: told, about: try #require(given.first, what), what)
    }

    private static func expectIgnorance(of told: [Race.Runner], about claim: JSONObject, _ what: Comment) throws {
      let secret = try #require(claim.string("secret").flatMap { Data(base64Encoded: $0) }, what)
      let texts = ["claimId", "amount", "token", "secret"].compactMap { claim.string($0) }
      #expect(told.count == 3 && secret.count == 16 && texts.count == 4, what)
      for runner in told {
        #expect(runner.rogue.isKeptOut, what)
        #expect(runner.pretence == .mute || runner.rogue.types.first == .welcome, "it was there: \(what)")
        let heard = Data(runner.rogue.frames.joined())
        for piece in [secret] + texts.map({ Data($0.utf8) }) {
          #expect(heard.range(of: piece) == nil, what)
        }
      }
    }
  }
}
