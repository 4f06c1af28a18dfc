import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

@Suite struct SenderSessionTests {
  private let bob: DisplayName

  init() throws {
    bob = try DisplayName(Fixture.bob)
  }

  // MARK: The happy way

  @Test func `a receiver that accepts is sent the claim once it is chosen and the claim released`() throws {
    var scene = try SenderScene()
    try scene.go(to: .accepted)
    #expect(try scene.handle(.chosen) == [.release(bob, within: .seconds(5))])
    try scene.handle(.released)
    guard case .message(.claim(_, let payload)) = scene.heard.last else {
      Issue.record("no claim: \(scene.heard)")
      return
    }
    #expect(payload == (try Fixture.claim().payload))
    #expect(scene.ending(try scene.say(.stored(.stored))) == .delivered(.stored, bob))
  }

  @Test func `a sender that asks its person tells the receiver to hold, and sends on a yes alone`() throws {
    var scene = try SenderScene(asks: true)
    try scene.go(to: .accepted)
    let asked = try scene.handle(.chosen)
    #expect(scene.heard.last == .message(.hold(seconds: 60)))
    #expect(asked.contains { if case .ask(bob, _) = $0 { true } else { false } })
    #expect(try scene.handle(.decided(true)) == [.release(bob, within: .seconds(65))])
  }

  @Test func `NOISE_2 and OFFER are written together`() throws {
    var scene = try SenderScene()
    try scene.go(to: .welcomed)
    let outputs = try scene.say(scene.peer.noise())
    #expect(outputs.count { if case .send = $0 { true } else { false } } == 1)
    #expect(scene.heard.last == .message(.offer(try Fixture.offer(of: Fixture.claim()).json)))
  }

  // MARK: Persons who say no

  @Test(arguments: [true, false])
  func `a receiver that declines ends its session, and whether a person said so is known by its HOLD`(isHeld: Bool)
    throws
  {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    if isHeld { try scene.say(.hold(seconds: 60)) }
    #expect(try scene.say(.decline) == [.ended(isHeld ? .declinedThere : .declinedAtOnce)])
  }

  @Test func `our person's no is told as DECLINE`() throws {
    var scene = try SenderScene(asks: true)
    try scene.go(to: .asked)
    #expect(scene.ending(try scene.handle(.decided(false))) == .declinedHere(bob))
    #expect(scene.heard.last == .message(.decline))
  }

  // MARK: What STORED makes of the claim

  @Test(arguments: [
    (StoredStatus.stored, true), (.duplicate, true), (.storedBesideAnother, true), (.notStored, false),
    (.invalid, false),
  ])
  func `STORED 0, 1 and 2 mean delivered, 3 and 4 unknown`(status: StoredStatus, isDelivered: Bool) throws {
    var scene = try SenderScene()
    try scene.go(to: .claimed)
    let ending = scene.ending(try scene.say(.stored(status)))
    #expect(ending == (isDelivered ? .delivered(try #require(StoreResult(status)), bob) : .unknown(bob, status)))
  }

  @Test func `after CLAIM a close, an ABORT, garbage or silence mean unknown`() throws {
    let inputs: [SenderSession.Input] = [
      .closed, .received(AbortReason.shuttingDown.frame.bytes), .received([0, 1, 2, 3]), .deadline,
      .dismissed(.shuttingDown),
    ]
    for input in inputs {
      var scene = try SenderScene()
      try scene.go(to: .claimed)
      #expect(scene.ending(scene.session.handle(input, at: .seconds(5))) == .unknown(bob, nil), "\(input)")
    }
  }

  // MARK: Releasing

