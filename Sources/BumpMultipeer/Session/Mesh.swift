public import BumpNoise

/// A session: the peers that are connected to each other, as one of them sees it. A state machine over its links, without
/// sockets, clock or randomness.
///
/// Whoever joins is introduced to the other members by the one that has let it in: both get a ticket, and the peer of the
/// lower identity connects. Where the links of a pair cross, the peer of the lower identity decides which one stays.
public struct Mesh: Sendable {
  /// What can happen to a session.
  public enum Input: Sendable {
    /// The program invites a peer. The driver connects, and then gives `opened` or `failed`.
    case invite(LinkID, Peer, context: [UInt8]?, timeout: Duration)
    /// The connection that `open` asked for.
    case opened(LinkID, Route, EphemeralKey)
    /// It cannot be made.
    case failed(LinkID)
    /// The program accepted an invitation on a link that was accepted by the driver.
    case accepted(LinkID, Link, Invitation, Route)
    /// A member has come on a link that was accepted by the driver, with this ticket.
    case joined(LinkID, Link, ticket: [UInt8], Route)
    /// What happens to a link: bytes, its end.
    case received(LinkID, [UInt8])
    case closed(LinkID)
    /// The program's word on the certificates of `certificates`.
    case judged(LinkID, Bool)
    /// Sends a frame to a member. Ignored unless it is connected.
    case send(Peer, LinkFrame)
    /// A member has sent what it may not send: its links end.
    case expel(Peer)
    /// Connects to a peer with which this end has agreed on a ticket by other means. The driver knows where it is. Does
    /// nothing while that is under way.
    case connect(Introduction)
    /// The program gives up connecting to a peer.
    case forget(Peer)
    /// This end has not read from a link until now.
    case unread(LinkID)
    /// The moment that `deadline` named has come.
    case deadline
    /// The program ends the session.
    case disconnect
  }

  /// What is to be done, in order.
  public enum Output: Sendable, Hashable {
    /// Connect: to the peer that was found, or to this address.
    case open(LinkID, Peer, HostAddress?)
    /// A member may come with this ticket from now on, or has come already and waits.
    case expect(ticket: [UInt8])
    case send(LinkID, [UInt8])
    /// Close the connection once all is sent.
    case close(LinkID)
    case state(Peer, MemberState)
    /// The program judges these certificates, which may be none. `judged` answers.
    case certificates(LinkID, Peer, [[UInt8]])
    /// A part of a message, a stream or a resource.
    case frame(Peer, LinkFrame)
  }

  /// This end.
  public let local: Peer
  /// What this end says of itself on each link.
  public let terms: Terms
  let times: LinkTimes
  private let room: Int
  var members: [PeerID: Member] = [:]
  var links: [LinkID: SessionLink] = [:]
  /// Links that are not connected to anything yet.
  var pending: [LinkID: PendingLink] = [:]
  /// The tickets with which a member may come.
  var tickets: [[UInt8]: Introduction] = [:]
  /// Pairs that this end has introduced to each other.
  var introduced: Set<Set<PeerID>> = []
  var nextLink: LinkID

  /// What a link that `open` asked for is to become.
  enum PendingLink: Sendable {
    case invitation(Invitation, Peer, timeout: Duration)
    case ticket(Introduction)

    var peer: Peer {
      switch self {
      case .invitation(_, let peer, _): peer
      case .ticket(let introduction): introduction.peer
      }
    }
  }

  /// Makes a session without members.
  ///
  /// - Parameters:
  ///   - firstLink: the number of the first link that the session opens by itself. It counts downwards, so a driver
  ///     that counts upwards from 0 gives others.
  ///   - room: how many members there may be, the local peer among them.
  public init(
    terms: Terms, times: LinkTimes = LinkTimes(), firstLink: LinkID = -1, room: Int = MultipeerLimits.peers
  ) {
    local = terms.peer
    self.terms = terms
    self.times = times
    self.room = room
    nextLink = firstLink
  }

  /// The members that are connected, in the order of their identities.
  public var connectedPeers: [Peer] {
    members.values.filter { $0.connected != nil }.map(\.peer).sorted { $0.id < $1.id }
  }

