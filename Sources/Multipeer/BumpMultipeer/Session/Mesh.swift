public import BumpNoise

/// One peer's view of a session: the peers that are connected to each other. A state machine over its links, without
/// sockets, clock or randomness.
///
/// A member that is connected to two peers which are not connected to each other introduces them: both get a ticket,
/// and the peer with the lower identity connects. If two links of one pair cross, the peer with the lower identity
/// decides which one stays.
public struct Mesh: Sendable {
  /// An event, a call or an answer for a session.
  public enum Input: Sendable {
    /// The program invites a peer. The driver connects, and then passes `opened` or `failed`.
    case invite(LinkID, Peer, context: [UInt8]?, timeout: Duration)
    /// The connection that `open` asked for is made.
    case opened(LinkID, Route, EphemeralKey)
    /// The connection cannot be made.
    case failed(LinkID)
    /// The program accepted an invitation, on a link whose connection the driver accepted.
    case accepted(LinkID, Link, Invitation, Route)
    /// A member has connected with this ticket, on a link whose connection the driver accepted.
    case joined(LinkID, Link, ticket: [UInt8], Route)
    /// Bytes have come on a link.
    case received(LinkID, [UInt8])
    /// The connection of a link has ended or failed.
    case closed(LinkID)
    /// The program's answer to the output `certificates`: whether it accepts them.
    case judged(LinkID, Bool)
    /// Sends a frame to a member. Ignored unless the member is connected.
    case send(Peer, LinkFrame)
    /// A member has sent what the protocol does not allow. Its links are closed.
    case expel(Peer)
    /// Connects to a peer with which this end has agreed on a ticket by other means. The driver knows the address.
    /// Ignored while connecting to that peer is in progress.
    case connect(Introduction)
    /// The program cancels connecting to a peer.
    case forget(Peer)
    /// This end has not read from a link until now.
    case unread(LinkID)
    /// The time that `deadline` returned has come.
    case deadline
    /// The program leaves the session.
    case disconnect
  }

  /// An action for the driver. Perform them in order.
  public enum Output: Sendable, Hashable {
    /// Connect to this address, or without one to where the driver has found the peer.
    case open(LinkID, Peer, HostAddress?)
    /// A session has this ticket from now on: a member may connect with it, or waits with it already.
    case expect(ticket: [UInt8])
    /// Send these bytes on a link's connection: one record, with its length.
    case send(LinkID, [UInt8])
    /// Close the connection once all is sent.
    case close(LinkID)
    /// Report a peer's new state to the program; `notConnected` also for an invitation that has failed.
    case state(Peer, MemberState)
    /// The program judges these certificates; there may be none. Answer with `judged`.
    case certificates(LinkID, Peer, [[UInt8]])
    /// A part of a message, a stream or a resource.
    case frame(Peer, LinkFrame)
  }

  /// The local peer.
  public let local: Peer
  /// The terms that this end sends on each link.
  public let terms: Terms
  let times: LinkTimes
  private let key: IdentityKey
  private let room: Int
  var members: [PeerID: Member] = [:]
  var links: [LinkID: SessionLink] = [:]
  /// Links whose connections are not made yet.
  var pending: [LinkID: PendingLink] = [:]
  /// The tickets with which members may connect to this end.
  var tickets: [[UInt8]: KnownTicket] = [:]
  /// The pairs of peers that this end has introduced to each other.
  var introduced: Set<Set<PeerID>> = []
  var nextLink: LinkID

  /// A ticket with which a member may connect to this end.
  struct KnownTicket: Sendable {
    let introduction: Introduction
    /// The member that introduced the two; `nil` if they agreed by other means.
    let introducer: PeerID?
  }

  /// The purpose of a link that `open` asked for.
  enum PendingLink: Sendable {
    /// Its time includes that for reaching the peer.
    case invitation(Invitation, Peer, until: Moment)
    /// - Parameter left: how many more times to try if the connection cannot be made.
    case ticket(Introduction, HostAddress?, left: Int)

