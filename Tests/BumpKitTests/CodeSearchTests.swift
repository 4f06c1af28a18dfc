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

  /// Lets the time to look pass again and again, since when a channel's begins is not known.
  private func advance(_ clock: ManualClock) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        clock.advance(by: CodeSearch.timeToLook)
        await Task.yield()
      }
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
    while watched.browses.count < 4 { await Task.yield() }
    let advancing = advance(clock)
    #expect(await search.code.channel == 4)
    advancing.cancel()
    #expect(watched.browses.map(\.subtype) == (1...4).map(ServiceSubtype.ofChannel))
    #expect(watched.browses.allSatisfy { !$0.isQuiet } && watched.recordsAsked.isEmpty)
  }

  @Test func `a code is drawn anew when another process asks for its channel`() async throws {
    let watched = WatchedDiscovery(InMemoryDiscovery())
    let clock = ManualClock()
    let search = CodeSearch(watched, clock: clock, random: Self.zeros)
    for channel in 1...2 {
      while watched.questions.count < channel { await Task.yield() }
      watched.ask(.ofChannel(channel))
    }
    while watched.browses.count < 3 { await Task.yield() }
    // A question for a channel that it has given up.
    watched.ask(.ofChannel(1))
    let advancing = advance(clock)
    #expect(await search.code.channel == 3)
    advancing.cancel()
    // A question of its own must find it listening.
    #expect(watched.browses.map(\.subtype) == (1...3).map(ServiceSubtype.ofChannel))
    #expect(watched.questions == (1...3).map(ServiceSubtype.ofChannel))
  }

  @Test func `a channel is watched until the code is asked for, however long that takes`() async throws {
    let (discovery, clock) = (InMemoryDiscovery(), ManualClock())
    let watched = WatchedDiscovery(discovery)
    let search = CodeSearch(watched, clock: clock, random: Self.zeros)
    while watched.browses.count < 1 { await Task.yield() }
    let advancing = advance(clock)
    defer { advancing.cancel() }
    let start = clock.now
    while start.duration(to: clock.now) < CodeSearch.timeToLook * 100 { await Task.yield() }
    let others = announce([1], on: discovery)
    defer { for task in others { task.cancel() } }
    while watched.browses.count < 2 { await Task.yield() }
    #expect(await search.code.channel == 2)
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
