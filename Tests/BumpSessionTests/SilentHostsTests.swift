import BumpClaims
import BumpDiscovery
import BumpWire
import Measures
import NIOCore
import Testing

@testable import BumpSession

/// One machine that takes a new instance name for each bump, offers, and falls silent once it is accepted.
@Suite struct SilentHostsTests {
  @Test(arguments: Measure.isThorough ? [1, 3, 8] : [3])
  func `a machine with ever new names that holds and falls silent keeps nobody else's claim out`(perSecond: Int) throws
  {
    var room = try Room(rogues: ["192.0.2.9"], perSecond: perSecond)
    try room.play(until: .seconds(150))
    #expect(room.begun == 10 && room.delivered == room.begun)
  }

  @Test func `two such machines keep nobody else's claim out`() throws {
    var room = try Room(rogues: ["192.0.2.8", "192.0.2.9"], perSecond: 2)
    try room.play(until: .seconds(150))
    #expect(room.begun == 10 && room.delivered == room.begun)
  }

  @Test func `a sender behind the address of a silent one comes after others, and is served`() throws {
    var room = try Room(rogues: ["192.0.2.9"], perSecond: 0)
    try room.announce("mallory", at: "192.0.2.9:4000")
    try room.pass(to: .seconds(66))
    #expect(room.scene.closed.count == 1, "it held for a minute, and said nothing")
    try room.announce("alice", at: "192.0.2.9:4001")
    // Where nobody else waits, the silent one that came again has its two seconds too.
    try room.pass(to: .seconds(70))
    #expect(room.delivered == 1)
  }

