import BumpClaims
import BumpTesting
import BumpWire
import Foundation
import GRDB
import Lab
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// Whole sends over a real store that another process holds meanwhile, by a clock that the test holds.
@Suite(.timeLimit(.minutes(30))) struct LateReleaseTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let clock = ManualClock()
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
  }

  private static let code = Result { Credential.code(try OneTimeCode("27-482915")) }

  /// alice, who is to be remembered by a code, or not.
  private func sender(
    _ store: ClaimStore, remembers: Bool = false, unixTime: @escaping @Sendable () -> Int64 = { 0 }
  ) throws -> Sender {
    var configuration = Sender.Configuration(name: try DisplayName("alice"))
    if remembers { (configuration.credential, configuration.rememberAs) = try (Self.code.get(), DisplayName("bob")) }
    return Sender(
      store: store, discovery: discovery, transport: network, configuration: configuration, clock: clock,
      clocks: { ClockReading(unix: unixTime()) })
  }

  /// bob, likewise.
  private func receiver(
    _ store: ClaimStore, remembers: Bool = false, unixTime: @escaping @Sendable () -> Int64 = { 0 }
  ) throws -> Receiver {
    var configuration = Receiver.Configuration(name: try DisplayName("bob"))
    if remembers { (configuration.credential, configuration.rememberAs) = try (Self.code.get(), DisplayName("alice")) }
    return Receiver(
      store: store, discovery: discovery, transport: network, configuration: configuration, clock: clock,
      unixTime: unixTime)
  }

  /// Another process that writes to the store, or reads it.
  private func lock(_ sql: String = "BEGIN IMMEDIATE") throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: place.store, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: sql) }
    return other
  }

  @Test(arguments: [false, true])
  func `a store that is busy for longer than the receiver waits keeps the claim here, with its link, and no key`(
    remembers: Bool
  ) async throws {
    let store = try await ClaimStore.open(at: place.store)
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let (accepted, tell) = AsyncStream.makeStream(of: Void.self)
    let failures = Mutex<[SessionFailure]>([])
    let sender = try sender(store, remembers: remembers)
    let other = try lock()
    let sending = Task {
      try await sender.send(
        claim,
        onEvent: { event in
          if case .accepted = event { tell.yield() }
          if case .sessionFailed(let failure, _) = event { failures.withLock { $0.append(failure) } }
        })
    }
    let receiver = try receiver(ClaimStore.inMemory(), remembers: remembers)
    let receiving = Task { try await receiver.receive() }
    for await _ in accepted { break }
    clock.advance(by: .seconds(6))
    receiving.cancel()
    #expect(try await receiving.value == .interrupted)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(4))
    guard case .undelivered(.sendTimeout, _?, _) = try await sending.value else {
      Issue.record("\(try await sending.value)")
      return
    }
    #expect(failures.withLock { $0.count == 1 })
    #expect(try await store.outgoing(claim.claim.id, at: 0)?.state == .linkShown)
    #expect(try await store.agreedKey(of: DisplayName("bob")) == nil, "it was kept before the release")
  }

  @Test(arguments: [false, true])
  func `a claim that comes to be stored when its sender may have given it up is not stored`(remembers: Bool)
    async throws
  {
    let (aliceStore, bobStore) = (try ClaimStore.inMemory(), try ClaimStore.inMemory())
    let claim = try await aliceStore.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let isAccepted = Mutex(false)
    let receiver = try receiver(
      bobStore, remembers: remembers,
      unixTime: { [clock] in
        // It asks for the time of day once more when it begins to store. The store is busy for as long as may be.
        let isNow = isAccepted.withLock { isAccepted in
          defer { isAccepted = false }
          return isAccepted
        }
        if isNow { clock.advance(by: Times.storing) }
        return 0
      })
    let sender = try sender(aliceStore, remembers: remembers)
    async let sent = sender.send(
      claim, onEvent: { if case .accepted = $0 { isAccepted.withLock { $0 = true } } })
    let error = await #expect(throws: StoreError.self) { try await receiver.receive() }
    #expect(error?.reason.contains("it was busy") == true)
    guard case .unknown = try await sent else {
      Issue.record("\(try await sent)")
      return
    }
    #expect(try await bobStore.incoming(claim.claim.id).isEmpty)
    #expect(try await bobStore.rememberedNames().isEmpty)
  }

  /// A reader keeps SQLite from ending its commit, as a slow disk does.
  @Test(arguments: [false, true])
  func `a claim whose commit ends when its sender may have given it up is taken back`(remembers: Bool) async throws {
    let (aliceStore, bobStore) = (try ClaimStore.inMemory(), try await ClaimStore.open(at: place.store))
    let claim = try await aliceStore.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let receiver = try receiver(bobStore, remembers: remembers)
    let sender = try sender(aliceStore, remembers: remembers)
    let (reader, other) = (try lock("BEGIN; SELECT count(*) FROM incoming"), try DatabaseQueue(path: place.store))
    async let sent = sender.send(claim)
    let receiving = Task { try await receiver.receive() }
    // A commit that waits for readers lets no new one in (sqlite.org/lockingv3.html, PENDING).
    try await waitUntil("the claim is written, and its commit waits") {
      (try? await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM incoming") }) == nil
    }
    clock.advance(by: Times.stored)
    try reader.inDatabase { try $0.execute(sql: "COMMIT") }
    let error = await #expect(throws: StoreError.self) { try await receiving.value }
    #expect(error?.reason.contains("may have given the claim to somebody else") == true)
    guard case .unknown = try await sent else {
      Issue.record("\(try await sent)")
      return
    }
    #expect(try await bobStore.incoming(claim.claim.id).isEmpty)
    #expect(try await bobStore.rememberedNames().isEmpty)
  }

  @Test func `a claim that has expired by a clock that was set is not sent, and has no link`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let time = Mutex<Int64>(0)
    let sender = try sender(store, unixTime: { time.withLock(\.self) })
    let receiver = try receiver(ClaimStore.inMemory())
    let receiving = Task { try await receiver.receive() }
    let outcome = try await sender.send(
      claim, onEvent: { if case .accepted = $0 { time.withLock { $0 = claim.expiry.unixSeconds } } })
    #expect(outcome == .expired)
    #expect(try await store.outgoing(claim.claim.id, at: 0)?.state == .new)
    receiving.cancel()
    _ = try await receiving.value
  }

  @Test func `two sends of one claim at once have its attempts once`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sender = try sender(store)
    let sending = Task { try await sender.send(claim, approve: { _ in false }) }
    await clock.hasSleeper(until: .seconds(10))
    let error = await #expect(throws: StoreError.self) { try await sender.send(claim, approve: { _ in false }) }
    #expect(error?.code == .attemptsSpent)
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    #expect(try await store.reserveAttempts(of: claim.claim.id) == ClaimLimits.attempts)
  }

  @Test(arguments: [HandoverState.unknown, .lost])
  func `an answer that is read past its deadline counts, and what the store had by then is told`(state: HandoverState)
    async throws
  {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let time = Mutex<Int64>(1000)
    let sender = try sender(store, unixTime: { time.withLock(\.self) })
    let events = Mutex<[SendEvent]>([])
    let (ports, tell) = AsyncStream.makeStream(of: UInt16.self)
    let sending = Task {
      try await sender.send(
        claim,
        onEvent: { event in
          events.withLock { $0.append(event) }
          if case .advertising(_, let port, _) = event { tell.yield(port) }
        })
    }
    var receiver = ScriptedPeer(.receiver)
    let bob = try DisplayName("bob")
    for await port in ports.prefix(1) {
      let connection = try await network.connect(to: .host("alice", port: port))
      let (incoming, feed) = AsyncStream.makeStream(of: [UInt8].self)
      let reading = Task { await connection.receive { feed.yield($0) } }
      connection.send(receiver.hello())
      for await bytes in incoming {
        for heard in try receiver.read(bytes) {
          switch heard {
          case .frame(let frame) where frame.type == .welcome: connection.send(try receiver.noise())
          case .message(.offer): connection.send(try receiver.seal(.accept(bob)))
          case .message(.claim): feed.finish()
          default: break
          }
        }
      }
      // The sender stands still for two hours, while its owner looks after the claim.
      time.withLock { $0 = 8200 }
      if state == .lost {
        #expect(try await store.settle(claim.claim.id, as: .lost, at: 8200).claim?.state == .unknown)
      }
      clock.advance(by: .seconds(7200))
      connection.send(try receiver.seal(.stored(.stored)))
      #expect(try await sending.value == .delivered(to: bob, .stored))
      await reading.value
    }
    #expect(events.withLock { $0.contains(.answeredLate(state, with: nil)) })
    let after = try await store.outgoing(claim.claim.id, at: 8200)
    #expect(after?.state == .delivered && after?.settledAt == nil)
  }

  @Test func `a claim whose link another process showed is not sent, and the outcome says which it was`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(
      amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sender = try sender(store)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let (answer, decide) = AsyncStream.makeStream(of: Bool.self)
    let sending = Task {
      let made = try #require(try await store.outgoing(claim.claim.id, at: 0))
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
