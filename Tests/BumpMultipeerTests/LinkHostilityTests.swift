import BumpMultipeer
import BumpNoise
import Crypto
import Samples
import Testing

/// What a peer, or somebody on the way, cannot do to a link.
@Suite struct LinkHostilityTests {
  private static func honest() -> SessionNetwork {
    let room = MeshTests.room(MeshTests.a, MeshTests.b)
    room.invite("a", MeshTests.b)
    room.run()
    room.send("a", MeshTests.b, .message(isLast: true, isReliable: true, part: [1, 2, 3]))
    room.run()
    return room
  }

  @Test("no byte of an encrypted link can be changed without both ends noticing")
  func flipped() {
    let pieces = Self.honest().wire
    for (index, piece) in pieces.enumerated() {
      for place in piece.bytes.indices {
        let room = MeshTests.room(MeshTests.a, MeshTests.b)
        var count = 0
        room.tamper = { _, _, bytes in
          defer { count += 1 }
          guard count == index else { return bytes }
          var changed = bytes
          changed[place] ^= 0x01
          return changed
        }
        room.invite("a", MeshTests.b)
        room.run()
        room.send("a", MeshTests.b, .message(isLast: true, isReliable: true, part: [1, 2, 3]))
        room.run()
        // A length that grew is waited for, until the time is over.
        room.advance(by: .seconds(60))
        if piece.from == "a" { #expect(room.frames("b").isEmpty, "piece \(index), byte \(place)") }
        #expect(room.connections == 0, "piece \(index), byte \(place)")
      }
    }
  }

  @Test("a record that comes twice, or is left out, ends the link", arguments: [true, false])
  func order(isTwice: Bool) {
    let count = Self.honest().wire.count
    for index in 0..<count {
      let room = MeshTests.room(MeshTests.a, MeshTests.b)
      var seen = 0
      room.tamper = { _, _, bytes in
        defer { seen += 1 }
        return seen == index ? (isTwice ? bytes + bytes : nil) : bytes
      }
      room.invite("a", MeshTests.b)
      room.run()
      room.send("a", MeshTests.b, .message(isLast: true, isReliable: true, part: [1, 2, 3]))
      room.run()
      room.advance(by: .seconds(60))
      // The last record, left out, is missed by nobody: nothing follows it but pings, which then do not fit.
      #expect(room.connections == 0, "record \(index)")
    }
  }

  @Test("a connection that says nothing is closed after five seconds")
  func silence() {
    let room = MeshTests.room(MeshTests.a, MeshTests.b)
    room.tamper = { from, _, bytes in from == "a" ? nil : bytes }
    room.invite("a", MeshTests.b)
    room.run()
    room.advance(by: .milliseconds(4_999))
    #expect(room.connections == 1)
    room.advance(by: .milliseconds(1))
    #expect(room.connections == 0)
    #expect(room.told("b") == [])
  }

  @Test("a member that introduces thousands makes this end open only so many connections")
  func introductions() {
    var generator = SplitMix64(seed: 3)
    let room = MeshTests.room(MeshTests.a, MeshTests.b)
    room.invite("a", MeshTests.b)
    room.run()
    guard let host = HostAddress(address: [10, 9, 9, 9], port: 9) else { return }
    for number in 0..<2_000 {
      guard let id = PeerID([9] + generator.bytes(15)), let peer = Peer(id: id, name: "nobody \(number)") else {
        continue
      }
      room.isHeld = true
      room.send("b", MeshTests.a, .introduce(Introduction(peer: peer, host: host, ticket: Ticket(using: &generator))))
      room.run()
    }
    #expect(room.introductions.count <= 64)
    // Another member's introductions count as before.
    room.isHeld = false
    let c = SessionNetwork.peer("c", 3)
    room.add(c)
    room.invite("a", c)
    room.run()
    #expect(room.connected("b") == ["a", "c"])
  }

  @Test("a member with a lower identity that introduces thousands keeps nobody else's tickets out")
  func tickets() {
    var generator = SplitMix64(seed: 3)
    let (a, b, c) = (SessionNetwork.peer("a", 1), SessionNetwork.peer("b", 8), SessionNetwork.peer("c", 7))
    let room = MeshTests.room(a, b)
    room.invite("a", b)
    room.run()
    guard let host = HostAddress(address: [10, 9, 9, 9], port: 9) else { return }
    for number in 0..<2_000 {
      guard let id = PeerID([4] + generator.bytes(15)), let peer = Peer(id: id, name: "nobody \(number)") else {
        continue
      }
      room.send("a", b, .introduce(Introduction(peer: peer, host: host, ticket: Ticket(using: &generator))))
      room.run()
    }
    let d = SessionNetwork.peer("d", 2)
    for peer in [c, d] { room.add(peer) }
    room.invite("d", b)
    room.run()
    room.invite("d", c)
    room.run()
    #expect(room.connected("b").contains("c"), "\(room.told("b"))")
  }

  @Test func `an invitation from the invited identity itself is refused`() throws {
    let key = { try EphemeralKey(rawRepresentation: [UInt8](repeating: $0, count: 32)) }
    let b = MeshTests.b
    let (hostile, hello) = try Link.inviting(
      Invitation(from: b, to: b.id), terms: Terms(peer: b, session: b.id, preference: .required, port: 1),
      until: .seconds(30), ephemeral: key(2), at: .zero)
    var links = [hostile, Link(accepted: try key(1), at: .zero)]
    var inputs = [(end: 1, bytes: hello)]
    var told: [Link.Output] = []
    while !inputs.isEmpty {
      let (end, bytes) = inputs.removeFirst()
      for output in links[end].handle(.received(bytes), at: .zero) {
        if case .send(let bytes) = output { inputs.append((1 - end, bytes)) } else if end == 1 { told.append(output) }
      }
    }
    #expect(told == [.ended(.here(.protocolError))])
  }

  @Test("a flood of pings is answered once a second")
  func pings() throws {
    let key = { try EphemeralKey(rawRepresentation: [UInt8](repeating: $0, count: 32)) }
    let terms = { (peer: Peer) in Terms(peer: peer, session: peer.id, preference: .required, port: 1) }
    let (hostile, hello) = try Link.inviting(
      Invitation(from: MeshTests.a, to: MeshTests.b.id), terms: terms(MeshTests.a), until: .seconds(30),
      ephemeral: try key(2), at: .zero)
    var links = [hostile, Link(accepted: try key(1), at: .zero)]
    var connected = 0
    var inputs: [(end: Int, Link.Input)] = [(1, .received(hello))]
    while !inputs.isEmpty {
      let (end, input) = inputs.removeFirst()
      for output in links[end].handle(input, at: .zero) {
        switch output {
        case .send(let bytes): inputs.append((1 - end, .received(bytes)))
        case .invited: inputs.append((end, .answered(terms(MeshTests.b))))
        case .began: inputs.append((end, .proceed(IdentityKey())))
        case .terms: inputs.append((end, .judged(true)))
        case .connected: connected += 1
        default: break
        }
      }
    }
    #expect(connected == 2)
    let pongs = (0...2).map { second in
      (0..<100).reduce(0) { count, _ in
        guard case .send(let ping)? = links[0].handle(.send(.ping), at: .seconds(second)).first else { return count }
        return count + links[1].handle(.received(ping), at: .seconds(second)).count
      }
    }
    #expect(pongs == [1, 1, 1])
  }

  @Test("a length that no opening has ends the link before its bytes have come")
  func longOpening() throws {
    let key = try EphemeralKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
    for length in [UInt16(0), 71, .max] {
      var link = Link(accepted: key, at: .zero)
      let outputs = link.handle(.received([UInt8(length >> 8), UInt8(length & 0xFF)]), at: .zero)
      #expect(outputs == [.ended(.here(.protocolError))], "\(length)")
    }
  }

  @Test("an opening that is cut, longer, or of another version ends the link")
  func openings() throws {
    let key = try EphemeralKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
    let hello = Array("BMPC".utf8) + [1, 1] + key.publicKey.rawRepresentation
    var link = Link(accepted: key, at: .zero)
    #expect(link.handle(.received([0, UInt8(hello.count)] + hello), at: .zero).count == 1)
    var wrong = [hello + [0], Array(hello.dropLast()), []]
    for place in 0..<6 {
      wrong.append(hello)
      wrong[wrong.count - 1][place] ^= 4
    }
    for opening in wrong {
      var link = Link(accepted: key, at: .zero)
      let outputs = link.handle(.received([0, UInt8(opening.count)] + opening), at: .zero)
      #expect(outputs == [.ended(.here(.protocolError))], "\(opening)")
    }
  }

  @Test("HELLO gives whoever opens a link no more time to invite")
  func slowOpening() throws {
    let key = try EphemeralKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
    let hello = Array("BMPC".utf8) + [1, 1] + key.publicKey.rawRepresentation
    var link = Link(accepted: key, at: .zero)
    let welcome = link.handle(.received([0, UInt8(hello.count)] + hello), at: .seconds(4))
    #expect(welcome.count == 1 && link.deadline == .seconds(5))
    #expect(link.handle(.deadline, at: .seconds(5)).last == .ended(.here(.timedOut)))
  }

  @Test("a peer that answers for another is refused")
  func impostor() {
    let room = MeshTests.room(MeshTests.a, MeshTests.b)
    room.invite("a", Peer.named("b", like: MeshTests.c))
    room.run()
    #expect(room.told("a") == ["b connecting", "b notConnected"])
    #expect(room.told("b").last == "a notConnected")
    #expect(room.connected("a") == [])
  }
}

extension Peer {
  /// A peer that has another's identity, and this name.
  static func named(_ name: String, like other: Peer) -> Peer {
    guard let peer = Peer(id: other.id, name: name) else { preconditionFailure("a peer of a test") }
    return peer
  }
}
