import BumpClaims
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// Stores as earlier versions left them, text by text: what is out must go on opening.
  @Suite struct Migration {
    private static let first = """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('v1');
      CREATE TABLE outgoing (
        claimId TEXT NOT NULL PRIMARY KEY,
        secret BLOB NOT NULL,
        token TEXT NOT NULL,
        amount INTEGER NOT NULL CHECK (amount > 0), -- base units
        expiry INTEGER NOT NULL, -- seconds since 1970, as are the other times
        state TEXT NOT NULL CHECK (state IN ('new', 'released', 'delivered', 'unknown')),
        peer TEXT,
        createdAt INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE incoming (
        payloadHash BLOB NOT NULL PRIMARY KEY, -- SHA-256 of the claim payload: an id alone proves nothing
        claimId TEXT NOT NULL,
        secret BLOB NOT NULL,
        token TEXT NOT NULL,
        amount INTEGER NOT NULL CHECK (amount > 0),
        expiry INTEGER NOT NULL,
        sender TEXT,
        receivedAt INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX incomingByClaimId ON incoming (claimId);
      CREATE TABLE room (bytes BLOB NOT NULL) STRICT;
      """

    private static let second = """
      CREATE TABLE keys (
        name TEXT NOT NULL PRIMARY KEY,
        key BLOB NOT NULL,
        createdAt INTEGER NOT NULL
      ) STRICT;
      INSERT INTO grdb_migrations VALUES ('v2');
      """

    private static let third = """
      ALTER TABLE keys ADD COLUMN isConfirmed INTEGER NOT NULL DEFAULT 1;
      INSERT INTO grdb_migrations VALUES ('keys are confirmed');
      """

    private static let fourth = """
      ALTER TABLE outgoing RENAME TO outgoingBefore;
      CREATE TABLE outgoing (
        claimId TEXT NOT NULL PRIMARY KEY,
        secret BLOB NOT NULL,
        token TEXT NOT NULL,
        amount INTEGER NOT NULL CHECK (amount > 0), -- base units
        expiry INTEGER NOT NULL, -- seconds since 1970, as are the other times
        state TEXT NOT NULL
          CHECK (state IN ('new', 'released', 'linkShown', 'unknown', 'delivered', 'lost')),
        peer TEXT,
        createdAt INTEGER NOT NULL,
        deadline INTEGER CHECK ((deadline IS NULL) = (state <> 'released')), -- of the receiver's answer
        draws INTEGER NOT NULL DEFAULT 0 CHECK (draws BETWEEN 0 AND 3) -- of digits: made, or reserved
      ) STRICT;
      INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, peer, createdAt)
        SELECT claimId, secret, token, amount, expiry,
          CASE WHEN state <> 'released' THEN state WHEN peer IS NULL THEN 'linkShown' ELSE 'unknown' END,
          peer, createdAt
        FROM outgoingBefore ORDER BY rowid;
      DROP TABLE outgoingBefore;
      CREATE INDEX outgoingByTime ON outgoing (createdAt);
      CREATE INDEX outgoingUndecided ON outgoing (expiry) WHERE state IN ('released', 'unknown');
      CREATE INDEX incomingByTime ON incoming (receivedAt);
      INSERT INTO grdb_migrations VALUES ('claims in flight');
      """

    private static let fifth = """
      ALTER TABLE outgoing RENAME TO outgoingBefore;
      DROP INDEX outgoingByTime;
      DROP INDEX outgoingUndecided;
      CREATE TABLE outgoing (
        claimId TEXT NOT NULL PRIMARY KEY,
        secret BLOB NOT NULL,
        token TEXT NOT NULL,
        amount INTEGER NOT NULL CHECK (amount > 0), -- base units
        expiry INTEGER NOT NULL, -- seconds since 1970, as are the other times
        state TEXT NOT NULL
          CHECK (state IN ('new', 'released', 'linkShown', 'unknown', 'delivered', 'lost')),
        peer TEXT,
        createdAt INTEGER NOT NULL,
        deadline INTEGER -- until when the receiver may take it
          CHECK (NOT (deadline IS NULL AND state = 'released'))
          CHECK (deadline IS NULL OR state IN ('released', 'unknown')),
        draws INTEGER NOT NULL DEFAULT 0 CHECK (draws BETWEEN 0 AND 3), -- of digits: made, or reserved
        reservation INTEGER NOT NULL DEFAULT 0, -- the number of the last one of draws; it is good for one bump
        settledAt INTEGER CHECK (settledAt IS NULL OR state IN ('delivered', 'lost')) -- by its owner's word
      ) STRICT;
      INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, peer, createdAt, deadline, draws)
        SELECT claimId, secret, token, amount, expiry, state, peer, createdAt, deadline, draws
        FROM outgoingBefore ORDER BY rowid;
      DROP TABLE outgoingBefore;
      CREATE INDEX outgoingByTime ON outgoing (createdAt);
      CREATE INDEX outgoingUndecided ON outgoing (expiry) WHERE state IN ('released', 'unknown');
      INSERT INTO grdb_migrations VALUES ('unknown claims in flight');
      """

    private static let sixth = """
      CREATE TABLE vaults (
        url TEXT NOT NULL PRIMARY KEY,
        description TEXT NOT NULL, -- what its owner confirmed: JSON, as the vault described itself
        confirmedAt INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE funding (
        direction TEXT NOT NULL CHECK (direction IN ('outgoing', 'incoming')),
        payloadHash BLOB NOT NULL, -- SHA-256 of the claim payload
        vault TEXT NOT NULL, -- its URL
        ledgerId TEXT NOT NULL,
        expiry INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('asked', 'refused', 'pending', 'claimed', 'refunded')),
        account TEXT, -- of the wallet that pays, or is to be paid
        request TEXT, -- what is asked again where its answer was lost
        txHash TEXT,
        receiver TEXT,
        receipt TEXT CHECK (receipt IS NOT NULL OR status NOT IN ('claimed', 'refunded')),
        heldAt INTEGER, -- by the vault's clock, before a payout was asked for
        updatedAt INTEGER NOT NULL,
        PRIMARY KEY (direction, payloadHash)
      ) STRICT;
      CREATE INDEX fundingUnfinished ON funding (expiry)
        WHERE status IN ('asked', 'pending') AND direction = 'outgoing';
      INSERT INTO grdb_migrations VALUES ('money at vaults');
      """

    /// Stores of each version, with rows that were written in the first.
    private static let stores = [
      first + rows, first + second + rows, first + second + third + rows, first + second + third + rows + fourth,
      first + second + third + rows + fourth + fifth, first + second + third + rows + fourth + fifth + sixth,
    ]

    /// Claims in each state of before, made in this order, and one received.
    private static let rows = """
      INSERT INTO outgoing VALUES ('n', zeroblob(16), 'USDC', 1, 2000000000, 'new', NULL, 5);
      INSERT INTO outgoing VALUES ('link', zeroblob(16), 'USDC', 2, 2000000000, 'released', NULL, 5);
      INSERT INTO outgoing VALUES ('peer', zeroblob(16), 'USDC', 3, 2000000000, 'released', 'bob', 5);
      INSERT INTO outgoing VALUES ('u', zeroblob(16), 'USDC', 4, 2000000000, 'unknown', 'bob', 5);
      INSERT INTO outgoing VALUES ('d', zeroblob(16), 'USDC', 5, 2000000000, 'delivered', 'bob', 5);
      INSERT INTO incoming VALUES (zeroblob(32), 'in', zeroblob(16), 'USDC', 6, 2000000000, 'carol', 5);
      """

    private static let states = [
      ("d", HandoverState.delivered), ("u", .unknown), ("peer", .unknown), ("link", .linkShown), ("n", .new),
    ]

    /// As the program of then wrote it: SQLite keeps the text as it is given, and Swift's indentation is not in it.
    private func write(_ sql: String, to place: Place) throws {
      try DatabaseQueue(path: place.store).inDatabase { try $0.execute(sql: sql) }
      try place.setMode(0o600)
    }

    @Test(arguments: stores)
    func `an older store is brought up to date, and its claims stand as far as is known`(sql: String) async throws {
      let place = try Place()
      try write(sql, to: place)
      let store = try await ClaimStore.open(at: place.store)
      try await expectRows(in: store)
      #expect(try await store.reserveDraws(of: ClaimID("n")) == ClaimLimits.draws)
      // Once more, now that it is up to date.
      try await expectRows(in: ClaimStore.open(at: place.store))
    }

    @Test(arguments: stores)
    func `an older store can be read as it is, as on a read-only mount`(sql: String) async throws {
      let place = try Place()
      try write(sql, to: place)
      let before = try Data(contentsOf: URL(filePath: place.store))
      let store = try #require(try await ClaimStore.openForReading(at: place.store))
      try await expectRows(in: store)
      #expect(try Data(contentsOf: URL(filePath: place.store)) == before)
    }

    @Test func `a claim that was in flight is so in the new tables, and an unknown one of before may have a link`()
      async throws
    {
      let place = try Place()
      let flying =
        "UPDATE outgoing SET state = 'released', peer = 'bob', deadline = 1010, draws = 2 WHERE claimId = 'n';"
      try write(Self.stores[3] + flying, to: place)
      let store = try await ClaimStore.open(at: place.store)
      let (released, unknown) = (try ClaimID("n"), try ClaimID("u"))
      #expect(try await store.outgoing(released, at: 1009)?.deadline == 1010)
      try await store.record(.unknown, of: released)
      #expect(try await store.outgoing(released, at: 1009)?.isInFlight == true)
      #expect(try await store.outgoing(unknown, at: 1009)?.isInFlight == false)
      _ = try await store.settle(released, as: .lost, at: 1010)
      #expect(try await store.reserveDraws(of: released) == 1)
    }

    private func expectRows(in store: ClaimStore) async throws {
      let history = try await store.history(limit: 10)
      let sent = history.compactMap { if case .sent(let claim) = $0 { claim } else { nil } }
      #expect(sent.map(\.claim.id.description) == Self.states.map(\.0), "in the order they were made")
      #expect(sent.map(\.state) == Self.states.map(\.1))
      #expect(sent.map(\.claim.amount.baseUnits) == [5, 4, 3, 2, 1])
      #expect(sent.map(\.peer?.text) == ["bob", "bob", "bob", nil, nil])
      #expect(history.count == 6)
    }
  }
}
