import BumpTesting
import Synchronization
import Testing

@testable import BumpKit

/// Several senders and one receiver, over the twins in memory.
@Suite(.timeLimit(.minutes(5))) struct KeepFlowTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let clock = ManualClock()

  private func send(as name: String, _ store: ClaimStore) async throws -> SendOutcome {
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sender = Sender(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName(name)),
      clock: clock, unixTime: { 0 })
    return try await sender.send(claim)
  }

  private func receiver(_ store: ClaimStore) throws -> Receiver {
    Receiver(
      store: store, discovery: discovery, transport: network, configuration: .init(name: try DisplayName(Fixture.bob)),
      clock: clock, unixTime: { 0 })
  }

  @Test func `claims of three senders come into one store, until the task is cancelled`() async throws {
    let store = try ClaimStore.inMemory()
    let concluded = Mutex<[ReceiveOutcome]>([])
    let receiver = try receiver(store)
    let keeping = Task {
      try await receiver.keepReceiving(onEvent: { event in
        if case .concluded(let outcome) = event { concluded.withLock { $0.append(outcome) } }
      })
    }
    let bob = try DisplayName(Fixture.bob)
    for name in ["alice", "bert", "carol"] {
      #expect(try await send(as: name, ClaimStore.inMemory()) == .delivered(to: bob, .stored))
    }
    keeping.cancel()
    #expect(try await keeping.value == .interrupted)
    #expect(concluded.withLock(\.count) == 3)
    #expect(try await store.history(limit: 10).count == 3)
  }
}
