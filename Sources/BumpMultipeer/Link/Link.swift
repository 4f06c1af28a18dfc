public import BumpNoise
public import Crypto

/// One connection of two peers as one of them sees it, a state machine: the handshake, the invitation, the terms, and then
/// the frames of a session. It has no socket, clock or randomness.
public struct Link: Sendable {
  /// What can happen to a link.
  public enum Input: Sendable {
    /// Bytes of the other end.
    case received([UInt8])
    /// The connection has ended.
    case closed
    /// The moment that `deadline` named has come.
    case deadline
    /// Until now the driver has not read, because its program is slow: silence proves nothing. Pings go on.
    case unread
    /// The answer to `lookUp`: the ticket's key and this end's terms, or `nil` where there is no such ticket.
    case ticket(Membership?)
    /// The program's answer to an invitation: its session's terms, or `nil` to decline.
    case answered(Terms?)
    /// Whether the program takes the other's certificates.
    case judged(Bool)
    /// Sends a frame of the session. Ignored unless the link is connected.
    case send(LinkFrame)
    /// Ends the link, and tells the other end why.
    case close(Goodbye)
  }

  /// What is to be done, in order.
  public enum Output: Sendable, Hashable {
    case send([UInt8])
    /// A member of a session says that it has a ticket of this name. `ticket` answers.
    case lookUp(ticket: [UInt8])
    /// A peer invites. `answered` answers, whenever the program does.
    case invited(Invitation)
    /// The invitation was accepted, or a member has connected: the session begins.
    case began
    /// What the other end says of itself: the program judges its certificates. `judged` answers.
    case terms(Terms)
    /// Both programs took the certificates.
    case connected
    /// A frame of the session: never one that the link handles itself.
    case frame(LinkFrame)
    /// The link is over: the last output. Close the connection once all is sent.
    case ended(Ending)
  }

  /// Why a link ended.
  public enum Ending: Sendable, Hashable {
    /// The invited program declined.
    case declined
    /// This end ended it.
    case here(Goodbye)
    /// The other end ended it.
    case there(Goodbye)
    /// The connection ended without a word.
    case lost
    /// The other end sent nothing for too long.
    case silent
  }

  /// A member of a session that connects to another, or is connected to.
  public struct Membership: Sendable {
    /// The key that both have from whoever introduced them.
    public var key: SymmetricKey
    /// This end's terms.
    public var terms: Terms
    /// Who the other end is.
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
    case lookingUp(Opening, EphemeralKey)
    case awaitingWelcome(NoiseHandshake, Purpose)
    case awaitingInvitation
    case awaitingAnswer(Terms, PeerID)
    case answering(Invitation)
    case negotiating(Negotiation)
    case connected
    case ended
  }

  /// What the opener wants.
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
  /// - Parameter ephemeral: this end's key, fresh for every connection.
  public init(accepted ephemeral: EphemeralKey, times: LinkTimes = LinkTimes(), at now: Moment) {
    self.init(.awaitingHello(ephemeral), times, at: now)
  }

  /// Makes the link of a connection that was opened to invite a peer. Send what it returns first.
  ///
  /// - Parameter timeout: how long the other end has to answer once it has the invitation.
  public static func inviting(
    _ invitation: Invitation, terms: Terms, timeout: Duration, ephemeral: EphemeralKey, times: LinkTimes = LinkTimes(),
    at now: Moment
  ) throws -> (Link, [UInt8]) {
    var link = try opening(.invite, .invite(invitation, terms), psk: nil, ephemeral, times, at: now)
    link.0.clocks.patience = timeout
    return link
  }

  /// Makes the link of a connection that was opened to a member of the same session. Send what it returns first.
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
      role: .initiator, prologue: Opening.hello(wire, noise: []).head, ephemeral: ephemeral, psk: psk)
    let hello = Opening.hello(wire, noise: try handshake.writeMessage())
    return (Link(.awaitingWelcome(handshake, purpose), times, at: now), Record.bytes(hello.bytes))
  }

  /// The invitation that waits for the program's answer; `nil` where none does.
  public var invitation: Invitation? { if case .answering(let invitation) = phase { invitation } else { nil } }

  /// When `deadline` is due; `nil` once the link has ended.
  public var deadline: Moment? {
    if case .ended = phase { return nil }
    return clocks.deadline
  }

  /// Handles an input.
  public mutating func handle(_ input: Input, at now: Moment) -> [Output] {
    if case .ended = phase { return [] }
    // What comes after an invitation's or a negotiation's time counts no more.
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
      // While a ticket is looked up, what follows stays in the decoder: nothing may follow.
      while let record = try decoder.next(limit: channel == nil ? Opening.limit : MultipeerLimits.record) {
        outputs += try channel == nil ? opened(Opening(record), at: now) : took(record, at: now)
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
    case .ping: return try say(.pong)
    case .pong: return []
    case .goodbye(let reason): return end(.there(reason))
    default: return try handle(frame, at: now)
    }
  }

  /// Sends a frame in the channel.
  mutating func say(_ frame: LinkFrame) throws -> [Output] {
    guard let record = try channel?.record(of: frame) else { throw Self.outOfTurn }
    return [.send(record)]
  }

  /// Ends the link, and tells the other end why, where there is a channel for it.
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
