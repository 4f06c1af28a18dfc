import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

@Suite struct SenderBumpTests {
  private let bob: DisplayName

  init() throws {
    bob = try DisplayName(Fixture.bob)
  }

  // MARK: Several receivers

  @Test func `the first receiver to accept gets the claim, and the others are told that we are busy`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    try scene.open(2, to: .offered)
    try scene.open(3, to: .welcomed)
    try scene.say(2, .accept(bob))
    #expect(scene.releasing == [2])
    try scene.say(1, .accept(bob))
    #expect(scene.releasing == [2])
    try scene.handle(.session(2, .released))
    #expect(scene.told(1) == .busy)
    #expect(scene.told(3) == .busy)
    #expect(scene.isListening == false)
    try scene.say(2, .stored(.stored))
    #expect(scene.outcome == .delivered(to: bob, .stored))
    #expect(scene.record == .delivered)
  }

  @Test func `where the chosen receiver goes away before CLAIM the next in the queue is chosen`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .accepted)
    try scene.open(2, to: .accepted)
    #expect(scene.asking == [1])
    try scene.handle(.session(1, .closed))
    #expect(scene.withdrawn == [1])
    #expect(scene.asking == [1, 2])
    try scene.handle(.session(2, .decided(true)))
    #expect(scene.releasing == [2])
  }

  @Test func `a session that dies before CLAIM costs nothing`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    try scene.handle(.session(1, .closed))
    try scene.say(bytes: [9, 9, 9], to: scene.open(2, to: .opened))
    #expect(scene.outcome == nil && scene.isListening)
    try scene.open(3, to: .accepted)
    #expect(scene.releasing == [3])
  }

  @Test func `a receiver's HOLD is told with its address, and so is the end of each session that had digits`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    try scene.open(2, to: .offered)
    try scene.open(3, to: .welcomed)
    try scene.say(1, .hold(seconds: 41))
    #expect(scene.events.contains(.deciding(peer: "peer 1", seconds: 41)))
    try scene.handle(.session(3, .closed))
    #expect(!scene.events.contains(.sessionEnded(peer: "peer 3")), "there were no digits to take away")
    try scene.handle(.session(2, .closed))
    #expect(scene.events.suffix(2) == [.sessionEnded(peer: "peer 2"), .sessionFailed(.closed, peer: "peer 2")])
    try scene.say(1, .accept(bob))
    try scene.handle(.session(1, .released))
    try scene.say(1, .stored(.stored))
    #expect(scene.events.suffix(2) == [.sessionEnded(peer: "peer 1"), .stored(.stored)])
  }

  @Test func `our person's no ends that session alone, and the next that waits is asked about`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .accepted)
    try scene.open(2, to: .accepted)
    #expect(scene.asking == [1])
    scene.now = .seconds(20)
    try scene.handle(.deadline)
    try scene.handle(.session(1, .decided(false)))
    #expect(scene.asking == [1, 2], "it was told to hold, and is still there after its 5 s")
    #expect(scene.outcome == nil && scene.record == nil)
    try scene.handle(.session(2, .decided(true)))
    #expect(scene.releasing == [2])
  }

  @Test func `a receiver that waits for our person is told to hold once, and asked about in what is left of that`()
    throws
  {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .accepted)
    try scene.open(2, to: .accepted)
    #expect(scene.holds(2) == 1)
    scene.now = .seconds(40)
    try scene.handle(.session(1, .decided(false)))
    #expect(scene.asking == [1, 2] && scene.holds(2) == 1)
    scene.now = .seconds(60)
    try scene.handle(.deadline)
    #expect(scene.withdrawn.contains(2), "it waits no longer")
  }

  @Test func `while our person is asked it is told of each other receiver that accepts, and how many wait`() throws {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...2 { try scene.open(id, to: .accepted) }
    #expect(scene.waiting == [1])
    try scene.handle(.session(1, .decided(false)))
    try scene.open(3, to: .accepted)
    #expect(scene.asking == [1, 2] && scene.waiting == [1, 1])
    var alone = try SenderBumpScene()
    for id in 1...2 { try alone.open(id, to: .accepted) }
    #expect(alone.waiting.isEmpty, "the first gets it, whatever the others wait for")
  }

  @Test func `a no is told with how many wait already, and not where nobody is waited for`() throws {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...2 { try scene.open(id, to: .accepted) }
    for id in 1...2 { try scene.handle(.session(id, .decided(false))) }
    #expect(scene.waitingAfterNo == [1, 0])
    try scene.open(3, to: .accepted)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    try scene.handle(.session(3, .decided(false)))
    #expect(scene.waitingAfterNo == [1, 0] && scene.outcome == .declinedHere(bob), "the time was up")
    for (attempts, endsAtRefusal) in [(1, false), (3, true)] {
      var last = try SenderBumpScene(asks: true, attempts: attempts, endsAtRefusal: endsAtRefusal)
      try last.open(1, to: .accepted)
      try last.handle(.session(1, .decided(false)))
      #expect(last.waitingAfterNo.isEmpty && last.outcome == .declinedHere(bob))
    }
  }

  @Test func `after our person's no whoever comes is asked about, until time is up, and then the claim is new`() throws
  {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .accepted)
    try scene.handle(.session(1, .decided(false)))
    #expect(scene.isListening && scene.outcome == nil)
    try scene.open(2, to: .accepted)
    #expect(scene.asking == [1, 2])
    try scene.handle(.session(2, .decided(false)))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.outcome == .declinedHere(bob))
    #expect(scene.record == nil && scene.releasing.isEmpty && !scene.isListening && !scene.isReleasingLink)
  }

  @Test func `a no of our person ends a send that was told to one receiver, unless another has accepted`() throws {
    var scene = try SenderBumpScene(asks: true, endsAtRefusal: true)
    try scene.open(1, to: .accepted)
    try scene.open(2, to: .accepted)
    try scene.open(3, to: .welcomed)
    try scene.handle(.session(1, .decided(false)))
    #expect(scene.asking == [1, 2] && scene.outcome == nil)
    try scene.handle(.session(2, .decided(false)))
    #expect(scene.told(3) == .busy)
    #expect(scene.outcome == .declinedHere(bob))
    #expect(scene.record == nil && scene.releasing.isEmpty && !scene.isListening && !scene.isReleasingLink)
  }

  // MARK: Strangers at the port

  @Test func `a ninth connection ends the oldest that has said nothing`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .welcomed)
    for id in 2...8 { try scene.open(id, to: .opened) }
    try scene.open(9, to: .opened)
    #expect(scene.told(2) == .busy)
    #expect(scene.closed == [2])
    try scene.open(10, to: .accepted)
    #expect(scene.closed == [2, 3])
    #expect(scene.releasing == [10])
  }

  @Test func `where eight have said HELLO the ninth is told that we are busy`() throws {
    var scene = try SenderBumpScene()
    for id in 1...8 { try scene.open(id, to: .welcomed) }
    try scene.open(9, to: .opened)
    #expect(scene.told(9) == .busy)
    #expect(scene.closed == [9])
  }

  @Test func `eight sessions at most are held beside those that have their digits`() throws {
    var scene = try SenderBumpScene(credential: SessionVector.key().credential)
    for id in 1...2 { try scene.open(id, to: .offered) }
    for id in 3...10 { try scene.open(id, to: .welcomed) }
    try scene.open(11, to: .opened)
    #expect(scene.closed == [11])
    try scene.say(bytes: scene.noise(of: 3), to: 3)
    #expect(scene.secured == 3 && scene.bump.connections.count == 3, "nobody else can get the claim")
  }

  // MARK: Guesses

  @Test func `three wrong codes burn the code, over any number of connections, and nothing takes its place`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    for id in 1...3 {
      #expect(scene.isListening)
      try scene.guess(id, "27-111111")
      #expect(scene.told(id) == .authentication)
    }
    #expect(scene.outcome == .codeBurnt)
    #expect(!scene.isListening && !scene.isReleasingLink)
  }

  @Test func `a receiver whose handshake ends since others burnt the code is not said to have failed`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    try scene.open(4, to: .welcomed)
    for id in 1...3 { try scene.guess(id, "27-111111") }
    #expect(scene.told(4) == .authentication && scene.outcome == .codeBurnt)
    #expect(!scene.events.contains { if case .sessionFailed = $0 { true } else { false } }, "\(scene.events)")
  }

  @Test func `of eight guesses in parallel three are opened`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    var first: [ConnectionID: [UInt8]] = [:]
    for id in 1...8 { first[id] = try scene.prepare(id, "27-11111\(id)") }
    for id in 1...8 { if let noise1 = first[id] { try scene.say(bytes: noise1, to: id) } }
    #expect(
      scene.events.filter { if case .wrongGuess = $0 { true } else { false } } == [
        .wrongGuess(triesLeft: 2), .wrongGuess(triesLeft: 1), .wrongGuess(triesLeft: 0),
      ])
    #expect(scene.outcome == .codeBurnt)
  }

  @Test func `a right code is not counted, and may finish after the code is burnt`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    try scene.guess(1, "27-482915")
    for id in 2...4 { try scene.guess(id, "27-000000") }
    #expect(scene.outcome == nil && !scene.isListening)
    try scene.say(1, .accept(bob))
    #expect(scene.releasing == [1])
  }

  @Test func `what is no share is no guess, and ends the session`() throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    try scene.open(1, to: .welcomed)
    try scene.say(bytes: Frame(.pakeR, [UInt8](repeating: 0, count: 32)).bytes, to: 1)
    #expect(scene.told(1) == .protocolError)
    #expect(!scene.events.contains { if case .wrongGuess = $0 { true } else { false } })
  }

  @Test(arguments: 0...2)
  func `where time is up before the third wrong code the claim is released for its link`(wrong: Int) throws {
    var scene = try SenderBumpScene(credential: .code(OneTimeCode("27-482915")))
    for id in 0..<wrong { try scene.guess(id, "27-111111") }
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    let reason: FallbackReason = wrong == 0 ? .discoveryTimeout : .sendTimeout
    #expect(scene.outcome == .undelivered(reason, link: try SenderBumpScene.link(), scene.failed))
  }

  // MARK: Nobody

  @Test func `after ten seconds without anybody the claim is released for its link`() throws {
    var scene = try SenderBumpScene()
    #expect(scene.bump.deadline == .seconds(10))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(!scene.isListening && scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome == .undelivered(.discoveryTimeout, link: try SenderBumpScene.link(), []))
  }

  @Test func `the ten seconds begin when receivers can find it, and do not begin again with another name`() throws {
    var scene = try SenderBumpScene()
    scene.now = .seconds(2)
    try scene.handle(.advertised)
    #expect(scene.bump.deadline == .seconds(12))
    scene.now = .seconds(5)
    try scene.handle(.advertised)
    #expect(scene.bump.deadline == .seconds(12))
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.isListening)
    scene.now = .seconds(12)
    try scene.handle(.deadline)
    #expect(!scene.isListening && scene.isReleasingLink)
  }

  @Test func `a session past HELLO may finish after the time, a mute one not, and a new one is not admitted`() throws {
    var scene = try SenderBumpScene()
    scene.now = .seconds(9)
    try scene.open(1, to: .opened)
    try scene.open(2, to: .offered)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.told(1) == .timedOut)
    #expect(!scene.isReleasingLink)
    try scene.open(3, to: .opened)
    #expect(scene.told(3) == .busy)
    try scene.say(2, .accept(bob))
    #expect(scene.releasing == [2])
  }

  @Test func `all sessions are over and nobody listens before the link is released`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    scene.now = .seconds(10)
    try scene.handle(.session(1, .deadline))
    try scene.handle(.deadline)
    let release = try #require(scene.actions.firstIndex(of: .request(.releaseForLink)))
    #expect(scene.actions.prefix(release).contains(.stopListening))
    #expect(scene.actions.prefix(release).contains(.close(1)))
    try scene.handle(.answered(.releasedForLink))
    guard case .undelivered(.sendTimeout, link: _?, _) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
  }

  @Test func `an ACCEPT that comes after the link was shown is not heard`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    scene.now = .seconds(15)
    try scene.handle(.deadline)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome != nil)
    let before = scene.actions
    try scene.say(1, .accept(bob))
    #expect(scene.actions == before)
  }

  @Test func `where links are not wanted the claim stays new`() throws {
    var scene = try SenderBumpScene(fallsBack: false)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.outcome == .undelivered(.discoveryTimeout, link: nil, []))
  }

  @Test func `without discovery the link comes at once, unless a session is under way`() throws {
    var alone = try SenderBumpScene()
    try alone.handle(.discoveryLost)
    #expect(alone.isReleasingLink)

    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    try scene.handle(.discoveryLost)
    #expect(!scene.isReleasingLink)
    try scene.say(1, .accept(bob))
    #expect(scene.releasing == [1])
  }

  @Test func `a stranger's DECLINE takes nothing from the link`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .offered)
    try scene.say(1, .decline)
    #expect(scene.outcome == nil, "another may come")
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome == .undelivered(.declined, link: try SenderBumpScene.link(), scene.failed))
  }

  // MARK: Unknown, and interrupted

  @Test func `a claim that is not acknowledged is unknown, and its link is shown`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .accepted)
    try scene.handle(.session(1, .released))
    scene.now = .seconds(5)
    try scene.handle(.deadline)
    #expect(scene.outcome == .unknown(bob, link: try SenderBumpScene.link()))
    #expect(scene.record == .unknown)
  }

  @Test func `that the claim went out is told as it does, and not where it does not`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .accepted)
    #expect(!scene.events.contains(.sent(peer: "peer 1")))
    try scene.handle(.session(1, .released))
    #expect(scene.events.last == .sent(peer: "peer 1"))

    var late = try SenderBumpScene()
    try late.open(1, to: .accepted)
    late.now = .seconds(6)
    try late.handle(.session(1, .released))
    #expect(!late.events.contains(.sent(peer: "peer 1")))
  }

  @Test func `where the claim was released elsewhere the bump ends`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .accepted)
    try scene.handle(.answered(.notReleased(1, .changedElsewhere(.linkShown))))
    #expect(scene.outcome == .changedElsewhere(.linkShown))
    #expect(scene.told(1) == .shuttingDown)

    var other = try SenderBumpScene()
    other.now = .seconds(10)
    try other.handle(.deadline)
    try other.handle(.answered(.notReleasedForLink(.changedElsewhere(.linkShown))))
    #expect(other.outcome == .changedElsewhere(.linkShown))
  }

  @Test func `a store that fails at the release is the bump's error, and no outcome`() throws {
    let failure = ReleaseFailure.storeFailed(Fixture.storeError)
    var scene = try SenderBumpScene()
    try scene.open(1, to: .accepted)
    try scene.handle(.answered(.notReleased(1, failure)))
    #expect(scene.outcome == nil && scene.actions.contains(.fail(Fixture.storeError)))
    #expect(scene.told(1) == .shuttingDown)

    var other = try SenderBumpScene()
    other.now = .seconds(10)
    try other.handle(.deadline)
    try other.handle(.answered(.notReleasedForLink(failure)))
    #expect(other.outcome == nil && other.actions.contains(.fail(Fixture.storeError)))
  }

  @Test func `an interrupt before CLAIM leaves the claim new, after it unknown`() throws {
    var early = try SenderBumpScene(asks: true)
    try early.open(1, to: .accepted)
    try early.handle(.interrupted)
    #expect(early.outcome == .interrupted(.new))
    #expect(early.told(1) == .shuttingDown)

    var late = try SenderBumpScene()
    try late.open(1, to: .accepted)
    try late.handle(.session(1, .released))
    try late.handle(.interrupted)
    #expect(late.outcome == .interrupted(.unknown))
    #expect(late.record == .unknown)

    var between = try SenderBumpScene()
    try between.open(1, to: .accepted)
    try between.handle(.interrupted)
    #expect(between.outcome == nil, "whether it is released is not known yet")
    try between.handle(.session(1, .released))
    #expect(between.outcome == nil && between.takingBack == [1], "nothing was sent")
    var failing = between
    try failing.handle(.session(1, .notTakenBack))
    #expect(failing.outcome == .interrupted(.unknown) && failing.record == .unknown)
    try between.handle(.session(1, .takenBack))
    #expect(between.outcome == .interrupted(.new) && between.record == nil)
  }

  @Test func `where the chosen receiver goes away during the release that is taken back, and the next is chosen`()
    throws
  {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .accepted)
    try scene.open(2, to: .accepted)
    try scene.handle(.session(1, .closed))
    #expect(scene.releasing == [1], "one at a time")
    try scene.handle(.session(1, .released))
    #expect(scene.takingBack == [1] && scene.releasing == [1] && scene.isListening)
    try scene.handle(.session(1, .takenBack))
    #expect(scene.releasing == [1, 2] && scene.record == nil)
    try scene.handle(.session(2, .released))
    try scene.say(2, .stored(.stored))
    #expect(scene.outcome == .delivered(to: bob, .stored))
  }

  @Test func `a claim whose time is up is neither handed over nor shown any more`() throws {
    var scene = try SenderBumpScene(asks: true, lifetime: .seconds(3))
    try scene.open(1, to: .accepted)
    #expect(scene.asking == [1])
    #expect(scene.bump.deadline == .seconds(3))
    scene.now = .seconds(3)
    try scene.handle(.deadline)
    #expect(scene.withdrawn == [1] && scene.told(1) == .timedOut)
    #expect(scene.outcome == .expired && scene.record == nil)
  }

  @Test func `a claim whose time is up while it is released is not sent, and has expired`() throws {
    var scene = try SenderBumpScene(lifetime: .seconds(3))
    try scene.open(1, to: .accepted)
    scene.now = .seconds(3)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil, "whether it is released is not known yet")
    try scene.handle(.session(1, .released))
    #expect(scene.takingBack == [1])
    try scene.handle(.session(1, .takenBack))
    #expect(scene.outcome == .expired && scene.record == nil)
  }
}

