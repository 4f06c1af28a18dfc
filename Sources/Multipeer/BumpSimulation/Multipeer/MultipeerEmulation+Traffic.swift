import BumpFaults
import BumpMultipeer

/// Messages and resources between members.
extension MultipeerEmulation {
  private static let resourceName = "photo"

  // MARK: Sending

  func beat(_ index: Int, _ session: Int, _ other: PeerID, _ left: Int) {
    let peer = peers[index]
    guard let sending = peer.program.sending else { return }
    peer.sends += 1
    let what = "#\(peer.sends) to \(name(of: other))"
    guard peer.sessions[session].told[other] == .connected else {
      return call(index, "send(_:toPeers:with:)", "send \(what) throws notConnected")
    }
    let mode = sending.isReliable ? "" : " (unreliable)"
    call(index, "send(_:toPeers:with:)", "send \(what)\(mode)")
    queue(index, session, other, Self.message(peer.sends, sending.bytes), isReliable: sending.isReliable)
    pump(index, session, other)
    if left > 1 { later(sending.every, index, .beat(session: session, to: other, left: left - 1)) }
  }

  /// Returns a message with its number in the first two bytes.
  private static func message(_ number: Int, _ size: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
      + [UInt8](repeating: 0, count: max(0, size - 2))
  }

  private func queue(_ index: Int, _ session: Int, _ other: PeerID, _ message: [UInt8], isReliable: Bool) {
    guard var member = peers[index].sessions[session].traffic[other] else { return }
    defer { peers[index].sessions[session].traffic[other] = member }
    guard !isReliable else { return member.outbox.add(message, isReliable: true) }
    for fault in plan.traffic {
      switch fault {
      case .unreliableLost(let percent): if happens(percent, "lost") { return }
      case .unreliableSwapped(let percent):
        if member.overtaken == nil, happens(percent, "swapped") {
          member.overtaken = message
          return
        }
      case .resourceStalls: break
      }
    }
    member.outbox.add(message, isReliable: false)
    if let overtaken = member.overtaken {
      member.outbox.add(overtaken, isReliable: false)
      member.overtaken = nil
    }
  }

  /// Draws whether something happens with a chance from this range. The chance is drawn once for a plan.
  private func happens(_ percent: ClosedRange<Int>, _ purpose: String) -> Bool {
    var chance = plan.stream("plan", purpose)
    return traffic.happens(percent: chance.draw(percent))
  }

  func send(_ index: Int, _ session: Int, _ other: PeerID, _ size: Int) {
    call(
      index, "sendResource(at:withName:toPeer:withCompletionHandler:)",
      "sendResource \(Self.resourceName), \(size) bytes, to \(name(of: other))")
    guard
      let id = peers[index].sessions[session].traffic[other]?.outbox.openResource(Self.resourceName, size: UInt64(size))
    else { return }
    peers[index].sessions[session].traffic[other]?.outgoing[id] = (size, 0)
    pump(index, session, other)
  }

  /// Sends the queued frames, as long as the connection has room.
  func pump(_ index: Int, _ session: Int, _ other: PeerID) {
    let peer = peers[index]
    guard other != .nobody else { return timedOut(index, session) }
    guard let link = peer.sessions[session].links[other], let member = peers.first(where: { $0.peer.id == other })?.peer
    else { return }
    while true {
      guard backlog(End(peer: index, link: link)) < .milliseconds(500) || !isBulky(index, session, other) else {
        guard peer.sessions[session].traffic[other]?.isPumpDue == false else { return }
        peer.sessions[session].traffic[other]?.isPumpDue = true
        return later(.milliseconds(250), index, .pump(session: session, other))
      }
      guard let step = peer.sessions[session].traffic[other]?.outbox.next() else { return }
      switch step {
      case .send(let frame): handle(index, session, .send(member, frame))
      case .read(let id): read(index, session, other, id)
      }
    }
  }

  /// Returns whether sending waits for the connection. Only a resource waits: messages are sent at once, as Apple's
  /// queue takes all of them.
  private func isBulky(_ index: Int, _ session: Int, _ other: PeerID) -> Bool {
    peers[index].sessions[session].traffic[other]?.outgoing.isEmpty == false
  }

