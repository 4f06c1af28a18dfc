import BumpMultipeer
import BumpNoise
import Crypto
import Samples
import Testing

/// What the programs of a session are told, and in which order.
@Suite struct MeshTests {
  static let a = SessionNetwork.peer("a", 1)
  static let b = SessionNetwork.peer("b", 2)
  static let c = SessionNetwork.peer("c", 3)
  static let d = SessionNetwork.peer("d", 4)

  static func room(_ peers: Peer...) -> SessionNetwork {
    let room = SessionNetwork()
    for peer in peers { room.add(peer) }
    return room
  }

  @Test("an accepted invitation connects both, and each program judges certificates in between")
  func accepted() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("a") == ["b connecting", "b certificates 0", "b connected"])
    #expect(room.told("b") == ["a invited", "a connecting", "a certificates 0", "a connected"])
    #expect(room.connected("a") == ["b"])
    #expect(room.connected("b") == ["a"])
  }

  @Test("a declined invitation is not connected, and never connecting")
  func declined() {
    let room = Self.room(Self.a, Self.b)
    room.program(of: "b") { $0.accepts = false }
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("a") == ["b notConnected"])
    #expect(room.told("b") == ["a invited"])
    #expect(room.connections == 0)
  }

  @Test("an invitation that nobody answers ends when its time is over, at both ends")
  func unanswered() {
    let room = Self.room(Self.a, Self.b)
    room.program(of: "b") { $0.accepts = nil }
    room.invite("a", Self.b, timeout: .seconds(20))
    room.run()
    room.advance(by: .milliseconds(19_999))
    #expect(room.told("a") == [])
    room.advance(by: .milliseconds(1))
    #expect(room.told("a") == ["b notConnected"])
    #expect(room.connections == 0)
    room.answer("b", true)
    room.run()
    #expect(room.told("b") == ["a invited"])
  }

  @Test("a peer that cannot be reached is not connected")
  func unreachable() {
    let room = Self.room(Self.a, Self.b)
    room.program(of: "b") { $0.isReachable = false }
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("a") == ["b notConnected"])
  }

  @Test(
    "a link is encrypted, plain, or none, as the two preferences have it",
    arguments: [
      (EncryptionPreference.required, EncryptionPreference.required, true as Bool?), (.required, .optional, true),
      (.optional, .required, true), (.optional, .optional, true), (.optional, .none, false), (.none, .optional, false),
      (.none, .none, false), (.required, .none, nil), (.none, .required, nil),
    ])
  func encryption(left: EncryptionPreference, right: EncryptionPreference, isEncrypted: Bool?) {
    let room = SessionNetwork()
    room.add(Self.a, left)
    room.add(Self.b, right)
    room.invite("a", Self.b)
    room.run()
    let text = Array("what a third must not read".utf8)
    room.send("a", Self.b, .message(isLast: true, isReliable: true, part: text))
    room.run()
    #expect(room.connected("a") == (isEncrypted == nil ? [] : ["b"]))
    #expect(room.frames("b").count == (isEncrypted == nil ? 0 : 1))
    let seen = room.wire.contains { $0.bytes.firstRange(of: text) != nil }
    #expect(seen == (isEncrypted == false))
    if isEncrypted == nil {
      #expect(room.told("a") == ["b connecting", "b notConnected"])
      #expect(room.told("b") == ["a invited", "a connecting", "a notConnected"])
    }
  }

  @Test("each end is shown the other's certificates, the leaf first")
  func certificates() {
    let room = SessionNetwork()
    room.add(Self.a, certificates: [[1], [2]])
    room.add(Self.b)
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("b").contains("a certificates 2"))
    #expect(room.told("a").contains("b certificates 0"))
  }

  @Test("certificates that a program refuses disconnect both at once", arguments: ["a", "b"])
  func refused(who: String) {
    let room = Self.room(Self.a, Self.b)
    room.program(of: who) { $0.judges = false }
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("a").last == "b notConnected")
    #expect(room.told("b").last == "a notConnected")
    #expect(!(room.told("a") + room.told("b")).contains { $0.hasSuffix(" connected") })
  }

  @Test("certificates that a program does not judge disconnect both after ten seconds")
  func unjudged() {
    let room = Self.room(Self.a, Self.b)
    room.program(of: "b") { $0.judges = nil }
    room.invite("a", Self.b)
    room.run()
    room.advance(by: .milliseconds(9_999))
    #expect(room.told("a") == ["b connecting", "b certificates 0"])
    room.advance(by: .milliseconds(1))
    #expect(room.told("a").last == "b notConnected")
    #expect(room.told("b").last == "a notConnected")
  }

  @Test("who joins is connected to every member", arguments: 3...8)
  func mesh(count: Int) {
    let peers = (1...count).map { SessionNetwork.peer("p\($0)", UInt8($0)) }
    let room = SessionNetwork()
    for peer in peers { room.add(peer) }
    for peer in peers.dropFirst() {
      room.invite("p1", peer)
      room.run()
    }
    for peer in peers {
      #expect(room.connected(peer.name) == peers.filter { $0 != peer }.map(\.name).sorted())
      for other in peers where other != peer {
        let told = room.told(peer.name).filter { $0.hasPrefix(other.name + " ") && !$0.hasSuffix("invited") }
        #expect(told == ["connecting", "certificates 0", "connected"].map { "\(other.name) \($0)" })
      }
    }
    #expect(room.connections == count * (count - 1) / 2)
  }

  @Test("two groups become one when a member of one invites a member of the other")
  func groups() {
    let room = Self.room(Self.a, Self.b, Self.c, Self.d)
    room.invite("a", Self.b)
    room.invite("d", Self.c)
    room.run()
    room.invite("b", Self.c)
    room.run()
    for name in ["a", "b", "c", "d"] { #expect(room.connected(name).count == 3, "\(name): \(room.told(name))") }
    #expect(room.connections == 6)
  }

  @Test("the ninth peer and who invites it connect and drop, and the others hear nothing")
  func ninth() {
    let peers = (1...9).map { SessionNetwork.peer("p\($0)", UInt8($0)) }
    let room = SessionNetwork()
    for peer in peers { room.add(peer) }
    for peer in peers[1...7] {
      room.invite("p1", peer)
      room.run()
    }
    room.forget()
    room.invite("p1", peers[8])
    room.run()
    #expect(room.told("p1") == ["p9 connecting", "p9 notConnected"])
    #expect(room.told("p9") == ["p1 invited", "p1 connecting", "p1 notConnected"])
    for peer in peers[1...7] { #expect(room.told(peer.name) == []) }
  }

  @Test("a peer that leaves is lost to every other, once, and loses them all")
  func leaves() {
    let room = Self.room(Self.a, Self.b, Self.c)
    room.invite("a", Self.b)
    room.run()
    room.invite("a", Self.c)
    room.run()
    room.forget()
    room.disconnect("b")
    room.run()
    #expect(room.told("a") == ["b notConnected"])
    #expect(room.told("c") == ["b notConnected"])
    #expect(room.told("b").sorted() == ["a notConnected", "c notConnected"])
    #expect(room.connected("a") == ["c"])
    #expect(room.connected("c") == ["a"])
  }

  @Test("who has left can be invited again, and meets every member")
  func again() {
    let room = Self.room(Self.a, Self.b, Self.c)
    room.invite("a", Self.b)
    room.run()
    room.invite("a", Self.c)
    room.run()
    room.disconnect("b")
    room.run()
    room.forget()
    room.invite("c", Self.b)
    room.run()
    #expect(room.connected("b") == ["a", "c"])
    #expect(room.told("a") == ["b connecting", "b certificates 0", "b connected"])
  }

  @Test("two that invite each other are connected once")
  func mutual() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.invite("b", Self.a)
    room.run()
    for (name, other) in [("a", "b"), ("b", "a")] {
      let states = room.told(name).filter { !$0.contains("certificates") && !$0.contains("invited") }
      #expect(states == ["\(other) connecting", "\(other) connected"])
    }
    #expect(room.connections == 1)
    room.send("a", Self.b, .message(isLast: true, isReliable: true, part: [1]))
    room.send("b", Self.a, .message(isLast: true, isReliable: true, part: [2]))
    room.run()
    #expect(room.frames("b") == [.message(isLast: true, isReliable: true, part: [1])])
    #expect(room.frames("a") == [.message(isLast: true, isReliable: true, part: [2])])
  }

  @Test("an invitation to a member that is connected changes nothing", arguments: ["a", "b"])
  func invitedAgain(who: String) {
    let room = Self.room(Self.a, Self.b)
    room.invite("b", Self.a)
    room.run()
    room.forget()
    room.invite(who, who == "a" ? Self.b : Self.a)
    room.run()
    for name in ["a", "b"] {
      #expect(!room.told(name).contains { $0.hasSuffix("onnected") || $0.hasSuffix("connecting") })
    }
    #expect(room.connected("a") == ["b"])
    #expect(room.connected("b") == ["a"])
    #expect(room.connections == 1)
  }

  @Test("a host that is gone without a word is lost after ten seconds")
  func silent() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.run()
    room.vanish("b")
    room.forget()
    room.advance(by: .milliseconds(9_999))
    #expect(room.told("a") == [])
    room.advance(by: .milliseconds(1))
    #expect(room.told("a") == ["b notConnected"])
  }

  @Test("two that say nothing stay connected for hours")
  func idle() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.run()
    room.forget()
    room.advance(by: .seconds(7200))
    #expect(room.told("a") == [])
    #expect(room.told("b") == [])
    #expect(room.connected("a") == ["b"])
  }

  @Test("a peer that begins another session replaces the one of before, even where its end was not noticed")
  func restarted() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.run()
    room.forget()
    room.vanish("b")
    room.add(Self.b, session: 2)
    room.invite("b", Self.a)
    room.run()
    #expect(
      room.told("a").filter { !$0.contains("invited") } == [
        "b certificates 0", "b notConnected", "b connecting", "b connected",
      ])
    #expect(room.connected("a") == ["b"])
    #expect(room.connected("b") == ["a"])
  }

  /// Two members of whom the one with the lower identity has lost the link, and the other has not noticed.
  private static func broken() -> SessionNetwork {
    let room = room(a, b)
    room.invite("a", b)
    room.run()
    room.lose("a")
    room.run()
    room.forget()
    return room
  }

  private static func expectTraffic(_ room: SessionNetwork, sourceLocation: SourceLocation = #_sourceLocation) {
    let frame = LinkFrame.message(isLast: true, isReliable: true, part: [1])
    room.forget()
    room.send("a", b, frame)
    room.send("b", a, frame)
    room.run()
    #expect(room.frames("a") == [frame], sourceLocation: sourceLocation)
    #expect(room.frames("b") == [frame], sourceLocation: sourceLocation)
  }

  @Test("a member that lost its link, and invites again, is lost and connected anew at an end that had not noticed")
  func reconnected() {
    let room = Self.broken()
    room.invite("a", Self.b)
    room.run()
    #expect(room.told("a") == ["b connecting", "b certificates 0", "b connected"])
    #expect(
      room.told("b") == ["a invited", "a certificates 0", "a notConnected", "a connecting", "a connected"])
    Self.expectTraffic(room)
    room.notice("b", 0)
    room.run()
    #expect(room.connected("b") == ["a"])
  }

  @Test("a link that ends while its successor is being judged is lost before the successor is connected")
  func succeeded() {
    let room = Self.broken()
    room.program(of: "b") { $0.judges = nil }
    room.invite("a", Self.b)
    room.run()
    room.notice("b", 0)
    room.run()
    #expect(room.told("b") == ["a invited", "a certificates 0", "a notConnected", "a connecting"])
    #expect(room.connected("b") == [])
    room.judge("b", true)
    room.run()
    #expect(room.told("b").last == "a connected")
    Self.expectTraffic(room)
  }

  @Test("a new session of a peer ends every link of the one before")
  func endsAll() {
    let room = Self.broken()
    room.program(of: "b") { $0.judges = nil }
    room.invite("a", Self.b)
    room.run()
    room.vanish("a")
    room.add(Self.a, session: 2)
    room.program(of: "b") { $0.judges = true }
    room.invite("a", Self.b)
    room.run()
    // The certificates of the second link: accepted too late.
    room.judge("b", true)
    #expect(room.told("b").filter { $0.hasSuffix("onnected") } == ["a notConnected", "a connected"])
    Self.expectTraffic(room)
  }

  @Test("who leaves while a second link to a member is on its way hears of one loss")
  func leavesTwice() {
    let room = Self.broken()
    room.program(of: "b") { $0.judges = nil }
    room.invite("a", Self.b)
    room.run()
    room.forget()
    room.disconnect("b")
    #expect(room.told("b") == ["a notConnected"])
  }

  @Test("two members that lost each other, and are both with a third, meet again")
  func healed() {
    let room = Self.room(Self.a, Self.b, Self.c)
    for peer in [Self.b, Self.c] {
      room.invite("a", peer)
      room.run()
    }
    room.forget()
    room.cut("b", "c")
    room.run()
    #expect(
      room.told("b").filter { !$0.contains("certificates") } == ["c notConnected", "c connecting", "c connected"])
    for (name, others) in [("a", ["b", "c"]), ("b", ["a", "c"]), ("c", ["a", "b"])] {
      #expect(room.connected(name) == others)
    }
    #expect(room.told("a") == [])
  }

  @Test("a member that cannot be reached is tried three times")
  func unreachableMember() {
    let room = Self.room(Self.a, Self.b, Self.c)
    for peer in [Self.b, Self.c] {
      room.invite("a", peer)
      if peer == Self.c { room.program(of: "c") { $0.isReachable = false } }
      room.run()
    }
    #expect(room.introductions.map { "\($0.from) \($0.to)" } == ["b c", "b c", "b c"])
    #expect(room.connected("b") == ["a"])
  }

  @Test("records are sent in the order in which they were sealed, also where many come at once")
  func joined() {
    let room = Self.room(Self.a, Self.b, Self.c)
    room.isJoining = true
    room.invite("a", Self.b)
    room.run()
    room.invite("a", Self.c)
    room.run()
    // A roster that leads to an introduction, and a ping that is answered.
    room.cut("b", "c")
    room.send("b", Self.a, .ping)
    room.run()
    room.send("c", Self.a, .ping)
    room.run()
    for name in ["a", "b", "c"] { #expect(room.connected(name).count == 2, "\(name): \(room.told(name))") }
  }

  @Test("a session that is full says so to the other end")
  func full() throws {
    var mesh = Mesh(
      terms: Terms(peer: Self.b, session: Self.b.id, preference: .required, port: 1), key: IdentityKey(), room: 1)
    var generator = SplitMix64(seed: 1)
    let key = { try EphemeralKey(rawRepresentation: [UInt8](repeating: $0, count: 32)) }
    let host = try #require(HostAddress(address: [10, 0, 0, 1], port: 1))
    var accepted = Link(accepted: try key(1), at: .zero)
    var (inviting, hello) = try Link.inviting(
      Invitation(from: Self.a, to: Self.b.id),
      terms: Terms(peer: Self.a, session: Self.a.id, preference: .required, port: 1), until: .seconds(30),
      ephemeral: try key(2), at: .zero)
    for case .send(let welcome) in accepted.handle(.received(hello), at: .zero) {
      for case .send(let invitation) in inviting.handle(.received(welcome), at: .zero) {
        #expect(accepted.handle(.received(invitation), at: .zero).count == 1)
      }
    }
    let invitation = try #require(accepted.invitation)
    let outputs = mesh.handle(
      .accepted(0, accepted, invitation, Route(local: host, remote: host)), at: .zero, using: &generator)
    var heard: [Link.Output] = []
    for case .send(_, let bytes) in outputs { heard += inviting.handle(.received(bytes), at: .zero) }
    #expect(heard == [.began, .ended(.there(.full))])
  }

  @Test func `a member that accepts no connections is introduced to nobody, and parts nobody`() {
    let room = Self.room(Self.a, Self.b)
    room.invite("a", Self.b)
    room.run()
    let c = SessionNetwork.peer("c", 3)
    room.add(c, port: 0)
    room.invite("c", Self.a)
    room.run()
    #expect(room.connected("a") == ["b", "c"] && room.connected("b") == ["a"] && room.connected("c") == ["a"])
    #expect(room.introductions.isEmpty)
  }

  @Test func `an invitation's time holds for reaching the peer too`() {
    let room = Self.room(Self.a, Self.b)
    room.isHeld = true
    room.invite("a", Self.b, timeout: .seconds(7))
    room.advance(by: .milliseconds(6999))
    #expect(room.told("a").isEmpty)
    room.advance(by: .milliseconds(1))
    #expect(room.told("a") == ["b notConnected"])
    room.advance(by: .seconds(60))
    #expect(room.told("a") == ["b notConnected"], "once")
  }

  @Test("who leaves before an invitation has reached anybody hears that it is over, and nobody invites themselves")
  func nothingLeft() {
    let room = Self.room(Self.a, Self.b)
    room.isHeld = true
    room.invite("a", Self.b)
    room.disconnect("a")
    room.invite("a", Self.a)
    #expect(room.told("a") == ["b notConnected", "a notConnected"])
  }

  @Test("a member on the introducer's own host is found there from elsewhere")
  func neighbour() {
    let room = SessionNetwork()
    room.add(Self.b, machine: 5)
    room.add(Self.c, machine: 5)
    room.add(Self.a, machine: 6)
    room.invite("b", Self.c)
    room.run()
    room.invite("b", Self.a)
    room.run()
    #expect(room.introductions.map { "\($0.from) \($0.to) \($0.2.address)" } == ["a c [10, 0, 0, 5]"])
    #expect(room.connected("a") == ["b", "c"])
  }

  @Test("members on one host find each other there")
  func sameHost() {
    let room = SessionNetwork()
    for peer in [Self.a, Self.b, Self.c] { room.add(peer, machine: 5) }
    room.invite("b", Self.c)
    room.run()
    room.invite("b", Self.a)
    room.run()
    #expect(room.introductions.map { "\($0.from) \($0.to) \($0.2.address)" } == ["a c [127, 0, 0, 1]"])
  }

  @Test("frames of a session reach the members that they are for, in order")
  func frames() {
    let room = Self.room(Self.a, Self.b, Self.c)
    room.invite("a", Self.b)
    room.run()
    room.invite("a", Self.c)
    room.run()
    for part in UInt8(0)..<20 { room.send("b", Self.c, .message(isLast: true, isReliable: true, part: [part])) }
    room.run()
    #expect(room.frames("c") == (UInt8(0)..<20).map { .message(isLast: true, isReliable: true, part: [$0]) })
    #expect(room.frames("a") == [])
  }
}
