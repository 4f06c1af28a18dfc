import BumpDiscovery
import BumpSession
import BumpTesting
import BumpWire
import Synchronization
import Testing

@testable import BumpKit

@Suite(.timeLimit(.minutes(30))) struct CodeSearchTests {
  /// Announces a sender on each of these channels until the task is cancelled.
  private func announce(_ channels: some Sequence<Int>, on discovery: InMemoryDiscovery) -> [Task<Void, any Error>] {
    channels.map { channel in
      let service = Advertisement(
        name: "other\(channel)", type: .irlBump, subtypes: [.ofChannel(channel)], port: 7000,
        txt: TXTRecord(bytes: []))
      let names = discovery.advertise(service)
      return Task { for try await _ in names {} }
    }
  }

  /// Draws the free channels in order: the lowest that is left each time. The digits are zeros.
  private static let zeros: @Sendable (Int) -> [UInt8] = { [UInt8](repeating: 0, count: $0) }

  @Test func `a code is drawn anew until nobody has its channel, and each channel is browsed alone`() async throws {
    let (discovery, clock) = (InMemoryDiscovery(), ManualClock())
    let others = announce([1, 2, 3, 5, 90], on: discovery)
    defer { for task in others { task.cancel() } }
    let watched = WatchedDiscovery(discovery)
    let search = CodeSearch(watched, clock: clock, random: Self.zeros)
    // Channel 4 is browsed until the time to look is over, whenever that began.
    while watched.browses.count < 4 { await Task.yield() }
    let advancing = Task {
      while !Task.isCancelled {
        clock.advance(by: CodeSearch.timeToLook)
        await Task.yield()
      }
    }
    #expect(await search.code.channel == 4)
    advancing.cancel()
    #expect(watched.browses.map(\.subtype) == (1...4).map(ServiceSubtype.ofChannel))
    #expect(watched.browses.allSatisfy { !$0.isQuiet } && watched.recordsAsked.isEmpty)
  }

  @Test func `of channels that all are in use only some are tried`() async throws {
    let discovery = InMemoryDiscovery()
    let others = announce(1...99, on: discovery)
    defer { for task in others { task.cancel() } }
    let watched = WatchedDiscovery(discovery)
    let search = CodeSearch(watched, clock: ManualClock(), random: Self.zeros)
    #expect(await search.code.channel == CodeSearch.maximumDraws)
    #expect(watched.browses.count == CodeSearch.maximumDraws - 1)
  }

  @Test func `where discovery fails a code is drawn at once`() async throws {
    let discovery = InMemoryDiscovery()
    discovery.takeAway()
    let search = CodeSearch(discovery, clock: ManualClock(), random: Self.zeros)
    #expect(await search.code.channel == 1)
  }
}
