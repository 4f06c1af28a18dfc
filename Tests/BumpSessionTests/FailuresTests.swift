import BumpDiscovery
import BumpWire
import Testing

@testable import BumpSession

/// Who was found and failed, by name and address, and on which side time ran out.
@Suite struct FailuresTests {
  /// Ends a receive by its time, and all sessions by theirs.
  private func end(_ scene: inout ReceiverBumpScene) throws {
    while scene.outcome == nil, let deadline = scene.bump.deadline {
      scene.now = max(scene.now, deadline)
      try scene.handle(.deadline)
    }
  }

  private func alice(_ scene: ReceiverBumpScene) -> SenderConnector.SenderID { .instance(scene.instance("alice").name) }

  @Test func `where nobody is announced nobody is named`() throws {
    var scene = try ReceiverBumpScene()
    try end(&scene)
    #expect(scene.outcome == .nobody(.timeout, []))
  }

  @Test func `a name without an address is named as not resolved`() throws {
    var scene = try ReceiverBumpScene()
    try scene.find("alice")
    try end(&scene)
    #expect(scene.failed == [FailedPeer(name: scene.instance("alice").name, reason: .notResolved)])
  }

  @Test func `a sender that goes away before it was tried is not named`() throws {
    var scene = try ReceiverBumpScene()
    try scene.find("alice")
    try scene.handle(.lost(scene.instance("alice")))
    try end(&scene)
    #expect(scene.failed.isEmpty)
  }

