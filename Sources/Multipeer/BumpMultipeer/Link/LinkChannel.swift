import BumpNoise

/// The records of a link after its handshake: sealed, or plain once both ends have agreed on that.
struct LinkChannel: Sendable {
  private var transport: NoiseTransport
  private var sendsPlain = false
  private var receivesPlain = false
  private let role: NoiseHandshake.Role
  private let hash: [UInt8]

  init(_ handshake: NoiseHandshake) throws {
    transport = try NoiseTransport(handshake)
    (role, hash) = (handshake.role, handshake.handshakeHash)
  }

  /// What this end signs, as this peer.
  func statement(by peer: PeerID) -> [UInt8] { IdentityProof.statement(by: peer, role, hash) }
  /// What the other end signs, as this peer.
  func otherStatement(by peer: PeerID) -> [UInt8] {
    IdentityProof.statement(by: peer, role == .initiator ? .responder : .initiator, hash)
  }

  /// Sends records in plain from now on.
  mutating func sendPlain() { sendsPlain = true }
  /// Reads records as plain from now on.
  mutating func receivePlain() { receivesPlain = true }

  mutating func record(of frame: LinkFrame) throws -> [UInt8] {
    guard !sendsPlain else { return Record.bytes { frame.append(to: &$0) } }
    return Record.bytes(try transport.seal(frame.bytes))
  }

  mutating func frame(in record: ArraySlice<UInt8>) throws -> LinkFrame {
    if receivesPlain { return try LinkFrame(record) }
    guard let content = try? transport.open(Array(record)) else {
      throw MultipeerError(.protection, "a record that this link's key did not make")
    }
    return try LinkFrame(content)
  }
}
