import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

@Suite struct ReceiverBumpTests {
  @Test func `a claim is received from the sender that is found`() throws {
    var scene = try ReceiverBumpScene()
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .storing)
    #expect(scene.storing == [alice])
    try scene.handle(.session(alice, .stored(.stored)))
    guard case .received(let verified) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
    #expect(verified.claim == (try Fixture.claim()))
  }

  @Test func `the person is asked about one offer at a time`() throws {
    // With a code several sessions are open at once.
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code, asks: true)
    let alice = try scene.meet("alice", credential: code)
    let carol = try scene.meet("carol", credential: code)
    try scene.go(alice, to: .offered)
    try scene.go(carol, to: .offered)
    #expect(scene.asking == [alice])
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.outcome == nil)
    #expect(scene.asking == [alice, carol])
  }

  @Test func `a sender's HOLD is told with its address, and so is the end of each session that had digits`() throws {
    var scene = try ReceiverBumpScene()
    let alice = try scene.meet("alice")
    let carol = try scene.meet("carol")
    try scene.go(carol, to: .secured)
    try scene.handle(.session(carol, .closed))
    #expect(scene.events.suffix(2) == [.sessionEnded(peer: "carol"), .sessionFailed(.closed, peer: "carol")])
    try scene.go(alice, to: .offered)
    try scene.say(alice, .hold(seconds: 41))
    #expect(scene.events.last == .deciding(peer: "alice", seconds: 41))
    try scene.say(alice, .decline)
    #expect(scene.events.suffix(2) == [.sessionEnded(peer: "alice"), .declined])
  }

  @Test func `our person's no ends it where there is no other sender`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.outcome == .declinedHere)
  }

  @Test func `a sender that fails before CLAIM gives way to the next`() throws {
    // With a code several sessions are open at once.
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code)
    let alice = try scene.meet("alice", credential: code)
    let carol = try scene.meet("carol", credential: code)
    try scene.go(alice, to: .offered)
    try scene.go(carol, to: .offered)
    try scene.handle(.session(alice, .closed))
    try scene.go(carol, from: .offered, to: .storing)
    #expect(scene.storing == [carol])
  }

  @Test func `the others are told that we are busy once a claim is here`() throws {
    // With a code several sessions are open at once.
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code)
    let alice = try scene.meet("alice", credential: code)
    let carol = try scene.meet("carol", credential: code)
    try scene.go(carol, to: .offered)
    try scene.go(alice, to: .secured)
    try scene.go(carol, from: .offered, to: .storing)
    try scene.handle(.session(carol, .stored(.stored)))
    #expect(scene.told(alice) == .busy)
  }

  @Test func `only offers of the sender that is named are taken`() throws {
    var scene = try ReceiverBumpScene(from: "carol")
    try scene.find("alice")
    #expect(scene.actions.isEmpty)
    let carol = try scene.meet("carol")
    try scene.go(carol, to: .secured)
    try scene.say(carol, .offer(try Fixture.offer(of: Fixture.claim()).json))
    #expect(scene.told(carol) == .busy, "it called itself carol in its advertisement, and alice in its offer")
  }

  @Test func `after ten seconds without a WELCOME nobody was found`() throws {
    var scene = try ReceiverBumpScene()
    #expect(scene.bump.deadline == .seconds(10))
    let alice = try scene.meet("alice")
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.closed.contains(alice))
    guard case .nobody(.timeout, _) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
  }

  @Test func `a session past WELCOME may finish after the time`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    scene.now = .seconds(10)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
    try scene.handle(.session(alice, .decided(true)))
    try scene.go(alice, from: .accepted, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `without discovery nobody is found, at once`() throws {
    var scene = try ReceiverBumpScene()
    try scene.handle(.discoveryLost)
    #expect(scene.outcome == .nobody(.discoveryUnavailable, []))
  }

  @Test func `what went wrong is what is said at the end`() throws {
    var declined = try ReceiverBumpScene()
    let alice = try declined.meet("alice")
    try declined.go(alice, to: .offered)
    try declined.say(alice, .decline)
    declined.now = .seconds(10)
    try declined.handle(.deadline)
    #expect(declined.outcome == .declinedThere)

    var expired = try ReceiverBumpScene(unixTime: { 1_000_000 })
    let carol = try expired.meet("carol")
    try expired.go(carol, to: .offered)
    expired.now = .seconds(10)
    try expired.handle(.deadline)
    #expect(expired.outcome == .expiredOnArrival(secondsAgo: 0))
    let isSaid = expired.actions.contains {
      if case .event(.expiredOnArrival(_, secondsAgo: 0)) = $0 { true } else { false }
    }
    #expect(isSaid)

    var forged = try ReceiverBumpScene()
    let mallory = try forged.meet("mallory")
    try forged.go(mallory, to: .offered)
    let payload = try Fixture.claim().payload
    try forged.say(mallory, .claim(mac: [UInt8](repeating: 0, count: 32), payload: payload))
    forged.now = .seconds(10)
    try forged.handle(.deadline)
    #expect(forged.outcome == .unauthenticated)
  }

  @Test func `an interrupt ends it, unless a claim is being stored`() throws {
    var early = try ReceiverBumpScene(asks: true)
    let alice = try early.meet("alice")
    try early.go(alice, to: .offered)
    try early.handle(.interrupted)
    #expect(early.outcome == .interrupted)
    #expect(early.told(alice) == .shuttingDown)

    // So is a sender told that has not answered yet.
    var silent = try ReceiverBumpScene()
    let bob = try silent.meet("bob")
    try silent.handle(.interrupted)
    #expect(silent.told(bob) == .shuttingDown)

    var late = try ReceiverBumpScene()
    let carol = try late.meet("carol")
    try late.go(carol, to: .storing)
    try late.handle(.interrupted)
    #expect(late.outcome == nil)
    try late.handle(.session(carol, .stored(.stored)))
    guard case .received = late.outcome else {
      Issue.record("\(String(describing: late.outcome))")
      return
    }
  }

  @Test func `once a claim is stored, a sender that has not answered yet hears that the receiver is busy`() throws {
    var scene = try ReceiverBumpScene()
    let (silent, carol) = (try scene.meet("alice"), try scene.meet("carol"))
    try scene.go(carol, to: .storing)
    try scene.handle(.session(carol, .stored(.stored)))
    #expect(scene.told(silent) == .busy)
  }
}

