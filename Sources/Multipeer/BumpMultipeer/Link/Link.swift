public import BumpNoise
public import Crypto

/// One end of a connection of two peers, as a state machine: the handshake, the invitation, the terms, and then the
/// frames of a session. It has no socket, clock or randomness.
public struct Link: Sendable {
  /// An event, a call or an answer for a link.
  public enum Input: Sendable {
    /// Bytes from the other end.
    case received([UInt8])
    /// The connection has ended.
    case closed
    /// The time that `deadline` returned has come.
    case deadline
    /// The driver has not read until now, because its program is slow, so the other end does not count as silent. Pings
    /// continue.
    case unread
    /// The answer to `lookUp`: the ticket's key and this end's terms, or `nil` if there is no such ticket.
    case ticket(Membership?)
    /// The program's answer to an invitation: its session's terms, or `nil` to decline.
    case answered(Terms?)
    /// The answer to `began`: the session has room for the other end. This end proves that it has the key.
    case proceed(IdentityKey)
    /// Whether the program accepts the other end's certificates.
    case judged(Bool)
    /// Sends a frame of the session. Ignored unless the link is connected.
    case send(LinkFrame)
    /// Ends the link, and sends the reason to the other end.
    case close(Goodbye)
  }

  /// An action for the driver. Perform them in order.
  public enum Output: Sendable, Hashable {
    /// Send these bytes to the other end: one record, with its length.
    case send([UInt8])
    /// Look up a ticket: a member of a session says that it has one with this name. Answer with `ticket`.
    case lookUp(ticket: [UInt8])
    /// A peer invites this one. Answer with `answered` when the program has decided.
    case invited(Invitation)
    /// The session begins: the invitation was accepted, or a member has connected. Answer with `proceed` or `close`.
    case began
    /// The terms of the other end, and the public key whose private key it has. The program judges the certificates in
    /// the terms. Answer with `judged`.
    case terms(Terms, key: [UInt8])
    /// Both programs have accepted the certificates.
    case connected
    /// A frame of the session; never one that the link handles itself.
    case frame(LinkFrame)
    /// The link has ended. This is the last output. Close the connection once all is sent.
    case ended(Ending)
  }

  /// The reason why a link ended.
  public enum Ending: Sendable, Hashable {
    /// The invited program declined.
    case declined
    /// This end ended the link.
    case here(Goodbye)
    /// The other end ended the link.
    case there(Goodbye)
    /// The connection ended without a goodbye.
    case lost
    /// The other end sent nothing for too long.
    case silent
  }

  /// The data for the link of two members of a session, at either end.
  public struct Membership: Sendable {
    /// The key that the member which introduced the two sent to both, or that they agreed on by other means.
    public var key: SymmetricKey
    /// This end's terms.
    public var terms: Terms
    /// The identity of the other end.
    public var other: PeerID

    /// Makes a membership.
    public init(key: SymmetricKey, terms: Terms, other: PeerID) {
      self.key = key
      self.terms = terms
      self.other = other
    }
  }

  enum Phase: Sendable {
    case awaitingHello(EphemeralKey)
    case lookingUp(HandshakeRecord, EphemeralKey)
    case awaitingWelcome(NoiseHandshake, Purpose)
    case awaitingInvitation
    case awaitingAnswer(Terms, PeerID)
    case answering(Invitation)
    case negotiating(Negotiation)
    case connected
    case ended
  }

  /// The reason why this end opened the link.
  enum Purpose: Sendable {
    case invite(Invitation, Terms)
    case join(Membership)
  }

  var phase: Phase
  var channel: LinkChannel?
  var clocks: LinkClocks
  private var decoder = RecordDecoder()

  private init(_ phase: Phase, _ times: LinkTimes, at now: Moment) {
    self.phase = phase
    clocks = LinkClocks(times, at: now)
  }

  /// Makes the link of a connection that was accepted.
  ///
  /// - Parameter ephemeral: this end's key, a new one for each connection.
  public init(accepted ephemeral: EphemeralKey, times: LinkTimes = LinkTimes(), at now: Moment) {
    self.init(.awaitingHello(ephemeral), times, at: now)
  }

  /// Makes the link of a connection that was opened to invite a peer. Send the returned bytes first.
  ///
  /// - Parameter end: until when the other end may answer.
  public static func inviting(
    _ invitation: Invitation, terms: Terms, until end: Moment, ephemeral: EphemeralKey, times: LinkTimes = LinkTimes(),
    at now: Moment
  ) throws -> (Link, [UInt8]) {
    var link = try opening(.invite, .invite(invitation, terms), psk: nil, ephemeral, times, at: now)
    link.0.clocks.invites(until: end)
    return link
  }

