import BumpClaims
import BumpDiscovery
import BumpWire
import NIOCore
import Samples
import Testing

@testable import BumpSession

/// Somebody in the middle, with the code or the key where there is one, who draws digits again and again, for two screens that agree by chance.
@Suite struct SenderAttemptsTests {
  private func host(_ number: Int) throws -> RemoteHost {
    try #require(
      RemoteHost(
        SocketAddress(ipAddress: "192.0.2.\(number)", port: 4000), on: LocalNetworks(entries: []),
        hardwareAddress: { _, _ in nil }))
  }

  @Test func `a sender shows its key three times, then to nobody, and its link once the last session is over`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(9, to: .welcomed)
    for id in 1...3 {
      try scene.open(id, to: .offered)
      if id < 3 { try scene.handle(.session(id, .closed)) }
    }
    #expect(scene.told(9) == .busy, "it would have been the fourth")
    try scene.open(4, to: .welcomed)
    #expect(scene.told(4) == .busy, "in answer to HELLO")
    #expect(scene.isListening && scene.outcome == nil, "the third may finish")
    // Somebody who says nothing cannot put the link off.
    try scene.open(5, to: .opened)
    try scene.handle(.session(3, .closed))
    #expect(!scene.isListening && scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome == .undelivered(.interference, link: try SenderBumpScene.link(), scene.failed))
    #expect(scene.secured == 3 && scene.bump.attempts == 3)
  }

  @Test(arguments: 1...3)
  func `three attempts, one of which our person said no to, leave the claim new and without a link`(declined: Int)
    throws
  {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...3 {
      try scene.open(id, to: .accepted)
      try scene.handle(.session(id, id == declined ? .decided(false) : .closed))
    }
    #expect(try scene.outcome == .declinedHere(DisplayName(Fixture.bob)))
    #expect(scene.secured == 3 && scene.record == nil && !scene.isReleasingLink && !scene.isListening)
  }

  @Test func `the last attempt may be the honest receiver's`() throws {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...2 { try scene.handle(.session(scene.open(id, to: .offered), .closed)) }
    try scene.open(3, to: .accepted)
    scene.now = .seconds(20)
    try scene.handle(.deadline)
    try scene.handle(.session(3, .decided(true)))
    #expect(scene.releasing == [3])
  }

  @Test func `each address has one attempt, however many connections it makes, and the others theirs`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .welcomed, from: host(1))
    for id in 2...9 { try scene.open(id, to: .offered, from: host(1)) }
    try scene.say(bytes: scene.noise(of: 1), to: 1)
    #expect(scene.secured == 1 && scene.told(1) == .busy && scene.told(9) == .busy)
    try scene.open(11, to: .offered, from: host(2))
    #expect(scene.secured == 2)
    try scene.open(12, to: .accepted, from: host(3))
    #expect(scene.secured == 3 && scene.asking == [12])
  }

  @Test func `a receiver that comes again where nobody else is there has a second attempt, and the last is another's`()
    throws
  {
    var scene = try SenderBumpScene(asks: true)
    try scene.handle(.session(scene.open(1, to: .offered, from: host(1)), .closed))
    scene.now = .milliseconds(999)
    try scene.open(2, to: .offered, from: host(1))
    #expect(scene.told(2) == .busy && scene.turnedAway.isEmpty, "others may come for a second")
    scene.now = .seconds(1)
    try scene.open(3, to: .offered, from: host(1))
    #expect(scene.secured == 2)
    try scene.open(4, to: .offered, from: host(1))
    #expect(scene.told(4) == .busy)
    try scene.handle(.session(3, .closed))
    scene.now = .seconds(3)
    for id in 5...7 { try scene.open(id, to: .offered, from: host(1)) }
    #expect(scene.told(7) == .busy && scene.turnedAway == ["peer 4"], "it is told once")
    try scene.open(8, to: .accepted, from: host(2))
    #expect(scene.asking == [8] && scene.bump.attempts == 3)
  }

  @Test(arguments: [false, true])
  func `a person may let a receiver that had its turns in once more, and is asked about a claim before that`(
    isWanted: Bool
  ) throws {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...2 {
      try scene.handle(.session(scene.open(id, to: .offered, from: host(1)), .closed))
      scene.now += .seconds(1)
    }
    try scene.open(3, to: .offered, from: host(1))
    let question = SenderBump<ClaimHandover>.Action.askToReadmit(peer: "peer 3")
    #expect(scene.told(3) == .busy && scene.actions.count { $0 == question } == 1)
    try scene.handle(.readmitted(isWanted))
    try scene.open(4, to: isWanted ? .accepted : .offered, from: host(1))
    #expect(scene.asking == (isWanted ? [4] : []) && scene.bump.attempts == (isWanted ? 3 : 2))
    #expect(scene.actions.count { $0 == question } == 1, "once of each")

    guard !isWanted else { return }
    try scene.open(5, to: .accepted, from: host(2))
    #expect(scene.asking == [5], "another has the last")
  }

  @Test func `the question about a receiver that had its turns gives way to one about the claim`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.handle(.session(scene.open(1, to: .offered, from: host(1)), .closed))
    scene.now += .seconds(1)
    try scene.open(2, to: .offered, from: host(2))
    try scene.open(3, to: .offered, from: host(1))
    try scene.say(2, .accept(DisplayName("bob")))
    let order = scene.actions.compactMap { action in
      switch action {
      case .askToReadmit: "readmit?"
      case .withdrawReadmission: "withdrawn"
      case .ask: "claim?"
      default: nil
      }
    }
    #expect(order == ["readmit?", "withdrawn", "claim?"])
    try scene.handle(.readmitted(true))
    try scene.open(4, to: .offered, from: host(1))
    #expect(scene.told(4) == .busy && scene.bump.attempts == 2, "an answer that is late counts for nothing")
    try scene.handle(.session(2, .closed))
    #expect(scene.actions.last == .askToReadmit(peer: "peer 3"), "it is asked again")
    try scene.open(5, to: .offered, from: host(3))
    #expect(scene.actions.last == .withdrawReadmission, "there is no draw left to give")
  }

  @Test func `a receiver has no second attempt while another is there, or its first session lives`() throws {
    var scene = try SenderBumpScene(asks: true)
    try scene.open(1, to: .offered, from: host(1))
    scene.now = .seconds(3)
    try scene.open(2, to: .offered, from: host(1))
    try scene.handle(.session(1, .closed))
    scene.now = .seconds(4)
    try scene.open(3, to: .welcomed, from: host(2))
    try scene.open(4, to: .offered, from: host(1))
    #expect(scene.told(2) == .busy && scene.told(4) == .busy && scene.bump.attempts == 1)
    #expect(scene.turnedAway.isEmpty, "it may be admitted yet")
    try scene.handle(.session(3, .closed))
    try scene.open(5, to: .accepted, from: host(1))
    #expect(scene.asking == [5])
  }

  @Test
  func `a sender that asks nobody counts attempts too, since the receiver's person may compare, and not by address`()
    throws
  {
    var scene = try SenderBumpScene()
    for id in 1...3 {
      try scene.handle(.session(scene.open(id, to: .offered, from: host(1)), .closed))
      #expect(scene.secured == id, "whoever is first gets the claim anyway, so one host may try again")
    }
    #expect(scene.isReleasingLink)
    try scene.handle(.answered(.releasedForLink))
    #expect(scene.outcome == .undelivered(.interference, link: try SenderBumpScene.link(), scene.failed))
  }

  @Test func `what a claim has left is all that a bump gives`() throws {
    var scene = try SenderBumpScene(asks: true, attempts: 1)
    try scene.handle(.session(scene.open(1, to: .offered), .closed))
    #expect(scene.isReleasingLink)
  }

  @Test func `who leaves after WELCOME has drawn nothing, and is no failure`() throws {
    var scene = try SenderBumpScene(asks: true)
    for id in 1...20 { try scene.handle(.session(scene.open(id, to: .welcomed, from: host(id)), .closed)) }
    #expect(scene.bump.attempts == 0 && scene.events.isEmpty)
    try scene.open(21, to: .accepted, from: host(1))
    #expect(scene.asking == [21])
  }

  @Test(arguments: [try SessionVector.code().credential, try SessionVector.key().credential], [true, false])
  func `who has the code or the key sees a sender's key three times too`(credential: Credential, asks: Bool) throws {
    var scene = try SenderBumpScene(credential: credential, asks: asks)
    for id in 1...20 {
      try scene.open(id, to: .offered, from: host(id))
      if scene.told(id) == nil { try scene.handle(.session(id, .closed)) }
    }
    #expect(scene.secured == 3 && scene.bump.attempts == 3 && scene.isReleasingLink)
  }

  @Test func `who has neither the code nor the key uses up no attempt`() throws {
    let key = try SessionVector.key().credential
    var scene = try SenderBumpScene(credential: key, asks: true)
    for id in 1...20 { try scene.handle(.session(scene.open(id, to: .welcomed, from: host(id)), .closed)) }
    #expect(scene.bump.attempts == 0)
    try scene.open(21, to: .accepted, from: host(21))
    #expect(scene.asking == [21])
  }

  // MARK: Addresses

  @Test func `neighbours on a link are told apart, and an IPv6 network beyond it is one host`() throws {
    let networks = LocalNetworks(entries: [
      .init(address: [192, 0, 2, 7], prefix: 24, interface: 2),
      .init(address: [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [7], prefix: 64, interface: 2),
    ])
    func host(_ address: String) throws -> RemoteHost? {
      RemoteHost(try SocketAddress(ipAddress: address, port: 4000), on: networks) { bytes, interface in
        bytes.last == 9 ? [2, 0, 0, 0, 0, UInt8(interface)] : nil
      }
    }
    #expect(try host("192.0.2.1") != nil && host("192.0.2.1") != host("192.0.2.2"))
    #expect(try host("192.0.2.1") == host("::ffff:192.0.2.1"))
    #expect(try host("fe80::1%lo") != host("fe80::2%lo"))
    #expect(try host("2001:db8::1") != nil && host("2001:db8::1") != host("2001:db8::2"))
    #expect(try host("2001:db8:1::1") == host("2001:db8:1::2"))
    #expect(try host("2001:db8:1::1") != host("2001:db8:2::1"))
    #expect(try host("192.0.2.9") == host("2001:db8::9"), "one machine has addresses of both families")
    #expect(try host("192.0.2.9") != host("fe80::9%lo"), "another hardware address")
    for own in ["127.0.0.1", "127.8.9.1", "::1", "192.0.2.7", "::ffff:127.0.0.1", "2001:db8::7"] {
      #expect(try host(own) == nil, "two processes on this machine must be able to meet: \(own)")
    }
  }
}