  @Test func `where the claim was released elsewhere nothing is sent`() throws {
    var scene = try SenderScene()
    try scene.go(to: .accepted)
    try scene.handle(.chosen)
    #expect(
      scene.ending(try scene.handle(.notReleased)) == .notReleased)
    #expect(scene.toldReason == .shuttingDown)
  }

  @Test func `a connection that closes while our person decides is not sent the claim`() throws {
    var scene = try SenderScene(asks: true)
    try scene.go(to: .asked)
    #expect(scene.ending(try scene.handle(.closed)) == .failed(.closed))
    #expect(try scene.handle(.decided(true)) == [])
  }

  @Test(arguments: [true, false])
  func `a connection that closes while the claim is being released is sent nothing, and the release is taken back`(
    isBack: Bool
  ) throws {
    var scene = try SenderScene()
    try scene.go(to: .accepted)
    try scene.handle(.chosen)
    #expect(try scene.handle(.closed) == [])
    #expect(try scene.handle(.released) == [.takeBack])
    #expect(
      try scene.handle(isBack ? .takenBack : .notTakenBack) == [.ended(isBack ? .failed(.closed) : .unknown(bob, nil))])
  }

  @Test(arguments: [(Duration.seconds(4.9), true), (.seconds(5), false), (.seconds(11), false)])
  func `a claim that is released once the receiver waits no longer is not sent, and the release is taken back`(
    after: Duration, isSent: Bool
  ) throws {
    var scene = try SenderScene()
    try scene.go(to: .accepted)
    try scene.handle(.chosen)
    scene.now = Moment(after)
    let outputs = try scene.handle(.released)
    #expect(outputs.contains(.takeBack) == !isSent)
    if case .message(.claim) = scene.heard.last { #expect(isSent) } else { #expect(!isSent) }
    guard !isSent else { return }
    #expect(scene.toldReason == .timedOut)
    #expect(scene.ending(try scene.handle(.takenBack)) == .failed(.overdue))
  }

  /// A receiver takes CLAIM until 5 s after ACCEPT, and what we announced. ACCEPT comes at 1 s.
  @Test(arguments: [
    (Duration.seconds(5), Duration?.none, Duration.seconds(5)), (.seconds(1), nil, .seconds(5)),
    (.seconds(5), .seconds(3), .seconds(63)), (.seconds(5), .seconds(60), .seconds(6)),
    (.seconds(5), .seconds(61), .seconds(5)), (.seconds(30), nil, .seconds(30)), (.seconds(200), nil, .seconds(200)),
  ])
  func `the claim is the receiver's for as long as that may wait, and our own limit`(
    limit: Duration, answeredAt: Duration?, within: Duration
  ) throws {
    var scene = try SenderScene(asks: answeredAt != nil, limit: limit)
    try scene.go(to: .offered)
    if limit > .seconds(1) { scene.now = .seconds(1) }
    try scene.say(.accept(bob))
    var outputs = try scene.handle(.chosen)
    if let answeredAt {
      scene.now = Moment(answeredAt)
      outputs = try scene.handle(.decided(true))
    }
    #expect(outputs.last == (answeredAt == .seconds(61) ? .ended(.failed(.unanswered)) : .release(bob, within: within)))
  }

  @Test(arguments: [(Duration.seconds(3), Moment.seconds(4)), (.seconds(60), .seconds(6))])
  func `who accepted and is not chosen is let go once it waits no longer, or our time for it is over`(
    limit: Duration, end: Moment
  ) throws {
    var scene = try SenderScene(limit: limit)
    try scene.go(to: .offered)
    scene.now = .seconds(1)
    try scene.say(.accept(bob))
    #expect(scene.session.deadline == end)
    scene.now = end
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.dismissed(.busy)))
  }

  @Test(arguments: [(Duration.seconds(5), UInt8?.none), (.seconds(5.5), nil), (.seconds(30), 25), (.seconds(3600), 60)])
  func `a sender that allows for more than five seconds says so to the receiver, which waits no longer by itself`(
    limit: Duration, seconds: UInt8?
  ) throws {
    var scene = try SenderScene(limit: limit)
    try scene.go(to: .accepted)
    try scene.handle(.chosen)
    #expect(scene.heard.last == .message(.hold(seconds: seconds ?? 0)) || seconds == nil)
    scene.now = .seconds(4 + Int(seconds ?? 0))
    try scene.handle(.released)
    guard case .message(.claim) = scene.heard.last else {
      Issue.record("not sent: \(scene.heard)")
      return
    }
  }

  @Test func `a receiver that was queued has what that HOLD announced, and no more`() throws {
    var scene = try SenderScene(asks: true)
    try scene.go(to: .accepted)
    scene.now = .seconds(2)
    try scene.handle(.queued)
    scene.now = .seconds(40)
    try scene.handle(.chosen)
    scene.now = .seconds(50)
    #expect(try scene.handle(.decided(true)) == [.release(bob, within: .seconds(15))])
  }

  @Test func `an ACCEPT after the bump has ended the session is not heard`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    let accept = try scene.peer.seal(.accept(bob))
    #expect(scene.ending(try scene.handle(.dismissed(.timedOut))) == .failed(.dismissed(.timedOut)))
    #expect(try scene.say(accept) == [])
    #expect(try scene.handle(.chosen) == [])
  }

  // MARK: Time

  @Test func `a mute connection ends after two seconds`() throws {
    let scene = try SenderScene()
    #expect(scene.session.deadline == .seconds(2))
  }

  @Test func `the channel must stand within two seconds of the connection's opening`() throws {
    var scene = try SenderScene()
    scene.now = Moment(.seconds(1.5))
    try scene.go(to: .welcomed)
    #expect(scene.session.deadline == .seconds(2))
    scene.now = .seconds(2)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.timedOut))
    #expect(scene.toldReason == .timedOut)
  }

  @Test func `the receiver is waited for five seconds in all, from HELLO on`() throws {
    var scene = try SenderScene()
    scene.now = .seconds(1)
    try scene.go(to: .welcomed)
    scene.now = Moment(.seconds(1.5))
    try scene.say(scene.peer.noise())
    #expect(scene.session.deadline == .seconds(6))
    scene.now = .seconds(3)
    try scene.say(.accept(bob))
    try scene.handle(.chosen)
    scene.now = .seconds(7)
    try scene.handle(.released)
    #expect(scene.session.deadline == .seconds(10), "two seconds were used, and those of the release do not count")
  }

  @Test func `what a receiver's HOLD announces does not count, and what goes beyond it does`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    scene.now = .seconds(1)
    try scene.say(.hold(seconds: 60))
    #expect(scene.session.deadline == .seconds(65))
    scene.now = .seconds(63)
    try scene.say(.accept(bob))
    try scene.handle(.chosen)
    try scene.handle(.released)
    #expect(scene.session.deadline == .seconds(65), "one second before the HOLD, two after it")
  }

  @Test func `a second HOLD is a protocol error`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    try scene.say(.hold(seconds: 60))
    #expect(scene.ending(try scene.say(.hold(seconds: 60))) == .failed(.protocolViolation))
  }

  @Test func `a receiver that has accepted waits to be chosen no longer than it would`() throws {
    var scene = try SenderScene()
    scene.now = .seconds(1)
    try scene.go(to: .accepted)
    #expect(scene.session.deadline == .seconds(6))
    scene.now = .seconds(6)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.dismissed(.busy)))
    #expect(scene.toldReason == .busy)
  }

  @Test func `our person has the sixty seconds that HOLD announced`() throws {
    var scene = try SenderScene(asks: true)
    try scene.go(to: .asked)
    #expect(scene.session.deadline == .seconds(60))
    scene.now = .seconds(60)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.unanswered))
    #expect(scene.toldReason == .timedOut)
  }

  /// Bytes and answers may lie here while this process stands still, and come before the timer does.
  @Test(arguments: [SenderScene.Step.opened, .welcomed, .offered, .accepted, .asked])
  func `what comes at the deadline is too late`(step: SenderScene.Step) throws {
    for late in [Duration.zero, .seconds(16)] {
      var scene = try SenderScene(asks: true)
      try scene.go(to: step)
      let input: SenderSession.Input =
        switch step {
        case .opened: .received(scene.peer.hello())
        case .welcomed: .received(try scene.peer.noise())
        case .offered: .received(try scene.peer.seal(.accept(bob)))
        case .accepted: .chosen
        case .asked: .decided(true)
        case .claimed: .closed
        }
      scene.now = try #require(scene.session.deadline) + late
      let expected: SenderSession.Ending =
        switch step {
        case .accepted: .failed(.dismissed(.busy))
        case .asked: .failed(.unanswered)
        // Not the receiver: this process stood still.
        default: .failed(late == .zero ? .timedOut : .stoodStill)
        }
      #expect(scene.ending(try scene.handle(input)) == expected, "\(step)")
    }
  }

  @Test(arguments: [Duration.zero, .milliseconds(1), .seconds(16), .seconds(9000)])
  func `the receiver's answer counts, however late it is read`(late: Duration) throws {
    for (status, ending) in [
      (StoredStatus.stored, SenderSession.Ending.delivered(.stored, bob)), (.notStored, .unknown(bob, .notStored)),
    ] {
      var scene = try SenderScene()
      try scene.go(to: .claimed)
      scene.now = try #require(scene.session.deadline) + late
      #expect(scene.ending(try scene.say(.stored(status))) == ending)
    }
  }

  @Test func `a sender that stood still past its time looks for the answer that may lie there, once`() throws {
    for isThere in [true, false] {
      var scene = try SenderScene()
      try scene.go(to: .claimed)
      scene.now = .seconds(21)
      #expect(try scene.handle(.deadline) == [])
      #expect(scene.session.deadline == .seconds(22))
      scene.now = .seconds(isThere ? 21 : 600)
      let outputs = try isThere ? scene.say(.stored(.stored)) : scene.handle(.deadline)
      #expect(scene.ending(outputs) == (isThere ? .delivered(.stored, bob) : .unknown(bob, nil)))
    }
  }

  @Test func `a sender whose timer is on time gives up at once`() throws {
    var scene = try SenderScene()
    try scene.go(to: .claimed)
    scene.now = .milliseconds(5999)
    #expect(scene.ending(try scene.handle(.deadline)) == .unknown(bob, nil))
    #expect(scene.toldReason == .timedOut)
  }

  // MARK: What is not due, or not right

  /// With a payload of free choice, somebody in the middle could steer the digits.
  @Test func `a NOISE_1 with a payload ends the session`() throws {
    var scene = try SenderScene()
    try scene.go(to: .welcomed)
    let outputs = try scene.say(scene.peer.noise(payload: [0]))
    #expect(scene.ending(outputs) == .failed(.protocolViolation))
    #expect(scene.toldReason == .protocolError)
  }

  /// At every step every frame but the one that is due ends the session, after its third byte.
  @Test(arguments: SenderScene.Step.allCases, FrameType.allCases)
  func `a frame out of order ends the session after its third byte`(step: SenderScene.Step, type: FrameType) throws {
    let due: [SenderScene.Step: Set<FrameType>] = [
      .opened: [.hello], .welcomed: [.noise1, .queued], .offered: [.sealed], .claimed: [.sealed],
    ]
    var scene = try SenderScene(asks: true)
    try scene.go(to: step)
    let length = type.lengths(in: .open).lowerBound
    let outputs = try scene.say([UInt8(length >> 8), UInt8(length & 0xFF), type.rawValue])
    let isDue = type == .abort || due[step]?.contains(type) == true
    let expected: SenderSession.Ending = step == .claimed ? .unknown(bob, nil) : .failed(.protocolViolation)
    #expect(scene.ending(outputs) == (isDue ? nil : expected))
    if !isDue { #expect(scene.toldReason == .protocolError) }
  }

  @Test(arguments: SenderScene.Step.allCases)
  func `a frame too short, too long or of unknown type ends the session`(step: SenderScene.Step) throws {
    for type in FrameType.allCases {
      for length in [type.lengths(in: .open).lowerBound - 1, type.lengths(in: .open).upperBound + 1] {
        var scene = try SenderScene(asks: true)
        try scene.go(to: step)
        let outputs = try scene.say([UInt8(length >> 8), UInt8(length & 0xFF), type.rawValue])
        #expect(scene.ending(outputs) != nil, "\(type), \(length) bytes")
      }
    }
    for type in UInt8.min ... .max where FrameType(rawValue: type) == nil {
      var scene = try SenderScene(asks: true)
      try scene.go(to: step)
      #expect(scene.ending(try scene.say([0, 22, type])) != nil, "type \(type)")
    }
  }

  @Test func `a message that a receiver has no business to send ends the session`() throws {
    let claim = try Fixture.claim()
    let messages: [Message] = [
      .offer(try Fixture.offer(of: claim).json), .claim(mac: [UInt8](repeating: 0, count: 32), payload: claim.payload),
      .stored(.stored),
    ]
    for message in messages {
      var scene = try SenderScene()
      try scene.go(to: .offered)
      #expect(scene.ending(try scene.say(message)) == .failed(.protocolViolation), "\(message)")
    }
    for message in messages.prefix(2) + [.accept(bob), .decline, .hold(seconds: 1)] {
      var scene = try SenderScene()
      try scene.go(to: .claimed)
      #expect(scene.ending(try scene.say(message)) == .unknown(bob, nil), "\(message)")
    }
  }

  @Test func `a sealed frame that was not made with this session's keys ends it`() throws {
    var scene = try SenderScene()
    try scene.go(to: .offered)
    #expect(
      scene.ending(try scene.say(Frame(.sealed, [UInt8](repeating: 7, count: 17)).bytes)) == .failed(.authentication))
    #expect(scene.toldReason == .authentication)
  }

  @Test func `a HELLO of another version is told so`() throws {
    var scene = try SenderScene()
    var hello = scene.peer.hello()
    hello[7] = 4
    #expect(scene.ending(try scene.say(hello)) == .failed(.dismissed(.version)))
    #expect(scene.toldReason == .version)
  }

  @Test func `a low-order key in NOISE_1 ends the session`() throws {
    var scene = try SenderScene()
    try scene.go(to: .welcomed)
    let outputs = try scene.say(Frame(.noise1, [UInt8](repeating: 0, count: 32)).bytes)
    #expect(scene.ending(outputs) == .failed(.authentication))
  }

  @Test func `bytes may come one by one`() throws {
    var scene = try SenderScene()
    for byte in scene.peer.hello() { try scene.say([byte]) }
    for byte in try scene.peer.noise() { try scene.say([byte]) }
    var outputs: [SenderSession.Output] = []
    for byte in try scene.peer.seal(.accept(bob)) { outputs += try scene.say([byte]) }
    #expect(outputs == [.accepted(bob)])
  }

  @Test func `what comes in one read behind the last frame is not heard`() throws {
    let sealed = Frame(.sealed, [UInt8](repeating: 7, count: 17))
    for behind in [[0, 1, 2, 3], AbortReason.shuttingDown.frame.bytes, sealed.bytes] {
      var scene = try SenderScene()
      try scene.go(to: .claimed)
      let stored = try scene.peer.seal(.stored(.stored))
      #expect(try scene.say(stored + behind) == [.ended(.delivered(.stored, bob))])
    }
  }

  @Test func `nothing is heard after the end`() throws {
    var scene = try SenderScene()
    try scene.go(to: .claimed)
    let stored = try scene.peer.seal(.stored(.stored))
    try scene.say(stored)
    #expect(try scene.say(stored) == [])
    #expect(try scene.handle(.closed) == [])
    #expect(scene.session.deadline == nil)
  }
}
