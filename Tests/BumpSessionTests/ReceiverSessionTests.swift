import BumpClaims
import BumpTesting
import Samples
import Synchronization
import Testing

@testable import BumpSession
@testable import BumpWire

@Suite struct ReceiverSessionTests {
  // MARK: The happy way

  @Test func `a claim is stored before it is acknowledged`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .accepted)
    let outputs = try scene.say(try scene.claimMessage(Fixture.claim()))
    guard case .request(.store(let verified)) = outputs.first, outputs.count == 1 else {
      Issue.record("not stored first: \(outputs)")
      return
    }
    #expect(verified.claim == (try Fixture.claim()))
    let ended = try scene.handle(.stored(.stored))
    #expect(scene.heard.last == .message(.stored(.stored)))
    #expect(scene.ending(ended) == .received(verified, .stored))
  }

  @Test func `a receiver that asks its person tells the sender to hold, and accepts on a yes alone`() throws {
    var scene = try ReceiverScene(asks: true)
    try scene.go(to: .asked)
    #expect(scene.heard.last == .message(.hold(seconds: 60)))
    try scene.handle(.decided(true))
    #expect(scene.heard.last == .message(.accept(try DisplayName(Fixture.bob))))
  }

  @Test(arguments: [
    (StoredStatus.stored, true), (.duplicate, true), (.storedBesideAnother, true), (.notStored, false),
  ])
  func `what became of the claim is told, and decides how it ends`(status: StoredStatus, isHere: Bool) throws {
    var scene = try ReceiverScene()
    try scene.go(to: .storing)
    let ending = scene.ending(try scene.handle(.of(status)))
    #expect(scene.heard.last == .message(.stored(status)))
    if isHere {
      guard case .received(_, let result) = ending else {
        Issue.record("not received: \(String(describing: ending))")
        return
      }
      #expect(StoredStatus(result) == status)
    } else {
      #expect(ending == .notStored(Fixture.storeError))
    }
  }

  // MARK: Persons who say no

  @Test func `our person's no is told as DECLINE`() throws {
    var scene = try ReceiverScene(asks: true)
    try scene.go(to: .asked)
    #expect(scene.ending(try scene.handle(.decided(false))) == .declinedHere)
    #expect(scene.heard.last == .message(.decline))
  }

  @Test func `the sender's no ends the session, and nothing is stored`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .accepted)
    #expect(try scene.say(.decline) == [.ended(.declinedThere)])
  }

  @Test(arguments: [(Int64(999_999), false), (1_000_000, true), (2_000_000, true)])
  func `an offer whose time has passed is declined`(now: Int64, isExpired: Bool) throws {
    var scene = try ReceiverScene(unixTime: { now })
    try scene.go(to: .secured)
    let outputs = try scene.say(.offer(try Fixture.offer(of: Fixture.claim()).json))
    #expect(scene.ending(outputs) == (isExpired ? .expiredOnArrival(secondsAgo: now - 1_000_000) : nil))
    if isExpired { #expect(scene.heard.last == .message(.decline)) }
  }

  @Test func `an offer from somebody else is left`() throws {
    var scene = try ReceiverScene(wants: { $0.text == "carol" })
    try scene.go(to: .secured)
    #expect(scene.ending(try scene.say(.offer(try Fixture.offer(of: Fixture.claim()).json))) == .unwanted)
    #expect(scene.toldReason == .busy)
  }

  // MARK: Claims that are not right

  @Test func `a claim other than the one offered is refused, and nothing is stored`() throws {
    let claim = try Fixture.claim()
    let others = [
      try Fixture.claim("1.01"),
      Claim(id: try ClaimID("another"), secret: claim.secret, token: claim.token, amount: claim.amount),
      Claim(id: claim.id, secret: claim.secret, token: try Token("EURC"), amount: claim.amount),
    ]
    for other in others {
      var scene = try ReceiverScene()
      try scene.go(to: .accepted)
      #expect(scene.ending(try scene.say(try scene.claimMessage(other))) == .invalidClaim, "\(other.id)")
      #expect(scene.heard.last == .message(.stored(.invalid)))
    }
  }

  @Test func `a mac with a bit flipped, cut, extended, or of another session is refused`() throws {
    let claim = try Fixture.claim()
    var macs: [[UInt8]] = (0..<256).map { bit in
      var flip = [UInt8](repeating: 0, count: 32)
      flip[bit / 8] = 1 << (bit % 8)
      return flip
    }
    macs.append([UInt8](repeating: 0xFF, count: 32))
    for flip in macs {
      var scene = try ReceiverScene()
      try scene.go(to: .accepted)
      guard case .claim(let mac, let payload) = try scene.claimMessage(claim) else { return }
      let garbled = zip(mac, flip).map { $0 ^ $1 }
      #expect(scene.ending(try scene.say(.claim(mac: garbled, payload: payload))) == .invalidClaim)
    }
  }

  @Test func `a mac cut, extended or empty shifts the payload, and is refused`() throws {
    for change: @Sendable ([UInt8]) -> [UInt8] in [{ Array($0.dropLast()) }, { $0 + [0] }, { _ in [] }] {
      var scene = try ReceiverScene()
      try scene.go(to: .accepted)
      guard case .claim(let mac, let payload) = try scene.claimMessage(Fixture.claim()) else { return }
      #expect(scene.ending(try scene.say(.claim(mac: change(mac), payload: payload))) == .invalidClaim)
    }
  }

  @Test(arguments: [
    #"{"v":1, "claimId":"testClaim","secret":"AAECAwQFBgcICQoLDA0ODw==","token":"USDC","amount":1.00}"#,
    #"{"v":1,"secret":"AAECAwQFBgcICQoLDA0ODw==","claimId":"testClaim","token":"USDC","amount":1.00}"#,
    #"{"v":1,"claimId":"testClaim","secret":"AAECAwQFBgcICQoLDA0ODw==","token":"USDC","amount":1}"#,
    #"{"v":1,"claimId":"testClaim","secret":"AAECAwQFBgcICQoLDA0ODw==","token":"USDC","amount":1.000}"#,
    #"{"v":1,"claimId":"\u0074estClaim","secret":"AAECAwQFBgcICQoLDA0ODw==","token":"USDC","amount":1.00}"#,
    #"{"v":1,"claimId":"testClaim","secret":"AAECAwQFBgcICQoLDA0ODw==","token":"USDC","amount":1.00,"x":0}"#,
  ])
  func `a payload that is valid JSON but not the one encoding is refused, whoever signed it`(json: String) throws {
    var scene = try ReceiverScene()
    try scene.go(to: .accepted)
    let payload = Array(json.utf8)
    let channel = try #require(scene.peer.channel)
    #expect(throws: ClaimError.self) { try Claim(payload: payload) }
    // Signed with the right key: what is refused is the encoding.
    #expect(scene.ending(try scene.say(channel.signed(payload))) == .invalidClaim)
  }

  @Test func `an offer that is not in its one encoding ends the session`() throws {
    let json = String(decoding: try Fixture.offer(of: Fixture.claim()).json, as: UTF8.self)
    for other in [
      json.replacing(#""from":""#, with: #""from":"\u0000"#), json + " ", json.replacing("1.00", with: "1"),
      json.replacing(#""v":1"#, with: #""v":2"#), "{}",
    ] {
      var scene = try ReceiverScene()
      try scene.go(to: .secured)
      #expect(scene.ending(try scene.say(.offer(Array(other.utf8)))) == .failed(.protocolViolation), "\(other)")
    }
  }

  @Test func `a second CLAIM changes nothing of the first`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .storing)
    let second = try scene.say(try scene.claimMessage(Fixture.claim()))
    #expect(scene.toldReason == .protocolError)
    #expect(scene.ending(second) == nil, "the first is being stored")
    let ended = try scene.handle(.stored(.stored))
    guard case .received = scene.ending(ended) else {
      Issue.record("the first claim is lost: \(ended)")
      return
    }
  }

  @Test func `a connection that closes while the claim is being stored leaves it stored, unacknowledged`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .storing)
    #expect(try scene.handle(.closed) == [])
    let ended = try scene.handle(.stored(.stored))
    #expect(ended.count == 1)
    guard case .received = scene.ending(ended) else {
      Issue.record("not received: \(ended)")
      return
    }
  }

  // MARK: The handshake

  @Test func `a key other than the one committed to ends the session`() throws {
    var scene = try ReceiverScene()
    // Both ends have the same WELCOME in their prologue, so all else of the handshake is right.
    scene.peer = ScriptedPeer(.sender, commitment: [UInt8](repeating: 7, count: 32))
    try scene.go(to: .welcomed)
    let outputs = try scene.say(try scene.peer.noise())
    #expect(scene.ending(outputs) == .failed(.authentication))
    #expect(scene.toldReason == .authentication)
  }

  @Test func `a low-order key in NOISE_2 ends the session`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .welcomed)
    let outputs = try scene.say(Frame(.noise2, [UInt8](repeating: 0, count: 48)).bytes)
    #expect(scene.ending(outputs) == .failed(.authentication))
  }

  @Test func `where we have no code, a sender that wants one is left for our person to be asked`() throws {
    var scene = try ReceiverScene()
    try scene.handle(.opened)
    var welcome = scene.peer.welcome()
    welcome[8] = Mode.code.rawValue
    #expect(try scene.say(welcome) == [.welcomed(.code), .ended(.codeWanted)])
  }

  /// No end falls back to a weaker mode, whatever the other says.
  @Test(arguments: [Mode.code, .key], [Mode.open, .code, .key])
  func `with a code or a key no other mode is taken`(ours: Mode, theirs: Mode) throws {
    let vectors = [Mode.code: try SessionVector.code(), .key: try SessionVector.key()]
    let credential = try #require(vectors[ours]).credential
    var session = ReceiverSession(
      .init(name: try DisplayName(Fixture.bob), asks: false, limit: .seconds(5), unixTime: { 0 }),
      credential: credential, keys: SessionKeys(drawnFrom: .system), at: .zero)
    _ = session.handle(.opened, at: .zero)
    let welcome = Welcome(
      mode: theirs, nonce: [UInt8](repeating: 1, count: 16), commit: [UInt8](repeating: 2, count: 32),
      keyHint: [UInt8](repeating: theirs == .key ? 3 : 0, count: 8))
    let outputs = session.handle(.received(welcome.frame.bytes), at: .zero)
    if ours == .code, theirs == .code {
      #expect(outputs.count == 2, "a share is sent, nothing else")
    } else if ours == .key, theirs == .key {
      #expect(outputs.last == .ended(.wrongKey), "its hint is not our key's")
    } else {
      #expect(outputs.last == .ended(.failed(.otherMode(theirs))), "it is known which")
    }
  }

  @Test(arguments: [(UInt8(2), SessionFailure.otherMode(.key)), (3, .dismissed(.mode)), (255, .dismissed(.mode))])
  func `a sender in another mode is left`(mode: UInt8, why: SessionFailure) throws {
    var scene = try ReceiverScene()
    try scene.handle(.opened)
    var welcome = scene.peer.welcome()
    welcome[8] = mode
    #expect(scene.ending(try scene.say(welcome)) == .failed(why))
    #expect(scene.toldReason == .mode)
  }

  // MARK: Time

  @Test func `the channel must stand within two seconds of the connecting`() throws {
    var scene = try ReceiverScene()
    #expect(scene.session.deadline == .seconds(2))
    scene.now = .seconds(1)
    try scene.go(to: .welcomed)
    #expect(scene.session.deadline == .seconds(2))
    scene.now = .seconds(2)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.timedOut))
  }

  @Test func `the sender is waited for five seconds in all, our person's time not counted`() throws {
    var scene = try ReceiverScene(asks: true)
    try scene.go(to: .secured)
    #expect(scene.session.deadline == .seconds(5))
    scene.now = .seconds(1)
    try scene.say(.offer(try Fixture.offer(of: Fixture.claim()).json))
    #expect(scene.session.deadline == nil, "the offer waits for its turn")
    scene.now = .seconds(2)
    try scene.handle(.chosen)
    #expect(scene.session.deadline == .seconds(62))
    scene.now = .seconds(40)
    try scene.handle(.decided(true))
    #expect(scene.session.deadline == .seconds(44))
    scene.now = .seconds(41)
    try scene.say(.hold(seconds: 30))
    #expect(scene.session.deadline == .seconds(74))
    scene.now = .seconds(74)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.timedOut))
  }

  @Test func `a second HOLD is a protocol error`() throws {
    var scene = try ReceiverScene()
    try scene.go(to: .accepted)
    try scene.say(.hold(seconds: 60))
    #expect(scene.ending(try scene.say(.hold(seconds: 60))) == .failed(.protocolViolation))
  }

  @Test func `our person has the sixty seconds that HOLD announced`() throws {
    var scene = try ReceiverScene(asks: true)
    try scene.go(to: .asked)
    scene.now = .seconds(60)
    #expect(scene.ending(try scene.handle(.deadline)) == .failed(.unanswered))
  }

  /// Bytes and answers may lie here while this process stands still, and come before the timer does.
  @Test(arguments: [ReceiverScene.Step.opened, .welcomed, .secured, .asked, .accepted])
  func `what comes at the deadline is too late`(step: ReceiverScene.Step) throws {
    for late in [Duration.zero, .seconds(16)] {
      var scene = try ReceiverScene(asks: true)
      try scene.go(to: step)
      let input: ReceiverSession.Input =
        switch step {
        case .opened: .received(scene.peer.welcome())
        case .welcomed: .received(try scene.peer.noise())
        case .secured: .received(try scene.peer.seal(.offer(try Fixture.offer(of: Fixture.claim()).json)))
        case .asked: .decided(true)
        default: .received(try scene.peer.seal(try scene.claimMessage(Fixture.claim())))
        }
      scene.now = try #require(scene.session.deadline) + late
      // Not the other end: this process stood still.
      let failure = late == .zero ? SessionFailure.timedOut : .stoodStill
      #expect(scene.ending(try scene.handle(input)) == .failed(step == .asked ? .unanswered : failure), "\(step)")
    }
  }

  /// The sender gives the claim to nobody else until then, and not longer.
  @Test(arguments: [
    (Duration.seconds(3600), UInt8?.none, Moment.seconds(6)), (.seconds(3600), 60, .seconds(66)),
    (.seconds(2), nil, .seconds(2)),
  ])
  func `a claim is taken no later than five seconds after ACCEPT and what the sender announced, whatever our limit`(
    limit: Duration, seconds: UInt8?, end: Moment
  ) throws {
    for isLate in [false, true] {
      var scene = try ReceiverScene(limit: limit)
      try scene.go(to: .offered)
      if limit > .seconds(2) { scene.now = .seconds(1) }
      try scene.handle(.chosen)
      if let seconds {
        scene.now = .seconds(4)
        try scene.say(.hold(seconds: seconds))
      }
      #expect(scene.session.deadline == end)
      scene.now = isLate ? end : end - .milliseconds(1)
      let outputs = try scene.say(try scene.claimMessage(Fixture.claim()))
      #expect(outputs.contains { if case .request(.store) = $0 { true } else { false } } == !isLate)
    }
  }

  // MARK: Expiry

  @Test(arguments: [(Int64(999_999), false), (1_000_000, true)])
  func `an offer whose time is up when its turn comes is declined, and nobody is asked`(then: Int64, isExpired: Bool)
    throws
  {
    let time = Mutex(Int64(0))
    var scene = try ReceiverScene(asks: true, unixTime: { time.withLock(\.self) })
    try scene.go(to: .offered)
    time.withLock { $0 = then }
    let outputs = try scene.handle(.chosen)
    #expect(scene.ending(outputs) == (isExpired ? .expired : nil))
    #expect(outputs.contains { if case .request(.ask) = $0 { true } else { false } } == !isExpired)
    if isExpired { #expect(scene.heard.last == .message(.decline)) }
  }

  @Test(arguments: [Int64(999_999), 1_000_000])
  func `a sender that ends while our person decides has let the offer expire, where its time is up`(then: Int64) throws
  {
    let time = Mutex(Int64(0))
    for input in [ReceiverSession.Input.received(AbortReason.timedOut.frame.bytes), .closed, .decided(true)] {
      time.withLock { $0 = 0 }
      var scene = try ReceiverScene(asks: true, unixTime: { time.withLock(\.self) })
      try scene.go(to: .asked)
      time.withLock { $0 = then }
      let ending = scene.ending(try scene.handle(input))
      #expect((ending == .expired) == (then == 1_000_000), "\(input)")
      if case .decided = input {
        #expect(scene.heard.last == .message(then == 1_000_000 ? .decline : .accept(try DisplayName(Fixture.bob))))
      }
    }
  }

  // MARK: What is not due

  @Test(arguments: ReceiverScene.Step.allCases, FrameType.allCases)
  func `a frame out of order ends the session after its third byte`(step: ReceiverScene.Step, type: FrameType) throws {
    let due: [ReceiverScene.Step: FrameType] = [
      .opened: .welcome, .welcomed: .noise2, .secured: .sealed, .accepted: .sealed,
    ]
    var scene = try ReceiverScene(asks: true)
    try scene.go(to: step)
    let length = type.lengths(in: .open).lowerBound
    let outputs = try scene.say([UInt8(length >> 8), UInt8(length & 0xFF), type.rawValue])
    let isDue = type == .abort || due[step] == type
    // While a claim is being stored, what becomes of it counts alone.
    #expect(scene.ending(outputs) == (isDue || step == .storing ? nil : .failed(.protocolViolation)))
    if !isDue { #expect(scene.toldReason == .protocolError) }
  }

  @Test(arguments: ReceiverScene.Step.allCases.filter { $0 != .storing })
  func `a frame too short, too long or of unknown type ends the session`(step: ReceiverScene.Step) throws {
    for type in FrameType.allCases {
      for length in [type.lengths(in: .open).lowerBound - 1, type.lengths(in: .open).upperBound + 1] {
        var scene = try ReceiverScene(asks: true)
        try scene.go(to: step)
        let outputs = try scene.say([UInt8(length >> 8), UInt8(length & 0xFF), type.rawValue])
        #expect(scene.ending(outputs) == .failed(.protocolViolation), "\(type), \(length) bytes")
      }
    }
    for type in UInt8.min ... .max where FrameType(rawValue: type) == nil {
      var scene = try ReceiverScene(asks: true)
      try scene.go(to: step)
      #expect(scene.ending(try scene.say([0, 22, type])) == .failed(.protocolViolation), "type \(type)")
    }
  }

  @Test func `a message that a sender has no business to send ends the session`() throws {
    let bob = try DisplayName(Fixture.bob)
    for message in [Message.accept(bob), .stored(.stored), .decline, .hold(seconds: 1)] {
      var scene = try ReceiverScene()
      try scene.go(to: .secured)
      #expect(scene.ending(try scene.say(message)) == .failed(.protocolViolation), "\(message)")
    }
    for message in [Message.accept(bob), .stored(.stored), .offer(try Fixture.offer(of: Fixture.claim()).json)] {
      var scene = try ReceiverScene()
      try scene.go(to: .accepted)
      #expect(scene.ending(try scene.say(message)) == .failed(.protocolViolation), "\(message)")
    }
  }

  @Test(arguments: AbortReason.allCases)
  func `an ABORT ends the session, and its reason is kept as a hint`(reason: AbortReason) throws {
    for step in ReceiverScene.Step.allCases where step != .new && step != .storing {
      var scene = try ReceiverScene(asks: true)
      try scene.go(to: step)
      let failure: SessionFailure =
        switch (step, reason) {
        // A sender that says so before it has our HELLO did not wait for us.
        case (.opened, .timedOut): .tooLate
        case (.opened, .busy): .notAdmitted
        case (.offered, .timedOut): .keptWaiting
        default: .aborted(reason)
        }
      #expect(scene.ending(try scene.say(reason.frame.bytes)) == .failed(failure))
    }
  }
}

extension SecureChannel {
  /// A CLAIM with a right mac over whatever payload.
  fileprivate func signed(_ payload: [UInt8]) -> Message {
    .claim(mac: claimMAC(over: payload), payload: payload)
  }
}
