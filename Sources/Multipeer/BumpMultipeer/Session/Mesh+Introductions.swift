/// How each member of a session gets connected to each other one.
extension Mesh {
  /// Sends to each member the list of the peers that this end is connected to.
  mutating func sayRoster(at now: Moment, using generator: inout some RandomNumberGenerator) -> [Output] {
    let connected = connectedPeers
    var outputs: [Output] = []
    for peer in connected {
      guard let id = members[peer.id]?.connected else { continue }
      let roster = connected.map(\.id).filter { $0 != peer.id }
      outputs += drive(id, .send(.roster(roster)), at: now, using: &generator)
    }
    return outputs
  }

  /// Handles a member's roster. Introduces the member to the others.
  mutating func listed(
    _ link: SessionLink, _ ids: [PeerID], at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    // Two that were connected and are no longer are introduced once more.
    for lost in (members[link.peer.id]?.roster ?? []).subtracting(ids) { introduced.remove([link.peer.id, lost]) }
    members[link.peer.id]?.roster = Set(ids)
    var outputs: [Output] = []
    for other in connectedPeers where other != link.peer {
      outputs += introduce(link.peer, other, at: now, using: &generator)
    }
    return outputs
  }

  /// Sends two members a ticket and each other's address, once, unless the roster of one has the other, or one of them
  /// accepts no connections.
  private mutating func introduce(
    _ peer: Peer, _ other: Peer, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    guard
      let first = members[peer.id], let second = members[other.id], let link = first.connected,
      let otherLink = second.connected, !first.roster.contains(other.id), !second.roster.contains(peer.id),
      first.host?.port != 0, second.host?.port != 0,
      introduced.insert([peer.id, other.id]).inserted
    else { return [] }
    let ticket = Ticket(using: &generator)
    var outputs: [Output] = []
    if let host = host(of: second, for: first) {
      outputs += drive(
        link, .send(.introduce(Introduction(peer: other, host: host, ticket: ticket))), at: now, using: &generator)
    }
    if let host = host(of: first, for: second) {
      outputs += drive(
        otherLink, .send(.introduce(Introduction(peer: peer, host: host, ticket: ticket))), at: now, using: &generator)
    }
    return outputs
  }

  /// Returns the address of a member for another one. If the member is on this host, it is the address by which the
  /// other one reaches this host.
  private func host(of member: Member, for other: Member) -> HostAddress? {
    guard let host = member.host, let route = other.connected.flatMap({ links[$0]?.route }) else { return nil }
    guard host.isLoopback, !route.remote.isLoopback else { return host }
    return HostAddress(address: route.local.address, port: host.port)
  }

  /// Handles an introduction of this end to another member.
  mutating func introduced(by link: SessionLink, to introduction: Introduction) -> [Output] {
    let ofMember = tickets.values.filter { $0.introducer == link.peer.id }
    guard ofMember.count + pending.count < Self.mostTickets else { return [] }
    // Nobody who has left is worth more room than that.
    if tickets.count >= Self.mostTickets * MultipeerLimits.peers {
      tickets = tickets.filter { $0.value.introducer.map { members[$0] != nil } ?? true }
    }
    // Only a member on this host may name a loopback address: a remote one could send this end to this host's own
    // services.
    guard !introduction.host.isLoopback || link.route.remote.isLoopback else { return [] }
    return connect(by: introduction, to: introduction.host, from: link.peer.id)
  }

  /// Connects with a ticket, or waits: of the two that have it, the one with the lower identity connects.
  ///
  /// - Parameter introducer: the member that introduced the two; `nil` if they agreed by other means.
  mutating func connect(
    by introduction: Introduction, to host: HostAddress?, from introducer: PeerID? = nil
  ) -> [Output] {
    let peer = introduction.peer
    guard
      peer.id != local.id, members[peer.id] == nil, tickets[introduction.ticket.id] == nil,
      !pending.values.contains(where: { $0.peer == peer }), !links.values.contains(where: { $0.peer == peer })
    else { return [] }
    guard local.id < peer.id else {
      tickets[introduction.ticket.id] = KnownTicket(introduction: introduction, introducer: introducer)
      return [.expect(ticket: introduction.ticket.id)]
    }
    return open(by: introduction, to: host, left: Self.retries)
  }

  mutating func open(by introduction: Introduction, to host: HostAddress?, left: Int) -> [Output] {
    let id = nextLink
    nextLink -= 1
    pending[id] = .ticket(introduction, host, left: left)
    return [.open(id, introduction.peer, host)]
  }

  /// How many times a member is tried again if the connection to it cannot be made.
  private static let retries = 2

  /// Cancels connecting to a peer. Removes its tickets, and closes its links unless it is connected.
  mutating func forget(
    _ peer: Peer, at now: Moment, using generator: inout some RandomNumberGenerator
  ) -> [Output] {
    tickets = tickets.filter { $0.value.introduction.peer != peer }
    let opening = pending.filter { $0.value.peer == peer }.keys.sorted()
    for id in opening { pending[id] = nil }
    let begun = links.filter { $0.value.peer == peer }.keys.sorted()
    guard members[peer.id]?.connected == nil else { return [] }
    var outputs = begun.flatMap { drive($0, .close(.left), at: now, using: &generator) }
    if !outputs.contains(.state(peer, .notConnected)) { outputs.append(.state(peer, .notConnected)) }
    return outputs
  }

  /// The most tickets of one member that are kept: it may introduce each other one.
  private static let mostTickets = MultipeerLimits.peers
}
