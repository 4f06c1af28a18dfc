import BumpNoise
import Crypto

/// The phases of a link in their order: the opening, the invitation, the terms.
extension Link {
  /// The state of the negotiation in which the two ends agree on a session.
  struct Negotiation: Sendable {
    let terms: Terms
    var isSent = false
    /// The identity that the other end must have.
    let other: PeerID
    var theirs: Terms?
    var verdict: Bool?
    var theirVerdict: Bool?
    /// Whether the link stays encrypted. Final once both ends have sent their terms.
    var isEncrypted = true
  }

  mutating func opened(_ opening: HandshakeRecord, at now: Moment) throws -> [Output] {
    switch (phase, opening) {
    case (.awaitingHello(let ephemeral), .hello(.invite, let noise)):
      phase = .awaitingInvitation
      return try welcome(opening, noise, psk: nil, ephemeral)
    case (.awaitingHello(let ephemeral), .hello(.join(let ticket), _)):
      phase = .lookingUp(opening, ephemeral)
      return [.lookUp(ticket: ticket)]
    case (.awaitingWelcome(var handshake, let purpose), .welcome(let noise)):
      _ = try handshake.readMessage(noise)
      channel = try LinkChannel(handshake)
      switch purpose {
      case .invite(let invitation, let terms):
        phase = .awaitingAnswer(terms, invitation.to)
        clocks.waitsForAnswer()
        return try say(.invite(invitation))
      case .join(let membership):
        return begin(membership.terms, with: membership.other, at: now)
      }
    default: throw Self.outOfTurn
    }
  }

  /// Answers the other end's handshake message.
  private mutating func welcome(
    _ hello: HandshakeRecord, _ noise: [UInt8], psk: SymmetricKey?, _ ephemeral: EphemeralKey
  ) throws -> [Output] {
    var handshake = NoiseHandshake(role: .responder, prologue: hello.head, ephemeral: ephemeral, psk: psk)
    _ = try handshake.readMessage(noise)
    let welcome = HandshakeRecord.welcome(noise: try handshake.writeMessage())
    channel = try LinkChannel(handshake)
    return [.send(Record.bytes(welcome.bytes))]
  }

  mutating func found(_ membership: Membership?, at now: Moment) throws -> [Output] {
    guard case .lookingUp(let hello, let ephemeral) = phase else { return [] }
    guard let membership, case .hello(_, let noise) = hello else { return fail(.unknown) }
    return try welcome(hello, noise, psk: membership.key, ephemeral)
      + begin(membership.terms, with: membership.other, at: now)
  }

  mutating func answered(_ terms: Terms?, at now: Moment) throws -> [Output] {
    guard case .answering(let invitation) = phase else { return [] }
    guard let terms else { return try say(.answer(false)) + end(.declined) }
    return try say(.answer(true)) + begin(terms, with: invitation.from.id, at: now)
  }

  private mutating func begin(_ terms: Terms, with other: PeerID, at now: Moment) -> [Output] {
    phase = .negotiating(Negotiation(terms: terms, other: other))
    clocks.negotiates(at: now)
    return [.began]
  }

  /// Sends this end's terms, with the proof that it has the key.
  mutating func proceed(_ key: IdentityKey) throws -> [Output] {
    guard case .negotiating(var negotiation) = phase, !negotiation.isSent, let channel else { return [] }
    negotiation.isSent = true
    phase = .negotiating(negotiation)
    let proof = try key.proof(of: channel.statement(by: negotiation.terms.peer.id))
    return try say(.terms(negotiation.terms, proof))
  }

  /// Handles a frame other than pings, pongs and goodbyes.
  mutating func handle(_ frame: LinkFrame, at now: Moment) throws -> [Output] {
    switch (phase, frame) {
    case (.awaitingInvitation, .invite(let invitation)) where invitation.from.id != invitation.to:
      phase = .answering(invitation)
      clocks.settles()
      return [.invited(invitation)]
    case (.awaitingAnswer, .answer(false)):
      return end(.declined)
    case (.awaitingAnswer(let terms, let other), .answer(true)):
      return begin(terms, with: other, at: now)
    case (.negotiating(var negotiation), .terms(let theirs, let proof))
    where negotiation.theirs == nil && theirs.peer.id == negotiation.other:
      guard let channel, proof.holds(for: channel.otherStatement(by: theirs.peer.id)) else { throw Self.outOfTurn }
      guard let isEncrypted = negotiation.terms.preference.isEncrypted(with: theirs.preference) else {
        return fail(.encryption)
      }
      negotiation.theirs = theirs
      negotiation.isEncrypted = isEncrypted
      phase = .negotiating(negotiation)
      return [.terms(theirs, key: proof.key)]
    case (.negotiating(var negotiation), .verdict(let isTaken))
    where negotiation.theirs != nil && negotiation.theirVerdict == nil:
      guard isTaken else { return end(.there(.certificate)) }
      negotiation.theirVerdict = true
      if !negotiation.isEncrypted { channel?.receivePlain() }
      return agree(negotiation)
    case (.connected, .roster), (.connected, .introduce), (.connected, .message), (.connected, .transfer):
      return [.frame(frame)]
    default: throw Self.outOfTurn
    }
  }

  mutating func judged(_ isTaken: Bool, at now: Moment) throws -> [Output] {
    guard case .negotiating(var negotiation) = phase, negotiation.theirs != nil, negotiation.verdict == nil else {
      return []
    }
    guard isTaken else { return try say(.verdict(false)) + end(.here(.certificate)) }
    negotiation.verdict = true
    let outputs = try say(.verdict(true))
    if !negotiation.isEncrypted { channel?.sendPlain() }
    return outputs + agree(negotiation)
  }

  /// Connects the link once both programs have accepted the certificates.
  private mutating func agree(_ negotiation: Negotiation) -> [Output] {
    phase = .negotiating(negotiation)
    guard negotiation.verdict == true, negotiation.theirVerdict == true else { return [] }
    phase = .connected
    clocks.settles()
    return [.connected]
  }
}