/// Codes, as a receiver has to do with them.
@Suite struct ReceiverCodeTests {
  private let code: Credential

  init() throws {
    code = .code(try OneTimeCode("27-482915"))
  }

  @Test func `one code is tried with three senders at the most, and never twice with one`() throws {
    var scene = try ReceiverBumpScene(credential: code)
    for number in 1...4 { try scene.find("mallory\(number)") }
    for number in 1...4 {
      let mallory = try scene.meet("mallory\(number)", credential: .code(OneTimeCode("27-111111")))
      try scene.guess(mallory)
    }
    #expect(scene.guesses == 3)
    #expect(scene.outcome == .wrongCode, "there is nothing more to wait for")
  }

  @Test func `senders that say nothing use up no guess, and keep nobody out for good`() throws {
    var scene = try ReceiverBumpScene(credential: code)
    for number in 1...3 { _ = try scene.meet("mute\(number)", credential: code) }
    let early = try scene.meet("alice", credential: code)
    #expect(scene.closed.contains(early), "three may guess already")
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    let alice = try scene.reconnect(after: early)
    try scene.guess(alice)
    #expect(scene.guesses == 1)
  }

  @Test(arguments: [
    (["mode=code", "ch=27"], true), (["mode=code", "ch=28"], false), (["mode=code", "ch=2"], false),
    (["mode=open", "ch=27"], false), (["mode=key", "ch=27"], false), (["mode=code"], false), (["ch=27"], false),
    (["mode=code", "ch=027"], false), (["mode=code", "ch=+27"], false),
    ([], false),
  ])
  func `with a code those are tried whose record names its channel and mode, and no others`(
    strings: [String], isTried: Bool
  ) throws {
    var scene = try ReceiverBumpScene(credential: code)
    let sender = SenderConnector.SenderID.instance(scene.instance("somebody").name)
    try scene.find("somebody")
    let record = TXTRecord(bytes: strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) })
    try scene.handle(.described(sender, Announcement(record)))
    try scene.resolve(sender, to: "somebody")
    let isConnectedTo = scene.actions.contains { if case .connector(.connect) = $0 { true } else { false } }
    #expect(isConnectedTo == isTried)
    #expect(scene.actions.contains(.connector(.stopResolving(sender))) == !isTried)
  }

  @Test func `the time in which a person types does not count, and sixty seconds follow`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    let alice = try scene.meet("alice", credential: code)
    try scene.welcome(alice)
    #expect(scene.actions.contains(.askCode("alice")))
    #expect(scene.bump.deadline == nil)
    scene.now = .seconds(100)
    try scene.handle(.code(OneTimeCode("27-482915")))
    scene.now = .seconds(159)
    try scene.handle(.deadline)
    #expect(scene.outcome == nil)
    scene.now = .seconds(160)
    try scene.handle(.deadline)
    #expect(scene.outcome != nil)
  }

  @Test func `a question for a code is cancelled once its sender is gone, and others are tried`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    try scene.welcome(scene.meet("alice", credential: code))
    try scene.find("bob")
    scene.now = .seconds(100)
    try scene.handle(.lost(scene.instance("bob")))
    #expect(!scene.actions.contains(.withdrawCode))
    let before = scene.actions.count
    try scene.handle(.lost(scene.instance("alice")))
    #expect(scene.actions[before...].starts(with: [.event(.lost(name: scene.instance("alice").name)), .withdrawCode]))
    #expect(scene.bump.discoveryEnd == .seconds(110), "the time in which a person typed does not count")
    let carol = try scene.meet("carol")
    try scene.go(carol, to: .storing)
    #expect(scene.storing == [carol])
  }

  @Test func `the question for another code is cancelled once its sender is gone, and the search goes on`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    try scene.welcome(scene.meet("alice", credential: code))
    try scene.handle(.code(OneTimeCode("28-482915")))
    scene.now = .seconds(2)
    try scene.handle(.deadline)
    let before = scene.actions.count
    try scene.handle(.lost(scene.instance("alice")))
    #expect(scene.actions[before...].contains(.withdrawCode))
    #expect(scene.outcome == nil && scene.bump.discoveryEnd == .seconds(60))
  }

  @Test func `a code that is typed as its question is cancelled changes nothing`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    try scene.welcome(scene.meet("alice", credential: code))
    try scene.handle(.lost(scene.instance("alice")))
    try scene.handle(.code(OneTimeCode("27-482915")))
    #expect(scene.bump.credential == .none && scene.bump.discoveryEnd == .seconds(10))
  }

  @Test func `a stranger who wants a code does not sweep an offer off the table`() throws {
    var scene = try ReceiverBumpScene(asks: true, canEnterCode: true)
    let alice = try scene.meet("alice")
    let mallory = try scene.meet("mallory", credential: code)
    try scene.go(alice, to: .offered)
    try scene.welcome(mallory)
    #expect(!scene.actions.contains { if case .askCode = $0 { true } else { false } })
    try scene.handle(.session(alice, .decided(true)))
    try scene.go(alice, from: .accepted, to: .storing)
    #expect(scene.storing == [alice])
  }

  @Test func `an interrupt is the outcome even if the search ended before, for another reason`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    let alice = try scene.meet("alice", credential: code)
    try scene.welcome(alice)
    try scene.handle(.discoveryLost)
    #expect(scene.outcome == nil, "the question for a code may still be answered")
    try scene.handle(.interrupted)
    #expect(scene.outcome == .interrupted)
  }

  @Test func `discovery that is lost while a person types ends it afterwards`() throws {
    var scene = try ReceiverBumpScene(canEnterCode: true)
    let alice = try scene.meet("alice", credential: code)
    try scene.welcome(alice)
    try scene.handle(.discoveryLost)
    #expect(scene.outcome == nil)
    try scene.handle(.code(OneTimeCode("27-482915")))
    #expect(scene.outcome == .nobody(.discoveryUnavailable, scene.failed))
    #expect(scene.failed.map(\.reason) == [.codeWanted])
  }
}

