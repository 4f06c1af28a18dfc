import BumpChannel
import BumpWire
import Testing

@testable import BumpKit

@Suite struct VectorTests {
  @Test func `both ends together make the vector's session byte for byte`() throws {
    var duet = try Duet.vector()
    duet.talk()
    #expect(duet.frames.count == OpenVector.frames.count)
    for (index, frame) in duet.frames.enumerated() {
      #expect(frame == OpenVector.frames[index], "frame \(index)")
    }
    let digits = "\(OpenVector.digits.prefix(3)) \(OpenVector.digits.suffix(3))"
    #expect(duet.digits.map(\.description) == [digits, digits])
    #expect(duet.stored.map { String(decoding: $0.claim.payload, as: UTF8.self) } == [OpenVector.claim])
    #expect(duet.senderEnding == .delivered(.stored, try DisplayName("bob")))
  }

  /// The sender alone: it hears what the vector's receiver says, and says what the vector's sender says.
  @Test func `the sender answers the vector's receiver as the vector does`() throws {
    let claim = try Claim(payload: Array(OpenVector.claim.utf8))
    let offer = try Offer(json: Array(OpenVector.offer.utf8))
    var session = SenderSession(
      claim: claim, offer: offer, asks: true, limit: .seconds(5), keys: try OpenVector.keysS(), at: .zero)
    let frames = OpenVector.frames
    #expect(session.handle(.received(frames[0]), at: .zero) == [.send(frames[1])])
    #expect(session.handle(.received(frames[2]), at: .zero).first == .send(frames[3] + frames[4]))
    #expect(session.handle(.received(frames[5]), at: .zero) == [])
    #expect(session.handle(.received(frames[6]), at: .zero) == [.accepted(try DisplayName("bob"))])
    #expect(session.handle(.chosen, at: .zero).first == .send(frames[7]))
    #expect(session.handle(.decided(true), at: .zero) == [.release(try DisplayName("bob"))])
    #expect(session.handle(.released(true), at: .zero) == [.send(frames[8])])
    #expect(
      session.handle(.received(frames[9]), at: .zero) == [.ended(.delivered(.stored, try DisplayName("bob")))])
  }

  /// The receiver alone: it hears what the vector's sender says, and says what the vector's receiver says.
  @Test func `the receiver answers the vector's sender as the vector does`() throws {
    var session = ReceiverSession(
      name: try DisplayName("bob"), asks: true, limit: .seconds(5), keys: try OpenVector.keysR(), at: .zero,
      unixTimeAtStart: 0)
    let frames = OpenVector.frames
    #expect(session.handle(.opened, at: .zero) == [.send(frames[0])])
    #expect(session.handle(.received(frames[1]), at: .zero) == [.welcomed, .send(frames[2])])
    let offered = session.handle(.received(frames[3] + frames[4]), at: .zero)
    #expect(offered.last == .offered(try Offer(json: Array(OpenVector.offer.utf8))))
    #expect(session.handle(.chosen, at: .zero).first == .send(frames[5]))
    #expect(session.handle(.decided(true), at: .zero) == [.send(frames[6])])
    #expect(session.handle(.received(frames[7]), at: .zero) == [])
    let storing = session.handle(.received(frames[8]), at: .zero)
    guard case .store(let verified) = storing.first else {
      Issue.record("no claim to store: \(storing)")
      return
    }
    #expect(String(decoding: verified.claim.payload, as: UTF8.self) == OpenVector.claim)
    let ended = session.handle(.stored(.stored), at: .zero)
    #expect(ended == [.send(frames[9]), .ended(.received(verified, .stored))])
  }

  @Test func `the channel's hash, mac and link are the vector's`() throws {
    var peer = ScriptedVector()
    let channel = try peer.channel()
    #expect(channel.handshakeHash == OpenVector.handshakeHash)
    let claim = try Claim(payload: Array(OpenVector.claim.utf8))
    #expect(channel.claimMessage(claim) == .claim(mac: OpenVector.claimMAC, payload: claim.payload))
    let expiry = try #require(Expiry(unixSeconds: OpenVector.expiry))
    #expect(try ClaimLink(claim: claim, expiry: expiry).text == OpenVector.link)
    #expect(try UnverifiedClaimLink(OpenVector.link).verify().claim == claim)
  }
}

/// The receiver's channel of the vector, from its frames.
private struct ScriptedVector {
  mutating func channel() throws -> SecureChannel {
    let hello = Frame(.hello, Array(OpenVector.frames[0].dropFirst(3)))
    let welcome = Frame(.welcome, Array(OpenVector.frames[1].dropFirst(3)))
    var handshake = NoiseHandshake(
      role: .initiator, prologue: Prologue.of([hello, welcome]), ephemeral: try OpenVector.keysR().ephemeral)
    _ = try handshake.writeMessage()
    _ = try handshake.readMessage(Array(OpenVector.frames[3].dropFirst(3)))
    return try SecureChannel(handshake)
  }
}