  /// Makes the link of a connection that was opened to a member of the same session. Send the returned bytes first.
  public static func joining(
    ticket: [UInt8], _ membership: Membership, ephemeral: EphemeralKey, times: LinkTimes = LinkTimes(), at now: Moment
  ) throws -> (Link, [UInt8]) {
    try opening(.join(ticket: ticket), .join(membership), psk: membership.key, ephemeral, times, at: now)
  }

  private static func opening(
    _ wire: LinkPurpose, _ purpose: Purpose, psk: SymmetricKey?, _ ephemeral: EphemeralKey, _ times: LinkTimes,
    at now: Moment
  ) throws -> (Link, [UInt8]) {
    var handshake = NoiseHandshake(
      role: .initiator, prologue: HandshakeRecord.hello(wire, noise: []).head, ephemeral: ephemeral, psk: psk)
    let hello = HandshakeRecord.hello(wire, noise: try handshake.writeMessage())
    return (Link(.awaitingWelcome(handshake, purpose), times, at: now), Record.bytes(hello.bytes))
  }

  /// The invitation that waits for the program's answer; `nil` if there is none.
  public var invitation: Invitation? { if case .answering(let invitation) = phase { invitation } else { nil } }

  /// When `deadline` is due; `nil` once the link has ended.
  public var deadline: Moment? {
    if case .ended = phase { return nil }
    return clocks.deadline
  }

  /// Handles an input, and returns what to do.
  public mutating func handle(_ input: Input, at now: Moment) -> [Output] {
    if case .ended = phase { return [] }
    // An input after the time limit of an invitation or a negotiation no longer counts.
    guard !clocks.isOver(at: now) else { return fail(.timedOut) }
    do {
      switch input {
      case .received(let bytes):
        clocks.heard(at: now)
        return receive(bytes, at: now)
      case .deadline:
        if clocks.isSilent(at: now) { return end(.silent) }
        return clocks.shouldPing(at: now) && channel != nil ? try say(.ping) : []
      case .unread:
        clocks.isUnread(at: now)
        return []
      case .closed: return end(.lost)
      case .close(let reason): return fail(reason)
      case .ticket(let membership): return try found(membership, at: now)
      case .answered(let terms): return try answered(terms, at: now)
      case .proceed(let key): return try proceed(key)
      case .judged(let isTaken): return try judged(isTaken, at: now)
      case .send(let frame):
        guard case .connected = phase else { return [] }
        return try say(frame)
      }
    } catch {
      return fail(.protocolError)
    }
  }

  private mutating func receive(_ bytes: [UInt8], at now: Moment) -> [Output] {
    decoder.append(bytes)
    var outputs: [Output] = []
    do {
      // While a ticket is looked up, later records stay in the decoder: an honest end sends none.
      while let record = try decoder.next(limit: channel == nil ? HandshakeRecord.limit : MultipeerLimits.record) {
        outputs += try channel == nil ? opened(HandshakeRecord(record), at: now) : took(record, at: now)
        if case .ended = phase { break }
      }
    } catch {
      outputs += fail(.protocolError)
    }
    return outputs
  }

  private mutating func took(_ record: ArraySlice<UInt8>, at now: Moment) throws -> [Output] {
    guard let frame = try channel?.frame(in: record) else { throw Self.outOfTurn }
    switch frame {
    case .ping: return clocks.shouldAnswerPing(at: now) ? try say(.pong) : []
    case .pong: return []
    case .goodbye(let reason): return end(.there(reason))
    default: return try handle(frame, at: now)
    }
  }

  /// Returns the output that sends a frame in the channel.
  mutating func say(_ frame: LinkFrame) throws -> [Output] {
    guard let record = try channel?.record(of: frame) else { throw Self.outOfTurn }
    return [.send(record)]
  }

  /// Ends the link, and sends the reason to the other end if there is a channel.
  mutating func fail(_ reason: Goodbye) -> [Output] {
    let farewell = channel == nil ? [] : (try? say(.goodbye(reason))) ?? []
    return farewell + end(.here(reason))
  }

  mutating func end(_ ending: Ending) -> [Output] {
    phase = .ended
    return [.ended(ending)]
  }

  static let outOfTurn = MultipeerError(.order, "a frame out of turn")
}