  /// The link by which a member is connected; `nil` where it is not.
  public func link(to peer: Peer) -> LinkID? { members[peer.id]?.connected }

  /// When `deadline` is due; `nil` for never.
  public var deadline: Moment? { links.values.compactMap(\.link.deadline).min() }

  /// What a peer that comes with a ticket is: the answer to `Link.Output.lookUp`; `nil` where there is no such ticket yet.
  public func membership(ticket: [UInt8]) -> Link.Membership? {
    tickets[ticket].map(membership(by:))
  }

  private func membership(by introduction: Introduction) -> Link.Membership {
    Link.Membership(key: introduction.ticket.key, terms: terms, other: introduction.peer.id)
  }

  /// Handles an input.
  ///
  /// - Parameter generator: draws the tickets of introductions.
  public mutating func handle(
    _ input: Input, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    switch input {
    case .invite(let id, let peer, let context, let timeout):
      guard peer.id != local.id else { return [] }
      pending[id] = .invitation(Invitation(from: local, to: peer.id, context: context), peer, timeout: timeout)
      return [.open(id, peer, nil)]
    case .opened(let id, let route, let key): return opened(id, route, key, at: now, using: &generator)
    case .failed(let id): return failed(id)
    case .accepted(let id, let link, let invitation, let route):
      links[id] = SessionLink(link: link, peer: invitation.from, isOurs: false, route: route)
      return drive(id, .answered(terms), at: now, using: &generator)
    case .joined(let id, let link, let ticket, let route):
      guard let introduction = tickets.removeValue(forKey: ticket) else { return [.close(id)] }
      links[id] = SessionLink(link: link, peer: introduction.peer, isOurs: false, route: route)
      return drive(id, .ticket(membership(by: introduction)), at: now, using: &generator)
    case .received(let id, let bytes): return drive(id, .received(bytes), at: now, using: &generator)
    case .closed(let id): return drive(id, .closed, at: now, using: &generator)
    case .judged(let id, let isTaken):
      if isTaken { links[id]?.isJudged = true }
      return drive(id, .judged(isTaken), at: now, using: &generator)
    case .send(let peer, let frame):
      guard let id = members[peer.id]?.connected else { return [] }
      return drive(id, .send(frame), at: now, using: &generator)
    case .expel(let peer):
      let all = members[peer.id]?.links.sorted() ?? []
      return all.flatMap { drive($0, .close(.protocolError), at: now, using: &generator) }
    case .connect(let introduction): return connect(by: introduction, to: nil)
    case .forget(let peer): return forget(peer, at: now, using: &generator)
    case .unread(let id): return drive(id, .unread, at: now, using: &generator)
    case .deadline:
      let due = links.filter { $0.value.link.deadline.map { now >= $0 } ?? false }.keys.sorted()
      return due.flatMap { drive($0, .deadline, at: now, using: &generator) }
    case .disconnect:
      let all = links.keys.sorted()
      let opening = pending.keys.sorted()
      pending = [:]
      tickets = [:]
      introduced = []
      return opening.map { .close($0) } + all.flatMap { drive($0, .close(.left), at: now, using: &generator) }
    }
  }

  private mutating func opened(
    _ id: LinkID, _ route: Route, _ key: EphemeralKey, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard let purpose = pending.removeValue(forKey: id) else { return [.close(id)] }
    let opening: (Link, [UInt8])?
    var isInvitation = false
    switch purpose {
    case .invitation(let invitation, _, let timeout):
      isInvitation = true
      opening = try? Link.inviting(
        invitation, terms: terms, timeout: timeout, ephemeral: key, times: times, at: now)
    case .ticket(let introduction):
      opening = try? Link.joining(
        ticket: introduction.ticket.id, membership(by: introduction), ephemeral: key, times: times, at: now)
    }
    // Only a nonce that is used up keeps a handshake from beginning.
    guard let (link, hello) = opening else { return [.close(id)] }
    links[id] = SessionLink(
      link: link, peer: purpose.peer, isOurs: true, isInvitation: isInvitation, route: route)
    return [.send(id, hello)]
  }

