import BumpFaults
import BumpWire
import Foundation
import Lab
import Synchronization
import Testing

extension HostileTests {
  /// The power is cut at the moment of each answer: whatever was said is so after it.
  @Suite(.live, .needs(.loopDevices), .needs(.fuse), .processes(3)) struct PowerCutTests {
    /// What the history says after a cut.
    private func states(_ user: BumpUser, _ drive: Drive, _ cut: String) async throws -> [String?] {
      try await drive.afterCut(cut, { try await $0.history().map { $0.string("state") } }, of: user)
    }

    /// In every mode, since a code and a key add steps of their own.
    @Test(arguments: Drive.FileSystem.measured, Mode.allCases.map(SessionKind.init))
    func `at each step of a bump either end still knows after a power cut what it let the other know`(
      fileSystem: Drive.FileSystem, kind: SessionKind
    ) async throws {
      try await withDrive(fileSystem) { drive in
        let (alice, bob) = (drive.user("alice"), drive.user("bob"))
        let key = FileManager.default.temporaryDirectory.appending(path: "bump-\(UUID().uuidString).key").path
        defer { try? FileManager.default.removeItem(atPath: key) }
        var bump = InterceptedBump(in: kind, alice, bob, key: key)
        // No time is tested here: each flush goes through nbdkit, and a claim is to be in flight still when it is read.
        bump.sendTimeout = 60
        let (sending, port, credential) = try await bump.send()
        // It can be found by now.
        try drive.cut("advertised")
        // It allows for more than 5 s, and says so by HOLD first.
        let claim = InterceptedFrame.Position(
          direction: .fromSender, number: InterceptedFrame.Position.claim(in: kind).number + 1)
        let proxy = try Proxy()
        let receiving = try await bump.receive(port: proxy.port, credential)
        proxy.start(to: port) { frame in
          #expect(throws: Never.self) {
            if frame.place == claim { try drive.cut("claimed") }
            if frame.place == .stored(in: kind) { try drive.cut("stored") }
          }
          return .forward
        }
        let sent = try await sending.finish()
        try drive.cut("delivered")
        let received = try await receiving.finish()
        try drive.cut("received")
        await proxy.close()
        #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")

        #expect(try await states(alice, drive, "advertised") == ["new"])
        #expect(try await states(alice, drive, "claimed") == ["released"])
        #expect(try await states(bob, drive, "stored") == ["received"])
        #expect(try await states(alice, drive, "delivered") == ["delivered"])
        #expect(try await states(bob, drive, "received") == ["received"])
        let kept = try await drive.afterCut("stored", { try await $0.claims().map(\.payload) }, of: bob)
        #expect(try await kept == alice.claims().map(\.payload))
      }
    }

    @Test(arguments: Drive.FileSystem.measured)
    func `a claim that is called unknown is unknown after a power cut, and settled once that is said`(
      fileSystem: Drive.FileSystem
    ) async throws {
      try await withDrive(fileSystem) { drive in
        let (alice, bob) = (drive.user("alice"), drive.user("bob"))
        let silence = Attack(.drop, on: .stored(in: .open), everyTime: true)
        let outcome = try await InterceptedBump(in: .open, alice, bob).run(under: silence.plan)
        try drive.cut("unknown")
        #expect(outcome.sent.status == 5, "\(outcome)")
        let id = try #require(outcome.given.first?.string("claimId"))
        try await alice.passDeadline()
        for verdict in ["lost", "delivered"] {
          let settled = try await alice.run("settle", id, "--\(verdict)")
          try drive.cut(verdict)
          #expect(settled.status == 0, "\(settled)")
        }
        for state in ["unknown", "lost", "delivered"] {
          #expect(try await states(alice, drive, state) == [state])
        }
      }
    }

    @Test(arguments: Drive.FileSystem.measured)
    func `a link that was shown, and a claim that came by one, are known after a power cut`(
      fileSystem: Drive.FileSystem
    ) async throws {
      try await withDrive(fileSystem) { drive in
        let (alice, bob) = (drive.user("alice"), drive.user("bob"))
        let shown = try await alice.run("send", "1.00", "--link-only")
        try drive.cut("shown")
        #expect(shown.status == 0, "\(shown)")
        let received = try await bob.run("receive", "--link", shown.lines.last ?? "")
        try drive.cut("received")
        #expect(received.status == 0, "\(received)")
        let kept = try await alice.run(
          "send", "2.00", "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never")
        try drive.cut("kept")
        #expect(kept.status == 3, "\(kept)")
        let id = try #require(try await alice.history().first?.string("claimId"))
        let again = try await alice.run("link", id)
        try drive.cut("again")
        #expect(again.status == 0, "\(again)")

        #expect(try await states(alice, drive, "shown") == ["linkShown"])
        #expect(try await states(bob, drive, "received") == ["received"])
        #expect(try await states(alice, drive, "kept") == ["new", "linkShown"])
        #expect(try await states(alice, drive, "again") == ["linkShown", "linkShown"])
      }
    }

    @Test(arguments: Drive.FileSystem.measured)
    func `who is called remembered or forgotten is so after a power cut, and a new key's file is there`(
      fileSystem: Drive.FileSystem
    ) async throws {
      try await withDrive(fileSystem) { drive in
        let (alice, bob) = (drive.user("alice"), drive.user("bob"))
        let sending = try await alice.start(
          ["send", "1.00", "--discovery", "none", "--code", "--remember", "bob", "--json"])
        let port = try await sending.event("advertising").number("port").map { UInt16($0) } ?? 0
        let line = try await sending.line(on: .error) { $0.contains("The code is ") }
        let code = line.firstMatch(of: /\d{1,2}-\d{6}/).map { String($0.output) } ?? ""
        let receiving = try await bob.start(
          ["receive", "--peer", "127.0.0.1:\(port)", "--code", code, "--remember", "alice", "--yes", "--json"])
        let received = try await receiving.finish()
        try drive.cut("bob")
        let sent = try await sending.finish()
        try drive.cut("alice")
        #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
        let forgotten = try await alice.run("key", "forget", "bob")
        try drive.cut("forgotten")
        #expect(forgotten.status == 0, "\(forgotten)")
        let made = try await alice.run("key", "new", "\(alice.directory)/bump.key")
        try drive.cut("key")
        #expect(made.status == 0, "\(made)")

        for (cut, user, names) in [("bob", bob, "alice\n"), ("alice", alice, "bob\n"), ("forgotten", alice, "")] {
          let listed = try await drive.afterCut(cut, { try await $0.run("key", "list") }, of: user)
          #expect(listed.status == 0 && listed.standardOutput == names, "\(listed)")
        }
        try await drive.afterCut(
          "key",
          { alice in
            let file = "/proc/self/root\(alice.directory)/bump.key"
            let read = try await RunningProcess.start(alice.prefix + ["wc", "-c", file]).finish()
            #expect(read.standardOutput.hasPrefix("45 "), "32 bytes in base64, and a newline: \(read)")
          }, of: alice)
      }
    }
  }
}
