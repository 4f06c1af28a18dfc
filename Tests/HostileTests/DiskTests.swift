import BumpWire
import Glibc
import Lab
import Testing

extension HostileTests {
  /// One side's disk takes nothing from the first frame on, and mostly somebody is killed too.
  @Suite(.live) struct DiskTests {
    /// `full` leaves what the store has set aside: free pages, and a journal of the size of a bump's.
    enum Trouble: CaseIterable, Sendable { case full, fullToTheLast, readOnly }

    /// For each case three runs without a death, one in each mode, and then runs with somebody killed.
    @Test(arguments: Trouble.allCases, KillPlan.Victim.allCases)
    func `a claim that cannot be written down is never called delivered, and comes by its link later`(
      trouble: Trouble, side: KillPlan.Victim
    ) async throws {
      await Seeds.each(quick: [0, 3], thorough: 20) { seed in
        try await withUsers { sender, receiver in
          let user = side == .sender ? sender : receiver
          let disk = try await Disk.mounted(at: user.directory)
          do {
            let onDisk = disk.on(user)
            let users = side == .sender ? (onDisk, receiver) : (sender, onDisk)
            try await Self.run(seed, users.0, users.1, disk, trouble, side)
          } catch {
            try await disk.unmount()
            throw error
          }
          try await disk.unmount()
        }
      }
    }

    private static func run(
      _ seed: UInt64, _ sender: BumpUser, _ receiver: BumpUser, _ disk: Disk, _ trouble: Trouble,
      _ side: KillPlan.Victim
    ) async throws {
      let killPlan = seed < 3 ? nil : KillPlan(seed: seed)
      let kind = killPlan?.kind ?? SessionKind(Mode.allCases[Int(seed % 3)])
      let isOld = seed / 3 % 2 == 1
      let what = """
        seed \(seed): \(kind), \(side)'s disk \(trouble), a store \(isOld ? "was" : "was not") there, \
        \(killPlan.map { "\($0)" } ?? "nobody killed")
        """
      if isOld { #expect(try await (side == .sender ? sender : receiver).run("key", "list").status == 0) }
      // Beside their directories, where both see it.
      let bump = InterceptedBump(in: kind, sender, receiver, key: "\(sender.directory).key")
      let outcome = try await bump.run { frame, processes in
        // HELLO: by then the sender has its claim, and the receiver found room in its store.
        if frame.connection == 0, frame.place == .init(direction: .fromReceiver, number: 0) {
          switch trouble {
          case .full: disk.fill(sparing: true)
          case .fullToTheLast: disk.fill(sparing: false)
          case .readOnly: #expect(throws: Never.self) { try disk.forbid() }
          }
        }
        return killPlan?.fate(of: frame, processes) ?? .forward
      }
      if killPlan == nil {
        let said = [outcome.sent.status, outcome.received.status]
        switch (trouble, side) {
        // The room was made before anybody was met.
        case (.full, _): #expect(said == [0, 0] && outcome.taken.count == 1, "\(what)\n\(outcome)")
        case (_, .sender): #expect(said == [1, 3] && outcome.taken.isEmpty, "\(what)\n\(outcome)")
        // It says that the claim could not be stored, and the sender that it may have been.
        case (_, .receiver): #expect(said == [5, 1] && outcome.taken.isEmpty, "\(what)\n\(outcome)")
        }
      }
      disk.mend()
      try await expectWhole(outcome, sender, receiver, what)
    }

    @Test(arguments: ["send 1.00", "receive"], [false, true])
    func `a store that is read-only is said before anything is announced`(command: String, isOld: Bool) async throws {
      try await expectNothingAnnounced(command, isOld: isOld) { try $0.forbid() }
    }

    @Test(arguments: ["send 1.00", "receive"], [false, true])
    func `a disk that is full is said before anything is announced`(command: String, isOld: Bool) async throws {
      try await expectNothingAnnounced(command, isOld: isOld) { $0.fill(sparing: false) }
    }

    private func expectNothingAnnounced(_ command: String, isOld: Bool, _ trouble: (Disk) throws -> Void) async throws {
      try await withUsers { sender, _ in
        let disk = try await Disk.mounted(at: sender.directory)
        let sender = disk.on(sender)
        if isOld { #expect(try await sender.run("key", "list").status == 0) }
        try trouble(disk)
        let finished = try await sender.start(command.split(separator: " ").map(String.init) + ["--json"]).finish()
        #expect(finished.status == 1, "\(finished)")
        #expect(try finished.events.map { $0.string("event") } == ["result"], "\(finished)")
        disk.mend()
        #expect(try await sender.history().isEmpty)
        try await disk.unmount()
      }
    }

    @Test func `on a disk that became full a store goes on with the room that it has set aside`() async throws {
      try await withUsers { sender, receiver in
        let disk = try await Disk.mounted(at: sender.directory)
        let sender = disk.on(sender)
        let first = try await sender.run("send", "1.00", "--link-only")
        disk.fill(sparing: true)
        let second = try await sender.run("send", "2.00", "--link-only")
        #expect(first.status == 0 && second.status == 0, "\(second)")
        for link in [first, second].compactMap(\.lines.last) {
          #expect(try await receiver.run("receive", "--link", link).status == 0)
        }
        #expect(try await sender.history().map { $0.string("amount") } == ["2.00", "1.00"])
        try await disk.unmount()
      }
    }
  }
}