/// A receiver's bump, and scripted senders that it finds.
struct ReceiverBumpScene {
  var bump: ReceiverBump
  var now: Moment = .zero
  var actions: [ReceiverBump.Action] = []
  private var peers: [ConnectionID: ScriptedPeer] = [:]
  private var lastFrames: [ConnectionID: Frame] = [:]
  /// The senders that were sent ACCEPT, in order.
  private(set) var accepted: [ConnectionID] = []
  /// The places that each sender was told, before NOISE_1 and after OFFER.
  private var placesTold: [ConnectionID: [UInt8]] = [:]

  init(
    credential: Credential = .none, asks: Bool = false, asksAboutDocuments: Bool? = nil, canEnterCode: Bool = false,
    from: String? = nil, choosesSender: Bool = false, refusesNamesakes: Bool = false,
    remembered: [RememberedSender] = [], keeps: Bool = false, documents: DocumentQuota? = nil, isDirect: Bool = false,
    sendTimeout: Duration = .seconds(5),
    unixTime: @escaping @Sendable () -> Int64 = { 0 }
  ) throws {
    bump = ReceiverBump(
      policy: .init(
        name: try DisplayName(Fixture.bob), credential: credential, canEnterCode: canEnterCode, asks: asks,
        asksAboutDocuments: asksAboutDocuments, remembered: remembered, isDirect: isDirect, from: from,
        choosesSender: choosesSender,
        refusesNamesakes: refusesNamesakes, keeps: keeps, documents: documents, discoveryTimeout: .seconds(10),
        sendTimeout: sendTimeout, unixTime: unixTime))
  }

