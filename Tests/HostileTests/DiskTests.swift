import BumpWire
import Glibc
import Lab
import Testing

extension HostileTests {
  /// One side's disk takes nothing from the first frame on, and half the time somebody is killed too.
  @Suite(.live) struct DiskTests {
    enum Trouble: CaseIterable, Sendable { case full, readOnly }

    @Test(arguments: Trouble.allCases, Death.Victim.allCases)
    func `a claim that cannot be written down is never called delivered, and comes by its link later`(
      trouble: Trouble, side: Death.Victim
    ) async throws {
      await Seeds.each(share: 16, of: 96) { seed in
        try await withParties { sender, receiver in
          let party = side == .sender ? sender : receiver
          let disk = try await Disk.mounted(at: party.directory)
          do {
            let onDisk = disk.on(party)
            let parties = side == .sender ? (onDisk, receiver) : (sender, onDisk)
            try await Self.run(seed, parties.0, parties.1, disk, trouble, side)
          } catch {
            try await disk.unmount()
            throw error
          }
          try await disk.unmount()
        }
      }
    }

    private static func run(
      _ seed: UInt64, _ sender: Party, _ receiver: Party, _ disk: Disk, _ trouble: Trouble, _ side: Death.Victim
    ) async throws {
      let death = seed % 2 == 0 ? nil : Death(seed: seed)
      let mode = death?.mode ?? Mode.allCases[Int(seed / 2 % 3)]
      let what =
        "seed \(seed): mode \(mode), \(side)'s disk \(trouble), \(death.map { "\($0)" } ?? "nobody killed")"
      // Beside their directories, where both see it.
      let encounter = Encounter(in: mode, sender, receiver, key: "\(sender.directory).key")
      let outcome = try await encounter.run { passage, processes in
        // HELLO: by then the sender has its claim, and the receiver found room in its store.
        if passage.connection == 0, passage.place == .init(direction: .fromReceiver, number: 0) {
          switch trouble {
          case .full: disk.fill()
          case .readOnly: disk.forbid()
          }
        }
        return death?.fate(of: passage, processes) ?? .forward
      }
      if death == nil {
        #expect(outcome.taken.isEmpty, "\(what)\n\(outcome)")
        switch side {
        case .sender: #expect(outcome.sent.status == 1 && outcome.received.status == 3, "\(what)\n\(outcome)")
        // It says that the claim could not be stored, and the sender that it may have been.
        case .receiver: #expect(outcome.sent.status == 5 && outcome.received.status == 1, "\(what)\n\(outcome)")
        }
      }
      disk.mend()
      try await expectWhole(outcome, sender, receiver, what)
    }

    @Test(arguments: ["send --amount 1.00", "receive"])
    func `a store that is read-only is said before anything is announced`(command: String) async throws {
      try await withParties { sender, _ in
        let disk = try await Disk.mounted(at: sender.directory)
        disk.forbid()
        let finished = try await disk.on(sender).start(command.split(separator: " ").map(String.init) + ["--json"])
          .finish()
        #expect(finished.status == 1, "\(finished)")
        #expect(try finished.events.map { $0.string("event") } == ["result"], "\(finished)")
        disk.mend()
        try await disk.unmount()
      }
    }
  }
}