    var peer: Peer {
      switch self {
      case .invitation(_, let peer, _): peer
      case .ticket(let introduction, _, _): introduction.peer
      }
    }

    /// When the invitation's time is over; `nil` for a ticket.
    var end: Moment? { if case .invitation(_, _, let end) = self { end } else { nil } }
  }

  /// Makes a session without members.
  ///
  /// - Parameters:
  ///   - key: the key of the local peer, the same in each of its sessions.
  ///   - firstLink: the number of the first link that the session opens by itself. It counts down, so that its numbers
  ///     differ from those of a driver that counts up from 0.
  ///   - room: the greatest number of members, including the local peer.
  public init(
    terms: Terms, key: IdentityKey, times: LinkTimes = LinkTimes(), firstLink: LinkID = -1,
    room: Int = MultipeerLimits.peers
  ) {
    local = terms.peer
    self.terms = terms
    self.key = key
    self.times = times
    self.room = room
    nextLink = firstLink
  }

  /// The connected members, in the order of their identities.
  public var connectedPeers: [Peer] {
    members.values.filter { $0.connected != nil }.map(\.peer).sorted { $0.id < $1.id }
  }

  /// Returns the link of a connected member; `nil` if the member is not connected.
  public func link(to peer: Peer) -> LinkID? { members[peer.id]?.connected }

  /// When `deadline` is due; `nil` for never.
  public var deadline: Moment? {
    (links.values.map(\.link.deadline) + pending.values.map(\.end)).compactMap(\.self).min()
  }

  /// Returns the answer to `Link.Output.lookUp` for a ticket; `nil` if this session does not have it yet.
  public func membership(ticket: [UInt8]) -> Link.Membership? {
    (tickets[ticket]?.introduction).map(membership(by:))
  }

  private func membership(by introduction: Introduction) -> Link.Membership {
    Link.Membership(key: introduction.ticket.key, terms: terms, other: introduction.peer.id)
  }

  /// Handles an input, and returns what to do.
  ///
  /// - Parameter generator: the source of the tickets for introductions.
  public mutating func handle(
    _ input: Input, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    switch input {
    case .invite(let id, let peer, let context, let timeout):
      guard peer.id != local.id else { return [.state(peer, .notConnected)] }
      pending[id] = .invitation(Invitation(from: local, to: peer.id, context: context), peer, until: now + timeout)
      return [.open(id, peer, nil)]
    case .opened(let id, let route, let key): return opened(id, route, key, at: now, using: &generator)
    case .failed(let id): return failed(id)
    case .accepted(let id, let link, let invitation, let route):
      links[id] = SessionLink(link: link, peer: invitation.from, isOurs: false, route: route)
      return drive(id, .answered(terms), at: now, using: &generator)
    case .joined(let id, let link, let ticket, let route):
      guard let known = tickets.removeValue(forKey: ticket) else { return [.close(id)] }
      links[id] = SessionLink(link: link, peer: known.introduction.peer, isOurs: false, route: route)
      let outputs = drive(id, .ticket(membership(by: known.introduction)), at: now, using: &generator)
      // Whoever has only seen the ticket's name does not have its key, and must not use it up.
      if links[id] == nil { tickets[ticket] = known }
      return outputs
    case .received(let id, let bytes): return drive(id, .received(bytes), at: now, using: &generator)
    case .closed(let id): return drive(id, .closed, at: now, using: &generator)
    case .judged(let id, let isTaken):
      if isTaken { links[id]?.isJudged = true }
      return drive(id, .judged(isTaken), at: now, using: &generator)
    case .send(let peer, let frame):
      guard let id = members[peer.id]?.connected else { return [] }
      return drive(id, .send(frame), at: now, using: &generator)
    case .expel(let peer):
      return inTurn(members[peer.id]?.links ?? []).flatMap {
        drive($0, .close(.protocolError), at: now, using: &generator)
      }
    case .connect(let introduction): return connect(by: introduction, to: nil)
    case .forget(let peer): return forget(peer, at: now, using: &generator)
    case .unread(let id): return drive(id, .unread, at: now, using: &generator)
    case .deadline:
      let unreached = pending.filter { $0.value.end.map { now >= $0 } ?? false }.keys
      let due = links.filter { $0.value.link.deadline.map { now >= $0 } ?? false }.keys.sorted()
      return cancelled(unreached) + due.flatMap { drive($0, .deadline, at: now, using: &generator) }
    case .disconnect:
      let all = inTurn(Set(links.keys))
      let opening = cancelled(pending.keys)
      tickets = [:]
      introduced = []
      return opening + all.flatMap { drive($0, .close(.left), at: now, using: &generator) }
    }
  }