/// A sender's bump, and scripted receivers that talk to it.
struct SenderBumpScene<Handover: BumpSession.Handover> {
  var bump: SenderBump<Handover>
  var now: Moment = .zero
  var actions: [SenderBump<Handover>.Action] = []
  private var peers: [ConnectionID: ScriptedPeer] = [:]
  private var lastFrames: [ConnectionID: Frame] = [:]
  private var heard: [ConnectionID: [Message]] = [:]
  private let credential: Credential

  fileprivate init(_ bump: SenderBump<Handover>, _ credential: Credential) {
    (self.bump, self.credential) = (bump, credential)
  }

  mutating func handle(_ input: SenderBump<Handover>.Input) throws {
    let new = bump.handle(input, at: now)
    actions += new
    for case .send(let bytes, let id) in new {
      var peer = peers[id] ?? ScriptedPeer(.receiver)
      for each in try peer.read(bytes) {
        switch each {
        case .frame(let frame): lastFrames[id] = frame
        case .message(let message): heard[id, default: []].append(message)
        }
      }
      peers[id] = peer
    }
  }

  /// Opens a connection, and brings its session as far as a step.
  @discardableResult mutating func open(
    _ id: ConnectionID, to step: SenderScene.Step, from host: RemoteHost? = nil
  ) throws -> ConnectionID {
    peers[id] = ScriptedPeer(.receiver, credential: credential)
    try handle(.opened(id, peer: "peer \(id)", host, SessionKeys(drawnFrom: .system)))
    if step >= .welcomed, let hello = peers[id]?.hello() { try say(bytes: hello, to: id) }
    if step >= .offered, told(id) == nil {
      if credential.mode == .code { try say(bytes: peers[id]?.pake() ?? [], to: id) }
      if let noise = try peers[id]?.noise() { try say(bytes: noise, to: id) }
    }
    if step >= .accepted { try say(id, .accept(try DisplayName(Fixture.bob))) }
    return id
  }