  @Test(arguments: [FailedPeer.Reason.refused, .unreachable])
  func `an address that cannot be connected to is named with the reason`(reason: FailedPeer.Reason) throws {
    var scene = try ReceiverBumpScene()
    try scene.reach("alice")
    try scene.handle(.described(alice(scene), Announcement(TXTRecord(["mode": "code", "ch": "27"]))))
    try scene.handle(.connectFailed(#require(scene.connecting.last), reason))
    try scene.handle(.lost(scene.instance("alice")))
    try end(&scene)
    #expect(
      scene.failed == [
        FailedPeer(
          name: scene.instance("alice").name, address: "alice:4000", mode: .code, channel: 27, reason: reason)
      ])
  }

  @Test func `of several addresses the one that came furthest is told`() throws {
    var scene = try ReceiverBumpScene()
    try scene.reach("alice")
    try scene.handle(.connectFailed(#require(scene.connecting.last), .refused))
    try scene.resolve(alice(scene), to: "elsewhere")
    try scene.handle(.connectFailed(#require(scene.connecting.last), .unreachable))
    try end(&scene)
    #expect(scene.failed.map(\.reason) == [.refused] && scene.failed.map(\.address) == ["alice:4000"])
  }

  @Test func `an address that answers nothing is named as such, whether its turn or all the time was up`() throws {
    var scene = try ReceiverBumpScene()
    try scene.reach("alice")
    try end(&scene)
    #expect(scene.failed.map(\.reason) == [.connectTimedOut] && scene.failed.map(\.address) == ["alice:4000"])

    var late = try ReceiverBumpScene()
    late.now = .seconds(9)
    try late.reach("alice")
    late.now = .seconds(10)
    try late.handle(.deadline)
    #expect(late.failed.map(\.reason) == [.connectTimedOut])
  }

  @Test func `an address that is on no link of ours is named and not connected to`() throws {
    var scene = try ReceiverBumpScene()
    try scene.find("alice")
    try scene.handle(.offLink(alice(scene), address: "198.51.100.7:4000"))
    try end(&scene)
    #expect(scene.failed.map(\.reason) == [.offLink] && scene.failed.map(\.address) == ["198.51.100.7:4000"])
    #expect(scene.connecting.isEmpty)
  }

  @Test func `a sender that is connected to and says nothing is mute, not missing`() throws {
    var scene = try ReceiverBumpScene()
    _ = try scene.meet("alice")
    try end(&scene)
    #expect(scene.failed == [FailedPeer(name: scene.instance("alice").name, address: "alice", reason: .mute)])
  }

  @Test func `a sender of another version is named as that`() throws {
    var scene = try ReceiverBumpScene()
    try scene.say(bytes: AbortReason.version.frame.bytes, to: scene.meet("alice"))
    try end(&scene)
    #expect(scene.outcome == .otherVersion)
  }

  @Test(arguments: [AbortReason.busy, .shuttingDown])
  func `what a sender gives as its reason is told`(reason: AbortReason) throws {
    var scene = try ReceiverBumpScene()
    try scene.say(bytes: reason.frame.bytes, to: scene.meet("alice"))
    try end(&scene)
    #expect(scene.failed.map(\.reason) == [.failed(reason == .busy ? .notAdmitted : .aborted(reason))])
  }

  @Test func `a sender of another mode is named as that`() throws {
    var scene = try ReceiverBumpScene()
    try scene.welcome(scene.meet("alice", credential: try SessionVector.key().credential))
    try end(&scene)
    #expect(scene.failed.map(\.reason) == [.failed(.otherMode(.key))])
  }

  @Test func `who declines, has other words or another name, or left no time, is told from who fails`() throws {
    var declining = try ReceiverBumpScene(asks: true)
    let id = try declining.meet("alice")
    try declining.go(id, to: .offered)
    try declining.handle(.session(id, .decided(false)))
    #expect(declining.outcome == .declinedHere)
    #expect(declining.bump.connector.failures.map(\.reason) == [.declinedHere])

    var unwanted = try ReceiverBumpScene(from: "carol")
    let carol = try unwanted.meet("carol")
    try unwanted.go(carol, to: .offered)
    try end(&unwanted)
    #expect(unwanted.failed.map(\.reason) == [.unwanted])
  }

  @Test func `with whom it came to a session is named before who only could not be reached`() throws {
    var scene = try ReceiverBumpScene()
    try scene.find("dave")
    let id = try scene.meet("alice")
    try scene.go(id, to: .secured)
    try scene.handle(.session(id, .closed))
    try scene.reach("carol")
    try scene.handle(.connectFailed(#require(scene.connecting.last), .refused))
    // Refused later, since its process has ended: that it closed the session tells more.
    try end(&scene)
    #expect(scene.failed.map { $0.name?.prefix(4) } == ["alic", "caro", "dave"])
    #expect(scene.failed.map(\.reason) == [.failed(.closed), .refused, .notResolved])
  }

  // MARK: On which side time ran out

  @Test func `a sender that does not answer in time is told from one that says we did not`() throws {
    var slow = try ReceiverBumpScene()
    try slow.go(slow.meet("alice"), to: .secured)
    try end(&slow)
    #expect(slow.failed.map(\.reason) == [.failed(.timedOut)])

    var quick = try ReceiverBumpScene()
    let id = try quick.meet("alice")
    try quick.go(id, to: .secured)
    try quick.say(bytes: AbortReason.timedOut.frame.bytes, to: id)
    try quick.handle(.lost(quick.instance("alice")))
    try end(&quick)
    #expect(quick.failed.map(\.reason) == [.failed(.aborted(.timedOut))])
  }

  @Test
  func
    `a sender whose own person did not answer, or whose time was up before it heard of us, is not told that we were slow`()
    throws
  {
    var held = try ReceiverBumpScene()
    let id = try held.meet("alice")
    try held.go(id, to: .offered)
    try held.say(id, .hold(seconds: 60))
    try held.say(bytes: AbortReason.timedOut.frame.bytes, to: id)
    try held.handle(.lost(held.instance("alice")))
    try end(&held)
    #expect(held.failed.map(\.reason) == [.failed(.unansweredThere)])

    var late = try ReceiverBumpScene()
    try late.say(bytes: AbortReason.timedOut.frame.bytes, to: late.meet("alice"))
    try late.handle(.lost(late.instance("alice")))
    try end(&late)
    #expect(late.failed.map(\.reason) == [.failed(.tooLate)])
  }

  @Test func `a receiver that gives up is told apart in the same way`() throws {
    for isHeld in [false, true] {
      var scene = try SenderBumpScene()
      try scene.open(1, to: .offered)
      if isHeld { try scene.say(1, .hold(seconds: 60)) }
      try scene.say(bytes: AbortReason.timedOut.frame.bytes, to: 1)
      #expect(scene.events.last == .sessionFailed(isHeld ? .unansweredThere : .aborted(.timedOut), peer: "peer 1"))
    }
  }

  // MARK: The sender

  @Test func `a send names the receivers that came, and why it was none of them`() throws {
    var scene = try SenderBumpScene(fallsBack: false)
    try scene.open(1, to: .opened)
    try scene.handle(.session(scene.open(2, to: .welcomed), .closed))
    try scene.open(3, to: .offered)
    try scene.say(3, .decline)
    try scene.handle(.session(scene.open(4, to: .offered), .closed))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(
      scene.outcome
        == .undelivered(
          .sendTimeout, link: nil,
          [
            FailedPeer(address: "peer 4", reason: .failed(.closed)),
            FailedPeer(address: "peer 3", reason: .declinedAtOnce), FailedPeer(address: "peer 2", reason: .leftEarly),
          ]), "the first said nothing at all: a stranger at the port")
  }

  @Test func `a receiver that only looked is named, and nobody is said to have failed`() throws {
    var scene = try SenderBumpScene(fallsBack: false)
    try scene.handle(.session(scene.open(1, to: .welcomed), .closed))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    let looked = FailedPeer(address: "peer 1", reason: .leftEarly)
    #expect(scene.outcome == .undelivered(.discoveryTimeout, link: nil, [looked]))
  }

  @Test func `a wrong code is told from a session that was tampered with`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")), fallsBack: false)
    try scene.guess(1, "27-111111")
    try scene.guess(2, "27-482915")
    try scene.say(bytes: Frame(.sealed, [UInt8](repeating: 0, count: 17)).bytes, to: 2)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.failed.map(\.reason) == [.failed(.authentication), .wrongCode])
  }

  @Test(arguments: [false, true])
  func `a sender whose code others burnt is not said to have sent what is not authentic`(isWelcomed: Bool) throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code)
    let alice = try scene.meet("alice", credential: code)
    if isWelcomed { try scene.welcome(alice) }
    try scene.say(bytes: AbortReason.authentication.frame.bytes, to: alice)
    #expect(scene.events.last == .sessionFailed(.codeBurnt, peer: "alice"))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.failed.map(\.reason) == [.failed(.codeBurnt)])
  }

  @Test func `a sender that was given by a name without an address is not looked for further`() throws {
    var scene = try ReceiverBumpScene(isDirect: true)
    for action in scene.bump.start(peer: .host("nobody", port: 4000), at: .zero) { scene.actions.append(action) }
    try scene.handle(.connectFailed(#require(scene.connecting.last), .notResolved))
    #expect(scene.outcome == .nobody(.failed, [FailedPeer(address: "nobody:4000", reason: .notResolved)]))
  }

  @Test func `a sender that was not tried since the attempts are spent is not said to be silent`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    for name in ["alice", "carol"] {
      let id = try scene.meet(name)
      try scene.go(id, to: .offered)
      try scene.handle(.session(id, .decided(true)))
      try scene.say(id, .decline)
    }
    let last = try scene.meet("dora")
    _ = try scene.meet("erin")
    try scene.reach("frank")
    try scene.go(last, to: .offered)
    #expect(scene.attempts == 3)
    try scene.handle(.session(last, .decided(true)))
    try scene.say(last, .decline)
    #expect(scene.failed.map(\.reason) == [.declinedThere, .declinedThere, .declinedThere, .notTried, .notTried])
  }

  // MARK: The channel

  @Test func `a sender of another channel is told of at once, once, and the right one may start yet`() throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code)
    try scene.find("carol")
    let carol = scene.instance("carol").name
    let record = try Announcement(TXTRecord(["mode": "code", "ch": "12"]))
    for _ in 1...2 { try scene.handle(.described(.instance(carol), record)) }
    let told = scene.events.filter { if case .passedOver = $0 { true } else { false } }
    #expect(told == [.passedOver(name: carol, mode: .code, channel: 12)])
    #expect(scene.outcome == nil)
    scene.now = .seconds(9)
    try scene.go(scene.meet("alice", credential: code), to: .welcomed)
    #expect(scene.failed.isEmpty && scene.connecting.count == 1)

    var alone = try ReceiverBumpScene(credential: code)
    try alone.find("carol")
    try alone.handle(.described(.instance(carol), record))
    try end(&alone)
    #expect(alone.failed == [FailedPeer(name: carol, mode: .code, channel: 12, reason: .passedOver)])
  }

  // MARK: Floods

  @Test func `of a flood a few are kept, and none of them in the place of one that came further`() {
    var peers = FailedPeers<Int>()
    peers.note(0, FailedPeer(name: "alice", reason: .failed(.timedOut)))
    for id in 1...1000 { peers.note(id, FailedPeer(reason: id.isMultiple(of: 2) ? .notResolved : .refused)) }
    #expect(peers.list.count == 16)
    #expect(peers.list.first == FailedPeer(name: "alice", reason: .failed(.timedOut)))
    #expect(peers.list.dropFirst().allSatisfy { $0.reason == .refused })
  }

  @Test func `a later try that came less far does not hide what came of an earlier one`() {
    var peers = FailedPeers<Int>()
    peers.note(1, FailedPeer(name: "alice", address: "192.0.2.7:4000", reason: .failed(.closed)))
    // The last try of all may end before anything is said.
    for reason in [FailedPeer.Reason.refused, .mute] { peers.note(1, FailedPeer(reason: reason)) }
    #expect(peers.list == [FailedPeer(name: "alice", address: "192.0.2.7:4000", reason: .failed(.closed))])
    peers.note(1, FailedPeer(reason: .failed(.aborted(.busy))))
    #expect(peers.list == [FailedPeer(name: "alice", address: "192.0.2.7:4000", reason: .failed(.aborted(.busy)))])
  }

  @Test func `programs tell the sides of a time-out by one word`() {
    let words: [(FailedPeer.Reason, String)] = [
      (.failed(.timedOut), "timedOut"), (.failed(.stoodStill), "stoodStill"), (.failed(.aborted(.timedOut)), "tooSlow"),
      (.failed(.unanswered), "unanswered"),
      (.failed(.unansweredThere), "unansweredThere"), (.failed(.tooLate), "tooLate"), (.mute, "mute"),
      (.failed(.notAdmitted), "notAdmitted"), (.failed(.keptWaiting), "keptWaiting"),
      (.failed(.noTurn), "noTurn"),
      (.connectTimedOut, "connectTimedOut"), (.failed(.aborted(.mode)), "wrongMode"),
    ]
    for (reason, word) in words { #expect(reason.word == word) }
  }
}
