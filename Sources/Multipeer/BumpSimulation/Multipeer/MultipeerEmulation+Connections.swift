import BumpFaults
import BumpMultipeer
import BumpWire

/// The connections, and the outputs of the state machines.
extension MultipeerEmulation {
  /// Passes an input to a session, and performs the outputs.
  func handle(_ index: Int, _ session: Int, _ input: Mesh.Input) {
    let peer = peers[index]
    // Outputs that follow from an output are queued after the others: records must be sent in the order of their
    // nonces.
    outputs += peer.sessions[session].mesh.handle(input, at: now, using: &tickets).map { (index, session, $0) }
    drain()
    // A member that has connected early joins once this end was introduced to it.
    for id in peer.early.keys.sorted() {
      guard let ticket = peer.early[id],
        let member = peer.sessions.firstIndex(where: { $0.mesh.membership(ticket: ticket) != nil })
      else { continue }
      peer.early[id] = nil
      join(index, member, id, ticket)
    }
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    while !outputs.isEmpty {
      let (index, session, output) = outputs.removeFirst()
      perform(index, session, output)
    }
    isDraining = false
  }

  private func perform(_ index: Int, _ session: Int, _ output: Mesh.Output) {
    let peer = peers[index]
    switch output {
    case .open(let id, let other, _):
      peer.owners[id] = session
      let target = peers.firstIndex { $0.peer == other }
      if let target, peers[target].runs {
        eventQueue.add(.opened(peer: index, id, target: target), at: now + Self.latency * 2)
      } else {
        // Nobody answers, and no error comes either.
        eventQueue.add(.failed(peer: index, id), at: now + peer.program.timeout)
      }
    case .send(let id, let bytes): transmit(End(peer: index, link: id), bytes)
    case .close(let id): close(End(peer: index, link: id))
    case .state(let other, let state): changed(index, session, other, state)
    case .certificates(let id, let other, _):
      peer.sessions[session].links[other.id] = id
      judge(index, session, id, other)
    case .frame(let other, let frame): came(index, session, other, frame)
    // Nothing to do: after each input, `handle` lets members join that have connected early.
    case .expect: break
    }
  }

  // MARK: Opening

  func opened(_ index: Int, _ link: LinkID, _ target: Int) {
    let peer = peers[index]
    guard let session = peer.owners[link] else { return }
    let other = peers[target]
    guard other.runs, peer.runs else {
      return eventQueue.add(.failed(peer: index, link), at: now + peer.program.timeout)
    }
    let pair: Set = [index, target]
    if !isPreparing { counts[pair, default: 0] += 1 }
    let connection = FaultyFlow.Connection(
      number: counts[pair] ?? 0, isOfUsedSession: peer.sessions[session].connections > 0)
    peer.sessions[session].connections += 1
    let near = End(peer: index, link: link)
    let far = End(peer: target, link: other.nextLink)
    other.nextLink += 1
    wires.append(
      Wire(
        ends: [near, far],
        flows: [true, false].map { FaultyFlow(plan, connection, isFromOpener: $0) }))
    places[near] = (wires.count - 1, 0)
    places[far] = (wires.count - 1, 1)
    other.awaited[far.link] = (
      Link(accepted: key(), times: times, at: now), Route(local: other.host, remote: peer.host)
    )
    handle(index, session, .opened(link, Route(local: peer.host, remote: other.host), key()))
  }

  private func join(_ index: Int, _ session: Int, _ id: LinkID, _ ticket: [UInt8]) {
    guard let (link, route) = peers[index].awaited.removeValue(forKey: id) else { return }
    peers[index].owners[id] = session
    handle(index, session, .joined(id, link, ticket: ticket, route))
  }

  // MARK: Bytes

