import BumpClaims
import BumpWire
import Foundation
import GRDB
import Glibc
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// A store that was lost, and its backup.
  @Suite struct Restore {
    private let place: TemporaryDirectory
    private var backup: String { place.path("copy.sqlite") }

    init() throws { place = try TemporaryDirectory() }

    /// A store with a claim in each state but released, and one that was received; its backup; and then it is lost.
    private func lose() async throws -> [HandoverState: ClaimID] {
      let store = try await ClaimStore.open(at: place.store)
      var ids: [HandoverState: ClaimID] = [:]
      for state in [HandoverState.new, .linkShown, .unknown, .delivered, .lost] {
        let id = try await create(store).claim.id
        ids[state] = id
        switch state {
        case .new: break
        case .linkShown: _ = try await store.showLink(of: id)
        default:
          #expect(try await release(id, in: store, at: ClockReading(unix: 1, sinceBoot: 1, bootID: "before")))
          try await store.record(.unknown, of: id)
          if state != .unknown { _ = try await store.settle(id, as: state) }
        }
        #expect(try await store.outgoing(id)?.state == state)
      }
      #expect(try await store.store(received(claim())) == .stored)
      let (source, copy) = (try DatabaseQueue(path: place.store), try DatabaseQueue(path: backup))
      try source.backup(to: copy)
      try source.close()
      try copy.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: place.directory) where name != "copy.sqlite" {
        try FileManager.default.removeItem(atPath: place.path(name))
      }
      return ids
    }

    @Test func `what may have been sent since the backup is unknown, and all else is as it was`() async throws {
      let ids = try await lose()
      let restored = try await ClaimStore.restore(backup, to: place.store)
      #expect(restored == RestoredStore(sent: 5, received: 1, doubtful: 2))
      let store = try await ClaimStore.open(at: place.store)
      let states: [HandoverState: HandoverState] = [
        .new: .unknown, .lost: .unknown, .linkShown: .linkShown, .unknown: .unknown, .delivered: .delivered,
      ]
      for (before, after) in states {
        #expect(try await store.outgoing(#require(ids[before]))?.state == after, "\(before)")
      }
      for before in [HandoverState.new, .lost] {
        #expect(try await store.offerable(#require(ids[before])) == nil, "\(before)")
        #expect(try await !release(#require(ids[before]), from: before, in: store), "\(before)")
      }
      #expect(try await store.incoming(ClaimID("stranger")).count == 1)
      #expect(try place.mode("bump.sqlite") == 0o600)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.directory).allSatisfy { !$0.contains("-restore") })
    }

    @Test func `what may have been requested of a vault since the backup counts as requested by an unknown request`()
      async throws
    {
      let store = try await ClaimStore.open(at: place.store)
      var claims: [Funding.Status: Claim] = [:]
      for status in Funding.Status.allCases {
        let claim = try await create(store)
        claims[status] = claim.claim
        _ = try await store.note(
          Funding(
            vault: "https://vault.example", ledgerID: "0x01", status: status, account: "0x02", request: "{}",
            receipt: status.isSettled ? "{}" : nil, updatedAt: 1), of: claim.claim, expiry: claim.expiry, .outgoing)
      }
      let received = try claim()
      _ = try await store.note(
        Funding(vault: "https://vault.example", ledgerID: "0x01", status: .asked, request: "{}", updatedAt: 1),
        of: received, expiry: #require(Expiry(unixSeconds: 100)), .incoming)
      let copy = try DatabaseQueue(path: backup)
      try DatabaseQueue(path: place.store).backup(to: copy)
      try copy.close()
      let path = place.path("restored.sqlite")
      _ = try await ClaimStore.restore(backup, to: path)

      let restored = try await ClaimStore.open(at: path)
      for (before, claim) in claims {
        let funding = try #require(await restored.funding(of: claim, .outgoing))
        let isDoubtful = before == .asked || before == .refused
        #expect(funding.status == (isDoubtful ? .asked : before), "\(before)")
        #expect(funding.request == (isDoubtful ? nil : "{}") && funding.account == "0x02", "\(before)")
      }
      #expect(try await restored.funding(of: received, .incoming)?.request == "{}")
    }

    @Test func `a store that is there is not overwritten`() async throws {
      _ = try await lose()
      let newer = try await create(ClaimStore.open(at: place.store)).claim
      let error = await #expect(throws: StoreError.self) { try await ClaimStore.restore(backup, to: place.store) }
      #expect(error?.reason.contains("it is there already") == true, "\(String(describing: error))")
      #expect(try await ClaimStore.open(at: place.store).outgoing(newer.id) != nil)
    }

    @Test func `the journal of the lost store is not rolled back into the restored one`() async throws {
      let ids = try await lose()
      try Data(repeating: 0xD9, count: 4096).write(to: URL(filePath: place.store + "-journal"))
      _ = try await ClaimStore.restore(backup, to: place.store)
      #expect(!FileManager.default.fileExists(atPath: place.store + "-journal"))
      #expect(try await ClaimStore.open(at: place.store).outgoing(#require(ids[.delivered]))?.state == .delivered)
    }

    @Test(arguments: ["nothing", "no database", "an empty file", "another database"])
    func `what is no backup makes no store`(what: String) async throws {
      switch what {
      case "nothing": break
      case "no database": try Data("BEGIN:VCARD".utf8).write(to: URL(filePath: backup))
      case "an empty file": try Data().write(to: URL(filePath: backup))
      default: try await DatabaseQueue(path: backup).write { try $0.execute(sql: "CREATE TABLE outgoing (x)") }
      }
      await #expect(throws: StoreError.self) { try await ClaimStore.restore(backup, to: place.store) }
      let left = try FileManager.default.contentsOfDirectory(atPath: place.directory)
      #expect(left.allSatisfy { $0.hasPrefix("copy.sqlite") }, "\(left)")
    }

    @Test func `a backup that others can change, or put another in the place of, makes no store`() async throws {
      _ = try await lose()
      let folder = place.path("backups")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let moved = folder + "/copy.sqlite"
      try FileManager.default.moveItem(atPath: backup, toPath: moved)
      func expectRefusal(_ words: String) async throws {
        let error = await #expect(throws: StoreError.self) { try await ClaimStore.restore(moved, to: place.store) }
        #expect(error?.reason.contains("the backup \(moved) \(words)") == true, "\(String(describing: error))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory) == ["backups"])
      }
      for mode: mode_t in [0o666, 0o620, 0o602] {
        #expect(chmod(moved, mode) == 0)
        try await expectRefusal("can be changed by others")
      }
      #expect(chmod(moved, 0o644) == 0)
      for mode: mode_t in [0o777, 0o770, 0o1777] {
        #expect(chmod(folder, mode) == 0)
        try await expectRefusal("is not used: others can write in the directory \(folder)")
      }
      #expect(chmod(folder, 0o755) == 0)
      #expect(try await ClaimStore.restore(moved, to: place.store).sent == 5)
    }

    @Test func `what a killed restore has left is not in the way`() async throws {
      _ = try await lose()
      try Data("half".utf8).write(to: URL(filePath: place.store + "-restore"))
      #expect(try await ClaimStore.restore(backup, to: place.store).sent == 5)
    }
  }
}