  @Test func `of the offers that wait those of silent hosts are decided last`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    func connect(_ name: String, _ address: String) throws -> ConnectionID {
      try scene.find(name)
      let sender = SenderConnector.SenderID.instance(scene.instance(name).name)
      try scene.handle(.resolved(sender, try #require(Endpoint(address)), .onLink))
      return try scene.connect(name)
    }
    let names = ["192.0.2.9:4000", "192.0.2.9:4001", "192.0.2.9:4002"]
    let rogues = try names.enumerated().map { try connect("mallory\($0)", $1) }
    for id in rogues { try scene.go(id, to: .offered) }
    let alice = try connect("alice", "192.0.2.7:4000")
    try scene.go(alice, to: .offered)
    #expect(scene.accepted == [rogues[0]])
    try scene.pass(.seconds(2))
    #expect(scene.accepted == [rogues[0], alice])
    try scene.go(alice, from: .accepted, to: .storing)
    try scene.handle(.session(alice, .stored(.stored)))
    #expect(scene.accepted == [rogues[0], alice, rogues[1]], "where nobody else waits they are served")
    let carol = try connect("carol", "192.0.2.7:4001")
    try scene.go(carol, to: .offered)
    #expect(scene.accepted.last == carol, "and give way at once")
  }

  @Test func `a sender whose offer had to wait for another's is not told to have been waited for`() throws {
    var scene = try ReceiverBumpScene(keeps: true)
    let mallory = try scene.meet("mallory")
    let alice = try scene.meet("alice")
    for id in [mallory, alice] { try scene.go(id, to: .offered) }
    try scene.say(bytes: AbortReason.timedOut.frame.bytes, to: alice)
    #expect(scene.events.last == .sessionFailed(.keptWaiting, peer: "alice"))
  }

  @Test func `a host rests for a minute, and of many the last are kept`() throws {
    func host(_ number: Int) throws -> Endpoint { try #require(Endpoint("10.0.0.\(number):\(4000 + number)")).host }
    var hosts = SilentHosts()
    for number in 1...SilentHosts.maximum + 1 { hosts.add(try host(number), at: .seconds(number)) }
    #expect(try !hosts.contains(host(1)) && hosts.contains(host(2)))
    #expect(hosts.contains(try #require(Endpoint("10.0.0.2:9")).host), "whatever its port is")
    hosts.prune(at: .seconds(61))
    #expect(try hosts.contains(host(2)))
    hosts.prune(at: .seconds(62))
    #expect(try !hosts.contains(host(2)) && hosts.contains(host(3)))
    hosts.remove(try host(3))
    #expect(try !hosts.contains(host(3)))
  }
}

/// A receive that goes on, machines that announce ever new names and fall silent, and honest senders, each of which is
/// there for ten seconds and waits for five.
private struct Room {
  private let rogues: [String]
  private let perSecond: Int
  var scene: ReceiverBumpScene
  /// Where each sender is, by its instance name.
  private var addresses: [SenderConnector.SenderID: Endpoint] = [:]
  private var names: [ConnectionID: String] = [:]
  /// Until when an honest sender waits to be accepted.
  private var patience: [ConnectionID: Moment] = [:]
  private(set) var begun = 0
  private(set) var delivered = 0
  private var served = 0

  init(rogues: [String], perSecond: Int) throws {
    (self.rogues, self.perSecond) = (rogues, perSecond)
    scene = try ReceiverBumpScene(keeps: true)
  }

  /// Lets the machines announce new names each second, and an honest sender come every 13 s.
  mutating func play(until end: Moment) throws {
    var second = 0
    while .seconds(second) < end {
      for rogue in rogues {
        for number in 0..<perSecond {
          try announce("mallory\(second).\(number).\(rogue)", at: "\(rogue):\(4000 + number)")
        }
      }
      if second % 13 == 7, begun < 10 {
        begun += 1
        try announce("alice\(begun)", at: "192.0.2.7:\(4000 + begun)")
      }
      if second > 10, second % 13 == 4 { try scene.handle(.lost(scene.instance("alice\(begun)"))) }
      second += 1
      try pass(to: .seconds(second))
    }
  }

  mutating func announce(_ name: String, at address: String) throws {
    addresses[.instance(scene.instance(name).name)] = Endpoint(address)
    try scene.find(name)
    try serve()
  }

  mutating func pass(to end: Moment) throws {
    while let next = ([scene.bump.deadline].compactMap(\.self) + Array(patience.values)).min(), next <= end {
      scene.now = max(scene.now, next)
      for (id, until) in patience where until <= scene.now {
        patience[id] = nil
        try scene.say(bytes: AbortReason.timedOut.frame.bytes, to: id)
      }
      try scene.handle(.deadline)
      try serve()
    }
    scene.now = end
  }

  /// Plays the senders at whatever the receiver has done since.
  private mutating func serve() throws {
    while served < scene.actions.count {
      defer { served += 1 }
      switch scene.actions[served] {
      case .connector(.resolve(let sender, _)):
        try scene.handle(.resolved(sender, try #require(addresses[sender]), .onLink))
      case .connector(.connect(let id, let endpoint)):
        names[id] = scene.bump.connector.owners[id].map { "\($0)" }
        try scene.handle(.connected(id, peer: endpoint.description, nil, SessionKeys(drawnFrom: .system)))
      case .session(let id, .send(let bytes)):
        try answer(bytes, on: id)
      case .session(let id, .store):
        delivered += 1
        try scene.handle(.session(id, .stored(.stored)))
      default:
        break
      }
    }
  }

  private mutating func answer(_ bytes: [UInt8], on id: ConnectionID) throws {
    let isHonest = names[id]?.contains("alice") == true
    switch FrameType(rawValue: bytes[2]) {
    case .hello:
      try scene.welcome(id)
    case .noise1:
      try scene.go(id, from: .welcomed, to: .offered)
      if isHonest, !scene.accepted.contains(id) { patience[id] = scene.now + .seconds(5) }
    // A sender that waits is told its place before.
    case .sealed where !scene.accepted.contains(id):
      break
    case .sealed where isHonest:
      patience[id] = nil
      try scene.go(id, from: .accepted, to: .storing)
    case .sealed:
      try scene.say(id, .hold(seconds: 60))
    default:
      break
    }
  }
}
