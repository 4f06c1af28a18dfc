import BumpClaims
import BumpDiscovery
import BumpNet
import BumpSession
import BumpTesting
import BumpWire
import NIOCore
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// Senders that are found by a subtype alone: that of a channel, or of a key and the hour.
@Suite(.timeLimit(.minutes(30))) struct SubtypeFlowTests {
  /// The last second of an hour.
  private static let beforeTheTurn: Int64 = 1_795_298_399
  private static let hour = Duration.seconds(3600)

  private let scene: FlowScene
  private let key: SharedKey

  init() throws {
    scene = try FlowScene()
    key = try #require(SharedKey([UInt8](0..<32)))
  }

  /// A time of day that the test sets.
  private final class TimeOfDay: Sendable {
    private let seconds: Mutex<Int64>
    init(_ seconds: Int64) { self.seconds = Mutex(seconds) }
    var now: Int64 { seconds.withLock(\.self) }
    func advance(by more: Int64) { seconds.withLock { $0 += more } }
  }

  private func sender(
    _ credential: Credential, on discovery: any Discovery, at time: TimeOfDay, for limit: Duration = .seconds(100_000)
  ) -> Sender {
    var configuration = Sender.Configuration(name: scene.alice)
    configuration.credential = credential
    configuration.discoveryTimeout = limit
    return Sender(
      store: scene.aliceStore, discovery: discovery, transport: scene.network, configuration: configuration,
      clock: scene.clock, clocks: { ClockReading(unix: time.now) })
  }

  private func receiver(_ credential: Credential, on discovery: any Discovery, at time: TimeOfDay) -> Receiver {
    var configuration = Receiver.Configuration(name: scene.bob)
    configuration.credential = credential
    configuration.discoveryTimeout = .seconds(100_000)
    return Receiver(
      store: scene.bobStore, discovery: discovery, transport: scene.network, configuration: configuration,
      clock: scene.clock, unixTime: { time.now })
  }

  private func newClaim(at time: TimeOfDay) async throws -> OutgoingClaim {
    try await scene.aliceStore.create(
      amount: Amount("1.00"), token: .usdc, expiry: Expiry(clamping: 1_900_000_000), at: time.now)
  }

  private func subtypes(_ times: Int64...) -> Set<ServiceSubtype?> {
    Set(times.map { ServiceSubtype.ofKey(key, in: Hour(at: $0)) })
  }

  // MARK: What is registered and browsed

  @Test func `a sender registers the subtype of its credential, and none in mode open`() async throws {
    let now = Self.beforeTheTurn
    let cases: [(Credential, [ServiceSubtype])] = [
      (.none, []), (.code(try OneTimeCode("27-482915")), [.ofChannel(27)]),
      (.key(key), [.ofKey(key, in: Hour(at: now))]),
    ]
    for (credential, subtypes) in cases {
      let registered = RegisteredDiscovery(scene.discovery)
      let time = TimeOfDay(now)
      let claim = try await newClaim(at: time)
      let sending = Task { try await sender(credential, on: registered, at: time).send(claim) }
      var services = registered.services.makeAsyncIterator()
      #expect(await services.next()?.subtypes == subtypes)
      sending.cancel()
      _ = try await sending.value
    }
  }

  @Test func `a receiver with a code browses its channel alone, with a key three hours, and else the type`()
    async throws
  {
    let now = Self.beforeTheTurn
    let cases: [(Credential, Set<ServiceSubtype?>)] = [
      (.none, [nil]), (.code(try OneTimeCode("27-482915")), [.ofChannel(27)]),
      (.key(key), subtypes(now - 3600, now, now + 3600)),
    ]
    for (credential, browsed) in cases {
      let watched = WatchedDiscovery(scene.discovery)
      let receiving = Task { try await receiver(credential, on: watched, at: TimeOfDay(now)).receive() }
      while watched.browses.count < browsed.count { await Task.yield() }
      receiving.cancel()
      _ = try await receiving.value
      #expect(Set(watched.browses.map(\.subtype)) == browsed)
      #expect(watched.browses.count == browsed.count)
    }
  }

  @Test func `a receiver asks for the record of no sender with another subtype`() async throws {
    let watched = WatchedDiscovery(scene.discovery)
    let code = try OneTimeCode("27-482915")
    let others = try (28...60).map { channel in
      Advertisement(
        name: "carol-\(channel)", type: .irlBump, subtypes: [.ofChannel(channel)], port: 4000,
        txt: try TXTRecord(["mode": "code", "ch": "\(channel)"]))
    }
    for other in others { Task { for try await _ in scene.discovery.advertise(other) {} } }
    let time = TimeOfDay(Self.beforeTheTurn)
    let claim = try await newClaim(at: time)
    async let received = receiver(.code(code), on: watched, at: time).receive()
    _ = try await sender(.code(code), on: scene.discovery, at: time).send(claim)
    guard case .received = try await received else { throw Unexpected() }
    #expect(watched.recordsAsked.count == 1 && watched.recordsAsked.allSatisfy { $0.hasPrefix("alice-") })
  }

  // MARK: The hour

  @Test(arguments: [-3600, -1, 0, 1, 3600] as [Int64])
  func `a remembered sender is found though the clocks differ by up to an hour`(difference: Int64) async throws {
    let times = (TimeOfDay(Self.beforeTheTurn), TimeOfDay(Self.beforeTheTurn + difference))
    let claim = try await newClaim(at: times.0)
    async let received = receiver(.key(key), on: scene.discovery, at: times.1).receive()
    let sent = try await sender(.key(key), on: scene.discovery, at: times.0).send(claim)
    #expect(sent == .delivered(to: scene.bob, .stored))
    guard case .received = try await received else { throw Unexpected() }
  }

  @Test func `a sender that waits registers anew in the next hour, under the same name`() async throws {
    let registered = RegisteredDiscovery(scene.discovery)
    let time = TimeOfDay(Self.beforeTheTurn)
    let claim = try await newClaim(at: time)
    let sending = Task { try await sender(.key(key), on: registered, at: time).send(claim) }
    var services = registered.services.makeAsyncIterator()
    let first = try #require(await services.next())
    await scene.clock.hasSleeper(until: .seconds(1))
    time.advance(by: 1)
    scene.clock.advance(by: .seconds(1))
    let second = try #require(await services.next())
    let expected = [Self.beforeTheTurn, time.now].map { [ServiceSubtype.ofKey(key, in: Hour(at: $0))] }
    #expect([first, second].map(\.subtypes) == expected)
    #expect(first.name == second.name && first.port == second.port && first.txt == second.txt)
    // A receiver that begins two hours after the sender finds it.
    await scene.clock.hasSleeper(until: .seconds(1) + Self.hour)
    time.advance(by: 3600)
    scene.clock.advance(by: Self.hour)
    _ = await services.next()
    let received = try await receiver(.key(key), on: scene.discovery, at: time).receive()
    guard case .received = received else { throw Unexpected() }
    #expect(try await sending.value == .delivered(to: scene.bob, .stored))
  }

  @Test func `a sender with a code does not register anew`() async throws {
    let registered = RegisteredDiscovery(scene.discovery)
    let time = TimeOfDay(Self.beforeTheTurn)
    let claim = try await newClaim(at: time)
    let code = Credential.code(try OneTimeCode("27-482915"))
    let sending = Task { try await sender(code, on: registered, at: time).send(claim) }
    var services = registered.services.makeAsyncIterator()
    _ = await services.next()
    await scene.clock.hasSleeper(until: Times.telling)
    time.advance(by: 7200)
    scene.clock.advance(by: Self.hour * 2)
    sending.cancel()
    _ = try await sending.value
    registered.end()
    #expect(await services.next() == nil)
  }

  @Test func `a receiver that waits browses the next hour, and finds a sender that comes two hours after it`()
    async throws
  {
    let watched = WatchedDiscovery(scene.discovery)
    let time = TimeOfDay(Self.beforeTheTurn)
    let receiving = Task { try await receiver(.key(key), on: watched, at: time).receive() }
    while watched.browses.count < 3 { await Task.yield() }
    await scene.clock.hasSleeper(until: .seconds(1))
    time.advance(by: 1)
    scene.clock.advance(by: .seconds(1))
    while watched.browses.count < 4 { await Task.yield() }
    #expect(watched.browses.last?.subtype == .ofKey(key, in: Hour(at: time.now + 3600)))
    await scene.clock.hasSleeper(until: .seconds(1) + Self.hour)
    time.advance(by: 3600)
    scene.clock.advance(by: Self.hour)
    let claim = try await newClaim(at: time)
    #expect(
      try await sender(.key(key), on: scene.discovery, at: time).send(claim) == .delivered(to: scene.bob, .stored))
    guard case .received = try await receiving.value else { throw Unexpected() }
  }

  @Test func `an instance that two hours list is found once, and lost with the last of them`() async throws {
    let time = TimeOfDay(Self.beforeTheTurn)
    let (events, feed) = AsyncStream.makeStream(of: BrowseEvent.self)
    let browsing = SenderBrowsing(
      scene.discovery, .irlBump, on: Timeline(scene.clock), for: .seconds(100_000), unixTime: { time.now },
      tell: { feed.yield($0) })
    let running = Task { [key] in try await browsing.run(with: .key(key)) }
    let all = [-3600, 0, 3600].map { ServiceSubtype.ofKey(key, in: Hour(at: Self.beforeTheTurn + Int64($0))) }
    let service = Advertisement(
      name: "alice", type: .irlBump, subtypes: Array(all.prefix(2)), port: 1, txt: TXTRecord(bytes: []))
    let advertising = Task { [scene] in for try await _ in scene.discovery.advertise(service) {} }
    var iterator = events.makeAsyncIterator()
    guard case .found? = await iterator.next() else { throw Unexpected() }
    while await browsing.listingCount < 2 { await Task.yield() }
    // At the turn of the hour, the first of the two is browsed no longer.
    await scene.clock.hasSleeper(until: .seconds(1))
    time.advance(by: 1)
    scene.clock.advance(by: .seconds(1))
    while await browsing.listingCount > 1 { await Task.yield() }
    advertising.cancel()
    guard case .lost? = await iterator.next() else { throw Unexpected() }
    running.cancel()
    _ = await running.result
    feed.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `a receiver learns at once that discovery has failed, whatever it browses`() async throws {
    for credential in [Credential.none, .code(try OneTimeCode("27-482915")), .key(key)] {
      let discovery = InMemoryDiscovery()
      discovery.takeAway()
      let received = try await receiver(credential, on: discovery, at: TimeOfDay(0)).receive()
      #expect(received == .nobody(.discoveryUnavailable, []))
    }
  }

  // MARK: Nobody has the subtype

  @Test func `a receiver that waits for its sender looks at some others once, and says which channel they have`()
    async throws
  {
    let watched = WatchedDiscovery(scene.discovery)
    let others = try (30..<80).map { number in
      Advertisement(
        name: "carol-\(number)", type: .irlBump, subtypes: [.ofChannel(28)], port: 4000,
        txt: try TXTRecord(["mode": "code", "ch": "28"]))
    }
    for other in others { Task { for try await _ in scene.discovery.advertise(other) {} } }
    let (passed, tell) = AsyncStream.makeStream(of: Int?.self)
    let code = Credential.code(try OneTimeCode("27-482915"))
    let receiving = Task {
      try await receiver(code, on: watched, at: TimeOfDay(0)).receive { event in
        if case .passedOver(_, .code?, let channel) = event { tell.yield(channel) }
      }
    }
    await scene.clock.hasSleeper(until: SenderBrowsing.patience)
    scene.clock.advance(by: SenderBrowsing.patience)
    var channels = passed.makeAsyncIterator()
    for _ in 0..<SenderBrowsing.mostOthers { #expect(await channels.next() == 28) }
    receiving.cancel()
    _ = try await receiving.value
    #expect(watched.browses.map(\.subtype) == [.ofChannel(27), nil])
    #expect(watched.recordsAsked.count == SenderBrowsing.mostOthers && watched.addressesAsked.isEmpty)
  }

  /// A machine without a battery for its clock, and without a network that sets it.
  @Test func `a remembered sender whose clock is years off is found nevertheless, after a moment`() async throws {
    let times = (TimeOfDay(Self.beforeTheTurn), TimeOfDay(0))
    let claim = try await newClaim(at: times.0)
    let sending = Task { try await sender(.key(key), on: scene.discovery, at: times.0).send(claim) }
    let receiving = Task { try await receiver(.key(key), on: scene.discovery, at: times.1).receive() }
    await scene.clock.hasSleeper(until: SenderBrowsing.patience)
    scene.clock.advance(by: SenderBrowsing.patience)
    #expect(try await sending.value == .delivered(to: scene.bob, .stored))
    guard case .received = try await receiving.value else { throw Unexpected() }
  }
}

/// Discovery that tells what is registered.
private final class RegisteredDiscovery: Discovery {
  private let base: InMemoryDiscovery
  let (services, feed) = AsyncStream.makeStream(of: Advertisement.self)

  init(_ base: InMemoryDiscovery) { self.base = base }

  func end() { feed.finish() }

  var backend: String { base.backend }
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    feed.yield(service)
    return base.advertise(service)
  }
  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    base.browse(type, subtype: subtype)
  }
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { try await base.resolve(instance) }
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    base.addresses(of: service)
  }
  func settle() async { await base.settle() }
}
