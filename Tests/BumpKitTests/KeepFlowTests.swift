import BumpTesting
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// Several senders and one receiver, over the twins in memory.
@Suite(.timeLimit(.minutes(30))) struct KeepFlowTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let clock = ManualClock()

  private func send(
    as name: String, _ store: ClaimStore, onEvent: @escaping @Sendable (SendEvent) -> Void = { _ in }
  ) async throws -> SendOutcome {
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sender = Sender(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName(name)),
      clock: clock, clocks: { ClockReading(unix: 0) })
    return try await sender.send(claim, onEvent: onEvent)
  }

  private func receiver(_ store: ClaimStore) throws -> Receiver {
    Receiver(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName(Fixture.bob)),
      clock: clock, unixTime: { 0 })
  }

  /// Goes on receiving, until the task is cancelled.
  private func keep(_ store: ClaimStore, _ concluded: Concluded) throws -> Task<ReceiveOutcome, any Error> {
    let receiver = try receiver(store)
    return Task { try await receiver.keepReceiving(onEvent: { concluded.note($0) }) }
  }

  @Test func `claims of three senders come into one store, until the task is cancelled`() async throws {
    let store = try ClaimStore.inMemory()
    let concluded = Concluded()
    let keeping = try keep(store, concluded)
    let bob = try DisplayName(Fixture.bob)
    for name in ["alice", "bert", "carol"] {
      #expect(try await send(as: name, ClaimStore.inMemory()) == .delivered(to: bob, .stored))
    }
    keeping.cancel()
    #expect(try await keeping.value == .interrupted)
    #expect(concluded.outcomes.count == 3)
    #expect(try await store.history(limit: 10).count == 3)
  }

  @Test func `a claim that is not read as it was written is not acknowledged, and the next one is received`()
    async throws
  {
    let place = try TemporaryDirectory()
    let store = try await ClaimStore.open(at: place.store)
    let concluded = Concluded()
    let keeping = try keep(store, concluded)
    let bob = try DisplayName(Fixture.bob)
    try place.tamperWithStore("CREATE TRIGGER gone AFTER INSERT ON incoming BEGIN DELETE FROM incoming; END")
    guard case .unknown(bob, _) = try await send(as: "alice", ClaimStore.inMemory()) else {
      return #expect(Bool(false), "it was acknowledged")
    }
    try place.tamperWithStore("DROP TRIGGER gone")
    #expect(try await send(as: "bert", ClaimStore.inMemory()) == .delivered(to: bob, .stored))
    keeping.cancel()
    #expect(try await keeping.value == .interrupted)
    let outcomes = concluded.outcomes
    #expect(outcomes.count == 2 && outcomes.first == .notStored(StoreError(.notAsWritten, "")), "\(outcomes)")
    #expect(try await store.history(limit: 10).count == 1)
  }

  @Test func `a claim that cannot be stored is named, with what its sender can do`() async throws {
    let place = try TemporaryDirectory()
    let receiver = try await receiver(ClaimStore.open(at: place.store))
    try place.tamperWithStore("DROP TABLE incoming")
    let receiving = Task { try await receiver.receive() }
    let theirs = try ClaimStore.inMemory()
    _ = try await send(as: "alice", theirs)
    let error = await #expect(throws: StoreError.self) { _ = try await receiving.value }
    let claim = try #require(try await theirs.history(limit: 1).first)
    guard case .sent(let sent) = claim else { return #expect(Bool(false)) }
    let text = error?.description ?? ""
    #expect(
      text.hasPrefix("the claim \(sent.claim.id) could not be stored: the store \(place.store) failed: "), "\(text)")
    #expect(
      text.contains("is here. If it is not, ask its sender to settle it as lost, and to send it again"), "\(text)")
  }

  /// Its ten seconds are over long before its turn comes.
  @Test func `a customer waits in the queue of a busy till for as long as the till takes`() async throws {
    let store = try ClaimStore.inMemory()
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let (answered, answer) = AsyncStream.makeStream(of: Void.self)
    let seen = Mutex<[ReceiveEvent]>([])
    let receiver = try receiver(store)
    let keeping = Task {
      try await receiver.keepReceiving(
        onEvent: { event in seen.withLock { $0.append(event) } },
        decide: { question in
          ask.yield()
          if question.offer.from.text == "alice" { for await _ in answered.prefix(1) {} }
          return true
        })
    }
    async let first = send(as: "alice", ClaimStore.inMemory())
    for await _ in asked.prefix(1) {}
    let told = Mutex<[SendEvent]>([])
    async let second = send(
      as: "bert", ClaimStore.inMemory(), onEvent: { event in told.withLock { $0.append(event) } })
    // Once both are connected, the till says so after half a second, and again each three.
    await clock.hasSleeper(until: .seconds(2))
    await clock.hasSleeper(until: .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    await clock.hasSleeper(until: .seconds(15))
    for time in 1...6 {
      await clock.hasSleeper(until: .milliseconds(500) + .seconds(3 * time))
      clock.advance(by: .seconds(3))
      await clock.hasSleeper(until: .seconds(15 + 3 * time))
    }
    answer.yield()
    let bob = try DisplayName(Fixture.bob)
    #expect(try await first == .delivered(to: bob, .stored))
    #expect(try await second == .delivered(to: bob, .stored))
    keeping.cancel()
    _ = try await keeping.value
    let places = told.withLock { events in
      events.compactMap { event -> Int? in
        switch event {
        case .inQueue(let place, _): place
        case .outOfQueue: 0
        default: nil
        }
      }
    }
    #expect(places == [1, 0])
    let waiting = seen.withLock { events in
      events.compactMap { event -> Int? in
        switch event {
        case .queued(let sender, let count): sender.name?.hasPrefix("bert-") == true ? count : nil
        case .unqueued(_, let count, hasTurn: true): count
        default: nil
        }
      }
    }
    #expect(waiting == [1, 0])
    #expect(try await store.history(limit: 10).count == 2)
  }

  @Test func `nothing is left of a claim once it is here, however many come`() async throws {
    let receiver = try receiver(ClaimStore.inMemory())
    let (browsing, tell) = AsyncStream.makeStream(of: Void.self)
    let run = ReceiverRun(
      receiver, .init(decide: nil), keeps: true, onEvent: { if case .browsing = $0 { tell.yield() } })
    let keeping = Task { try await run.run() }
    for await _ in browsing { break }
    let bob = try DisplayName(Fixture.bob)
    for name in ["alice", "bert", "carol", "dora"] {
      #expect(try await send(as: name, ClaimStore.inMemory()) == .delivered(to: bob, .stored))
    }
    // The sender is told before the receiver has tidied up.
    for _ in 0..<100_000 where await run.taskCount > 1 { await Task.yield() }
    #expect(await run.taskCount == 1, "it browses")
    keeping.cancel()
    #expect(try await keeping.value == .interrupted)
  }
}

/// How each bump of a receive that goes on ended, in order.
private final class Concluded: Sendable {
  private let state = Mutex<[ReceiveOutcome]>([])

  var outcomes: [ReceiveOutcome] { state.withLock(\.self) }

  func note(_ event: ReceiveEvent) {
    if case .concluded(let outcome) = event { state.withLock { $0.append(outcome) } }
  }
}