  /// Has a receiver that was welcomed say that the sender waits at this place of its queue.
  mutating func queue(_ id: ConnectionID, at place: UInt8) throws {
    if let bytes = try peers[id]?.queued(at: place) { try say(bytes: bytes, to: id) }
  }

  /// Opens a connection whose receiver tries a code, up to its NOISE_1, which is returned.
  mutating func prepare(_ id: ConnectionID, _ code: String) throws -> [UInt8] {
    peers[id] = ScriptedPeer(.receiver, credential: .code(try OneTimeCode(code)))
    try handle(.opened(id, peer: "peer \(id)", nil, SessionKeys(drawnFrom: .system)))
    try say(bytes: peers[id]?.hello() ?? [], to: id)
    try say(bytes: peers[id]?.pake() ?? [], to: id)
    return try peers[id]?.noise() ?? []
  }

  mutating func guess(_ id: ConnectionID, _ code: String) throws { try say(bytes: prepare(id, code), to: id) }

  mutating func say(bytes: [UInt8], to id: ConnectionID) throws { try handle(.session(id, .received(bytes))) }

  mutating func say(_ id: ConnectionID, _ message: Message) throws {
    if let bytes = try peers[id]?.seal(message) { try say(bytes: bytes, to: id) }
  }

  /// The reason of the ABORT that a peer was told last.
  func told(_ id: ConnectionID) -> AbortReason? {
    guard let frame = lastFrames[id], frame.type == .abort else { return nil }
    return frame.body.first.flatMap(AbortReason.init(rawValue:))
  }

