import BumpMultipeer
import BumpNoise
import Crypto
import Samples
import Testing

/// Each frame at each point of a link, from an end whose records are in order.
@Suite struct OutOfTurnTests {
  /// What the link waits for.
  enum Phase: CaseIterable, Sendable {
    case invitation, itsProgram, answer, terms, verdict, itsJudgement, session

    /// The frames that may come, besides those that always may.
    var due: Set<Int> {
      switch self {
      case .invitation: [0x10]
      case .itsProgram, .itsJudgement: []
      case .answer: [0x11]
      case .terms: [0x12]
      case .verdict: [0x13]
      case .session: Set([0x14, 0x15] + Array(0x20...0x23) + Array(0x30...0x35) + Array(0x38...0x3A))
      }
    }
  }

  /// PING, PONG and GOODBYE.
  private static let always: Set<Int> = [0x40, 0x41, 0x42]

  /// One frame of each type, as it would be at its turn.
  static let frames: [LinkFrame] = {
    let a = MeshTests.a
    guard let host = HostAddress(address: [10, 0, 0, 9], port: 9) else { return [] }
    let ticket = Ticket(id: [UInt8](repeating: 3, count: 16), key: SymmetricKey(data: [UInt8](repeating: 4, count: 32)))
    let parts: [TransferFrame] = [
      .stream(name: "s"), .resource(name: "r", size: nil), .resource(name: "r", size: 1), .part([1]), .end, .cancel,
      .stop, .credit(1), .received,
    ]
    return [
      .invite(Invitation(from: a, to: MeshTests.b.id)), .answer(true),
      .terms(Speaker.terms(of: a), LinkFrameTests.proof), .verdict(true),
      .roster([]), .introduce(Introduction(peer: MeshTests.c, host: host, ticket: ticket)),
      .message(isLast: false, isReliable: true, part: [1]), .message(isLast: true, isReliable: true, part: [1]),
      .message(isLast: false, isReliable: false, part: [1]), .message(isLast: true, isReliable: false, part: [1]),
      .ping, .pong, .goodbye(.left),
    ] + parts.map { .transfer(0, $0) }
  }()

  @Test func `there is a frame of each type`() {
    let types: Set<Int> = Phase.allCases.reduce(Self.always) { $0.union($1.due) }
    #expect(Set(Self.frames.compactMap { $0.bytes.first.map(Int.init) }) == types)
    #expect(Self.frames.count == types.count)
  }

  @Test(arguments: Phase.allCases)
  func `a frame that is not due ends the link, and one that is does not`(phase: Phase) throws {
    for frame in Self.frames {
      guard let type = frame.bytes.first.map(Int.init) else { continue }
      var speaker = try Speaker(until: phase)
      let outputs = if case .terms = frame { try speaker.sayTerms() } else { try speaker.say(frame) }
      let isDue = phase.due.union(Self.always).contains(type)
      #expect(outputs.contains(.ended(.here(.protocolError))) != isDue, "\(frame) while \(phase) is due")
    }
  }

  @Test(arguments: Phase.allCases)
  func `a frame that is cut short or too long by a byte ends the link at any point`(phase: Phase) throws {
    for frame in Self.frames {
      // What may have any length is as long as it likes: a context, a list of identities, a part.
      let changed = [Array(frame.bytes.dropLast()), frame.bytes + [0]].filter { (try? LinkFrame($0)) == nil }
      for bytes in changed where !bytes.isEmpty {
        var speaker = try Speaker(until: phase)
        #expect(try speaker.say(bytes).last == .ended(.here(.protocolError)), "\(bytes) while \(phase) is due")
      }
    }
  }
}

/// The other end of a link, which seals by hand what it likes.
struct Speaker {
  private var transport: NoiseTransport
  private var link: Link
  private let handshake: NoiseHandshake
  /// The key that it shows, and with which it signs.
  static let key = Curve25519.Signing.PrivateKey()

  static func terms(of peer: Peer) -> Terms { Terms(peer: peer, session: peer.id, preference: .required, port: 9) }

  private static func key(_ byte: UInt8) throws -> EphemeralKey {
    try EphemeralKey(rawRepresentation: [UInt8](repeating: byte, count: 32))
  }

  /// Speaks with a link as long as it is by the book: until something is due.
  init(until phase: OutOfTurnTests.Phase) throws {
    let (a, b) = (MeshTests.a, MeshTests.b)
    let magic = Array("BMPC".utf8) + [1]
    if phase == .answer {
      let (link, hello) = try Link.inviting(
        Invitation(from: b, to: a.id), terms: Self.terms(of: b), until: .seconds(30), ephemeral: Self.key(2),
        at: .zero)
      self.link = link
      var handshake = NoiseHandshake(role: .responder, prologue: magic + [1], ephemeral: try Self.key(1))
      _ = try handshake.readMessage(Array(hello.dropFirst(2 + magic.count + 1)))
      let welcome = magic + [3] + (try handshake.writeMessage())
      transport = try NoiseTransport(handshake)
      self.handshake = handshake
      let invitation = self.link.handle(.received(Self.record(welcome)), at: .zero)
      try #require(invitation.count == 1)
      return
    }
    link = Link(accepted: try Self.key(2), at: .zero)
    var handshake = NoiseHandshake(role: .initiator, prologue: magic + [1], ephemeral: try Self.key(1))
    let hello = magic + [1] + (try handshake.writeMessage())
    let welcome = link.handle(.received(Self.record(hello)), at: .zero)
    guard case .send(let bytes) = welcome.first else { throw MultipeerError(.order, "no WELCOME") }
    _ = try handshake.readMessage(Array(bytes.dropFirst(2 + magic.count + 1)))
    transport = try NoiseTransport(handshake)
    self.handshake = handshake
    guard phase != .invitation else { return }
    let invitation = Invitation(from: a, to: b.id)
    try #require(say(.invite(invitation)) == [.invited(invitation)])
    guard phase != .itsProgram else { return }
    try #require(link.handle(.answered(Self.terms(of: b)), at: .zero).contains(.began))
    let key = IdentityKey()
    try #require(link.handle(.proceed(key), at: .zero).count == 1)
    try #require(link.handle(.proceed(key), at: .zero).isEmpty)
    guard phase != .terms else { return }
    try #require(
      sayTerms() == [.terms(Self.terms(of: a), key: Array(Self.key.publicKey.rawRepresentation))])
    guard phase != .verdict else { return }
    try #require(say(.verdict(true)).isEmpty)
    guard phase != .itsJudgement else { return }
    try #require(link.handle(.judged(true), at: .zero).last == .connected)
  }

  /// Sends the terms of a peer, signed for this link, or otherwise than the protocol has it.
  mutating func sayTerms(
    by signer: Peer = MeshTests.a, _ role: NoiseHandshake.Role = .initiator, key: [UInt8]? = nil, hash: [UInt8]? = nil
  ) throws -> [Link.Output] {
    let statement = IdentityProof.statement(by: signer.id, role, hash ?? handshake.handshakeHash)
    let proof = IdentityProof(
      key: key ?? Array(Self.key.publicKey.rawRepresentation), signature: Array(try Self.key.signature(for: statement)))
    return try say(.terms(Self.terms(of: MeshTests.a), proof))
  }

  mutating func say(_ frame: LinkFrame) throws -> [Link.Output] { try say(frame.bytes) }

  mutating func say(_ frame: [UInt8]) throws -> [Link.Output] {
    link.handle(.received(Self.record(try transport.seal(frame))), at: .zero)
  }

  private static func record(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }
}