  /// A connection cannot be made. For an invitation the program is told: nobody answers it.
  private mutating func failed(_ id: LinkID) -> [Output] {
    guard case .invitation(_, let peer, _) = pending.removeValue(forKey: id), members[peer.id] == nil else { return [] }
    return [.state(peer, .notConnected)]
  }

  /// Passes an input to a link, and its outputs on.
  mutating func drive(
    _ id: LinkID, _ input: Link.Input, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    let outputs = links[id]?.link.handle(input, at: now) ?? []
    var result: [Output] = []
    for output in outputs { result += follow(id, output, at: now, using: &generator) }
    return result
  }

  private mutating func follow(
    _ id: LinkID, _ output: Link.Output, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard let link = links[id] else { return [] }
    switch output {
    case .send(let bytes): return [.send(id, bytes)]
    case .began: return began(id, link, at: now, using: &generator)
    case .terms(let terms): return met(id, link, terms, at: now, using: &generator)
    case .connected: return connected(id, link, at: now, using: &generator)
    case .frame(.roster(let ids)): return listed(link, ids, at: now, using: &generator)
    case .frame(.introduce(let introduction)): return introduced(by: link, to: introduction)
    case .frame(let frame): return [.frame(link.peer, frame)]
    case .ended: return ended(id, link, at: now, using: &generator)
    // Both come before a link is a session's.
    case .invited, .lookUp: return []
    }
  }

  private mutating func began(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    let isNew = members[link.peer.id] == nil
    members[link.peer.id, default: Member(peer: link.peer)].links.insert(id)
    let outputs: [Output] = isNew ? [.state(link.peer, .connecting)] : []
    // The local peer is a member too.
    guard members.count < room else {
      return outputs + drive(id, .close(.full), at: now, using: &generator)
    }
    return outputs
  }

  private mutating func met(
    _ id: LinkID, _ link: SessionLink, _ terms: Terms, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    var outputs: [Output] = []
    // Which of several is not left to a set's order, which differs in each process.
    let other = members[link.peer.id]?.links.filter { $0 != id }.min()
    if let other, let session = members[link.peer.id]?.session, session != terms.session {
      // The peer has begun anew. What it had with this session is gone, whether we have noticed or not.
      let wasConnected = members[link.peer.id]?.connected != nil
      outputs += drive(other, .close(.left), at: now, using: &generator)
      if wasConnected { outputs += [.state(link.peer, .notConnected), .state(link.peer, .connecting)] }
    } else if local.id < link.peer.id, let other, let rival = links[other] {
      // One of the two goes: not one by which the other end may be connected already, and else not ours.
      let loser = rival.isJudged || rival.isOurs ? id : other
      outputs += drive(loser, .close(.crossed), at: now, using: &generator)
      if loser == id { return outputs }
    }
    members[link.peer.id]?.session = terms.session
    members[link.peer.id]?.host = HostAddress(address: link.route.remote.address, port: terms.port)
    return outputs + [.certificates(id, link.peer, terms.certificates)]
  }

  private mutating func connected(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    // The higher of two identities may have two links for a moment. The first one that is connected is used.
    guard members[link.peer.id]?.connected == nil else { return [] }
    members[link.peer.id]?.connected = id
    tickets = tickets.filter { $0.value.peer != link.peer }
    return [.state(link.peer, .connected)] + sayRoster(at: now, using: &generator)
  }

  private mutating func ended(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    links[id] = nil
    guard members[link.peer.id]?.links.remove(id) != nil else {
      // An invitation that came to nothing.
      let isTold = link.isInvitation && members[link.peer.id] == nil
      return [.close(id)] + (isTold ? [.state(link.peer, .notConnected)] : [])
    }
    let wasConnected = members[link.peer.id]?.connected == id
    if wasConnected { members[link.peer.id]?.connected = nil }
    guard members[link.peer.id]?.links.isEmpty ?? true else { return [.close(id)] }
    members[link.peer.id] = nil
    introduced = introduced.filter { !$0.contains(link.peer.id) }
    return [.close(id), .state(link.peer, .notConnected)] + (wasConnected ? sayRoster(at: now, using: &generator) : [])
  }
}
