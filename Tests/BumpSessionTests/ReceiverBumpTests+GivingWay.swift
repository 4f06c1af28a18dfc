import BumpClaims
import BumpWire
import Synchronization
import Testing

@testable import BumpSession

/// Senders that offer and fall silent, and the time of day.
extension ReceiverBumpTests {
  /// How many frames or messages were sent on a connection: HELLO, NOISE_1 and ACCEPT make three.
  private func sent(_ id: ConnectionID, _ scene: ReceiverBumpScene) -> Int {
    scene.actions.count { if case .session(id, .send) = $0 { true } else { false } }
  }

  /// Two senders whose offers came; the first was accepted, held and fell silent.
  private func held() throws -> (scene: ReceiverBumpScene, mallory: ConnectionID, carol: ConnectionID) {
    // With a code several sessions are open at once.
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code)
    let mallory = try scene.meet("mallory", credential: code)
    let carol = try scene.meet("carol", credential: code)
    for id in [mallory, carol] { try scene.go(id, to: .offered) }
    try scene.say(mallory, .hold(seconds: 60))
    #expect(sent(mallory, scene) == 4 && sent(carol, scene) == 3)
    return (scene, mallory, carol)
  }

  @Test func `a sender that offers, holds and falls silent gives way after two seconds to an offer that waits`() throws
  {
    var (scene, mallory, carol) = try held()
    try scene.pass(.milliseconds(1999))
    #expect(sent(carol, scene) == 3)
    try scene.pass(.milliseconds(1))
    #expect(sent(carol, scene) == 4, "it is accepted")
    #expect(!scene.closed.contains(mallory), "its claim may be on its way")
    try scene.go(carol, from: .accepted, to: .storing)
    try scene.handle(.session(carol, .stored(.stored)))
    #expect(scene.told(mallory) == .busy)
    guard case .received = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
  }

  @Test func `the claim of a sender that gave way is taken all the same, and so is the other's that comes with it`()
    throws
  {
    var (scene, mallory, carol) = try held()
    try scene.pass(.seconds(2))
    try scene.go(carol, from: .accepted, to: .storing)
    try scene.go(mallory, from: .accepted, to: .storing)
    #expect(scene.storing == [carol, mallory])
    try scene.handle(.session(mallory, .stored(.stored)))
    #expect(scene.outcome == nil, "the other claim is being stored")
    try scene.handle(.session(carol, .stored(.storedBesideAnother)))
    let concluded = scene.events.compactMap { if case .concluded(let outcome) = $0 { outcome } else { nil } }
    guard case .received = scene.outcome, case .conflicting = concluded.first else {
      Issue.record("\(String(describing: scene.outcome)), \(concluded)")
      return
    }
  }

  @Test(arguments: [true, false])
  func `of two claims that come together one that cannot be stored does not hide the other`(isFirst: Bool) throws {
    var (scene, mallory, carol) = try held()
    try scene.pass(.seconds(2))
    for id in [carol, mallory] { try scene.go(id, from: .accepted, to: .storing) }
    try scene.handle(.session(carol, .of(isFirst ? .notStored : .stored)))
    #expect(scene.outcome == nil, "the other claim is being stored")
    try scene.handle(.session(mallory, .of(isFirst ? .stored : .notStored)))
    guard case .received = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
  }

  @Test func `where nobody else waits a sender that holds has its whole time`() throws {
    var scene = try ReceiverBumpScene()
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    try scene.say(alice, .hold(seconds: 60))
    try scene.pass(.seconds(64))
    #expect(!scene.closed.contains(alice))
    try scene.go(alice, from: .accepted, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `a person is asked about the next sender while the one that was accepted is silent`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    let mallory = try scene.meet("mallory")
    try scene.go(mallory, to: .offered)
    try scene.handle(.session(mallory, .decided(true)))
    try scene.say(mallory, .hold(seconds: 60))
    let alice = try scene.meet("alice")
    try scene.welcome(alice)
    #expect(!scene.attempted.contains(alice), "one key is out at a time")
    try scene.pass(.seconds(2))
    try scene.go(alice, from: .welcomed, to: .offered)
    #expect(scene.asking == [mallory, alice])
    #expect(!scene.closed.contains(mallory))
  }

  @Test func `offers expire by the clock as it is, not as it was when a long receive began`() throws {
    let time = Mutex(Int64(2_000_000))
    var scene = try ReceiverBumpScene(keeps: true, unixTime: { time.withLock(\.self) })
    try scene.go(try scene.meet("early"), to: .offered)
    #expect(scene.events.last == .concluded(.expiredOnArrival(secondsAgo: 1_000_000)))
    // The clock was wrong, and is set right.
    time.withLock { $0 = 999_999 }
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .storing)
    #expect(scene.storing == [alice])
    time.withLock { $0 = 1_000_000 }
    try scene.go(try scene.meet("late"), to: .offered)
    #expect(scene.events.last == .concluded(.expiredOnArrival(secondsAgo: 0)))
  }
}
