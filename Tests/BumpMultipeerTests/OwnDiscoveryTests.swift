import BumpMultipeer
import BumpNoise
import Crypto
import Samples
import Testing

/// Peers who have agreed on a ticket by other means, and members who say where others are.
@Suite struct OwnDiscoveryTests {
  private let a = SessionNetwork.peer("a", 1)
  private let b = SessionNetwork.peer("b", 2)
  private let ticket = Ticket(
    id: [UInt8](repeating: 5, count: 16), key: SymmetricKey(data: [UInt8](repeating: 6, count: 32)))

  private func room() -> SessionNetwork {
    let room = SessionNetwork()
    room.add(a)
    room.add(b)
    return room
  }

  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `two peers with one ticket are connected, whichever begins`(order: [String]) {
    let room = room()
    for name in order {
      room.connect(name, name == "a" ? b : a, ticket)
      room.run()
    }
    #expect(room.told("a") == ["b connecting", "b certificates 0", "b connected"])
    #expect(room.told("b") == ["a connecting", "a certificates 0", "a connected"])
  }

  @Test func `connecting again while it is under way or done changes nothing`() {
    let room = room()
    for _ in 0..<3 {
      // Before anything of it has arrived, too.
      for _ in 0..<3 {
        room.connect("b", a, ticket)
        room.connect("a", b, ticket)
      }
      #expect(room.connections == 1)
      room.run()
    }
    #expect(room.told("a") == ["b connecting", "b certificates 0", "b connected"])
    #expect(room.connections == 1)
  }

  @Test func `a ticket whose key the other has not connects nobody, and tells nobody anything`() {
    let room = room()
    room.connect("b", a, Ticket(id: ticket.id, key: SymmetricKey(data: [UInt8](repeating: 7, count: 32))))
    room.connect("a", b, ticket)
    room.run()
    #expect(room.told("a").isEmpty && room.told("b").isEmpty)
    #expect(room.connections == 0)
    // Whoever has seen its name has not used it up.
    room.forget("a", b)
    room.connect("a", b, Ticket(id: ticket.id, key: SymmetricKey(data: [UInt8](repeating: 7, count: 32))))
    room.run()
    #expect(room.connected("b") == ["a"])
  }

  @Test(arguments: ["a", "b"])
  func `an attempt that is given up is over, and its ticket is worth nothing`(name: String) {
    let room = room()
    let (peer, other, otherPeer) = name == "a" ? (b, "b", a) : (a, "a", b)
    room.isHeld = true
    room.connect(name, peer, ticket)
    room.forget(name, peer)
    room.isHeld = false
    #expect(room.told(name) == ["\(peer.name) notConnected"])
    room.connect(other, otherPeer, ticket)
    room.run()
    room.advance(by: .seconds(20))
    #expect(room.connected(name).isEmpty && room.connected(other).isEmpty)
  }

  @Test(arguments: [false, true])
  func `after a disconnect a ticket of before lets nobody in`(isOfMember: Bool) throws {
    let room = room()
    let c = SessionNetwork.peer("c", 3)
    room.add(c)
    if isOfMember {
      room.invite("c", b)
      room.run()
      let host = try #require(HostAddress(address: [10, 0, 0, 1], port: 7000))
      room.send("c", b, .introduce(Introduction(peer: a, host: host, ticket: ticket)))
    } else {
      room.connect("b", a, ticket)
    }
    room.run()
    room.disconnect("b")
    room.run()
    room.forget()
    room.connect("a", b, ticket)
    room.run()
    room.advance(by: .seconds(20))
    #expect(room.connected("b").isEmpty && room.connected("a").isEmpty)
    #expect(room.told("b").isEmpty)
  }

  @Test func `giving up does not touch a peer that is connected`() {
    let room = room()
    room.invite("a", b)
    room.run()
    room.forget("a", b)
    room.run()
    #expect(room.connected("a") == ["b"] && room.connected("b") == ["a"])
  }

  @Test func `a remote member cannot send anybody to services of this host`() throws {
    let room = room()
    room.invite("b", a)
    room.run()
    let host = try #require(HostAddress(address: [127, 0, 0, 1], port: 22))
    room.send("b", a, .introduce(Introduction(peer: SessionNetwork.peer("c", 9), host: host, ticket: ticket)))
    room.run()
    #expect(room.introductions.isEmpty)
  }

  @Test func `a member on this host may name its loopback address`() throws {
    let room = SessionNetwork()
    room.add(a, machine: 1)
    room.add(b, machine: 1)
    room.invite("b", a)
    room.run()
    let host = try #require(HostAddress(address: [127, 0, 0, 1], port: 22))
    room.send("b", a, .introduce(Introduction(peer: SessionNetwork.peer("c", 9), host: host, ticket: ticket)))
    room.run()
    #expect(Set(room.introductions.map(\.2)) == [host])
  }
}

/// Ends that do not read for a while, because their programs are slow.
@Suite struct UnreadTests {
  @Test func `an end that does not read pings all the same, and does not take the other for gone`() throws {
    var generator = SplitMix64(seed: 3)
    let bytes = { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    let (a, b) = (SessionNetwork.peer("a", 1), SessionNetwork.peer("b", 2))
    let terms = Terms(peer: a, session: a.id, preference: .required, port: 0)
    var (link, hello) = try Link.inviting(
      Invitation(from: a, to: b.id), terms: terms, until: .seconds(1000),
      ephemeral: EphemeralKey(rawRepresentation: bytes()), at: .zero)
    var other = Link(accepted: try EphemeralKey(rawRepresentation: bytes()), at: .zero)
    for case .send(let answer) in other.handle(.received(hello), at: .zero) {
      _ = link.handle(.received(answer), at: .zero)
    }
    var pings = 0
    for second in 1...25 {
      let now = Duration.seconds(second)
      #expect(link.handle(.unread, at: now).isEmpty)
      for output in link.handle(.deadline, at: now) {
        guard case .send = output else {
          Issue.record("\(output) after \(second) s")
          continue
        }
        pings += 1
      }
    }
    #expect(pings == 8)
    #expect(link.handle(.deadline, at: .seconds(35)).contains { if case .ended = $0 { true } else { false } })
  }
}