  mutating func handle(_ input: ReceiverBump.Input) throws {
    let new = bump.handle(input, at: now)
    actions += new
    for case .session(let id, .send(let bytes)) in new {
      var peer = peers[id] ?? ScriptedPeer(.sender, credential: bump.policy.credential)
      for each in try peer.read(bytes) {
        switch each {
        case .frame(let frame):
          lastFrames[id] = frame
          if frame.type == .queued { placesTold[id, default: []].append(try Queued(frame).place) }
        case .message(let message):
          if case .accept = message { accepted.append(id) }
          if case .queued(let place) = message { placesTold[id, default: []].append(place) }
        }
      }
      peers[id] = peer
    }
  }

  /// The places that a sender was told.
  func places(_ id: ConnectionID) -> [UInt8] { placesTold[id] ?? [] }

  func instance(_ name: String) -> ServiceInstance {
    ServiceInstance(name: "\(name)-0123456789abcdef", type: "_irl-bump._tcp", interface: 1)
  }

  mutating func find(_ name: String) throws { try handle(.found(instance(name))) }

  /// Finds a sender, and lets the connection to it stand: HELLO is said.
  mutating func meet(_ name: String, credential: Credential = .none, at host: RemoteHost? = nil) throws -> ConnectionID
  {
    try reach(name)
    return try connect(name, credential: credential, from: host)
  }

  /// Finds a sender, and learns where it is, and its mode where there is one.
  mutating func reach(_ name: String, mode: Mode? = nil) throws {
    try find(name)
    let sender = SenderConnector.SenderID.instance(instance(name).name)
    if let mode { try handle(.described(sender, try Announcement(TXTRecord(["mode": mode.description])))) }
    try resolve(sender, to: name)
  }

  mutating func resolve(_ sender: SenderConnector.SenderID, to host: String) throws {
    try handle(.resolved(sender, .host(host, port: 4000), .onLink))
  }

  /// Lets the connection that was asked for last stand.
  mutating func connect(_ name: String, credential: Credential = .none, from host: RemoteHost? = nil) throws
    -> ConnectionID
  {
    let id = try #require(connecting.last)
    peers[id] = ScriptedPeer(.sender, credential: credential)
    try handle(.connected(id, peer: name, host, SessionKeys(drawnFrom: .system)))
    return id
  }

  /// Lets a sender that was closed be found and connected to once more.
  mutating func reconnect(after closed: ConnectionID) throws -> ConnectionID {
    let credential = Credential.code(try OneTimeCode("27-482915"))
    while true {
      now = try #require(bump.deadline)
      let before = actions.count
      try handle(.deadline)
      guard actions[before...].contains(.connector(.resolve(.instance(instance("alice").name), instance("alice"))))
      else {
        continue
      }
      return try meet("alice", credential: credential)
    }
  }

  mutating func welcome(_ id: ConnectionID) throws {
    if let welcome = peers[id]?.welcome() { try say(bytes: welcome, to: id) }
  }

