import BumpClaims
import BumpDiscovery
import BumpWire
import Measures
import NIOCore
import Testing

@testable import BumpSession

/// The attack on the digits, played for its full time: somebody in the middle takes keys at both ends, computes the digits
/// of every pair, and hangs up where none suit.
@Suite struct GrindingTests {
  @Test(arguments: [true, false])
  func `for ten seconds a rogue with many names and addresses sees three keys of a receiver, asks it or not`(
    asks: Bool
  ) throws {
    var mallory = try Mallory(keeps: false, asks: asks)
    try mallory.grind(until: .seconds(10))
    #expect(mallory.seen.count == 3)
    #expect(mallory.scene.outcome == .nobody(.interference, mallory.scene.failed))
  }

  @Test func `of a receiver that goes on a rogue sees three keys in the time that one session of a sender can live`()
    throws
  {
    var mallory = try Mallory(keeps: true)
    try mallory.grind(until: .seconds(300))
    #expect(mallory.seen.count > 3, "it goes on")
    for attempt in mallory.seen {
      let alive = mallory.seen.count { (attempt.at..<(attempt.at + AttemptBudget.memory)).contains($0.at) }
      #expect(alive <= 3)
    }
  }

  @Test(arguments: [(1, 2), (2, 2), (200, 3)])
  func `for ten minutes rogues at so many addresses see three keys of a sender at most, one or two of them two`(
    hosts: Int, keys: Int
  ) throws {
    var sender = try SenderBumpScene(asks: true, lifetime: .seconds(86_400), discoveryTimeout: .seconds(700))
    var id = 0
    while sender.now < .seconds(600), sender.bump.isListening {
      id += 1
      // Some hang up at once, and some are held.
      try sender.open(id, to: .offered, from: Mallory.host(id % hosts))
      if id % 7 != 0, sender.told(id) == nil { try sender.handle(.session(id, .closed)) }
      let tick = sender.now + .milliseconds(200)
      while let deadline = sender.bump.deadline, deadline <= tick {
        sender.now = deadline
        try sender.handle(.deadline)
      }
      sender.now = tick
    }
    #expect(sender.secured == keys && sender.bump.attempts == keys)
    // They do not keep the honest receiver out.
    guard hosts <= 2 else { return #expect(sender.isReleasingLink) }
    try sender.open(100_000, to: .accepted, from: Mallory.host(77))
    #expect(sender.asking == [100_000])
  }

  /// The times that either end may be told to wait, up to the longest.
  /// With a key the rogue is one of those who hold it.
  @Test(
    arguments: Measure.isThorough ? [5, 300, 3600] : [300],
    [(true, false), (false, false), (true, true), (false, true)])
  func `a whole theft has nine pairs of digits, not thousands, however long the ends were told to wait`(
    seconds: Int, asksAndHasKey: (Bool, Bool)
  ) throws {
    let (asks, hasKey) = asksAndHasKey
    let credential = hasKey ? try SessionVector.key().credential : Credential.none
    // The sender's half: three receivers of three addresses have its digits. One of them answers as late as it may at each
    // step, and so does our person.
    var sender = try SenderBumpScene(
      credential: credential, asks: asks, lifetime: .seconds(86_400), discoveryTimeout: .seconds(86_400),
      sendTimeout: .seconds(seconds))
    for number in 1...200 { try sender.open(number, to: .offered, from: Mallory.host(number)) }
    #expect(sender.secured == 3)
    func wait() throws { sender.now = try #require(sender.bump.deadline) - .milliseconds(1) }
    try wait()
    for id in 1...3 { try sender.say(id, .hold(seconds: 60)) }
    try wait()
    for id in 1...3 { try sender.say(id, .accept(try DisplayName("mallory"))) }
    if asks {
      #expect(sender.asking == [1])
      try wait()
      try sender.handle(.session(1, .decided(true)))
    }
    #expect(sender.releasing == [1])
    // The store takes its time too: what it is too slow for is not sent.
    try #require(sender.now <= Moment(AttemptBudget.memory))
    #expect(try #require(sender.bump.connections[1]).session.maySendClaim(at: Moment(AttemptBudget.memory)) == false)

    // The receiver's half, as long as somebody may compare those digits.
    var mallory = try Mallory(credential: credential, keeps: true, sendTimeout: .seconds(seconds))
    try mallory.grind(until: Moment(AttemptBudget.memory))
    let pairs = sender.secured * mallory.seen.count { $0.at < Moment(AttemptBudget.memory) }
    #expect(pairs <= 9, "\(pairs) in a million")
    // What is seen is what both screens would show: the attack is real, but for its luck.
    #expect(mallory.seen.allSatisfy { $0.digits != nil })
  }

  @Test func `three receivers that say no more end the bump within the time of one session`() throws {
    var sender = try SenderBumpScene(asks: true, lifetime: .seconds(86_400), sendTimeout: .seconds(3600))
    for number in 1...200 {
      let id = try sender.open(number, to: .offered, from: Mallory.host(number))
      if sender.told(id) == nil { try sender.say(id, .hold(seconds: 60)) }
    }
    while let deadline = sender.bump.deadline, sender.outcome == nil, !sender.isReleasingLink {
      sender.now = deadline
      try sender.handle(.deadline)
    }
    #expect(sender.now <= Moment(AttemptBudget.memory) && sender.isReleasingLink)
    try sender.handle(.answered(.releasedForLink))
    #expect(sender.outcome == .undelivered(.interference, link: try SenderBumpScene.link(), sender.failed))
  }

  @Test(arguments: 0...2)
  func `with two rogues of one address each in the room an honest pair still meets`(place: Int) throws {
    var receiver = try ReceiverBumpScene(asks: true)
    var sender = try SenderBumpScene(asks: true)
    // The rogues come first, last, or on either side.
    for rogue in 1...2 where rogue > place {
      try sender.handle(.session(sender.open(rogue, to: .offered, from: Mallory.host(rogue)), .closed))
      try sender.open(10 + rogue, to: .offered, from: Mallory.host(rogue))
    }
    try sender.open(3, to: .accepted, from: Mallory.host(3))
    #expect(sender.asking == [3])

    for rogue in 1...2 where rogue > place {
      for name in 1...5 {
        let id = try receiver.meet("rogue\(rogue)\(name)", at: Mallory.host(rogue))
        guard !receiver.closed.contains(id) else { continue }
        try receiver.welcome(id)
        try receiver.handle(.session(id, .closed))
      }
    }
    let alice = try receiver.meet("alice", at: Mallory.host(3))
    try receiver.go(alice, to: .offered)
    #expect(receiver.asking == [alice])
  }
}

/// Somebody who advertises any number of names at any number of addresses to a receiver, takes its key and hangs up.
private struct Mallory {
  struct Attempt {
    let at: Moment
    let digits: VerificationDigits?
  }

  var scene: ReceiverBumpScene
  private(set) var seen: [Attempt] = []
  /// Connections that the receiver made.
  private(set) var tries = 0
  private var names = 0

  static func host(_ number: Int) throws -> RemoteHost {
    let address = try SocketAddress(ipAddress: "10.0.\(number / 250).\(number % 250 + 1)", port: 4000)
    return try #require(RemoteHost(address, on: LocalNetworks(entries: []), hardwareAddress: { _, _ in nil }))
  }

  init(
    credential: Credential = .none, keeps: Bool, asks: Bool = true, sendTimeout: Duration = .seconds(5)
  ) throws {
    scene = try ReceiverBumpScene(credential: credential, asks: asks, keeps: keeps, sendTimeout: sendTimeout)
  }

  /// Announces a new name every half second, each at an address of its own, and lets all time pass.
  mutating func grind(until end: Moment) throws {
    while scene.now < end, scene.outcome == nil {
      names += 1
      let before = scene.actions.count
      try scene.reach("mallory\(names)")
      try serve(from: before)
      let tick = scene.now + .milliseconds(500)
      while let deadline = scene.bump.deadline, deadline <= tick, scene.outcome == nil {
        scene.now = deadline
        let before = scene.actions.count
        try scene.handle(.deadline)
        try serve(from: before)
      }
      scene.now = tick
    }
  }

  /// Plays the sender on every connection that the receiver made since.
  private mutating func serve(from start: Int) throws {
    var next = start
    while next < scene.actions.count {
      defer { next += 1 }
      switch scene.actions[next] {
      case .connector(.connect(let id, _)):
        tries += 1
        try scene.handle(.connected(id, peer: "mallory \(id)", Self.host(tries), SessionKeys(drawnFrom: .system)))
      case .connector(.resolve(let sender, _)):
        try scene.handle(.resolved(sender, .host("mallory", port: 4000), .onLink))
      case .session(let id, .send(let bytes)):
        try answer(bytes, on: id)
      default:
        break
      }
    }
  }

  private mutating func answer(_ bytes: [UInt8], on id: ConnectionID) throws {
    switch FrameType(rawValue: bytes[2]) {
    case .hello:
      try scene.welcome(id)
    case .noise1:
      // The key of its own is promised, the receiver's is here: these are the digits on the receiver's screen.
      seen.append(Attempt(at: scene.now, digits: try scene.digits(of: id)))
      try scene.handle(.session(id, .closed))
    default:
      break
    }
  }
}
