import BumpMultipeer
import BumpNoise
import Testing

/// Strangers who come under the identity of a member, which anybody can read in an advertisement.
@Suite struct IdentityTests {
  private static let frame = LinkFrame.message(isLast: true, isReliable: true, part: [1])

  private static func expectTraffic(_ room: SessionNetwork, _ local: Peer, _ member: Peer, _ location: SourceLocation) {
    room.forget()
    room.send(local.name, member, frame)
    room.send(member.name, local, frame)
    room.run()
    #expect(room.frames(local.name) == [frame] && room.frames(member.name) == [frame], sourceLocation: location)
  }

  @Test(arguments: [(MeshTests.a, MeshTests.b), (MeshTests.b, MeshTests.a)], [UInt8(1), 2])
  func `a stranger under a member's identity ends nothing of the member's, though the program accepts everybody`(
    _ pair: (Peer, Peer), _ session: UInt8
  ) {
    let (local, member) = pair
    let room = MeshTests.room(local, member)
    room.invite(local.name, member)
    room.run()
    room.forget()
    room.add(member, session: session, as: "stranger")
    room.invite("stranger", local)
    room.run()
    #expect(room.told(local.name) == ["\(member.name) invited"])
    #expect(
      room.told("stranger") == ["connecting", "certificates 0", "notConnected"].map { "\(local.name) \($0)" })
    #expect(room.connected(local.name) == [member.name] && room.connected(member.name) == [local.name])
    Self.expectTraffic(room, local, member, #_sourceLocation)
    // Nor does it wait for the member's word, or its silence.
    room.forget()
    room.advance(by: .seconds(60))
    #expect(room.told(local.name).isEmpty)
  }

  @Test(arguments: [(MeshTests.a, MeshTests.b), (MeshTests.b, MeshTests.a)])
  func `of two under one new identity that one is the member whom the program has accepted first`(
    _ local: Peer, _ member: Peer
  ) {
    let room = MeshTests.room(local, member)
    room.program(of: local.name) { $0.judges = nil }
    room.invite(member.name, local)
    room.run()
    room.add(member, session: 2, as: "stranger")
    room.invite("stranger", local)
    room.run()
    #expect(room.told(local.name).filter { $0.hasSuffix("certificates 0") }.count == 2)
    room.judge(local.name, true)
    room.run()
    #expect(room.connected(local.name) == [member.name] && room.connected("stranger").isEmpty)
    Self.expectTraffic(room, local, member, #_sourceLocation)
  }

  @Test func `a new session takes a member's place once the program has accepted it, and not before`() {
    let key = IdentityKey()
    let room = MeshTests.room(MeshTests.a)
    room.add(MeshTests.b, key: key)
    room.invite("a", MeshTests.b)
    room.run()
    room.forget()
    room.add(MeshTests.b, session: 2, key: key, as: "anew")
    room.program(of: "a") { $0.judges = false }
    room.invite("anew", MeshTests.a)
    room.run()
    #expect(room.told("a") == ["b invited", "b certificates 0"])
    Self.expectTraffic(room, MeshTests.a, MeshTests.b, #_sourceLocation)
    room.forget()
    room.program(of: "a") { $0.judges = true }
    room.invite("anew", MeshTests.a)
    room.run()
    #expect(
      room.told("a") == ["b invited", "b certificates 0", "b notConnected", "b connecting", "b connected"])
    #expect(room.told("b") == ["a notConnected"])
    #expect(room.connected("anew") == ["a"])
  }

  @Test func `a proof that is not of this link, this end, this identity and this key ends the link`() throws {
    let another = [UInt8](repeating: 9, count: 32)
    let proofs: [(inout Speaker) throws -> [Link.Output]] = [
      { try $0.sayTerms(by: MeshTests.c) }, { try $0.sayTerms(.responder) }, { try $0.sayTerms(key: another) },
      { try $0.sayTerms(hash: another) },
    ]
    for say in proofs {
      var speaker = try Speaker(until: .terms)
      #expect(try say(&speaker).last == .ended(.here(.protocolError)))
    }
  }
}
