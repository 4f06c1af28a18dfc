import BumpClaims
import BumpWire
import Lab
import Testing

extension HostileTests {
  /// Somebody in the middle who is a receiver to the sender and a sender to the receiver.
  @Suite struct ImpostorTests {
    private struct Met {
      let sent: ProcessResult
      let received: ProcessResult
      let taken: [JSONObject]
      let given: [JSONObject]
      let seen: Impostor.Seen

      var description: String { "\(sent)\n\(received)\n\(seen)" }

      func digits(_ finished: ProcessResult) throws -> String? {
        try finished.events.first { $0.string("event") == "digits" }?.string("digits")
      }
    }

    /// - Parameter claiming: what the impostor says they know, from what the receiver was given.
    private func meet(
      in mode: Mode, relay: Impostor.Relay = .asRead,
      claiming: (_ receivers: [String]) throws -> (toSender: Credential, toReceiver: Credential)
    ) async throws -> Met {
      try await withUsers { sender, receiver in
        let bump = InterceptedBump(in: SessionKind(mode), sender, receiver)
        let (sending, port, credential) = try await bump.send()
        let (toSender, toReceiver) = try claiming(credential)
        let impostor = try Impostor()
        do {
          let receiving = try await bump.receive(port: impostor.port, credential)
          impostor.start(to: port, claiming: toSender, toReceiver, relay: relay)
          let sent = try await sending.finish()
          let received = try await receiving.finish()
          await impostor.close()
          return Met(
            sent: sent, received: received, taken: try await receiver.claims(), given: try await sender.claims(),
            seen: impostor.seen)
        } catch {
          await impostor.close()
          throw error
        }
      }
    }

    @Test func `in mode open the digits differ, though all else goes well`() async throws {
      await Seeds.each(quick: 0..<2, thorough: 10) { _ in
        let met = try await meet(in: .open, relay: .withOwnMAC) { _ in (.none, .none) }
        let (here, there) = (try #require(try met.digits(met.sent)), try #require(try met.digits(met.received)))
        #expect(here != there, "\(met.description)")
        // Mode open promises no more: the impostor has read the claim, and nobody can tell but by the digits.
        #expect(met.sent.status == 0 && met.received.status == 0, "\(met.description)")
        #expect(met.taken.map(\.payload) == met.given.map(\.payload), "\(met.description)")
      }
    }

    @Test func `a CLAIM passed on from another session is refused by its mac, and is unknown`() async throws {
      let met = try await meet(in: .open) { _ in (.none, .none) }
      #expect(met.seen.messages.contains { if case .claim = $0 { true } else { false } }, "\(met.description)")
      #expect(met.received.status == 6 && met.taken.isEmpty, "\(met.description)")
      #expect(met.sent.status == 5, "\(met.description)")
    }

    /// What somebody without the secret may say to the receiver.
    enum Pretence: CaseIterable, Sendable { case sameMode, open, otherMode }

    @Test func `without the code or the key nothing sealed leaves the sender, and the receiver stores nothing`()
      async throws
    {
      let pretences = Pretence.allCases.count
      await Seeds.each(quick: 0..<UInt64(2 * pretences), thorough: 2 * pretences) { seed in
        let pretence = Pretence.allCases[Int(seed) % pretences]
        try await expectNothing(in: Int(seed) / pretences % 2 == 0 ? .code : .key, pretence)
      }
    }

    private func expectNothing(in mode: Mode, _ pretence: Pretence) async throws {
      let met = try await meet(in: mode) { receivers in
        let guess = try Self.guess(mode, receivers)
        switch pretence {
        case .sameMode: return (guess, guess)
        case .open: return (.none, .none)
        case .otherMode: return (guess, try Self.guess(mode == .code ? .key : .code, receivers))
        }
      }
      #expect(!met.seen.fromSender.isEmpty, "it did come to the sender: \(met.description)")
      #expect(!met.seen.fromSender.contains { [.noise2, .sealed].contains($0) }, "\(met.description)")
      #expect(met.seen.messages.isEmpty, "\(met.description)")
      #expect(met.taken.isEmpty && [3, 6].contains(met.received.status), "\(met.description)")
      #expect([3, 6].contains(met.sent.status), "\(met.description)")
      #expect(try met.digits(met.sent) == nil && met.digits(met.received) == nil, "\(met.description)")
    }

    /// A code of the same channel, or a key, that is not theirs.
    private static func guess(_ mode: Mode, _ receivers: [String]) throws -> Credential {
      guard mode == .code else { return .key(try #require(SharedKey([UInt8](repeating: 7, count: SharedKey.length)))) }
      let right = receivers.last?.contains("-") == true && receivers.first == "--code" ? receivers[1] : "27-482915"
      return .code(try OneTimeCode(right.dropLast() + (right.last == "0" ? "1" : "0")))
    }
  }
}
