import BumpClaims
import BumpWire
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// A store that an earlier release left, as `Tests/Support/Stores/make.py` describes.
  @Suite struct OfBefore {
    private static let file = URL(filePath: #filePath).appending(path: "../../Support/Stores/of-0.1.0.sqlite")
      .standardized
    /// A day after it was made.
    private static let now: ClockReading = 1_795_384_237

    /// How each claim of its owner's stood then, and stands now, oldest first, all to bob where somebody is named: one
    /// that was released to a peer may have arrived, and one that was released without was shown as a link.
    private static let states: [(before: String, now: HandoverState, peer: String?)] = [
      ("new", .new, nil), ("released", .linkShown, nil), ("released", .unknown, "bob"), ("unknown", .unknown, "bob"),
      ("delivered", .delivered, "bob"),
    ]

    /// A copy of it, which only its owner may read.
    private func copy(to place: Place) throws {
      try place.write(Data(contentsOf: Self.file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.store)
    }

    /// Every value of a table that both releases have, by the name of its column and in the order of the rows.
    private func rows(of columns: String, in table: String, at path: String) throws -> [Row] {
      var configuration = Configuration()
      configuration.readonly = true
      return try DatabaseQueue(path: path, configuration: configuration).read { database in
        try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(table) ORDER BY rowid")
      }
    }

    @Test func `every claim and key of it is kept, to the byte`() async throws {
      let place = try Place()
      try copy(to: place)
      let states: [String] = try rows(of: "state", in: "outgoing", at: place.store).map { $0["state"] }
      #expect(states == Self.states.map(\.before))
      _ = try await ClaimStore.open(at: place.store)
      for (table, columns) in [
        ("outgoing", "claimId, secret, token, amount, expiry, peer, createdAt"),
        ("incoming", "payloadHash, claimId, secret, token, amount, expiry, sender, receivedAt"),
        ("keys", "name, key, createdAt"),
      ] {
        let before = try rows(of: columns, in: table, at: Self.file.path)
        #expect(!before.isEmpty)
        #expect(try rows(of: columns, in: table, at: place.store) == before, "\(table)")
      }
    }

    @Test func `its claims stand as the documents say, brought up to date or only read`() async throws {
      let place = try Place()
      try copy(to: place)
      let reading = try #require(try await ClaimStore.openForReading(at: place.store))
      try await expectStates(in: reading)
      try await expectStates(in: ClaimStore.open(at: place.store))
    }

    @Test func `its key serves both directions, brought up to date or only read`() async throws {
      let place = try Place()
      try copy(to: place)
      let name = try DisplayName("bob")
      let agreed: [Blob] = try rows(of: "key", in: "keys", at: place.store).map { $0["key"] }
      let key = try #require(SharedKey(agreed[0].bytes))
      let reading = try #require(try await ClaimStore.openForReading(at: place.store))
      for store in [reading, try await ClaimStore.open(at: place.store)] {
        #expect(try await store.key(of: name, for: .outgoing) == key)
        #expect(try await store.key(of: name, for: .incoming) == key)
      }
    }

    private func expectStates(in store: ClaimStore) async throws {
      let history = try await store.history(limit: 100, at: Self.now)
      let sent = history.compactMap { if case .sent(let claim) = $0 { claim } else { nil } }.reversed()
      #expect(sent.map(\.state) == Self.states.map(\.now))
      #expect(sent.map(\.peer?.text) == Self.states.map(\.peer))
      #expect(sent.map(\.claim.amount.baseUnits) == [1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000])
      let received = history.compactMap { if case .received(let claim) = $0 { claim } else { nil } }.reversed()
      #expect(received.map(\.claim.amount.baseUnits) == [6_000_000, 7_000_000])
      #expect(received.map(\.from?.text) == ["bob", nil])
      #expect(try await store.rememberedNames().map(\.text) == ["bob"])
    }

    @Test func `what may have arrived is not offered again before it is settled, and the rest is`() async throws {
      let place = try Place()
      try copy(to: place)
      let store = try await ClaimStore.open(at: place.store)
      let sent = try await store.history(limit: 100, at: Self.now).reversed()
        .compactMap { if case .sent(let claim) = $0 { claim } else { nil } }
      for claim in sent {
        let again = try await store.offerable(claim.claim.id, at: Self.now)
        #expect((again != nil) == [.new, .linkShown].contains(claim.state), "\(claim.state)")
      }
      for claim in sent where claim.state == .unknown {
        _ = try await store.settle(claim.claim.id, as: .lost, at: Self.now)
        #expect(try await store.offerable(claim.claim.id, at: Self.now)?.state == .lost)
      }
    }
  }
}