  /// How often a receiver was told to hold.
  func holds(_ id: ConnectionID) -> Int { heard[id, default: []].count { if case .hold = $0 { true } else { false } } }

  /// NOISE_1 of a receiver that was welcomed.
  mutating func noise(of id: ConnectionID) throws -> [UInt8] { try peers[id]?.noise() ?? [] }

  /// How often our key was shown.
  var secured: Int { events.count { if case .digits = $0 { true } else { false } } }
  var events: [SendEvent] { actions.compactMap { if case .event(let event) = $0 { event } else { nil } } }
  /// Those that were told of as coming again in vain.
  var turnedAway: [String] { events.compactMap { if case .turnedAway(let peer) = $0 { peer } else { nil } } }
  var asking: [ConnectionID] { actions.compactMap { if case .ask(let id, _, _) = $0 { id } else { nil } } }
  var withdrawn: [ConnectionID] { actions.compactMap { if case .withdrawQuestion(let id) = $0 { id } else { nil } } }
  var closed: [ConnectionID] { actions.compactMap { if case .close(let id) = $0 { id } else { nil } } }
  var isListening: Bool { !actions.contains(.stopListening) }
  var outcome: Handover.Outcome? {
    for case .finish(let outcome) in actions { return outcome }
    return nil
  }
}