  /// Sorts links that all end: those of connected members last, so that no other link of theirs is left to wait for.
  private func inTurn(_ ids: Set<LinkID>) -> [LinkID] {
    let connected = ids.intersection(members.values.compactMap(\.connected))
    return ids.subtracting(connected).sorted() + connected.sorted()
  }

  private mutating func opened(
    _ id: LinkID, _ route: Route, _ key: EphemeralKey, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard let purpose = pending.removeValue(forKey: id) else { return [.close(id)] }
    let opening: (Link, [UInt8])?
    var isInvitation = false
    switch purpose {
    case .invitation(let invitation, _, let end):
      isInvitation = true
      opening = try? Link.inviting(
        invitation, terms: terms, until: end, ephemeral: key, times: times, at: now)
    case .ticket(let introduction, _, _):
      opening = try? Link.joining(
        ticket: introduction.ticket.id, membership(by: introduction), ephemeral: key, times: times, at: now)
    }
    // A handshake fails to begin only if its nonces are used up.
    guard let (link, hello) = opening else { return [.close(id)] }
    links[id] = SessionLink(
      link: link, peer: purpose.peer, isOurs: true, isInvitation: isInvitation, route: route)
    return [.send(id, hello)]
  }

  /// Handles a connection that cannot be made. For a member of the session another is tried.
  private mutating func failed(_ id: LinkID) -> [Output] {
    guard case .ticket(let introduction, let host?, let left)? = pending[id], left > 0 else { return given(up: id) }
    pending[id] = nil
    return open(by: introduction, to: host, left: left - 1)
  }

  /// Closes connections that are not made yet, and gives them up.
  private mutating func cancelled(_ ids: some Sequence<LinkID>) -> [Output] {
    ids.sorted().flatMap { [.close($0)] + given(up: $0) }
  }

  /// Gives a connection up. If it was for an invitation, the program is informed.
  private mutating func given(up id: LinkID) -> [Output] {
    guard case .invitation(_, let peer, _) = pending.removeValue(forKey: id), members[peer.id] == nil else { return [] }
    return [.state(peer, .notConnected)]
  }

  /// Passes an input to a link, and handles the link's outputs.
  mutating func drive(
    _ id: LinkID, _ input: Link.Input, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    let outputs = links[id]?.link.handle(input, at: now) ?? []
    // Records must be sent in the order in which they were sealed, and the other outputs may lead to more of them.
    var result = outputs.compactMap { if case .send(let bytes) = $0 { Output.send(id, bytes) } else { nil } }
    for output in outputs { result += follow(id, output, at: now, using: &generator) }
    return result
  }

  private mutating func follow(
    _ id: LinkID, _ output: Link.Output, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard let link = links[id] else { return [] }
    switch output {
    case .began: return began(id, link, at: now, using: &generator)
    case .terms(let terms, let key): return met(id, link, terms, key, at: now, using: &generator)
    case .connected: return connected(id, link, at: now, using: &generator)
    case .frame(.roster(let ids)): return listed(link, ids, at: now, using: &generator)
    case .frame(.introduce(let introduction)): return introduced(by: link, to: introduction)
    case .frame(let frame): return [.frame(link.peer, frame)]
    case .ended: return ended(id, link, at: now, using: &generator)
    // `drive` has sent. The others come only before a session has the link.
    case .send, .invited, .lookUp: return []
    }
  }

