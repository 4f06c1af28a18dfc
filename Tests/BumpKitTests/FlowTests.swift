import BumpClaims
import BumpDiscovery
import BumpTesting
import Dispatch
import GRDB
import NIOCore
import Samples
import Synchronization
import Testing

@testable import BumpKit
@testable import BumpStore

/// Whole bumps through `Sender` and `Receiver`, over the twins in memory, by a clock that the test holds.
@Suite(.timeLimit(.minutes(30))) struct FlowTests {
  private let scene: FlowScene
  private var clock: ManualClock { scene.clock }
  private var discovery: InMemoryDiscovery { scene.discovery }
  private var aliceStore: ClaimStore { scene.aliceStore }
  private var bobStore: ClaimStore { scene.bobStore }
  private var bob: DisplayName { scene.bob }

  init() throws {
    scene = try FlowScene()
  }

  private func sender(_ credential: Credential = .none) -> Sender { scene.sender(credential) }

  private func receiver(_ credential: Credential = .none) -> Receiver { scene.receiver(credential) }

  private func newClaim() async throws -> OutgoingClaim { try await scene.newClaim() }

  @Test func `a claim goes from one store to the other`() async throws {
    let claim = try await newClaim()
    async let received = receiver().receive()
    #expect(try await sender().send(claim) == .delivered(to: bob, .stored))
    guard case .received(let verified) = try await received else { throw Unexpected() }
    #expect(verified.claim == claim.claim)
    #expect(try await aliceStore.outgoing(claim.claim.id)?.state == .delivered)
    #expect(try await aliceStore.outgoing(claim.claim.id)?.peer == bob)
    #expect(try await bobStore.incoming(claim.claim.id).map(\.claim) == [claim.claim])
    #expect(try await bobStore.incoming(claim.claim.id).map(\.from) == [scene.alice])
  }

  @Test func `discovery is told of a sender that cannot be connected to`() async throws {
    let nobody = Advertisement(
      name: "nobody", type: .irlBump, port: 4242, txt: try TXTRecord(["v": "1", "mode": "open"]))
    let advertising = Task { for try await _ in discovery.advertise(nobody) {} }
    let reconfirming = Reconfirming(discovery)
    // Another address is waited for, by the clock on the wall.
    let receiver = Receiver(
      store: bobStore, discovery: reconfirming.browsingAhead(.irlBump), transport: scene.network,
      configuration: .init(name: bob))
    let receiving = Task { try await receiver.receive() }
    #expect(await reconfirming.names.first { _ in true } == "nobody")
    receiving.cancel()
    _ = try await receiving.value
    advertising.cancel()
  }

  /// Either end's cancellation could wait for the other: a whole run of tests stood still by it.
  @Test func `streams that end at the same moment do not wait for each other`() async throws {
    let service = Advertisement(name: "alice", type: .irlBump, port: 4242, txt: try TXTRecord(["v": "1"]))
    for _ in 1...500 {
      let discovery = InMemoryDiscovery()
      let (found, tell) = AsyncStream.makeStream(of: Void.self)
      let advertising = Task { for try await _ in discovery.advertise(service) {} }
      let browsers = (1...4).map { _ in
        Task { for try await _ in discovery.browse(.irlBump) { tell.yield() } }
      }
      for await _ in found.prefix(browsers.count) {}
      let tasks = browsers + [advertising]
      DispatchQueue.concurrentPerform(iterations: tasks.count) { tasks[tasks.count - 1 - $0].cancel() }
      for task in tasks { _ = await task.result }
    }
  }

  @Test func `a sender whose every name is taken tries fifteen, and then one in five seconds`() async throws {
    let greedy = ConflictingDiscovery()
    let claim = try await newClaim()
    let sending = Task { [sender = scene.sender(discovery: greedy)] in try await sender.send(claim) }
    await clock.hasSleeper(until: .seconds(5))
    #expect(greedy.names.count == 15 && Set(greedy.names).count == 15)
    clock.advance(by: .milliseconds(4999))
    #expect(greedy.names.count == 15)
    clock.advance(by: .milliseconds(1))
    #expect(await greedy.told.first { $0 == 16 } == 16)
    sending.cancel()
    _ = try await sending.value
    #expect(greedy.names.count == 16)
  }

  @Test func `both persons are asked, and see the same digits`() async throws {
    let claim = try await newClaim()
    let digits = Mutex<[String]>([])
    let see: @Sendable (String) -> Bool = { seen in
      digits.withLock { $0.append(seen) }
      return true
    }
    async let received = receiver().receive(decide: { see($0.digits.description) })
    #expect(try await sender().send(claim, approve: { see($0.digits.description) }) == .delivered(to: bob, .stored))
    _ = try await received
    #expect(digits.withLock { $0.count == 2 && Set($0).count == 1 })
  }

  @Test func `a question has the instance name under which its sender was found`() async throws {
    let claim = try await newClaim()
    let found = Mutex<[String]>([])
    let asked = Mutex<[String]>([])
    async let received = receiver().receive(
      onEvent: { event in
        if case .found(let name) = event { found.withLock { $0.append(name) } }
      },
      decide: { question in
        asked.withLock { $0.append(question.instance ?? "") }
        return true
      })
    #expect(try await sender().send(claim) == .delivered(to: bob, .stored))
    _ = try await received
    let names = found.withLock(\.self)
    #expect(names.count == 1 && asked.withLock(\.self) == names)
  }

  @Test func `events come in order on both sides`() async throws {
    let claim = try await newClaim()
    let sent = Mutex<[SendEvent]>([])
    let seen = Mutex<[ReceiveEvent]>([])
    async let received = receiver().receive(onEvent: { event in seen.withLock { $0.append(event) } })
    _ = try await sender().send(claim, onEvent: { event in sent.withLock { $0.append(event) } })
    _ = try await received
    #expect(
      sent.withLock { $0.map(\.name) } == [
        "advertising", "connected", "digits", "accepted", "sent", "sessionEnded", "stored",
      ])
    #expect(
      seen.withLock { $0.map(\.name) }
        == ["browsing", "found", "resolved", "resolved", "connected", "digits", "offer", "sessionEnded", "stored"])
  }

  @Test func `a receiver that finds nobody gives up after ten seconds`() async throws {
    async let received = receiver().receive()
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(try await received == .nobody(.timeout, []))
  }

  @Test func `a sender that nobody answers has the link after ten seconds, and it is marked as shown`() async throws {
    let claim = try await newClaim()
    async let sent = sender().send(claim)
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(10))
    guard case .undelivered(.discoveryTimeout, let link?, _) = try await sent else { throw Unexpected() }
    #expect(link.claim == claim.claim)
    #expect(try await aliceStore.outgoing(claim.claim.id)?.state == .linkShown)
  }

  @Test func `a claim that came to nothing is offered again, and goes to one receiver`() async throws {
    let claim = try await newClaim()
    async let sent = sender().send(claim)
    await clock.hasSleeper(until: .seconds(10))
    clock.advance(by: .seconds(10))
    guard case .undelivered(.discoveryTimeout, _?, _) = try await sent else { throw Unexpected() }
    // As it was made it is not sent any more: its link is out, which whoever sends it has to know.
    let error = await #expect(throws: StoreError.self) { try await sender().send(claim) }
    #expect(error?.code == .notNew)
    let again = try #require(try await aliceStore.outgoing(claim.claim.id, at: 0))
    #expect(again.state == .linkShown)
    async let received = receiver().receive()
    #expect(try await sender().send(again) == .delivered(to: bob, .stored))
    guard case .received(let verified) = try await received else { throw Unexpected() }
    #expect(verified.claim == claim.claim)
    #expect(try await aliceStore.outgoing(claim.claim.id, at: 0)?.state.isOfferable == false)
  }

  @Test func `a claim that is offered again and interrupted stands where it stood`() async throws {
    let claim = try await newClaim()
    _ = try await aliceStore.showLink(of: claim.claim.id, at: 0)
    let again = try #require(try await aliceStore.outgoing(claim.claim.id, at: 0))
    let sending = Task { try await sender().send(again) }
    await clock.hasSleeper(until: .seconds(10))
    sending.cancel()
    #expect(try await sending.value == .interrupted(.linkShown))
  }

  @Test func `where discovery is taken away both end at once`() async throws {
    let claim = try await newClaim()
    async let sent = sender().send(claim)
    async let received = scene.receiver(discovery: InMemoryDiscovery.gone()).receive()
    #expect(try await received == .nobody(.discoveryUnavailable, []))
    await clock.hasSleeper(until: .seconds(10))
    discovery.takeAway()
    guard case .undelivered(.discoveryUnavailable, _?, _) = try await sent else { throw Unexpected() }
  }

  @Test func `a claim that is not new is not sent again`() async throws {
    let claim = try await newClaim()
    #expect(try await aliceStore.showLink(of: claim.claim.id).claim?.state == .new)
    let error = await #expect(throws: StoreError.self) { try await sender().send(claim) }
    #expect(error?.code == .notNew)
  }

  @Test func `a sender that is cancelled says where the claim stands`() async throws {
    let claim = try await newClaim()
    let sending = Task { try await sender().send(claim) }
    await clock.hasSleeper(until: .seconds(10))
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    #expect(try await aliceStore.outgoing(claim.claim.id)?.state == .new)
  }

  /// What another process does to a claim while this one waits for a receiver.
  private func moveOn(_ claim: OutgoingClaim, to state: HandoverState) async throws {
    let id = claim.claim.id
    if state == .linkShown { return #expect(try await aliceStore.showLink(of: id, at: 0).claim != nil) }
    let released = try await aliceStore.release(id, to: bob, answerWithin: .seconds(5), at: { 0 })
    guard case .released(let deadline) = released else { throw Unexpected() }
    try await aliceStore.record(state, of: id, after: .init(peer: bob, deadline: deadline), at: 0)
  }

  @Test(arguments: [HandoverState.linkShown, .delivered, .unknown])
  func `a sender that is cancelled says where another process has brought the claim`(state: HandoverState) async throws
  {
    let claim = try await newClaim()
    let sending = Task { try await sender().send(claim) }
    await clock.hasSleeper(until: .seconds(10))
    try await moveOn(claim, to: state)
    sending.cancel()
    #expect(try await sending.value == .interrupted(state))
  }

  @Test(arguments: [HandoverState.linkShown, .delivered, .unknown])
  func `a send that shows no link says of a claim that another process has moved on that it has changed`(
    state: HandoverState
  ) async throws {
    let claim = try await newClaim()
    var configuration = Sender.Configuration(name: scene.alice)
    configuration.fallsBack = false
    let sender = Sender(
      store: aliceStore, discovery: discovery, transport: scene.network, configuration: configuration, clock: clock,
      clocks: { ClockReading(unix: 0) })
    async let sent = sender.send(claim)
    await clock.hasSleeper(until: .seconds(10))
    try await moveOn(claim, to: state)
    clock.advance(by: .seconds(10))
    #expect(try await sent == .changedElsewhere(state))
  }

  @Test(arguments: [true, false])
  func `a claim that is deleted from the store meanwhile is neither sent nor shown`(isMet: Bool) async throws {
    let claim = try await newClaim()
    let sending = Task { try await sender().send(claim) }
    await clock.hasSleeper(until: .seconds(10))
    try await aliceStore.write { try $0.execute(sql: "DELETE FROM outgoing") }
    let receiving = isMet ? Task { try await receiver().receive() } : nil
    if !isMet { clock.advance(by: .seconds(10)) }
    let error = await #expect(throws: StoreError.self) { try await sending.value }
    #expect(error?.code == .notNew && error?.reason.contains("it is not in the store") == true)
    receiving?.cancel()
    if case .received = try await receiving?.value { throw Unexpected() }
  }

  @Test func `a receiver that is cancelled has received nothing`() async throws {
    let receiving = Task { try await receiver().receive() }
    await clock.hasSleeper(until: .seconds(10))
    receiving.cancel()
    #expect(try await receiving.value == .interrupted)
  }

  // MARK: Attempts

  /// With money behind it a claim is handed over no more once its receiver would lack the time to redeem it.
  @Test(arguments: [0, 1]) func `a send whose claim expires meanwhile ends so, or a margin before`(margin: Int)
    async throws
  {
    let claim = try await aliceStore.create(
      amount: Amount("1.00"), token: .usdc, expiry: Expiry(clamping: 3), at: 0)
    let (advertised, tell) = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await scene.sender(expiryMargin: .seconds(margin)).send(
        claim, onEvent: { if case .advertising = $0 { tell.yield() } })
    }
    for await _ in advertised { break }
    await clock.hasSleeper(until: .seconds(3 - margin))
    clock.advance(by: .seconds(3 - margin))
    #expect(try await sending.value == .expired)
  }

  @Test func `an end that cannot be written down is told, and is the outcome all the same`() async throws {
    let claim = try await newClaim()
    try await aliceStore.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER full BEFORE UPDATE ON outgoing WHEN NEW.state = 'delivered'
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
          """)
    }
    let events = Mutex<[SendEvent]>([])
    async let received = receiver().receive()
    let outcome = try await sender().send(claim, onEvent: { event in events.withLock { $0.append(event) } })
    _ = try await received
    #expect(outcome == .delivered(to: bob, .stored))
    #expect(events.withLock { $0.contains(.notRecorded(.delivered)) })
    #expect(try await aliceStore.outgoing(claim.claim.id, at: 0)?.state == .released)
  }

  /// A receiver leaves once it has seen the digits, and has not answered.
  private func seeDigits() async throws {
    let digits = AsyncStream.makeStream(of: Void.self)
    let person = AsyncStream.makeStream(of: Bool.self)
    let receiving = Task {
      try await receiver().receive(
        onEvent: { if case .digits = $0 { digits.continuation.yield() } },
        decide: { _ in
          for await answer in person.stream { return answer }
          return false
        })
    }
    for await _ in digits.stream { break }
    receiving.cancel()
    _ = try await receiving.value
  }

  @Test func `a bump has the attempts that its claim has left, and no more`() async throws {
    let claim = try await newClaim()
    _ = try await aliceStore.reserveAttempts(of: claim.claim.id)
    try await aliceStore.record(nil, of: claim.claim.id, after: nil, at: 0, unusedAttempts: 1)
    let sending = Task { try await sender().send(claim, approve: { _ in false }) }
    try await seeDigits()
    clock.advance(by: .seconds(10))
    guard case .undelivered(.interference, _?, _) = try await sending.value else {
      Issue.record("\(try await sending.value)")
      return
    }
  }

  @Test func `attempts are the claim's, over all its bumps, and with none left digits are not compared`() async throws {
    var claim = try await newClaim()
    for _ in 1...ClaimLimits.attempts {
      let offered = claim
      let sending = Task { try await sender().send(offered, approve: { _ in false }) }
      try await seeDigits()
      sending.cancel()
      _ = try await sending.value
      claim = try #require(try await aliceStore.outgoing(claim.claim.id, at: 0))
    }
    let spent = claim
    let error = await #expect(throws: StoreError.self) { try await sender().send(spent, approve: { _ in true }) }
    #expect(error?.code == .attemptsSpent)
    // Nobody compares digits here, and each bump has its own three.
    async let received = receiver().receive()
    #expect(try await sender().send(spent) == .delivered(to: bob, .stored))
    _ = try await received
    #expect(try await aliceStore.outgoing(spent.claim.id)?.state == .delivered)
  }

  // MARK: Codes and keys

  @Test(arguments: try [Credential.code(OneTimeCode("27-482915")), .key(#require(SharedKey([UInt8](0..<32))))])
  func `both ends that know the code or the key meet`(credential: Credential) async throws {
    let claim = try await newClaim()
    async let received = receiver(credential).receive()
    #expect(try await sender(credential).send(claim) == .delivered(to: bob, .stored))
    guard case .received = try await received else { throw Unexpected() }
  }

  @Test func `only a receiver with the code or the key of the send gets its claim`() async throws {
    let (code, key) = (try OneTimeCode("27-482915"), try #require(SharedKey([UInt8](0..<32))))
    let wanted: [(Sender.Recipient, Credential)] = [
      (.code(code), .code(code)), (.key(key), .key(key)), (.anyone, .none),
    ]
    for (recipient, credential) in wanted {
      let claim = try await newClaim()
      async let received = receiver(credential).receive()
      #expect(try await sender().send(claim, to: recipient) == .delivered(to: bob, .stored))
      guard case .received = try await received else { throw Unexpected() }
    }
  }

  /// What Docs/threat-model.md says of it.
  @Test func `with anyone a stranger that is quicker gets the claim, and nobody is asked`() async throws {
    let claim = try await newClaim()
    let mallory = try DisplayName("mallory")
    let store = try ClaimStore.inMemory()
    let stranger = Receiver(
      store: store, discovery: discovery, transport: scene.network, configuration: .init(name: mallory), clock: clock,
      unixTime: { 0 })
    async let taken = stranger.receive()
    #expect(try await sender().send(claim, to: .anyone) == .delivered(to: mallory, .stored))
    guard case .received(let verified) = try await taken else { throw Unexpected() }
    #expect(verified.claim == claim.claim)
    #expect(try await aliceStore.outgoing(claim.claim.id)?.peer == mallory)
    // Bob has come too late.
    #expect(try await bobStore.incoming(claim.claim.id).isEmpty)
  }

  @Test func `a receiver that the person here does not approve gets no claim`() async throws {
    let claim = try await newClaim()
    let asked = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await sender().send(
        claim,
        to: .approved(by: { _ in
          asked.continuation.yield()
          return false
        }))
    }
    let receiving = Task { try await receiver().receive() }
    for await _ in asked.stream { break }
    receiving.cancel()
    sending.cancel()
    _ = try await receiving.value
    _ = try await sending.value
    #expect(try await aliceStore.outgoing(claim.claim.id)?.state == .new)
  }

  @Test func `a receiver without the code is asked for it, and connects anew`() async throws {
    let claim = try await newClaim()
    let code = try OneTimeCode("27-482915")
    async let received = receiver().receive(enterCode: { name in
      #expect(name == "alice")
      return code
    })
    #expect(try await sender(.code(code)).send(claim) == .delivered(to: bob, .stored))
    guard case .received = try await received else { throw Unexpected() }
  }

  @Test func `a wrong code of the right channel stops at NOISE_1, and the receiver says so at once`() async throws {
    let claim = try await newClaim()
    let code = try OneTimeCode("27-482915")
    let codes = Mutex([try OneTimeCode("27-482916")])
    let sending = Task { try await sender(.code(code)).send(claim) }
    #expect(
      try await receiver().receive(enterCode: { _ in codes.withLock { $0.popLast() } }) == .wrongCode,
      "asked again, nobody has another")
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
  }

  @Test func `where nobody can enter a code, a sender that wants one is passed over`() async throws {
    let claim = try await newClaim()
    let sending = Task { [code = try OneTimeCode("27-482915")] in try await sender(.code(code)).send(claim) }
    await clock.hasSleeper(until: .seconds(10))
    let (closed, tell) = AsyncStream.makeStream(of: Void.self)
    let receiver = scene.receiver(transport: WatchedNetwork(network: scene.network, tell: tell))
    let receiving = Task { try await receiver.receive() }
    // It has seen by WELCOME what the sender wants.
    for await _ in closed { break }
    clock.advance(by: .seconds(10))
    #expect(try await receiving.value == .codeWanted, "it went on searching to the end, and says why in vain")
    _ = try await sending.value
    #expect(try await aliceStore.outgoing(claim.claim.id)?.peer == nil)
    #expect(try await bobStore.history(limit: 1).isEmpty)
  }

  @Test func `a question whose receiver went away is cancelled`() async throws {
    let claim = try await newClaim()
    let (withdrawn, tell) = AsyncStream.makeStream(of: Void.self)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await sender().send(
        claim,
        approve: { _ in
          ask.yield()
          await withTaskCancellationHandler {
            for await _ in AsyncStream<Void>.makeStream().stream {}
          } onCancel: {
            tell.yield()
          }
          return true
        })
    }
    let receiving = Task { try await receiver().receive() }
    for await _ in asked { break }
    receiving.cancel()
    for await _ in withdrawn { break }
    #expect(try await receiving.value == .interrupted)
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    #expect(try await bobStore.history(limit: 1).isEmpty)
  }
}

/// A network that tells when a connection that was made by it is closed on this side.
private struct WatchedNetwork: Transport {
  private struct Watched: Connection {
    let connection: any Connection
    let tell: AsyncStream<Void>.Continuation

    var peer: String { connection.peer }

    func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async { await connection.receive(body) }
    func send(_ bytes: [UInt8]) { connection.send(bytes) }

    func close() {
      connection.close()
      tell.yield()
    }
  }

  let network: InMemoryNetwork
  let tell: AsyncStream<Void>.Continuation

  func localNetworks() -> LocalNetworks { network.localNetworks() }
  func listen(port: UInt16) async throws -> any Listener { try await network.listen(port: port) }

  func connect(to endpoint: Endpoint) async throws -> any Connection {
    Watched(connection: try await network.connect(to: endpoint), tell: tell)
  }
}

/// Discovery on a link where somebody says that each name is theirs.
private final class ConflictingDiscovery: Discovery {
  private let tried = Mutex<[String]>([])
  var names: [String] { tried.withLock(\.self) }
  /// How many names were tried, each time one is.
  let (told, feed) = AsyncStream.makeStream(of: Int.self)
  let backend = "greedy"
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
    let count = tried.withLock { tried in
      tried.append(service.name)
      return tried.count
    }
    feed.yield(count)
    return AsyncThrowingStream { $0.finish(throwing: DiscoveryError(.nameTaken, "another service has this name")) }
  }
  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    AsyncThrowingStream { _ in }
  }
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { throw CancellationError() }
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    AsyncThrowingStream { _ in }
  }
}

/// Discovery that tells what it is asked to reconfirm.
private final class Reconfirming: Discovery {
  let base: InMemoryDiscovery
  let (names, feed) = AsyncStream.makeStream(of: String.self)
  init(_ base: InMemoryDiscovery) { self.base = base }
  var backend: String { base.backend }
  func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> { base.advertise(service) }
  func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
    base.browse(type, subtype: subtype)
  }
  func resolve(_ instance: ServiceInstance) async throws -> ResolvedService { try await base.resolve(instance) }
  func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
    base.addresses(of: service)
  }
  func reconfirm(_ instance: ServiceInstance) { feed.yield(instance.name) }
}

extension InMemoryDiscovery {
  fileprivate static func gone() -> InMemoryDiscovery {
    let discovery = InMemoryDiscovery()
    discovery.takeAway()
    return discovery
  }
}

extension SendEvent {
  fileprivate var name: String { String("\(self)".prefix { $0.isLetter }) }
}

extension ReceiveEvent {
  fileprivate var name: String { String("\(self)".prefix { $0.isLetter }) }
}
