import BumpClaims
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore

extension StoreTests {
  /// What vaults hold for claims.
  @Suite struct Funded {
    private let place: TemporaryDirectory
    private let store: ClaimStore
    private let claim: Claim
    private let expiry: Expiry

    init() async throws {
      place = try TemporaryDirectory()
      store = try await ClaimStore.open(at: place.store)
      claim = try StoreTests.claim(id: "funded")
      expiry = try #require(later)
    }

    private func funding(_ status: Funding.Status, _ request: String? = "first", vault: String = "https://v") -> Funding
    {
      Funding(
        vault: vault, ledgerID: "0x1", status: status, account: "0x2", request: request, transaction: "0x3",
        receipt: status.isSettled ? "signed" : nil, updatedAt: 100)
    }

    private func note(_ funding: Funding, _ direction: ClaimStore.Direction = .outgoing) async throws -> Funding {
      try await store.note(funding, of: claim, expiry: expiry, direction)
    }

    @Test func `what was asked for is on the disk, as another process finds it`() async throws {
      #expect(try await note(funding(.asked)) == funding(.asked))
      let other = try #require(try await ClaimStore.openForReading(at: place.store))
      #expect(try await other.funding(of: claim, .outgoing) == funding(.asked))
      #expect(try await other.funding(of: claim, .incoming) == nil)
    }

    @Test func `a claim is made with what is known of its money, or not at all`() async throws {
      let made = try await store.create(amount: claim.amount, token: .usdc, expiry: expiry, at: 100) { _ in
        funding(.refused, nil)
      }
      #expect(try await store.funding(of: made.claim, .outgoing) == funding(.refused, nil))
      await #expect(throws: CancellationError.self) {
        try await store.create(amount: claim.amount, token: .usdc, expiry: expiry, at: 100) { _ in
          throw CancellationError()
        }
      }
      #expect(try await store.history(limit: 10).count == 1)
    }

    @Test func `a deposit is asked for with one request until it is certain to be refused`() async throws {
      _ = try await note(funding(.asked))
      #expect(try await note(funding(.asked, "second")).request == "first")
      #expect(try await note(funding(.asked, vault: "https://w")).vault == "https://v")
      #expect(try await note(funding(.refused, "second")).status == .asked, "a refusal of another request")
      _ = try await note(funding(.refused))
      #expect(try await note(funding(.asked, "second")).request == "second")
    }

    @Test func `only a receipt makes a state final, and nothing takes its place`() async throws {
      for direction in [ClaimStore.Direction.incoming, .outgoing] {
        for status in [Funding.Status.claimed, .refunded] {
          var word = funding(status)
          word.receipt = nil
          if try await store.funding(of: claim, direction) == nil {
            await #expect(throws: StoreError.self) { try await note(word, direction) }
          }
          _ = try await note(funding(.pending), direction)
          #expect(try await note(word, direction) == funding(.pending))
        }
        let signed = funding(.claimed)
        #expect(try await note(signed, direction) == signed)
        var other = funding(.refunded)
        other.receipt = "signed too"
        #expect(try await note(other, direction) == signed)
      }
    }

    @Test func `of several processes that record one payment one writes it`() async throws {
      _ = try await note(funding(.asked), .incoming)
      let other = try await ClaimStore.open(at: place.store)
      var written: [Bool] = []
      for store in [store, other] {
        let (_, isWritten) = try await store.replace(funding(.claimed), of: claim, expiry: expiry, .incoming)
        written.append(isWritten)
      }
      #expect(written == [true, false])
    }

