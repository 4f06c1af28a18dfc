import BumpTesting
import BumpWire
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BumpKit

/// Whole sends over a real store that another process holds meanwhile, by a clock that the test holds.
@Suite(.timeLimit(.minutes(1))) struct LateReleaseTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let clock = ManualClock()
  private let place: StoreTests.Place

  init() throws {
    place = try StoreTests.Place()
  }

  private func sender(_ store: ClaimStore, unixTime: @escaping @Sendable () -> Int64 = { 0 }) throws -> Sender {
    Sender(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName("alice")),
      clock: clock, unixTime: unixTime)
  }

  /// Another process that writes to the store.
  private func lock() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: place.path(), configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    return other
  }

  @Test func `a store that is busy for longer than the receiver waits keeps the claim here, and it has its link`()
    async throws
  {
    let store = try await ClaimStore.open(at: place.path())
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0, reserving: 0)
    let (accepted, tell) = AsyncStream.makeStream(of: Void.self)
    let failures = Mutex<[SessionFailure]>([])
    let sender = try sender(store)
    let other = try lock()
    let sending = Task {
      try await sender.send(
        claim,
        onEvent: { event in
          if case .accepted = event { tell.yield() }
          if case .sessionFailed(let failure, _) = event { failures.withLock { $0.append(failure) } }
        })
    }
    let bob = Receiver(
      store: try ClaimStore.inMemory(), discovery: discovery, transport: network,
      configuration: .init(name: try DisplayName("bob")), clock: clock, unixTime: { 0 })
    let receiving = Task { try await bob.receive() }
    for await _ in accepted { break }
    clock.advance(by: .seconds(6))
    receiving.cancel()
    #expect(try await receiving.value == .interrupted)
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(4))
    guard case .undelivered(.sendTimeout, _?, _) = try await sending.value else {
      Issue.record("\(try await sending.value)")
      return
    }
    #expect(failures.withLock { $0.count == 1 })
    #expect(try await store.outgoing(claim.claim.id, at: 0)?.state == .linkShown)
  }

  @Test func `the same value sent twice has its draws once`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sender = try sender(store)
    let sending = Task { try await sender.send(claim, approve: { _ in false }) }
    await clock.hasSleeper(until: .seconds(10))
    let error = await #expect(throws: StoreError.self) { try await sender.send(claim, approve: { _ in false }) }
    #expect(error?.code == .notNew && error?.description.contains("offerAgain") == true)
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    let late = await #expect(throws: StoreError.self) { try await sender.send(claim) }
    #expect(late?.code == .notNew, "else it would give back draws that were used")
    #expect(try await store.offerAgain(claim.claim.id, at: 0)?.reservedDraws == OutgoingClaim.draws)
  }

  @Test func `a receiver tells that the sender uses its own store, and the claim stays where it is`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0, reserving: 0)
    let sender = try sender(store)
    let sending = Task { try await sender.send(claim) }
    let bob = Receiver(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName("bob")),
      clock: clock, unixTime: { 0 })
    #expect(try await bob.receive(decide: { _ in true }) == .ownClaim)
    #expect(try await store.outgoing(claim.claim.id, at: 0)?.state == .new)
    #expect(try await store.incoming(claim.claim.id).isEmpty)
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
  }

  @Test func `a claim whose link another process showed is not sent, and the outcome says which it was`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0, reserving: 0)
    let sender = try sender(store)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let (answer, decide) = AsyncStream.makeStream(of: Bool.self)
    let sending = Task {
      let made = try #require(try await store.offerAgain(claim.claim.id, at: 0))
      return try await sender.send(
        made,
        approve: { _ in
          ask.yield()
          for await yes in answer { return yes }
          return false
        })
    }
    let seen = Mutex<[SessionFailure]>([])
    let bob = Receiver(
      store: try ClaimStore.inMemory(), discovery: discovery, transport: network,
      configuration: .init(name: try DisplayName("bob")), clock: clock, unixTime: { 0 })
    let receiving = Task {
      try await bob.receive(onEvent: { event in
        if case .sessionFailed(let failure, _) = event { seen.withLock { $0.append(failure) } }
      })
    }
    for await _ in asked { break }
    _ = try await store.showLink(of: claim.claim.id, at: 0)
    decide.yield(true)
    #expect(try await sending.value == .changedElsewhere(.linkShown))
    receiving.cancel()
    _ = try await receiving.value
    #expect(seen.withLock(\.first) == .aborted(.shuttingDown))
  }
}
