import BumpWire
import Lab
import Testing

extension HostileTests {
  /// Somebody in the middle of two real processes who cannot read, but can meddle.
  @Suite struct MiddleTests {
    @Test(arguments: Mode.allCases)
    func `what each end says is true, whatever became of a frame`(mode: Mode) async throws {
      try await withParties { first, second in
        let once = Encounter(in: mode, first, second)
        let (earlier, key) = (try await Self.undisturbed(once), once.key)
        await Seeds.each(share: Mode.allCases.count, of: 105) { seed in
          let attack = Attack(in: mode, seed: seed)
          let outcome = try await withParties { sender, receiver in
            // With the key of the earlier session: that it is the same must not help.
            var encounter = Encounter(in: mode, sender, receiver, key: key)
            // What is lost is waited for; where nothing is, a busy machine is no attack.
            if attack.kind != .delay { encounter.sendTimeout = 2 }
            return try await encounter.run { passage, _ in
              attack.fate(of: passage, earlier: earlier)
            }
          }
          let what = "mode \(mode), seed \(seed): \(attack)"
          outcome.expectTruth(in: mode, what)
          Self.expectEffect(of: attack, outcome, mode, what)
        }
      }
    }

    /// A whole session, as it went over the cable.
    private static func undisturbed(_ encounter: Encounter) async throws -> [Passage] {
      let outcome = try await encounter.run { _, _ in .forward }
      outcome.expectTruth(in: encounter.mode, "mode \(encounter.mode), undisturbed")
      #expect(outcome.sent.status == 0 && outcome.received.status == 0, "\(outcome)")
      #expect(outcome.transcript.went.map(\.place).count == Passage.Place.all(in: encounter.mode).count, "\(outcome)")
      return outcome.transcript.went
    }

    private static func expectEffect(of attack: Attack, _ outcome: Encounter.Outcome, _ mode: Mode, _ what: String) {
      let what: Comment = "\(what)\n\(outcome)"
      #expect(outcome.transcript.came.contains { $0.place == attack.place }, "it befell a frame: \(what)")
      switch attack.kind {
      case .delay:
        #expect(outcome.sent.status == 0 && outcome.received.status == 0, what)
      case .flip, .drop, .cut, .replay:
        // Whose frame was harmed goes no further.
        if attack.place == .stored(in: mode) {
          #expect(outcome.sent.status == 5 && outcome.taken.count == 1, what)
        } else if attack.place == .claim(in: mode) {
          #expect(outcome.sent.status == 5 && outcome.taken.isEmpty, what)
        } else if attack.everyTime {
          #expect(!outcome.claimCame(in: mode), what)
        }
      case .double, .reorder:
        break
      }
    }
  }
}
