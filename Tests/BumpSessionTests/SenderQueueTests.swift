import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import NIOCore
import Samples
import Testing

@testable import BumpSession

/// A sender that waits in the queue of a receiver.
@Suite struct SenderQueueTests {
  private let bob: DisplayName

  init() throws {
    bob = try DisplayName(Fixture.bob)
  }

  private static func credentials() throws -> [Credential] { [.none, try SessionVector.key().credential] }

  /// A sender's session that was told a place at 1 s.
  private func queued(at place: UInt8 = 1, _ credential: Credential = .none) throws -> SenderScene {
    var scene = try SenderScene(credential: credential)
    try scene.go(to: .welcomed)
    scene.now = .seconds(1)
    #expect(try scene.say(scene.peer.queued(at: place)) == [.placed(place)])
    return scene
  }

  // MARK: One session

  @Test(arguments: try credentials())
  func `a sender waits for its turn, and that time is none of the receiver's five seconds`(credential: Credential)
    throws
  {
    var scene = try queued(at: 2, credential)
    #expect(scene.session.isQueued && scene.session.isOpening)
    #expect(scene.session.deadline == .seconds(15), "ten seconds, and what is left of five")
    scene.now = .seconds(9)
    #expect(try scene.say(scene.peer.queued(at: 1)) == [.placed(1)])
    #expect(scene.session.deadline == .seconds(23))
    scene.now = .seconds(20)
    try scene.say(scene.peer.noise())
    #expect(!scene.session.isQueued && scene.session.deadline == .seconds(23), "one second was longer than was said")
    try scene.say(.accept(bob))
    try scene.handle(.chosen)
    try scene.handle(.released)
    #expect(scene.ending(try scene.say(.stored(.stored))) == .delivered(.stored, bob))
  }

