import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// Several senders that announce one channel: by chance, or to be in the way.
@Suite(.timeLimit(.minutes(30))) struct SharedChannelFlowTests {
  private let code: OneTimeCode
  private let other: OneTimeCode
  private var right: Credential { .code(code) }
  private var wrong: Credential { .code(other) }

  init() throws {
    code = try OneTimeCode("27-482915")
    other = try OneTimeCode("27-111111")
  }

  @Test func `the right one of two senders that share a channel gets through, though the other was met`() async throws {
    let scene = try FlowScene()
    let claim = try await scene.newClaim()
    let store = try ClaimStore.inMemory()
    let theirs = try await store.create(amount: Amount("2.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    let sending = Task { try await scene.sender(wrong, of: store).send(theirs) }
    let (rejected, tell) = AsyncStream.makeStream(of: Void.self)
    async let received = scene.receiver(right).receive(onEvent: { if case .wrongCode = $0 { tell.yield() } })
    for await _ in rejected { break }
    #expect(try await scene.sender(right).send(claim) == .delivered(to: scene.bob, .stored))
    guard case .received(let verified) = try await received else { throw Unexpected() }
    #expect(verified.claim == claim.claim)
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
  }

  @Test func `a sender is told of another on its channel, once, and of no other sender`() async throws {
    let scene = try FlowScene()
    let (told, tell) = AsyncStream.makeStream(of: String.self)
    let claim = try await scene.newClaim()
    let sending = Task {
      try await scene.sender(right).send(claim) { if case .channelShared(let name, 27) = $0 { tell.yield(name) } }
    }
    await scene.clock.hasSleeper(until: Times.telling)
    let subtypes: [[ServiceSubtype]] = [[.ofChannel(28)], [], [try ServiceSubtype("c027")], [.ofChannel(27)]]
    let others = try subtypes.enumerated().map { number, subtypes in
      Advertisement(
        name: "carol-\(number)", type: .irlBump, subtypes: subtypes, port: 4000,
        txt: try TXTRecord(["mode": "code", "ch": "27"]))
    }
    for other in others { Task { for try await _ in scene.discovery.advertise(other) {} } }
    scene.clock.advance(by: Times.telling)
    var names = told.makeAsyncIterator()
    #expect(await names.next() == "carol-3")
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    tell.finish()
    #expect(await names.next() == nil)
  }

  /// Everybody hears every question: of fifty that ask about fifty, that is most of what a host does.
  @Test func `a sender that waits browses its channel quietly, and asks for nobody's record or address`()
    async throws
  {
    let scene = try FlowScene()
    let watched = WatchedDiscovery(scene.discovery)
    let (told, tell) = AsyncStream.makeStream(of: String.self)
    let claim = try await scene.newClaim()
    let others = try (1...50).map { number in
      Advertisement(
        name: "carol-\(number)", type: .irlBump, subtypes: [.ofChannel(27)], port: 4000,
        txt: try TXTRecord(["mode": "code", "ch": "27"]))
    }
    for other in others { Task { for try await _ in scene.discovery.advertise(other) {} } }
    let sending = Task {
      try await scene.sender(right, discovery: watched).send(claim) {
        if case .channelShared(let name, 27) = $0 { tell.yield(name) }
      }
    }
    await scene.clock.hasSleeper(until: Times.telling)
    scene.clock.advance(by: Times.telling)
    var names = told.makeAsyncIterator()
    for _ in 1...16 { _ = await names.next() }
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    #expect(watched.addressesAsked.isEmpty && watched.recordsAsked.isEmpty)
    #expect(watched.browses == [.init(subtype: .ofChannel(27), isQuiet: true)])
  }

  @Test func `a receiver asks for the address of nobody whom it passes over`() async throws {
    let scene = try FlowScene()
    let watched = WatchedDiscovery(scene.discovery)
    let (passed, tell) = AsyncStream.makeStream(of: Void.self)
    let carol = Advertisement(
      name: "carol-0123456789abcdef", type: .irlBump, subtypes: [.ofChannel(27)], port: 4,
      txt: try TXTRecord(["mode": "code", "ch": "28"]))
    Task { for try await _ in scene.discovery.advertise(carol) {} }
    async let received = scene.receiver(right, discovery: watched).receive {
      if case .passedOver = $0 { tell.yield() }
    }
    for await _ in passed { break }
    #expect(try await scene.sender(right).send(scene.newClaim()) == .delivered(to: scene.bob, .stored))
    guard case .received = try await received else { throw Unexpected() }
    #expect(watched.addressesAsked.count == 1 && !watched.addressesAsked.contains(4), "\(watched.addressesAsked)")
  }
}