    @Test func `a request that was certainly not carried out is taken back, and no other record`() async throws {
      func take(_ request: Funding, to before: Funding?) async throws {
        try await store.takeBack(request, to: before, of: claim, expiry: expiry, .incoming)
      }
      var asked = funding(.asked)
      asked.heldAt = 50
      _ = try await note(asked, .incoming)
      try await take(asked, to: nil)
      #expect(try await store.funding(of: claim, .incoming) == nil)
      _ = try await note(funding(.pending, nil), .incoming)
      #expect(try await note(asked, .incoming) == asked)
      try await take(asked, to: funding(.pending, nil))
      #expect(try await store.funding(of: claim, .incoming) == funding(.pending, nil))
      // Another process has recorded its own meanwhile.
      _ = try await note(asked, .incoming)
      try await take(funding(.asked), to: nil)
      #expect(try await store.funding(of: claim, .incoming) == asked)
    }

    /// What a status may become, for claims of ours.
    @Test func `money moves on and never back`() async throws {
      let next: [Funding.Status: Set<Funding.Status>] = [
        .asked: [.asked, .refused, .pending, .claimed, .refunded],
        .refused: Set(Funding.Status.allCases).subtracting([.takingBack]),
        .pending: [.pending, .takingBack, .claimed, .refunded], .takingBack: [.takingBack, .claimed, .refunded],
        .claimed: [], .refunded: [],
      ]
      for (from, allowed) in next {
        for to in Funding.Status.allCases {
          #expect(funding(from).mayBecome(funding(to), .outgoing) == allowed.contains(to), "\(from) \(to)")
        }
      }
    }

    @Test func `a receipt is kept with what is final, and is not replaced`() async throws {
      var final = funding(.claimed)
      #expect(try await note(final).receipt == "signed")
      final.receipt = "another"
      #expect(try await note(final).receipt == "signed")
    }

    @Test func `a received claim that the vault showed as pending is asked for, and stays asked for`() async throws {
      _ = try await note(funding(.pending, nil), .incoming)
      #expect(try await note(funding(.asked), .incoming).status == .asked)
      #expect(try await note(funding(.pending, nil), .incoming).status == .asked)
      #expect(try await note(funding(.claimed), .incoming).status == .claimed)
    }

    @Test func `claims of ours whose money a vault may hold are listed until it is elsewhere`() async throws {
      _ = try await store.insert(claim, expiry: expiry, at: 100)
      #expect(try await store.unfinished(limit: 9).isEmpty)
      for status in [Funding.Status.asked, .pending, .takingBack, .refunded] {
        _ = try await note(funding(status))
        let unfinished = try await store.unfinished(limit: 9)
        #expect(unfinished.map(\.0.claim) == (status == .refunded ? [] : [claim]))
      }
      let history = try await store.history(limit: 9)
      #expect(try await store.funding(of: history).map(\.?.status) == [.refunded])
    }

    @Test func `a vault stays as it was confirmed until another is confirmed in its place`() async throws {
      #expect(try await store.confirmedVault(at: "https://v") == nil)
      try await store.confirm(vault: "https://v", describedAs: "{1}", at: 1)
      #expect(try await store.confirmedVault(at: "https://v") == "{1}")
      try await store.confirm(vault: "https://v", describedAs: "{2}", at: 2)
      #expect(try await ClaimStore.open(at: place.store).confirmedVault(at: "https://v") == "{2}")
      #expect(try await store.confirmedVault(at: "https://w") == nil)
    }

    @Test func `a vault that moves takes the claims along whose money it holds, and leaves others where they are`()
      async throws
    {
      try await store.confirm(vault: "https://v", describedAs: "{1}", at: 1)
      try await store.confirm(vault: "https://w", describedAs: "{2}", at: 1)
      _ = try await note(funding(.pending, vault: "https://v"))
      _ = try await note(funding(.pending, vault: "https://w"), .incoming)
      try await store.confirm(vault: "https://x", describedAs: "{3}", movedFrom: "https://v", at: 2)
      #expect(try await store.confirmedVaults() == ["https://w": "{2}", "https://x": "{3}"])
      #expect(try await store.funding(of: claim, .outgoing)?.vault == "https://x")
      #expect(try await store.funding(of: claim, .incoming)?.vault == "https://w")
    }
  }
}