@Suite struct ReceiverAttemptsTests {
  private func host(_ number: Int) throws -> RemoteHost {
    try #require(
      RemoteHost(
        SocketAddress(ipAddress: "192.0.2.\(number)", port: 4000), on: LocalNetworks(entries: []),
        hardwareAddress: { _, _ in nil }))
  }

  @Test func `a receiver shows its key three times in a bump, and then says that somebody interferes`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    for number in 1...3 {
      let mallory = try scene.meet("mallory\(number)", at: host(number))
      try scene.welcome(mallory)
      // It knows the digits now, and they do not suit it.
      try scene.handle(.session(mallory, .closed))
      #expect(scene.attempts == number)
    }
    #expect(scene.outcome == .nobody(.interference, scene.failed))
  }

  @Test(arguments: [true, false])
  func `who holds the key sees a receiver's key three times too`(asks: Bool) throws {
    let key = try SessionVector.key().credential
    var scene = try ReceiverBumpScene(credential: key, asks: asks)
    for number in 1...3 {
      let mallory = try scene.meet("mallory\(number)", credential: key, at: host(number))
      try scene.welcome(mallory)
      try scene.handle(.session(mallory, .closed))
      #expect(scene.attempts == number)
    }
    #expect(scene.outcome == .nobody(.interference, scene.failed))
  }

  @Test func `who does not hold the key sees none of a receiver's`() throws {
    let key = try SessionVector.key().credential
    let other = Credential.key(try #require(SharedKey([UInt8](repeating: 7, count: 32))))
    var scene = try ReceiverBumpScene(credential: key, asks: true)
    for number in 1...5 {
      let mallory = try scene.meet("mallory\(number)", credential: other, at: host(number))
      try scene.welcome(mallory)
    }
    #expect(scene.attempts == 0)
    let alice = try scene.meet("alice", credential: key, at: host(9))
    try scene.go(alice, to: .offered)
    #expect(scene.asking == [alice])
  }

  @Test func `who has the code sees a receiver's key three times too`() throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    var scene = try ReceiverBumpScene(credential: code, asks: true)
    var digits: Set<String> = []
    for number in 1...6 {
      let mallory = try scene.meet("mallory\(number)", credential: code, at: host(number))
      guard !scene.closed.contains(mallory) else { continue }
      try scene.go(mallory, to: .secured)
      try scene.handle(.session(mallory, .closed))
    }
    for event in scene.events { if case .digits(let shown, _) = event { digits.insert(shown.description) } }
    #expect(digits.count == 3)
  }

  @Test func `one key is out at a time, and the next welcomed sender has its turn when that session has ended`() throws
  {
    var scene = try ReceiverBumpScene(asks: true)
    let alice = try scene.meet("alice")
    let carol = try scene.meet("carol")
    for id in [alice, carol] { try scene.welcome(id) }
    #expect(scene.attempted == [alice])
    try scene.go(alice, from: .welcomed, to: .offered)
    scene.now = .seconds(1)
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.attempted == [alice, carol])
  }

  @Test func `a sender that waits for its turn is left before it would give us up, and connected to again after it`()
    throws
  {
    var scene = try ReceiverBumpScene(asks: true)
    let alice = try scene.meet("alice")
    let carol = try scene.meet("carol")
    for id in [alice, carol] { try scene.welcome(id) }
    try scene.pass(.milliseconds(1500))
    #expect(scene.closed == [carol] && scene.told(carol) == nil)
    #expect(!scene.events.contains { if case .sessionFailed = $0 { true } else { false } })
    try scene.pass(.milliseconds(250))
    try scene.go(alice, from: .welcomed, to: .offered)
    // While our person is asked nobody is connected to.
    let asked = scene.connecting.count
    try scene.resolve(.instance(scene.instance("carol").name), to: "carol")
    try scene.pass(.seconds(3))
    #expect(scene.connecting.count == asked)
    try scene.handle(.session(alice, .decided(false)))
    #expect(scene.connecting.count == asked + 1)
    let again = try scene.connect("carol")
    try scene.welcome(again)
    #expect(scene.attempted == [alice, again])
  }

  @Test func `a rogue of many names at one address does not keep the honest sender out`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    for number in 1...30 {
      let mallory = try scene.meet("mallory\(number)", at: host(1))
      guard !scene.closed.contains(mallory) else { continue }
      try scene.welcome(mallory)
      try scene.handle(.session(mallory, .closed))
      scene.now += .milliseconds(200)
    }
    #expect(scene.attempts <= 2, "the last is kept for a sender that has had none")
    let alice = try scene.meet("alice", at: host(2))
    try scene.welcome(alice)
    #expect(scene.attempted.last == alice)
    try scene.go(alice, from: .welcomed, to: .offered)
    #expect(scene.asking == [alice])
  }

  @Test func `a sender has a second attempt where nobody else has come for a second`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    let first = try scene.meet("alice", at: host(1))
    try scene.welcome(first)
    try scene.handle(.session(first, .closed))
    try scene.pass(.milliseconds(250))
    let second = try scene.meet("alice", at: host(1))
    try scene.welcome(second)
    #expect(scene.attempts == 1)
    try scene.pass(.milliseconds(749))
    #expect(scene.attempts == 1)
    try scene.pass(.milliseconds(1))
    #expect(scene.attempted == [first, second])
  }

  @Test func `a sender that admits this machine no more is told of once, and not in the second in which it may yet`()
    throws
  {
    var scene = try ReceiverBumpScene(asks: true)
    var served = 0
    var told: [Moment] = []
    try scene.reach("alice")
    while scene.outcome == nil {
      while served < scene.actions.count {
        defer { served += 1 }
        switch scene.actions[served] {
        case .connector(.resolve(let sender, _)): try scene.resolve(sender, to: "alice")
        case .connector(.connect): try scene.say(bytes: AbortReason.busy.frame.bytes, to: scene.connect("alice"))
        case .event(.sessionFailed(.notAdmitted, _)): told.append(scene.now)
        default: break
        }
      }
      scene.now = try #require(scene.bump.deadline)
      try scene.handle(.deadline)
    }
    #expect(scene.connecting.count > 8 && told.count == 1 && told.allSatisfy { $0 > Moment(AttemptBudget.patience) })
    #expect(scene.failed.map(\.reason) == [.failed(.notAdmitted)])
  }

  @Test func `a receiver that asks nobody counts attempts too, since the sender's person may compare`() throws {
    var scene = try ReceiverBumpScene()
    for number in 1...2 {
      let alice = try scene.meet("alice\(number)", at: host(1))
      try scene.welcome(alice)
      #expect(scene.attempts == number, "the first offer is taken anyway, so nobody waits")
      try scene.handle(.session(alice, .closed))
    }
    let third = try scene.meet("alice3", at: host(1))
    #expect(scene.closed.contains(third) && scene.attempts == 2, "the last is kept for a sender that has had none")
    let bob = try scene.meet("bob", at: host(2))
    try scene.welcome(bob)
    #expect(scene.attempted.last == bob)
    try scene.handle(.session(bob, .closed))
    #expect(scene.outcome == .nobody(.interference, scene.failed))
  }

  @Test func `a receive that goes on and asks nobody counts no attempts, and shows no digits that could be compared`()
    throws
  {
    var scene = try ReceiverBumpScene(keeps: true)
    for number in 1...10 {
      let alice = try scene.meet("alice\(number)", at: host(1))
      try scene.go(alice, to: .storing)
      try scene.handle(.session(alice, .stored(.stored)))
    }
    #expect(scene.attempts == 10)
    #expect(!scene.events.contains { if case .digits = $0 { true } else { false } })
    #expect(scene.events.contains { if case .connected = $0 { true } else { false } })
  }

  @Test func `our person's no to three senders is what is said`() throws {
    var scene = try ReceiverBumpScene(asks: true)
    let senders = try (1...3).map { try scene.meet("alice\($0)", at: host($0)) }
    for id in senders { try scene.welcome(id) }
    for id in senders {
      try scene.go(id, from: .welcomed, to: .offered)
      try scene.handle(.session(id, .decided(false)))
    }
    #expect(scene.attempts == 3 && scene.outcome == .declinedHere)
  }

  // MARK: A receive that goes on

  @Test func `a receive that goes on shows its key three times while one session of a sender can live`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    var ends: [Moment] = []
    for number in 1...3 {
      let mallory = try scene.meet("mallory\(number)", at: host(number))
      try scene.welcome(mallory)
      try scene.pass(.seconds(1))
      try scene.handle(.session(mallory, .closed))
      ends.append(scene.now)
    }
    #expect(scene.events.last == .paused(declined: 0, failed: 3, seconds: 128), "two seconds after the first one's end")
    try scene.pass(.seconds(60))
    // Further senders are told that they wait, which shows no key.
    let alice = try scene.meet("alice", at: host(4))
    try scene.welcome(alice)
    try scene.pass(.seconds(60))
    #expect(scene.attempts == 3 && scene.outcome == nil && Set(scene.places(alice)) == [1])
    try scene.pass(ends[0] + AttemptBudget.memory - scene.now - .milliseconds(1))
    #expect(scene.attempts == 3)
    try scene.pass(.milliseconds(1))
    #expect(scene.attempts == 4 && scene.attempted.last == alice)
  }

  @Test func `an attempt is given back by a claim that is stored after our person's yes, and by nothing else`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    for number in 1...10 {
      try scene.receive(from: "alice\(number)", at: host(number))
    }
    #expect(scene.attempts == 10)
    for number in 1...3 {
      let mallory = try scene.meet("mallory\(number)", at: host(number))
      try scene.go(mallory, to: .offered)
      try scene.handle(.session(mallory, .decided(number == 2)))
      if number == 2 { try scene.handle(.session(mallory, .closed)) }
    }
    try scene.welcome(scene.meet("mallory4", at: host(4)))
    #expect(scene.attempts == 13)
  }
  /// A program that asks about documents alone takes claims without a person who has compared the digits.
  @Test func `an attempt is not given back by a claim about which nobody was asked`() throws {
    var scene = try ReceiverBumpScene(asks: false, asksAboutDocuments: true, keeps: true)
    for number in 1...3 {
      try scene.receive(from: "mallory\(number)", at: host(number))
    }
    try scene.welcome(scene.meet("mallory4", at: host(4)))
    #expect(scene.attempts == 3)
  }

  @Test func `a sender's interrupt is a person's no`() throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    for number in 1...3 {
      let alice = try scene.meet("alice\(number)", at: host(number))
      try scene.go(alice, to: .offered)
      try scene.say(bytes: AbortReason.shuttingDown.frame.bytes, to: alice)
    }
    #expect(scene.events.contains(.paused(declined: 3, failed: 0, seconds: 130)), "\(scene.events)")
  }

  @Test(arguments: 0...3)
  func `a pause says how many of the three transfers were declined by a person, here or there`(declined: Int) throws {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    for number in 1...3 {
      let alice = try scene.meet("alice\(number)", at: host(number))
      try scene.go(alice, to: .offered)
      if number == 2, declined > 1 {
        try scene.handle(.session(alice, .decided(true)))
        try scene.say(alice, .decline)
      } else {
        try scene.handle(.session(alice, number > declined ? .closed : .decided(false)))
      }
    }
    #expect(scene.events.contains(.paused(declined: declined, failed: 3 - declined, seconds: 130)), "\(scene.events)")
  }

  @Test
  func `a sender whose host has had both its attempts is told of, hears HELLO, and is tried once it may have another`()
    throws
  {
    var scene = try ReceiverBumpScene(asks: true, keeps: true)
    for number in 1...2 {
      let alice = try scene.meet("alice\(number)", at: host(1))
      try scene.welcome(alice)
      if number == 2 { try scene.pass(.seconds(1)) }
      try scene.go(alice, from: .welcomed, to: .offered)
      try scene.handle(.session(alice, .decided(false)))
    }
    #expect(scene.attempts == 2)
    try scene.pass(.seconds(10))
    let third = try scene.meet("alice3", at: host(1))
    let hello = scene.actions.contains {
      if case .session(third, .send(let bytes)) = $0 { bytes[2] == FrameType.hello.rawValue } else { false }
    }
    #expect(hello, "its person learns that somebody is here")
    try scene.welcome(third)
    let name = scene.instance("alice3").name
    let event = ReceiveEvent.deferred(name: name, peer: "alice3", seconds: 119)
    #expect(scene.events.contains(event), "\(scene.events)")
    #expect(scene.closed.contains(third) && scene.told(third) == nil && scene.attempts == 2)
    // Nobody has it wait for longer than was said, and nobody asks about it before.
    let asked = scene.connecting.count
    try scene.pass(.milliseconds(118_999))
    #expect(scene.connecting.count == asked)
    try scene.pass(.milliseconds(1))
    try scene.resolve(.instance(name), to: "alice3")
    let again = try scene.connect("alice3", from: host(1))
    try scene.welcome(again)
    try scene.go(again, from: .welcomed, to: .offered)
    #expect(scene.attempted.last == again && scene.asking.last == again)
  }
}
