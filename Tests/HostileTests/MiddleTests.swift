import BumpClaims
import BumpFaults
import BumpWire
import Lab
import Measures
import Testing

extension HostileTests {
  /// Somebody in the middle of two real processes who cannot read, but can meddle.
  @Suite struct MiddleTests {
    @Test(arguments: SessionKind.allCases)
    func `what each end says is true, whatever became of a frame`(kind: SessionKind) async throws {
      try await withUsers { first, second in
        let once = InterceptedBump(in: kind, first, second)
        let (earlier, key) = (try await Self.undisturbed(once), once.key)
        await Seeds.each(quick: 0..<2, thorough: 36) { seed in
          let attack = Attack(in: kind, seed: seed)
          let outcome = try await withUsers { sender, receiver in
            // With the key of the earlier session: that it is the same must not help.
            try await InterceptedBump(in: kind, sender, receiver, key: key).run(under: attack.plan, earlier: earlier)
          }
          let what = "\(kind), seed \(seed): \(attack)"
          outcome.expectTruth(in: kind, what)
          outcome.expectTruthOfKeys(what)
          Self.expectEffect(of: attack, outcome, kind, what)
        }
      }
    }

    /// One bit of one byte, in every connection. In memory it is every bit of every frame (BitFlipTests and
    /// RememberingVectorTests of BumpSessionTests); here, where a byte takes seconds, it is one byte of every third
    /// frame, the last among them, and each byte with `--all`.
    @Test(arguments: SessionKind.allCases)
    func `a flipped bit in any byte of any frame gets nobody a claim, and what each end says is true`(kind: SessionKind)
      async throws
    {
      try await withUsers { first, second in
        let once = InterceptedBump(in: kind, first, second)
        let frames = try await Self.undisturbed(once)
        let bytes = frames.flatMap { frame in frame.bytes.indices.map { (place: frame.place, byte: $0) } }
        #expect(bytes.count > 400)
        let middles = stride(from: frames.count - 1, through: 0, by: -3).map { number in
          (place: frames[number].place, byte: frames[number].bytes.count / 2)
        }
        let chosen = Array((Measure.isThorough ? bytes : middles).enumerated())
        await Seeds.each(chosen, named: { "\(kind), \($0.element)" }) { offset, flip in
          // Another bit of the next byte: all eight are among any eight bytes.
          let bit = flip.byte * 8 + offset % 8
          let outcome = try await withUsers { sender, receiver in
            try await InterceptedBump(in: kind, sender, receiver, key: once.key)
              .run(under: Attack(.alter(bit: bit), on: flip.place, everyTime: true).plan)
          }
          let what = "\(kind), bit \(bit) of \(flip.place)"
          outcome.expectTruth(in: kind, what)
          outcome.expectTruthOfKeys(what)
          let came = outcome.transcript.came.first { $0.place == flip.place }
          let went = outcome.transcript.went.first { $0.place == flip.place }
          #expect(came != nil && came?.bytes != went?.bytes, "it befell a frame: \(what)\n\(outcome)")
          Self.expectEnd(at: flip.place, everyTime: true, outcome, kind, "\(what)\n\(outcome)")
        }
      }
    }

    /// Whose frame was harmed goes no further.
    private static func expectEnd(
      at place: InterceptedFrame.Position, everyTime: Bool, _ outcome: InterceptedBump.Outcome, _ kind: SessionKind,
      _ what: Comment
    ) {
      if place.isWithStored(in: kind) {
        #expect(outcome.sent.status == 5 && outcome.taken.count == 1, what)
      } else if place.isWithClaim(in: kind) {
        #expect(outcome.sent.status == 5 && outcome.taken.isEmpty, what)
      } else if everyTime {
        #expect(!outcome.claimCame(in: kind), what)
      }
    }

    /// A whole session, as it went over the cable.
    private static func undisturbed(_ bump: InterceptedBump) async throws -> [InterceptedFrame] {
      let outcome = try await ProcessSlots.take(2) { try await bump.run() }
      outcome.expectTruth(in: bump.kind, "\(bump.kind), undisturbed")
      outcome.expectTruthOfKeys("\(bump.kind), undisturbed")
      #expect((outcome.keys.ofReceiver?.isConfirmed == true) == (bump.kind == .remembering), "\(outcome)")
      #expect(outcome.sent.status == 0 && outcome.received.status == 0, "\(outcome)")
      #expect(
        outcome.transcript.went.map(\.place).count == InterceptedFrame.Position.all(in: bump.kind).count, "\(outcome)")
      return outcome.transcript.went
    }

    private static func expectEffect(
      of attack: Attack, _ outcome: InterceptedBump.Outcome, _ kind: SessionKind, _ what: String
    ) {
      let what: Comment = "\(what)\n\(outcome)"
      #expect(outcome.transcript.came.contains { $0.place == attack.place }, "it befell a frame: \(what)")
      switch attack.effect {
      case .delay:
        #expect(outcome.sent.status == 0 && outcome.received.status == 0, what)
      case .drop, .cutInside, .replay:
        Self.expectEnd(at: attack.place, everyTime: attack.everyTime, outcome, kind, what)
      case .again, .swap:
        break
      default: Issue.record("an effect that nothing is expected of: \(what)")
      }
    }
  }
}
