import BumpClaims
import BumpDiscovery
import BumpWire
import NIOCore
import Samples
import Testing

@testable import BumpSession

/// A till, and the senders that wait while it serves another.
@Suite struct ReceiverQueueTests {
  private func host(_ number: Int) throws -> RemoteHost {
    try #require(
      RemoteHost(
        SocketAddress(ipAddress: "192.0.2.\(number)", port: 4000), on: LocalNetworks(entries: []),
        hardwareAddress: { _, _ in nil }))
  }

  /// A receiver whose person is asked about alice.
  private func busy(_ credential: Credential = .none, keeps: Bool = true) throws -> (ReceiverBumpScene, ConnectionID) {
    var scene = try ReceiverBumpScene(credential: credential, asks: true, keeps: keeps)
    let alice = try scene.meet("alice", credential: credential, at: host(1))
    try scene.go(alice, to: .offered)
    #expect(scene.asking == [alice])
    return (scene, alice)
  }

  private func sender(_ name: String, in scene: ReceiverBumpScene) -> QueuedSender {
    QueuedSender(name: scene.instance(name).name, peer: name)
  }

  /// The events about the queue.
  private func queueEvents(_ scene: ReceiverBumpScene) -> [ReceiveEvent] {
    scene.events.filter {
      switch $0 {
      case .queued, .unqueued: true
      default: false
      }
    }
  }

  @Test(arguments: [Credential.none, try SessionVector.key().credential])
  func `senders are told their places while a person decides about another, and move up`(credential: Credential) throws
  {
    var (scene, alice) = try busy(credential)
    let bert = try scene.meet("bert", credential: credential, at: host(2))
    let carol = try scene.meet("carol", credential: credential, at: host(3))
    for id in [bert, carol] { try scene.welcome(id) }
    try scene.pass(.milliseconds(500))
    #expect(scene.places(bert) == [1] && scene.places(carol) == [2])
    #expect(
      queueEvents(scene) == [
        .queued(sender("bert", in: scene), waiting: 1), .queued(sender("carol", in: scene), waiting: 2),
      ])
    try scene.pass(.seconds(30))
    #expect(scene.places(bert).count == 11, "each three seconds")
    #expect(scene.attempted == [alice], "nobody who waits sees a key")

    try scene.handle(.session(alice, .decided(true)))
    try scene.go(alice, from: .accepted, to: .storing)
    try scene.handle(.session(alice, .stored(.stored)))
    #expect(scene.attempted == [alice, bert])
    #expect(queueEvents(scene).last == .unqueued(sender("bert", in: scene), waiting: 1, hasTurn: true))
    try scene.go(bert, from: .welcomed, to: .offered)
    #expect(scene.asking == [alice, bert], "the channel is that of both")
    try scene.pass(.seconds(3))
    #expect(scene.places(carol).last == 1)
  }

  @Test func `a sender whose turn comes soon is told nothing`() throws {
    var (scene, alice) = try busy()
    let bert = try scene.meet("bert", at: host(2))
    try scene.welcome(bert)
    try scene.pass(.milliseconds(499))
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.attempted == [alice, bert] && scene.places(bert).isEmpty && queueEvents(scene).isEmpty)
  }

  @Test func `a sender that was welcomed late is told before it would give up`() throws {
    var (scene, _) = try busy()
    let bert = try scene.meet("bert", at: host(2))
    try scene.pass(.milliseconds(1400))
    try scene.welcome(bert)
    try scene.pass(.milliseconds(100))
    #expect(scene.places(bert) == [1])
  }

  @Test func `a sender that leaves is reported, and those behind it move up`() throws {
    var (scene, _) = try busy()
    let bert = try scene.meet("bert", at: host(2))
    let carol = try scene.meet("carol", at: host(3))
    for id in [bert, carol] { try scene.welcome(id) }
    try scene.pass(.seconds(1))
    try scene.say(bytes: AbortReason.shuttingDown.frame.bytes, to: bert)
    #expect(queueEvents(scene).last == .unqueued(sender("bert", in: scene), waiting: 1, hasTurn: false))
    try scene.pass(.seconds(3))
    #expect(scene.places(carol) == [2, 1])
  }

  @Test func `a sender that gives up before its turn was kept waiting`() throws {
    var (scene, _) = try busy()
    let bert = try scene.meet("bert", at: host(2))
    try scene.welcome(bert)
    try scene.pass(.seconds(1))
    try scene.say(bytes: AbortReason.timedOut.frame.bytes, to: bert)
    #expect(scene.events.contains(.sessionFailed(.keptWaiting, peer: "bert")))
  }

  @Test func `a place is held for 75 s, and then the sender is met again without having been given up`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    for number in 1...3 {
      let mallory = try scene.meet("mallory\(number)", at: host(number))
      try scene.welcome(mallory)
      try scene.handle(.session(mallory, .closed))
      try scene.pass(.seconds(1))
    }
    let alice = try scene.meet("alice", at: host(4))
    try scene.welcome(alice)
    try scene.pass(.milliseconds(74_999))
    #expect(scene.attempts == 3 && !scene.closed.contains(alice) && scene.places(alice).count == 25)
    try scene.pass(.milliseconds(1))
    #expect(scene.closed.contains(alice) && scene.told(alice) == nil, "half a second before it would give up")
    #expect(!scene.events.contains { if case .sessionFailed(_, peer: "alice") = $0 { true } else { false } })
    let asked = scene.connecting.count
    try scene.pass(.seconds(1))
    try scene.resolve(.instance(scene.instance("alice").name), to: "alice")
    #expect(scene.connecting.count == asked + 1)
  }

  @Test func `one host has four of the places, and others the rest`() throws {
    var (scene, _) = try busy()
    let rogues = try (1...6).map { number in
      let id = try scene.meet("mallory\(number)", at: host(9))
      try scene.welcome(id)
      return id
    }
    let bert = try scene.meet("bert", at: host(2))
    try scene.welcome(bert)
    try scene.pass(.milliseconds(500))
    #expect(rogues.map { scene.places($0) } == [[1], [2], [3], [4], [], []])
    #expect(rogues[4...].allSatisfy { scene.closed.contains($0) })
    #expect(scene.places(bert) == [5])
  }

  /// As in a demonstration, or in a test.
  @Test func `senders on this machine have all the places`() throws {
    var (scene, _) = try busy()
    let senders = try (1...7).map { number in
      let id = try scene.meet("sender\(number)")
      try scene.welcome(id)
      return id
    }
    try scene.pass(.milliseconds(500))
    #expect(senders.map { scene.places($0) } == (1...7).map { [UInt8($0)] })
  }

  @Test func `a receiver connects to eight senders, and no more wait`() throws {
    var (scene, alice) = try busy()
    for number in 1...9 { try scene.reach("sender\(number)") }
    for id in scene.connecting where id != alice {
      try scene.handle(.connected(id, peer: "\(id)", nil, SessionKeys(drawnFrom: .system)))
    }
    #expect(scene.connecting.count == 8)
  }

  @Test func `a sender whose host has just had its turn waits behind those of other hosts`() throws {
    var (scene, alice) = try busy()
    let twins = [try scene.meet("mallory1", at: host(9)), try scene.meet("mallory2", at: host(9))]
    let bert = try scene.meet("bert", at: host(2))
    for id in twins + [bert] { try scene.welcome(id) }
    try scene.pass(.milliseconds(500))
    #expect((twins + [bert]).map { scene.places($0) } == [[1], [2], [3]])
    try scene.handle(.session(alice, .decided(true)))
    try scene.go(alice, from: .accepted, to: .storing)
    try scene.handle(.session(alice, .stored(.stored)))
    #expect(scene.attempted == [alice, twins[0]])
    try scene.go(twins[0], from: .welcomed, to: .offered)
    #expect(scene.asking == [alice, twins[0]])
    try scene.pass(.seconds(3))
    #expect(scene.places(bert) == [3, 1] && scene.places(twins[1]) == [2, 2])
  }

  @Test func `a sender whose host has had an attempt meanwhile is held back where none is left for it`() throws {
    var (scene, alice) = try busy()
    let twins = [try scene.meet("mallory1", at: host(9)), try scene.meet("mallory2", at: host(9))]
    for id in twins { try scene.welcome(id) }
    try scene.pass(.milliseconds(500))
    #expect(twins.map { scene.places($0) } == [[1], [2]])
    try scene.handle(.session(alice, .closed))
    #expect(scene.attempted == [alice, twins[0]])
    let twin = sender("mallory2", in: scene)
    #expect(scene.events.contains(.deferred(name: twin.name, peer: twin.peer, seconds: 130)), "\(scene.events)")
    #expect(scene.closed.contains(twins[1]) && scene.told(twins[1]) == nil)
    #expect(queueEvents(scene).last == .unqueued(twin, waiting: 0, hasTurn: false))
  }

  @Test func `a receiver that asks nobody tells the senders whose offers wait`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let alice = try scene.meet("alice")
    let bert = try scene.meet("bert")
    for id in [alice, bert] { try scene.go(id, to: .offered) }
    #expect(scene.accepted == [alice])
    try scene.say(alice, .hold(seconds: 60))
    try scene.pass(.seconds(1))
    #expect(scene.places(bert) == [1] && scene.places(alice).isEmpty)
    #expect(queueEvents(scene) == [.queued(sender("bert", in: scene), waiting: 1)])
    try scene.pass(.seconds(1))
    #expect(scene.accepted == [alice, bert], "alice is silent")
    #expect(queueEvents(scene).last == .unqueued(sender("bert", in: scene), waiting: 0, hasTurn: true))
    try scene.go(bert, from: .accepted, to: .storing)
    #expect(scene.storing == [bert])
  }

  @Test func `with a code the senders wait after their offers`() throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code, asks: true, keeps: true)
    let (alice, bert) = (try scene.meet("alice", credential: code), try scene.meet("bert", credential: code))
    for id in [alice, bert] { try scene.go(id, to: .offered) }
    try scene.pass(.seconds(1))
    #expect(scene.asking == [alice] && scene.places(alice).isEmpty && scene.places(bert) == [1])
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.asking == [alice, bert])
    #expect(queueEvents(scene).last == .unqueued(sender("bert", in: scene), waiting: 0, hasTurn: true))
  }

  @Test func `a receiver of one claim has no queue`() throws {
    var (scene, _) = try busy(keeps: false)
    try scene.find("bert")
    try scene.pass(.seconds(3))
    #expect(queueEvents(scene).isEmpty)

    let code = Credential.code(try OneTimeCode("27-482915"))
    scene = try ReceiverBumpScene(credential: code, asks: true)
    let (alice, bert) = (try scene.meet("alice", credential: code), try scene.meet("bert", credential: code))
    for id in [alice, bert] { try scene.go(id, to: .offered) }
    try scene.pass(.seconds(4))
    #expect(scene.places(bert).isEmpty && queueEvents(scene).isEmpty)
  }

  @Test func `an interrupt tells those that wait that it ends`() throws {
    var (scene, _) = try busy()
    let bert = try scene.meet("bert", at: host(2))
    try scene.welcome(bert)
    try scene.pass(.seconds(1))
    try scene.handle(.interrupted)
    #expect(scene.told(bert) == .shuttingDown && scene.outcome == .interrupted)
  }
}
