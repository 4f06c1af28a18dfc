import BumpClaims
import BumpFaults
import BumpWire
import Lab
import Measures
import Testing

extension HostileTests {
  /// Somebody in the middle of two real processes who cannot read, but can meddle.
  @Suite struct MiddleTests {
    @Test(arguments: Course.allCases)
    func `what each end says is true, whatever became of a frame`(course: Course) async throws {
      try await withParties { first, second in
        let once = Encounter(in: course, first, second)
        let (earlier, key) = (try await Self.undisturbed(once), once.key)
        await Seeds.each(quick: 0..<2, thorough: 36) { seed in
          let attack = Attack(in: course, seed: seed)
          let outcome = try await withParties { sender, receiver in
            // With the key of the earlier session: that it is the same must not help.
            try await Encounter(in: course, sender, receiver, key: key).run(under: attack.plan, earlier: earlier)
          }
          let what = "\(course), seed \(seed): \(attack)"
          outcome.expectTruth(in: course, what)
          outcome.expectTruthOfKeys(what)
          Self.expectEffect(of: attack, outcome, course, what)
        }
      }
    }

    /// One bit of one byte, in every connection. In memory it is every bit of every frame (BitFlipTests and
    /// RememberingVectorTests of BumpSessionTests); here, where a byte takes seconds, it is one byte of every third
    /// frame, the last among them, and each byte with `--all`.
    @Test(arguments: Course.allCases)
    func `a flipped bit in any byte of any frame gets nobody a claim, and what each end says is true`(course: Course)
      async throws
    {
      try await withParties { first, second in
        let once = Encounter(in: course, first, second)
        let frames = try await Self.undisturbed(once)
        let bytes = frames.flatMap { frame in frame.bytes.indices.map { (place: frame.place, byte: $0) } }
        #expect(bytes.count > 400)
        let middles = stride(from: frames.count - 1, through: 0, by: -3).map { number in
          (place: frames[number].place, byte: frames[number].bytes.count / 2)
        }
        let chosen = Array((Measure.isThorough ? bytes : middles).enumerated())
        await Seeds.each(chosen, named: { "\(course), \($0.element)" }) { offset, flip in
          // Another bit of the next byte: all eight are among any eight bytes.
          let bit = flip.byte * 8 + offset % 8
          let outcome = try await withParties { sender, receiver in
            try await Encounter(in: course, sender, receiver, key: once.key)
              .run(under: Attack(.alter(bit: bit), on: flip.place, everyTime: true).plan)
          }
          let what = "\(course), bit \(bit) of \(flip.place)"
          outcome.expectTruth(in: course, what)
          outcome.expectTruthOfKeys(what)
          let came = outcome.transcript.came.first { $0.place == flip.place }
          let went = outcome.transcript.went.first { $0.place == flip.place }
          #expect(came != nil && came?.bytes != went?.bytes, "it befell a frame: \(what)\n\(outcome)")
          Self.expectEnd(at: flip.place, everyTime: true, outcome, course, "\(what)\n\(outcome)")
        }
      }
    }

    /// Whose frame was harmed goes no further.
    private static func expectEnd(
      at place: Passage.Place, everyTime: Bool, _ outcome: Encounter.Outcome, _ course: Course, _ what: Comment
    ) {
      if place.isWithStored(in: course) {
        #expect(outcome.sent.status == 5 && outcome.taken.count == 1, what)
      } else if place.isWithClaim(in: course) {
        #expect(outcome.sent.status == 5 && outcome.taken.isEmpty, what)
      } else if everyTime {
        #expect(!outcome.claimCame(in: course), what)
      }
    }

    /// A whole session, as it went over the cable.
    private static func undisturbed(_ encounter: Encounter) async throws -> [Passage] {
      let outcome = try await Places.take(2) { try await encounter.run() }
      outcome.expectTruth(in: encounter.course, "\(encounter.course), undisturbed")
      outcome.expectTruthOfKeys("\(encounter.course), undisturbed")
      #expect((outcome.keys.ofReceiver?.isConfirmed == true) == (encounter.course == .remembering), "\(outcome)")
      #expect(outcome.sent.status == 0 && outcome.received.status == 0, "\(outcome)")
      #expect(outcome.transcript.went.map(\.place).count == Passage.Place.all(in: encounter.course).count, "\(outcome)")
      return outcome.transcript.went
    }

    private static func expectEffect(of attack: Attack, _ outcome: Encounter.Outcome, _ course: Course, _ what: String)
    {
      let what: Comment = "\(what)\n\(outcome)"
      #expect(outcome.transcript.came.contains { $0.place == attack.place }, "it befell a frame: \(what)")
      switch attack.effect {
      case .delay:
        #expect(outcome.sent.status == 0 && outcome.received.status == 0, what)
      case .drop, .cutInside, .replay:
        Self.expectEnd(at: attack.place, everyTime: attack.everyTime, outcome, course, what)
      case .again, .swap:
        break
      default: Issue.record("an effect that nothing is expected of: \(what)")
      }
    }
  }
}