  private func read(_ index: Int, _ session: Int, _ other: PeerID, _ id: TransferID) {
    guard var member = peers[index].sessions[session].traffic[other], let (size, sent) = member.outgoing[id] else {
      return
    }
    defer { peers[index].sessions[session].traffic[other] = member }
    for case .resourceStalls(let percent) in plan.traffic {
      var chance = plan.stream("plan", "stall")
      let stop = chance.draw(percent)
      if sent * 100 >= size * stop { return note(index, "nothing more of it is sent (\(sent * 100 / size) %)") }
    }
    guard sent < size else {
      member.outbox.end(id)
      return
    }
    let count = min(MultipeerLimits.part, size - sent)
    member.outbox.part([UInt8](repeating: 0, count: count), of: id)
    member.outgoing[id] = (size, sent + count)
  }

  /// Ends an invitation that nobody can answer, after its timeout.
  private func timedOut(_ index: Int, _ session: Int) {
    let peer = peers[index]
    guard let target = peer.attempt else { return }
    tell(index, "session(_:peer:didChange:)", "notConnected \(target)")
    peer.sessions[session].hasEnded = true
    peer.attempt = nil
    if peer.triesLeft > 0 { later(peer.program.pause, index, .retry) }
  }

  // MARK: Receiving

  func came(_ index: Int, _ session: Int, _ other: Peer, _ frame: LinkFrame) {
    let peer = peers[index]
    guard var member = peer.sessions[session].traffic[other.id] else { return }
    let event = try? member.inbox.handle(frame)
    defer { pump(index, session, other.id) }
    defer { peer.sessions[session].traffic[other.id] = member }
    switch event {
    case .message(let bytes, _):
      let number = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      tell(index, "session(_:didReceive:fromPeer:)", "didReceive #\(number) from \(other.name)")
    case .resource(let id, let resource, let size):
      member.incoming[id] = (Int(size ?? 0), 0)
      tell(
        index, "session(_:didStartReceivingResourceWithName:fromPeer:with:)",
        "didStartReceivingResource \(resource) from \(other.name)")
    case .part(let id, let part):
      guard let (size, got) = member.incoming[id] else { return }
      member.incoming[id] = (size, got + part.count)
      let quarters = (got + part.count) * 4 / max(1, size)
      if quarters > got * 4 / max(1, size), quarters < 4 {
        tell(index, "Progress.fractionCompleted", "progress \(quarters * 25) %")
      }
    case .end(let id):
      member.incoming[id] = nil
      tell(
        index, "session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)",
        "didFinishReceivingResource \(Self.resourceName) from \(other.name)")
      member.outbox.say(.transfer(id, .received))
    case .received(let id):
      member.outgoing[id] = nil
      tell(index, "sendResource completionHandler", "sendResource \(Self.resourceName) is complete")
    default: break
    }
  }

  /// Ends the traffic of a member that is gone.
  func end(_ index: Int, _ session: Int, _ other: Peer) {
    guard let member = peers[index].sessions[session].traffic.removeValue(forKey: other.id) else { return }
    for _ in member.incoming.keys.sorted() {
      tell(
        index, "session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)",
        "didFinishReceivingResource \(Self.resourceName), at nil, error")
    }
    for _ in member.outgoing.keys.sorted() {
      tell(index, "sendResource completionHandler", "sendResource \(Self.resourceName) fails")
    }
  }

  // MARK: A full session

  /// Connects B to seven others, before the run begins.
  func fill() {
    isPreparing = true
    recorder.isMuted = true
    for letter in ["C", "D", "E", "F", "G", "H", "I"] {
      let newcomer = add(letter, .both, EmulatedProgram())
      let id = peers[1].nextLink
      peers[1].nextLink += 1
      peers[1].owners[id] = 0
      handle(1, 0, .invite(id, peers[newcomer].peer, context: nil, timeout: .seconds(30)))
      advance(to: now + .milliseconds(200))
    }
    recorder.isMuted = false
    recorder.origin = now
    isPreparing = false
  }
}
