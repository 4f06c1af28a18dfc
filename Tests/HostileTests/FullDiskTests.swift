import BumpWire
import Glibc
import Lab
import Testing

extension HostileTests {
  /// The receiver's disk is full from the first frame on, and half the time somebody is killed too.
  @Suite(.live) struct FullDiskTests {
    @Test func `a claim that finds no room is never called delivered, and comes by its link later`() async throws {
      await Seeds.each(share: 8, of: 96) { seed in
        try await withParties { sender, receiver in
          let disk = try await Disk.mounted(at: receiver.directory)
          do {
            try await Self.run(seed, sender, disk.on(receiver), disk)
          } catch {
            try await disk.unmount()
            throw error
          }
          try await disk.unmount()
        }
      }
    }

    private static func run(_ seed: UInt64, _ sender: Party, _ receiver: Party, _ disk: Disk) async throws {
      let death = seed % 2 == 0 ? nil : Death(seed: seed)
      let mode = death?.mode ?? Mode.allCases[Int(seed / 2 % 3)]
      let what = "seed \(seed): mode \(mode), disk full, \(death.map { "\($0)" } ?? "nobody killed")"
      let outcome = try await Encounter(in: mode, sender, receiver).run { passage, processes in
        // HELLO: the receiver has found room in its store by then.
        if passage.connection == 0, passage.place == .init(direction: .fromReceiver, number: 0) { disk.fill() }
        return death?.fate(of: passage, processes) ?? .forward
      }
      if death == nil {
        #expect(outcome.sent.status == 5 && outcome.taken.isEmpty, "\(what)\n\(outcome)")
        #expect(outcome.received.status == 1, "it says that it could not be stored: \(what)\n\(outcome)")
      }
      try disk.empty()
      try await expectWhole(outcome, sender, receiver, what)
    }
  }
}