  private mutating func began(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    let isNew = members[link.peer.id] == nil
    members[link.peer.id, default: Member(peer: link.peer)].links.insert(id)
    let outputs: [Output] = isNew ? [.state(link.peer, .connecting)] : []
    // `members` lacks the local peer, which counts too.
    guard members.count < room else {
      return outputs + drive(id, .close(.full), at: now, using: &generator)
    }
    return outputs + drive(id, .proceed(key), at: now, using: &generator)
  }

  private mutating func met(
    _ id: LinkID, _ link: SessionLink, _ terms: Terms, _ key: [UInt8], at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    // Anybody can claim a member's identity: only the key of its connected link shows that the member is here again.
    guard members[link.peer.id]?.connected.map({ links[$0]?.terms?.key == key }) ?? true else {
      return drive(id, .close(.crossed), at: now, using: &generator)
    }
    links[id]?.terms = (terms.session, key, terms.port)
    // In the order of their numbers: that of a set differs in each process.
    let others = (members[link.peer.id]?.links ?? []).filter { $0 != id }.sorted()
    let ofKey = others.filter { links[$0]?.terms?.key == key }
    let rivals = ofKey.filter { links[$0]?.terms?.session == terms.session }
    // The peer has begun a new session. Its other links end once the program has accepted this one too.
    links[id]?.predecessors = Set(ofKey).subtracting(rivals)
    var outputs: [Output] = []
    if local.id < link.peer.id {
      // One link stays: not this one if the other end may be connected on another already, or if another is this end's
      // own.
      let isCrossed =
        rivals.contains { links[$0].map { $0.isJudged || $0.isOurs } ?? false }
        || others.contains { links[$0].map { $0.terms == nil && $0.isOurs } ?? false }
      if isCrossed { return drive(id, .close(.crossed), at: now, using: &generator) }
      for rival in rivals { outputs += drive(rival, .close(.crossed), at: now, using: &generator) }
    }
    return outputs + [.certificates(id, link.peer, terms.certificates)]
  }

  private mutating func connected(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard let own = link.terms else { return [] }
    var outputs: [Output] = []
    for other in (members[link.peer.id]?.links ?? []).filter({ $0 != id }).sorted() {
      guard let terms = links[other]?.terms else { continue }
      if link.predecessors.contains(other) {
        outputs += drive(other, .close(.left), at: now, using: &generator)
      } else if terms.key != own.key || other == members[link.peer.id]?.connected {
        // A stranger under the same identity, or an earlier link of this pair: the peer with the lower identity accepts
        // certificates on one link only, so the earlier one is gone at its end.
        outputs += drive(other, .close(.crossed), at: now, using: &generator)
      }
    }
    members[link.peer.id]?.connected = id
    members[link.peer.id]?.host = HostAddress(address: link.route.remote.address, port: own.port)
    tickets = tickets.filter { $0.value.introduction.peer != link.peer }
    return outputs + [.state(link.peer, .connected)] + sayRoster(at: now, using: &generator)
  }

  private mutating func ended(
    _ id: LinkID, _ link: SessionLink, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    links[id] = nil
    guard members[link.peer.id]?.links.remove(id) != nil else {
      // An invitation has failed.
      let isTold = link.isInvitation && members[link.peer.id] == nil
      return [.close(id)] + (isTold ? [.state(link.peer, .notConnected)] : [])
    }
    let wasConnected = members[link.peer.id]?.connected == id
    let isLast = members[link.peer.id]?.links.isEmpty ?? true
    if isLast {
      members[link.peer.id] = nil
    } else if wasConnected {
      members[link.peer.id]?.connected = nil
      members[link.peer.id]?.roster = []
    }
    guard isLast || wasConnected else { return [.close(id)] }
    introduced = introduced.filter { !$0.contains(link.peer.id) }
    // What was in transit is lost, so a member with another link is not connected in between either.
    let states: [Output] = [.state(link.peer, .notConnected)] + (isLast ? [] : [.state(link.peer, .connecting)])
    return [.close(id)] + states + (wasConnected ? sayRoster(at: now, using: &generator) : [])
  }
}