/// A bump with a claim.
extension SenderBumpScene where Handover == ClaimHandover {
  static func link() throws -> ClaimLink { try ClaimLink(claim: Fixture.claim(), expiry: Fixture.expiry()) }

  init(
    credential: Credential = .none, asks: Bool = false, fallsBack: Bool = true, lifetime: Duration = .seconds(3600),
    attempts: Int = AttemptBudget.maximum, endsAtRefusal: Bool = false, discoveryTimeout: Duration = .seconds(10),
    sendTimeout: Duration = .seconds(5)
  ) throws {
    let handover = ClaimHandover(
      link: try Self.link(), from: try DisplayName("alice"), lifetime: lifetime, fallsBack: fallsBack)
    let policy = SenderBump<ClaimHandover>.Policy(
      credential: credential, asks: asks, discoveryTimeout: discoveryTimeout, sendTimeout: sendTimeout,
      endsAtRefusal: endsAtRefusal, attempts: attempts)
    self.init(SenderBump(handover, policy: policy), credential)
  }

  var requests: [ClaimHandover.Request] {
    actions.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }
  var releasing: [ConnectionID] { requests.compactMap { if case .release(let id, _, _, _) = $0 { id } else { nil } } }
  var takingBack: [ConnectionID] { requests.compactMap { if case .takeBack(let id) = $0 { id } else { nil } } }
  var isReleasingLink: Bool { requests.contains(.releaseForLink) }
  /// Those with whom it failed, as the outcome names them.
  var failed: [FailedPeer] { if case .undelivered(_, _, let failed) = outcome { failed } else { [] } }
  var record: HandoverState? { outcome?.stateAfterRelease }
}

/// A bump with a document, which asks nobody.
extension SenderBumpScene where Handover == DocumentHandover {
  init(_ document: Document) throws {
    let handover = DocumentHandover(try OfferedDocument(document, from: DisplayName("alice")))
    let policy = SenderBump<DocumentHandover>.Policy(
      asks: false, discoveryTimeout: .seconds(10), sendTimeout: .seconds(5))
    self.init(SenderBump(handover, policy: policy), .none)
  }
}

extension SenderBumpScene {
  /// How many waited for our person, each time another had come.
  fileprivate var waiting: [Int] {
    events.compactMap { if case .queued(_, let count) = $0 { count } else { nil } }
  }

  /// How many waited, each time our person had said no.
  fileprivate var waitingAfterNo: [Int] {
    events.compactMap { if case .declinedHere(_, let count) = $0 { count } else { nil } }
  }
}
