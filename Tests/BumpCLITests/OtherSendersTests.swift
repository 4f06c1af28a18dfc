import BumpDiscovery
import BumpKit
import BumpTesting
import BumpText
import BumpWire
import Testing

@testable import BumpCLI

/// Who else is sending, for a sender to whom nobody came.
@Suite(.timeLimit(.minutes(30))) struct OtherSendersTests {
  /// Announces a sender until the task is cancelled.
  private func announce(_ name: String, by discovery: InMemoryDiscovery) throws -> Task<Void, any Error> {
    let service = try Advertisement(name: name, type: .irlBump, port: 7000, txt: TXTRecord(["mode": "open"]))
    let registered = discovery.advertise(service)
    return Task { for try await _ in registered {} }
  }

  private func withdraw(_ announcement: Task<Void, any Error>, from discovery: InMemoryDiscovery) async {
    announcement.cancel()
    _ = await announcement.result
    await discovery.settle()
  }

  /// Returns the looks around of a send that is announced as `own`, and has looked once.
  private func others(by discovery: InMemoryDiscovery, in mode: Mode = .open) async -> OtherSenders {
    // Long enough for a busy machine.
    let looks = OtherSenders.Looks(early: .seconds(5), last: .seconds(5))
    let others = OtherSenders(discovery, of: .irlBump, during: .zero, in: mode, looking: looks)
    others.event(.advertising(name: "own", port: 7000, backend: "memory"))
    _ = await others.early()
    return others
  }

  @Test func `two that begin and end together both hear of each other`() async throws {
    let discovery = InMemoryDiscovery()
    let own = try announce("own", by: discovery)
    let bob = try announce("bob", by: discovery)
    let others = await others(by: discovery)
    await withdraw(own, from: discovery)
    await withdraw(bob, from: discovery)
    let seen = await others.near(.discoveryTimeout, [])
    #expect(seen.senders.map(\.name) == ["bob"] && seen.areGone)
    #expect(OtherSenders.clause(seen) == #""bob" was sending too: one of you runs `bump receive`"#)
  }

  @Test func `a sender that is still here comes before those that were here`() async throws {
    let discovery = InMemoryDiscovery()
    let bob = try announce("bob", by: discovery)
    let others = await others(by: discovery)
    await withdraw(bob, from: discovery)
    let carol = try announce("carol", by: discovery)
    let seen = await others.near(.discoveryTimeout, [])
    #expect(seen.senders.map(\.name) == ["carol"] && !seen.areGone)
    await withdraw(carol, from: discovery)
  }

  @Test func `with a code nobody is looked for before the end`() async throws {
    let discovery = InMemoryDiscovery()
    let bob = try announce("bob", by: discovery)
    let others = await others(by: discovery, in: .code)
    #expect(await others.early().isEmpty)
    let seen = await others.near(.discoveryTimeout, [])
    #expect(seen.senders.map(\.name) == ["bob"] && !seen.areGone)
    await withdraw(bob, from: discovery)
  }

  @Test(arguments: [(1, true), (1, false), (16, true), (16, false)])
  func `who else is sending stands in one line below the QR code, too, whatever their names`(
    count: Int, areGone: Bool
  ) throws {
    let senders = (0..<count).map { Neighbour(name: "Alexandra von Hohenschwangau-000000000000000\($0 % 10)") }
    let note = try #require(LinkNote.ofNobodys(besides: .init(senders: senders, areGone: areGone)))
    #expect(TextWidth.columns(of: note) < 80, "\(note)")
    #expect(note.hasSuffix(" sending too. One of you: bump receive"), "\(note)")
    #expect(LinkNote.ofNobodys(besides: .init()) == nil)
  }

  @Test func `a send to which a receiver came says nothing of other senders`() async throws {
    let discovery = InMemoryDiscovery()
    let bob = try announce("bob", by: discovery)
    let others = await others(by: discovery)
    let receiver = FailedPeer(address: "192.0.2.7:4000", reason: .declinedThere)
    #expect(await others.near(.discoveryTimeout, [receiver]).senders.isEmpty)
    #expect(await others.near(.declined, []).senders.isEmpty)
    await withdraw(bob, from: discovery)
  }
}
