import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import NIOCore
import Samples
import Testing

@testable import BumpKit

@Suite(.timeLimit(.minutes(30))) struct NeighbourhoodTests {
  private var near = Neighbourhood()

  private func instance(_ name: String, interface: UInt32 = 1) -> ServiceInstance {
    ServiceInstance(name: name, type: "_irl-bump._tcp", interface: interface)
  }

  private func address(_ port: Int) throws -> SocketAddress { try SocketAddress(ipAddress: "192.0.2.1", port: port) }

  private func told(_ outputs: [Neighbourhood.Output]) -> [NeighbourEvent] {
    outputs.compactMap { if case .tell(let event) = $0 { event } else { nil } }
  }

  private func resolved(_ outputs: [Neighbourhood.Output]) -> [String] {
    outputs.compactMap { if case .resolve(let instance) = $0 { instance.name } else { nil } }
  }

  @Test mutating func `who comes is told of when found, when it answers, and when it goes`() throws {
    let found = near.found(instance("alice-0123456789abcdef"), at: .zero)
    #expect(resolved(found) == ["alice-0123456789abcdef"])
    guard case .found(let first) = told(found).first else { throw Unexpected() }
    #expect(first.mode == nil && first.addresses.isEmpty && first.shown == "alice-0123")

    _ = near.described(
      instance(first.name), try Announcement(TXTRecord(["mode": "code", "ch": "27"])), at: .seconds(1))
    let answered = near.resolved(instance(first.name), try address(1), at: .seconds(2))
    guard case .resolved(let there) = told(answered).first else { throw Unexpected() }
    #expect(try there.mode == .code && there.channel == 27 && there.addresses == [address(1)])
    #expect(there.age == .seconds(2))

    guard case .lost(let gone) = told(near.lost(instance(first.name), at: .seconds(9))).first else {
      throw Unexpected()
    }
    #expect(gone.age == .seconds(9) && gone.mode == .code)
    #expect(near.deadline == nil)
  }

  @Test mutating func `a sender on two interfaces is one, and goes with the last`() throws {
    #expect(told(near.found(instance("a"), at: .zero)).count == 1)
    let second = near.found(instance("a", interface: 2), at: .zero)
    #expect(told(second).isEmpty && resolved(second) == ["a"])
    #expect(told(near.resolved(instance("a"), try address(1), at: .zero)).count == 1)
    guard case .changed(let more) = told(near.resolved(instance("a", interface: 2), try address(2), at: .zero)).first
    else { throw Unexpected() }
    #expect(try more.addresses == [address(1), address(2)])
    let same = near.resolved(instance("a", interface: 2), try address(1), at: .zero)
    #expect(same.isEmpty, "two interfaces may tell of one address")
    #expect(told(near.lost(instance("a"), at: .zero)).isEmpty)
    #expect(told(near.lost(instance("a", interface: 2), at: .zero)).count == 1)
  }

  @Test(arguments: ["0", "100", "027", "+1", "2 7", "", "９"])
  mutating func `a channel that is none is not told`(text: String) throws {
    _ = near.found(instance("a"), at: .zero)
    _ = near.described(instance("a"), try Announcement(TXTRecord(["mode": "other", "ch": text])), at: .zero)
    guard case .resolved(let there) = told(near.resolved(instance("a"), try address(1), at: .zero)).first else {
      throw Unexpected()
    }
    #expect(there.channel == nil && there.mode == nil)
  }

  @Test mutating func `of a thousand forged entries 32 are resolved at once, and the newest true one first`() throws {
    var begun = 0
    for number in 1...1000 { begun += resolved(near.found(instance("forged\(number)"), at: .zero)).count }
    #expect(begun == 32)
    #expect(resolved(near.found(instance("alice"), at: .milliseconds(1))).isEmpty)
    let now = try #require(near.deadline)
    let next = resolved(near.deadlinePassed(at: now))
    #expect(next.count == 32 && next.first == "alice")
  }

  /// Nothing of an instance may be left once it is lost: somebody may announce and withdraw names for hours.
  @Test(arguments: [1, 100_000])
  mutating func `instances that come and go leave nothing behind`(names: Int) throws {
    for number in 1...32 { _ = near.found(instance("silent\(number)"), at: .zero) }
    for number in 0..<100_000 {
      _ = near.found(instance("forged\(number % names)"), at: .zero)
      _ = near.lost(instance("forged\(number % names)"), at: .zero)
      guard near.waitingCount <= 100 else { break }
    }
    #expect(near.waitingCount <= 100)
    _ = near.found(instance("alice"), at: .milliseconds(1))
    let now = try #require(near.deadline)
    #expect(resolved(near.deadlinePassed(at: now)) == ["alice"])
  }

  @Test mutating func `what answers nothing is asked about once a minute in the end`() throws {
    _ = near.found(instance("gone"), at: .zero)
    var tries: [Moment] = []
    while let deadline = near.deadline, deadline < .seconds(1200) {
      if !resolved(near.deadlinePassed(at: deadline)).isEmpty { tries.append(deadline) }
    }
    #expect((8...10).contains(tries.count { $0 > .seconds(600) }))
    #expect(tries.count { $0 < .seconds(10) } >= 4)
  }

  @Test mutating func `who has answered is not asked again, and its 16 addresses are enough`() throws {
    _ = near.found(instance("a"), at: .zero)
    for port in 1...40 { _ = near.resolved(instance("a"), try address(port), at: .zero) }
    let end = try #require(near.deadline)
    #expect(near.deadlinePassed(at: end) == [.stopResolving(instance("a"))])
    #expect(near.deadline == nil)
    guard case .lost(let gone) = told(near.lost(instance("a"), at: end)).first else { throw Unexpected() }
    #expect(gone.addresses.count == 16)
  }

  @Test func `where records are enough, a sender is there with its record, and is asked no more`() throws {
    var near = Neighbourhood(wantsAddresses: false)
    _ = near.found(instance("a"), at: .zero)
    let described = near.described(
      instance("a"), try Announcement(TXTRecord(["mode": "code", "ch": "27"])), at: .seconds(1))
    guard case .resolved(let there) = told(described).first else { throw Unexpected() }
    #expect(there.mode == .code && there.channel == 27 && there.addresses.isEmpty)
    #expect(described.contains(.stopResolving(instance("a"))))
    #expect(near.deadline == nil)
  }

  @Test func `where records are enough, each that comes makes room for the next of a thousand`() throws {
    var near = Neighbourhood(wantsAddresses: false)
    var waiting: [String] = []
    for number in 1...1000 { waiting += resolved(near.found(instance("forged\(number)"), at: .zero)) }
    #expect(waiting.count == 32)
    var count = 0
    while let name = waiting.popLast() {
      count += 1
      waiting += resolved(near.described(instance(name), try Announcement(TXTRecord([:])), at: .zero))
    }
    #expect(count == 1000)
  }

  @Test func `a watch tells of an advertisement, and ends with discovery`() async throws {
    let discovery = InMemoryDiscovery()
    var events = Neighbours(discovery: discovery, clock: ManualClock()).watch().makeAsyncIterator()
    let txt = try TXTRecord(["mode": "open"])
    let service = Advertisement(name: "alice-0123456789abcdef", type: .irlBump, port: 4000, txt: txt)
    let advertising = Task { for try await _ in discovery.advertise(service) {} }
    guard case .found = try await events.next() else { throw Unexpected() }
    guard case .resolved(let there) = try await events.next() else { throw Unexpected() }
    #expect(try there.mode == .open && there.addresses == [InMemoryNetwork.address(port: 4000)])
    advertising.cancel()
    guard case .lost = try await events.next() else { throw Unexpected() }
    discovery.takeAway()
    await #expect(throws: DiscoveryError(.unavailable, "")) { _ = try await events.next() }
  }
}