  /// The sender's side up to what it makes of NOISE_1, if that comes: that its code is another.
  mutating func guess(_ id: ConnectionID) throws {
    if try listen(to: id) { try say(bytes: AbortReason.authentication.frame.bytes, to: id) }
  }

  /// The sender's side of code mode until NOISE_1 has come, if it comes.
  ///
  /// - Returns: whether the sender was met at all.
  @discardableResult mutating func listen(to id: ConnectionID) throws -> Bool {
    guard !closed.contains(id) else { return false }
    try welcome(id)
    guard let share = try peers[id]?.pake() else { return false }
    let answers = bump.handle(.session(id, .received(share)), at: now)
    actions += answers
    let isTried = answers.contains {
      if case .session(id, .send(let bytes)) = $0 { bytes[2] == FrameType.noise1.rawValue } else { false }
    }
    guesses += isTried ? 1 : 0
    return true
  }

  /// The sender's side of code mode until NOISE_1 has come and was opened.
  ///
  /// - Returns: its answer.
  mutating func open(_ id: ConnectionID) throws -> [UInt8] {
    try welcome(id)
    if let share = try peers[id]?.pake() { try say(bytes: share, to: id) }
    return try peers[id]?.noise() ?? []
  }

  /// How often NOISE_1 was written.
  private(set) var guesses = 0

  /// Meets a sender, accepts what it offers, and stores its claim.
  mutating func receive(from name: String, at host: RemoteHost) throws {
    let id = try meet(name, at: host)
    try go(id, to: .offered)
    try handle(.session(id, .decided(true)))
    try go(id, from: .accepted, to: .storing)
    try handle(.session(id, .stored(.stored)))
  }

  mutating func go(_ id: ConnectionID, from: ReceiverScene.Step = .opened, to step: ReceiverScene.Step) throws {
    if from < .welcomed, step >= .welcomed, let welcome = peers[id]?.welcome() { try say(bytes: welcome, to: id) }
    if from < .secured, step >= .secured {
      if bump.credential.mode == .code, let share = try peers[id]?.pake() { try say(bytes: share, to: id) }
      if let noise = try peers[id]?.noise() { try say(bytes: noise, to: id) }
    }
    if from < .offered, step >= .offered { try say(id, .offer(try Fixture.offer(of: Fixture.claim()).json)) }
    if step >= .storing, let channel = peers[id]?.channel { try say(id, channel.claimMessage(try Fixture.claim())) }
  }

  mutating func say(bytes: [UInt8], to id: ConnectionID) throws { try handle(.session(id, .received(bytes))) }

  mutating func say(_ id: ConnectionID, _ message: Message) throws {
    if let bytes = try peers[id]?.seal(message) { try say(bytes: bytes, to: id) }
  }

  /// What a sender knows of the digits once it has our key.
  mutating func digits(of id: ConnectionID) throws -> VerificationDigits? {
    _ = try peers[id]?.noise()
    return peers[id]?.channel?.digits
  }

  func told(_ id: ConnectionID) -> AbortReason? {
    guard let frame = lastFrames[id], frame.type == .abort else { return nil }
    return frame.body.first.flatMap(AbortReason.init(rawValue:))
  }

  /// The connections that were asked for.
  var connecting: [ConnectionID] {
    actions.compactMap { if case .connector(.connect(let id, _)) = $0 { id } else { nil } }
  }
  /// Those that were shown our key, in order.
  var attempted: [ConnectionID] {
    actions.compactMap {
      if case .session(let id, .send(let bytes)) = $0, bytes[2] == FrameType.noise1.rawValue { id } else { nil }
    }
  }
  var attempts: Int { attempted.count }
  var events: [ReceiveEvent] { actions.compactMap { if case .event(let event) = $0 { event } else { nil } } }
  var storing: [ConnectionID] { actions.compactMap { if case .session(let id, .store) = $0 { id } else { nil } } }
  var asking: [ConnectionID] { actions.compactMap { if case .session(let id, .ask) = $0 { id } else { nil } } }
  var closed: [ConnectionID] { actions.compactMap { if case .close(let id) = $0 { id } else { nil } } }
  /// Those with whom it failed, as the outcome names them.
  var failed: [FailedPeer] { if case .nobody(_, let failed) = outcome { failed } else { [] } }
  var outcome: ReceiveOutcome? {
    for case .finish(let outcome) in actions { return outcome }
    return nil
  }
}
