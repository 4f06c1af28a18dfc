import BumpDiscovery
import BumpTesting
import BumpWire
import Testing

@testable import BumpKit

@Suite(.timeLimit(.minutes(30))) struct NearbySendersTests {
  /// Announces senders in mode open. They go when the tasks are cancelled.
  private func announce(_ names: [String], by discovery: InMemoryDiscovery) throws -> [Task<Void, any Error>] {
    try names.map { name in
      let service = try Advertisement(name: name, type: .irlBump, port: 7000, txt: TXTRecord(["mode": "open"]))
      let registered = discovery.advertise(service)
      return Task { for try await _ in registered {} }
    }
  }

  @Test func `other senders are in sight, and one's own is not`() async throws {
    let discovery = InMemoryDiscovery()
    let advertisements = try announce(["own", "alice", "bob"], by: discovery)
    defer { for task in advertisements { task.cancel() } }
    let near = NearbySenders(Neighbours(discovery: discovery), besides: "own")
    while near.senders.count < 2 { await Task.yield() }
    let found = await near.senders(at: .now)
    #expect(Set(found.map(\.name)) == ["alice", "bob"])
    #expect(found.allSatisfy { $0.mode == .open })
  }

  @Test func `a sender that has gone is in sight no more`() async throws {
    let discovery = InMemoryDiscovery()
    let advertisements = try announce(["alice", "bob"], by: discovery)
    defer { for task in advertisements { task.cancel() } }
    let near = NearbySenders(Neighbours(discovery: discovery))
    while near.senders.count < 2 { await Task.yield() }
    advertisements[0].cancel()
    while near.senders.count > 1 { await Task.yield() }
    #expect(near.senders.map(\.name) == ["bob"])
  }

  @Test func `anybody can announce senders without number, and few are kept`() async throws {
    let discovery = InMemoryDiscovery()
    let advertisements = try announce((1...40).map { "mallory\($0)" }, by: discovery)
    defer { for task in advertisements { task.cancel() } }
    let near = NearbySenders(Neighbours(discovery: discovery))
    while near.senders.count < NearbySenders.maximum { await Task.yield() }
    // More are found meanwhile.
    for _ in 0..<1000 { await Task.yield() }
    #expect(near.senders.count == NearbySenders.maximum)
  }
}
