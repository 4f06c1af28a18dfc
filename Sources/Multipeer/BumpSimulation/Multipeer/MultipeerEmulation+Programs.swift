import BumpFaults
import BumpMultipeer

/// What the emulated programs do when they are called.
extension MultipeerEmulation {
  func name(of id: PeerID) -> String { peers.first { $0.peer.id == id }?.name ?? "?" }

  private func index(of name: String) -> Int? { peers.firstIndex { $0.name == name } }

  func isInSession(_ index: Int, with name: String) -> Bool {
    guard let id = peers.first(where: { $0.name == name })?.peer.id else { return false }
    return peers[index].sessions.contains { $0.told[id] == .connected || $0.told[id] == .connecting }
  }

  /// Returns a mark with the number of a session; empty for the program's first.
  private func mark(_ index: Int, _ session: Int) -> String { session == 0 ? "" : " (session \(session + 1))" }

  // MARK: Inviting

  func invite(_ index: Int, _ target: String) {
    let peer = peers[index]
    guard peer.triesLeft > 0 else { return }
    peer.triesLeft -= 1
    if let last = peer.sessions.last, last.hasEnded || last.attempts > 0, last.attempts >= peer.program.triesPerSession,
      peer.attempt == nil
    {
      renewSession(index)
    }
    (peer.attempt, peer.lastTarget) = (target, target)
    let session = peer.sessions.count - 1
    peer.sessions[session].attempts += 1
    call(
      index, "invitePeer(_:to:withContext:timeout:)",
      "invitePeer \(target), timeout \(peer.program.timeout.components.seconds)\(mark(index, session))")
    let isFalse = plan.invitations.contains(.timesOutFalsely)
    let timeout = isFalse ? peer.program.timeout + .seconds(60) : peer.program.timeout
    if isFalse { later(peer.program.timeout, index, .timeOutFalsely(target: target)) }
    guard let other = self.index(of: target), other != index else {
      // This peer is an earlier identity: nobody answers the connection.
      return later(timeout, index, .pump(session: session, PeerID.nobody))
    }
    let id = peer.nextLink
    peer.nextLink += 1
    peer.owners[id] = session
    handle(index, session, .invite(id, peers[other].peer, context: nil, timeout: timeout))
  }

  /// Schedules the next try, after an invitation or a connection has failed.
  private func failed(_ index: Int) {
    let peer = peers[index]
    peer.attempt = nil
    guard peer.triesLeft > 0, case .one = peer.program.invites else { return }
    later(peer.program.pause, index, .retry)
  }

  func retry(_ index: Int) {
    let peer = peers[index]
    guard peer.attempt == nil, let last = peer.lastTarget, let place = peer.found.firstIndex(of: last) else { return }
    let target = peer.found[(place + 1) % peer.found.count]
    guard !isInSession(index, with: target) else { return }
    invite(index, target)
  }

  // MARK: Being invited

  func invited(_ index: Int, _ link: LinkID, _ invitation: Invitation) {
    let peer = peers[index]
    let isBusy = peer.sessions.contains { session in session.traffic.values.contains { !$0.incoming.isEmpty } }
    if isBusy, plan.invitations.contains(.lostWhileBusy) {
      return note(index, "an invitation of \(invitation.from.name) does not arrive")
    }
    tell(
      index, "advertiser(_:didReceiveInvitationFromPeer:withContext:invitationHandler:)",
      "didReceiveInvitation \(invitation.from.name)")
    var delay = peer.program.answersAfter
    for case .answeredLate(let span) in plan.invitations { delay += chances.draw(span) }
    if delay == .zero {
      answer(index, link, invitation.from.name)
    } else {
      later(delay, index, .answer(link, from: invitation.from.name))
    }
  }

  func answer(_ index: Int, _ link: LinkID, _ from: String) {
    let peer = peers[index]
    let id = peers.first { $0.name == from }?.peer.id
    let isUsed = peer.sessions.last.map { last in last.hasEnded || id.flatMap { last.told[$0] } == .connected } ?? true
    if isUsed, peer.program.renewsSession { renewSession(index) }
    call(index, "invitationHandler(_:_:)", "invitationHandler true\(mark(index, peer.sessions.count - 1))")
    guard peer.awaited[link] != nil else {
      // The inviting peer has cancelled the invitation.
      tell(index, "session(_:peer:didChange:)", "connecting \(from)")
      return tell(index, "session(_:peer:didChange:)", "notConnected \(from)")
    }
    accept(index, link)
  }

  func judge(_ index: Int, _ session: Int, _ link: LinkID, _ other: Peer) {
    tell(
      index, "session(_:didReceiveCertificate:fromPeer:certificateHandler:)", "didReceiveCertificate \(other.name)")
    switch peers[index].program.certificates {
    case .accepts: handle(index, session, .judged(link, true))
    case .refuses:
      call(index, "certificateHandler(_:)", "certificateHandler false")
      handle(index, session, .judged(link, false))
    case .keepsSilent: break
    }
  }

  // MARK: States

  func changed(_ index: Int, _ session: Int, _ other: Peer, _ state: MemberState) {
    let peer = peers[index]
    let before = peer.sessions[session].told[other.id]
    peer.sessions[session].told[other.id] = state
    let suffix = "\(other.name)\(mark(index, session))"
    switch state {
    case .connecting:
      tell(index, "session(_:peer:didChange:)", "connecting \(suffix)")
    case .connected:
      tell(index, "session(_:peer:didChange:)", "connected \(suffix)")
      peer.attempt = nil
      begin(index, session, other)
    case .notConnected:
      peer.sessions[session].hasEnded = true
      // A fault may have reported this to the program already.
      if before != .notConnected || peer.attempt == other.name {
        tell(index, "session(_:peer:didChange:)", "notConnected \(suffix)")
      }
      end(index, session, other)
      if peer.attempt == nil || peer.attempt == other.name { failed(index) }
    }
  }

  private func begin(_ index: Int, _ session: Int, _ other: Peer) {
    let peer = peers[index]
    peer.sessions[session].traffic[other.id] = .init()
    guard !isPreparing else { return }
    let soon = Duration.milliseconds(100)
    if let sending = peer.program.sending {
      later(soon, index, .beat(session: session, to: other.id, left: sending.count))
    }
    if let size = peer.program.resource { send(index, session, other.id, size) }
    if let delay = peer.program.leavesAfter, !peer.hasLeft {
      peer.hasLeft = true
      later(delay, index, .leave(session: session))
    }
    for case .droppedFalsely(let side, let after) in plan.states where side == peer.side || side == .both {
      later(chances.draw(after), index, .dropFalsely(session: session, other.id))
    }
  }

  func leave(_ index: Int, _ session: Int) {
    call(index, "disconnect()", "disconnect\(mark(index, session))")
    handle(index, session, .disconnect)
  }
}

extension PeerID {
  /// An identity that no emulated peer has.
  static let nobody: PeerID = {
    guard let id = PeerID([UInt8](repeating: 0, count: length)) else { preconditionFailure("16 bytes are an identity") }
    return id
  }()
}