  @Test func `a receiver that says no more of the queue is not waited for`() throws {
    var scene = try queued(at: 8)
    scene.now = .seconds(15)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.noTurn))
    #expect(scene.toldReason == .timedOut)
  }

  @Test(arguments: [UInt8(1), 2, 8])
  func `a sender waits 75 s for each place that it was told first, however often it is told another`(place: UInt8)
    throws
  {
    var scene = try queued(at: place)
    var ending: SenderSession.Ending?
    while ending == nil {
      let next = scene.now + .seconds(3)
      if let deadline = scene.session.deadline, deadline <= next {
        scene.now = deadline
        ending = scene.ending(try scene.handle(.deadline))
      } else {
        scene.now = next
        ending = scene.ending(try scene.say(scene.peer.queued(at: 8)))
      }
    }
    #expect(ending == .failed(.noTurn) && scene.now == .seconds(1 + 75 * Int(place)))
  }

  @Test func `a receiver that tells more places than it has reason to ends its session`() throws {
    var scene = try queued(at: 2)
    for _ in 1..<64 { #expect(try scene.say(scene.peer.queued(at: 1)) == [.placed(1)]) }
    #expect(scene.ending(try scene.say(scene.peer.queued(at: 1))) == .failed(.protocolViolation))
  }

  @Test func `only a holder of the key has its sender wait`() throws {
    let key = try SessionVector.key().credential
    let other = Credential.key(try #require(SharedKey([UInt8](repeating: 7, count: 32))))
    for (credential, stranger) in [(key, other), (.none, key)] {
      var scene = try SenderScene(credential: credential)
      scene.peer = ScriptedPeer(.receiver, credential: stranger)
      try scene.go(to: .welcomed)
      let ending = scene.ending(try scene.say(scene.peer.queued(at: 1)))
      #expect(ending == .failed(credential == key ? .authentication : .protocolViolation))
      #expect(scene.toldReason == (credential == key ? .authentication : .protocolError))
    }
  }

  @Test func `a place that no queue has is a protocol error`() throws {
    for place: UInt8 in [0, 9, 255] {
      var scene = try SenderScene()
      try scene.go(to: .welcomed)
      #expect(scene.ending(try scene.say(scene.peer.queued(at: place))) == .failed(.protocolViolation))
    }
  }

  @Test func `with a code nobody waits before NOISE_1`() throws {
    var scene = try SenderScene(credential: try SessionVector.code().credential)
    try scene.go(to: .welcomed)
    try scene.say(scene.peer.pake())
    #expect(scene.ending(try scene.say(scene.peer.queued(at: 1))) == .failed(.protocolViolation))
  }

  /// They are in the prologue, like all frames before.
  @Test(arguments: try credentials())
  func `a QUEUED that was taken out on the way opens no channel`(credential: Credential) throws {
    var scene = try queued(at: 2, credential)
    _ = try scene.peer.queued(at: 1)
    let noise = try scene.peer.noise()
    if credential == .none {
      #expect(throws: (any Error).self, "the receiver cannot open NOISE_2") { try scene.say(noise) }
    } else {
      #expect(scene.ending(try scene.say(noise)) == .failed(.authentication))
    }
  }

  @Test(arguments: [SenderSession.Input.closed, .dismissed(.timedOut)])
  func `a session that ends in the queue says why`(input: SenderSession.Input) throws {
    var scene = try queued()
    #expect(scene.ending(try scene.handle(input)) == .failed(.noTurn))
  }

  @Test func `where this process stood still it is not the receiver's fault`() throws {
    var scene = try queued()
    scene.now = .seconds(16)
    #expect(scene.ending(try scene.say(scene.peer.queued(at: 1))) == .failed(.stoodStill))
  }

  @Test func `a sender waits after its offer too, but no longer than its digits may be compared`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    #expect(try scene.say(.queued(place: 8)) == [.placed(8)])
    #expect(scene.session.isQueued && !scene.session.isOpening)
    var ending: SenderSession.Ending?
    while ending == nil {
      let next = scene.now + .seconds(3)
      if let deadline = scene.session.deadline, deadline <= next {
        scene.now = deadline
        ending = scene.ending(try scene.handle(.deadline))
      } else {
        scene.now = next
        ending = scene.ending(try scene.say(.queued(place: 1)))
      }
    }
    #expect(ending == .failed(.noTurn) && scene.now == Moment(Times.answering))
  }

  @Test func `after the queue the receiver's person is asked, and not the other way round`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    try scene.say(.queued(place: 1))
    scene.now = .seconds(3)
    #expect(try scene.say(.hold(seconds: 60)) == [.held(seconds: 60)])
    #expect(!scene.session.isQueued && scene.session.deadline == .seconds(65))
    #expect(scene.ending(try scene.say(.queued(place: 1))) == .failed(.protocolViolation))
  }

  // MARK: A bump

  private func host(_ number: Int) throws -> RemoteHost {
    try #require(
      RemoteHost(
        SocketAddress(ipAddress: "192.0.2.\(number)", port: 4000), on: LocalNetworks(entries: []),
        hardwareAddress: { _, _ in nil }))
  }

  /// Lets a time pass.
  private func pass(_ time: Duration, in scene: inout SenderBumpScene<ClaimHandover>) throws {
    let end = scene.now + time
    while let deadline = scene.bump.deadline, deadline <= end {
      scene.now = max(scene.now, deadline)
      try scene.handle(.deadline)
    }
    scene.now = end
  }

  @Test func `the time for finding a receiver does not run in a queue, and goes on after it`() throws {
    var scene = try SenderBumpScene()
    scene.now = .seconds(1)
    try scene.open(1, to: .welcomed)
    for _ in 0..<20 {
      try scene.queue(1, at: 3)
      try pass(.seconds(3), in: &scene)
    }
    #expect(scene.isListening && scene.now == .seconds(61), "another receiver may come")
    try scene.handle(.session(1, .closed))
    #expect(
      scene.events.suffix(2) == [.outOfQueue(peer: "peer 1"), .sessionFailed(.noTurn, peer: "peer 1")],
      "\(scene.events)")
    #expect(scene.bump.deadline == .seconds(70), "nine seconds are left")
    try pass(.seconds(9), in: &scene)
    #expect(!scene.isListening && scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome == .undelivered(.sendTimeout, link: try SenderBumpScene.link(), scene.failed))
    #expect(scene.failed.map(\.reason) == [.failed(.noTurn)])
  }

  @Test func `a sender whose turn has come hands over its claim, however long it waited`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .welcomed)
    for place in (1...8).reversed() {
      for _ in 0..<20 {
        try scene.queue(1, at: UInt8(place))
        try pass(.seconds(3), in: &scene)
      }
    }
    try scene.say(bytes: scene.noise(of: 1), to: 1)
    try scene.say(1, .accept(bob))
    #expect(scene.releasing == [1])
    #expect(scene.events.first == .inQueue(place: 8, peer: "peer 1"))
    let told = scene.events.compactMap { if case .inQueue(let place, _) = $0 { place } else { nil } }
    #expect(told == [8, 7, 6, 5, 4, 3, 2, 1], "each once")
    #expect(scene.events.contains(.outOfQueue(peer: "peer 1")))
  }

  @Test func `strangers put off the link for ten minutes at most, with however many connections`() throws {
    var scene = try SenderBumpScene()
    var id = 0
    while scene.isListening {
      if scene.closed.contains(id) || id == 0 {
        id += 1
        try scene.open(id, to: .welcomed)
      }
      try scene.queue(id, at: 8)
      // The first two hang up after a while.
      if id <= 2, scene.now >= .seconds(40 * id) { try scene.handle(.session(id, .closed)) }
      try pass(.seconds(3), in: &scene)
    }
    #expect(scene.now > .seconds(600) && scene.now <= .seconds(615))
    #expect(scene.told(3) == .timedOut, "the time is up while it says so")
    #expect(id > 3 && scene.told(id) == .busy, "no other has the sender wait any more")
    #expect(scene.isReleasingLink)
    #expect(scene.events.count <= 2 * SenderBump<ClaimHandover>.maximumPlaces)
  }

  @Test func `a receiver that came in time may have the sender wait when that time is over`() throws {
    var scene = try SenderBumpScene()
    scene.now = .seconds(9)
    try scene.open(1, to: .welcomed)
    try pass(.milliseconds(1500), in: &scene)
    #expect(!scene.isListening)
    try scene.queue(1, at: 1)
    try pass(.seconds(9), in: &scene)
    try scene.say(bytes: scene.noise(of: 1), to: 1)
    try scene.say(1, .accept(bob))
    #expect(scene.releasing == [1])
  }

  @Test func `of the connections without a channel four wait in queues, one of each host`() throws {
    var scene = try SenderBumpScene()
    for id in 1...5 {
      try scene.open(id, to: .welcomed, from: host(id))
      try scene.queue(id, at: 1)
    }
    #expect((1...4).allSatisfy { scene.told($0) == nil } && scene.told(5) == .busy)
    try scene.handle(.session(4, .closed))
    try scene.open(6, to: .welcomed, from: host(1))
    try scene.queue(6, at: 1)
    #expect(scene.told(6) == .busy && scene.told(1) == nil)
    try scene.open(7, to: .accepted, from: host(7))
    #expect(scene.releasing == [7], "a quicker receiver has the claim")
    try scene.handle(.session(7, .released))
    #expect(scene.told(1) == .busy)
  }

  @Test func `a receiver in whose queue the sender is keeps no other from its second attempt`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.handle(.session(scene.open(1, to: .offered, from: host(1)), .closed))
    try scene.open(2, to: .welcomed, from: host(2))
    try scene.queue(2, at: 1)
    scene.now = .seconds(1)
    try scene.open(3, to: .accepted, from: host(1))
    #expect(scene.asking == [3])
  }

  @Test func `a claim that expires in a queue is offered no longer`() throws {
    var scene = try SenderBumpScene(lifetime: .seconds(30))
    try scene.open(1, to: .welcomed)
    for _ in 0..<10 {
      try scene.queue(1, at: 8)
      try pass(.seconds(3), in: &scene)
    }
    #expect(scene.outcome == .expired && scene.told(1) == .timedOut)
  }

  @Test func `places are reported as they change, and only so many of them`() throws {
    var scene = try SenderBumpScene()
    for id in 1...20 {
      try scene.open(id, to: .welcomed)
      for place: UInt8 in [3, 3, 2, 1, 2, 1] { try scene.queue(id, at: place) }
      try scene.handle(.session(id, .closed))
    }
    let told = scene.events.count { if case .inQueue = $0 { true } else { false } }
    #expect(told == SenderBump<ClaimHandover>.maximumPlaces)
  }

  @Test func `the time in queues is that of all of them together, and not twice that of two at once`() {
    var time = QueuedTime()
    #expect(time.end == nil)
    for second in [1, 3, 5] { #expect(time.note(true, at: .seconds(second)) == .zero) }
    #expect(time.end == .seconds(601))
    #expect(time.note(false, at: .seconds(21)) == .seconds(20))
    #expect(time.note(false, at: .seconds(30)) == .zero && time.end == nil)
    _ = time.note(true, at: .seconds(31))
    #expect(time.end == .seconds(611) && !time.isSpent)
    #expect(time.note(false, at: .seconds(2000)) == .seconds(580))
    #expect(time.isSpent, "there is none left")
  }
}