  private func transmit(_ end: End, _ bytes: [UInt8]) {
    guard let (index, side) = places[end], !wires[index].isClosed[side], !wires[index].isDead else { return }
    guard !isPreparing else {
      return eventQueue.add(.deliver(wire: index, end: 1 - side, bytes), at: now + Self.latency)
    }
    let isDiscovering = wires[index].ends.contains { peers[$0.peer].isBrowsing || peers[$0.peer].isAdvertising }
    for arrival in wires[index].flows[side].sent(bytes, isDiscovering: isDiscovering, at: now) {
      switch arrival {
      case .bytes(let bytes, let due):
        eventQueue.add(.deliver(wire: index, end: 1 - side, bytes), at: due + Self.latency)
      case .cut(let due, let ends): eventQueue.add(.cut(wire: index, ends), at: due + Self.latency)
      }
    }
  }

  private func close(_ end: End) {
    guard let (index, side) = places[end], !wires[index].isClosed[side] else { return }
    wires[index].isClosed[side] = true
    guard !wires[index].isDead, !wires[index].flows[side].hidesTheEnd else { return }
    for case .bytes(let bytes, let due) in wires[index].flows[side].ended(at: now) {
      eventQueue.add(.deliver(wire: index, end: 1 - side, bytes), at: due + Self.latency)
    }
    eventQueue.add(.ended(wire: index, end: 1 - side), at: wires[index].flows[side].settled(at: now) + Self.latency)
  }

  func deliver(_ index: Int, _ side: Int, _ bytes: [UInt8]) {
    let end = wires[index].ends[side]
    guard !wires[index].isClosed[side], !wires[index].isDead, peers[end.peer].runs else { return }
    // The sender is gone, so it does not send again what was lost.
    guard !peers[wires[index].ends[1 - side].peer].isGone else { return }
    receive(end, .received(bytes))
  }

  func ended(_ index: Int, _ side: Int) {
    // A program in the background notices this when it returns; one that is gone never does.
    guard !wires[index].isClosed[side], peers[wires[index].ends[side].peer].runs else { return }
    wires[index].isClosed[side] = true
    receive(wires[index].ends[side], .closed)
  }

  func cut(_ index: Int, _ ends: ByteFault.Way) {
    guard !wires[index].isDead else { return }
    wires[index].isDead = true
    if ends != .toOpener { ended(index, 0) }
    if ends != .fromOpener { ended(index, 1) }
  }

  private func receive(_ end: End, _ input: Link.Input) {
    if peers[end.peer].awaited[end.link] != nil { return pass(end.peer, end.link, input) }
    guard let session = peers[end.peer].owners[end.link] else { return }
    if case .received(let bytes) = input {
      handle(end.peer, session, .received(end.link, bytes))
    } else {
      handle(end.peer, session, .closed(end.link))
    }
  }

  /// Returns how long the bytes that an end has sent are still in transit.
  func backlog(_ end: End) -> Duration {
    places[end].map { wires[$0.wire].flows[$0.end].settled(at: now) - now } ?? .zero
  }

  // MARK: Connections without a session

  func pass(_ index: Int, _ id: LinkID, _ input: Link.Input) {
    let peer = peers[index]
    guard var link = peer.awaited[id]?.link else { return }
    let outputs = link.handle(input, at: now)
    peer.awaited[id]?.link = link
    for output in outputs {
      switch output {
      case .send(let bytes): transmit(End(peer: index, link: id), bytes)
      case .invited(let invitation): invited(index, id, invitation)
      case .lookUp(let ticket):
        if let session = peer.sessions.firstIndex(where: { $0.mesh.membership(ticket: ticket) != nil }) {
          join(index, session, id, ticket)
        } else {
          peer.early[id] = ticket
        }
      case .ended:
        peer.awaited[id] = nil
        peer.early[id] = nil
        close(End(peer: index, link: id))
      // A link without a session has no other outputs.
      default: break
      }
    }
  }

  func accept(_ index: Int, _ id: LinkID) {
    let peer = peers[index]
    guard let (link, route) = peer.awaited[id], let invitation = link.invitation else { return }
    peer.awaited[id] = nil
    let session = peer.sessions.count - 1
    peer.owners[id] = session
    peer.sessions[session].connections += 1
    handle(index, session, .accepted(id, link, invitation, route))
  }
}
