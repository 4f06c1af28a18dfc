import BumpClaims
import BumpTesting
import Testing

@testable import BumpSession
@testable import BumpWire

@Suite struct VectorTests {
  @Test(arguments: try SessionVector.all())
  func `both ends together make the vector's session byte for byte`(vector: SessionVector) throws {
    var duet = try SessionPair(vector)
    duet.talk()
    #expect(duet.frames.count == vector.frames.count)
    for (index, frame) in duet.frames.enumerated() {
      #expect(frame == vector.frames[index], "frame \(index)")
    }
    #expect(duet.digits.map(\.description) == [vector.digits, vector.digits])
    #expect(duet.stored.map(\.claim) == [vector.claim])
    #expect(duet.senderEnding == .delivered(.stored, try DisplayName("bob")))
    #expect(duet.kept.isEmpty)
  }

  /// The sender alone: it hears what the vector's receiver says.
  @Test(arguments: try SessionVector.all())
  func `the sender says what the vector's sender says`(vector: SessionVector) throws {
    var session = SenderSession(
      claim: vector.claim, offer: vector.offer, credential: vector.credential, asks: true, limit: .seconds(5),
      keys: vector.keysS, at: .zero)
    var said: [UInt8] = []
    func perform(_ outputs: [SenderSession.Output]) {
      for output in outputs {
        switch output {
        case .send(let bytes): said += bytes
        case .accepted: perform(session.handle(.chosen, at: .zero))
        case .ask: perform(session.handle(.decided(true), at: .zero))
        case .release: perform(session.handle(.released, at: .zero))
        case .takeBack, .secured, .held, .placed, .guessed, .keep, .remembering, .progress, .ended: break
        }
      }
    }
    for frame in vector.framesR { perform(session.handle(.received(frame), at: .zero)) }
    #expect(said == vector.framesS.flatMap(\.self))
  }

  /// The receiver alone: it hears what the vector's sender says.
  @Test(arguments: try SessionVector.all())
  func `the receiver says what the vector's receiver says`(vector: SessionVector) throws {
    var session = ReceiverSession(
      .init(name: try DisplayName("bob"), asks: true, limit: .seconds(5), unixTime: { 0 }),
      credential: vector.credential, keys: vector.keysR, at: .zero)
    var said: [UInt8] = []
    func perform(_ outputs: [ReceiverSession.Output]) {
      for output in outputs {
        switch output {
        case .request(.send(let bytes)): said += bytes
        case .offered(let offer):
          #expect(offer == vector.offer)
          perform(session.handle(.chosen, at: .zero))
        case .request(.ask): perform(session.handle(.decided(true), at: .zero))
        case .request(.store(let verified)):
          #expect(verified.claim == vector.claim)
          perform(session.handle(.stored(.stored), at: .zero))
        case .request, .welcomed, .ready, .guessing, .secured, .held, .documentOffered, .progress, .ended: break
        }
      }
    }
    perform(session.handle(.opened, at: .zero))
    for frame in vector.framesS { perform(session.handle(.received(frame), at: .zero)) }
    #expect(said == vector.framesR.flatMap(\.self))
  }

  @Test(arguments: try SessionVector.all())
  func `the channel's hash and mac, and the link, are the vector's`(vector: SessionVector) throws {
    var peer = ScriptedPeer(.receiver, credential: vector.credential, keys: vector.keysR)
    _ = peer.hello()
    for frame in vector.framesS.prefix(while: { $0[2] != FrameType.noise2.rawValue }) {
      _ = try peer.read(frame)
      if frame[2] == FrameType.welcome.rawValue, vector.credential.mode == .code { _ = try peer.pake() }
    }
    _ = try peer.noise()
    _ = try peer.read(try #require(vector.framesS.first { $0[2] == FrameType.noise2.rawValue }))
    let channel = try #require(peer.channel)
    #expect(channel.handshakeHash == vector.handshakeHash)
    #expect(channel.claimMessage(vector.claim) == .claim(mac: vector.claimMAC, payload: vector.claim.payload))

    let key: SharedKey? = if case .key(let key) = vector.credential { key } else { nil }
    #expect(try ClaimLink(claim: vector.claim, expiry: vector.offer.expiry).text(key: key) == vector.link)
    #expect(try UnverifiedClaimLink(vector.link).verify(key: key).claim == vector.claim)
  }
}

extension SessionVector {
  /// Who says each frame: after the handshake OFFER, HOLD, ACCEPT, HOLD, CLAIM, STORED.
  private var isFromSender: [Bool] {
    var sealed = [true, false, false, true, true, false][...]
    return frames.map { frame in
      switch FrameType(rawValue: frame[2]) {
      case .welcome, .pakeS, .noise2: true
      case .sealed: sealed.popFirst() ?? false
      default: false
      }
    }
  }

  var framesS: [[UInt8]] { zip(frames, isFromSender).filter(\.1).map(\.0) }
  var framesR: [[UInt8]] { zip(frames, isFromSender).filter { !$0.1 }.map(\.0) }
}
