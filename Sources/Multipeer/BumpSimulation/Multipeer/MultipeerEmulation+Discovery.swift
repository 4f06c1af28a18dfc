import BumpFaults
import BumpMultipeer

/// Browsing, advertising, and the events on hosts.
extension MultipeerEmulation {
  private static let earlier = " (earlier identity)"

  func act(_ index: Int, _ act: Act) {
    let peer = peers[index]
    guard !peer.isGone else { return }
    if peer.isAway {
      guard case .beNoticed = act else {
        if case .enterForeground = act { enterForeground(index) }
        return
      }
    }
    switch act {
    case .start: start(index)
    case .retry: retry(index)
    case .answer(let link, let from): answer(index, link, from)
    case .leave(let session): leave(index, session)
    case .beat(let session, let other, let left): beat(index, session, other, left)
    case .pump(let session, let other):
      peer.sessions[session].traffic[other]?.isPumpDue = false
      pump(index, session, other)
    case .browseAnew:
      call(index, "stopBrowsingForPeers()", "stopBrowsingForPeers")
      (peer.infos, peer.found) = ([:], [])
      browse(index)
    case .stopDiscovery: stopDiscovery(index)
    case .advertiseAnew: advertiseAnew(index)
    case .timeOutFalsely(let target):
      guard peer.attempt == target else { return }
      tell(index, "session(_:peer:didChange:)", "notConnected \(target)")
    case .dropFalsely(let session, let other):
      guard peer.sessions[session].told[other] == .connected else { return }
      peer.sessions[session].told[other] = .notConnected
      tell(index, "session(_:peer:didChange:)", "notConnected \(name(of: other))")
    case .vanish:
      note(index, "is gone, without a word")
      peer.isGone = true
      lose(index)
    case .leaveForeground(let noticed, let returns): leaveForeground(index, noticed, returns)
    case .beNoticed: beNoticed(index)
    case .enterForeground: break
    }
  }

  private func start(_ index: Int) {
    let peer = peers[index]
    for fault in plan.programs(of: peer.side) {
      switch fault {
      case .nameTooLong:
        call(index, "MCPeerID(displayName:)", "MCPeerID(displayName: 64 bytes)")
        return die(index, "Invalid displayName passed to MCPeerID")
      case .infoTooBig:
        call(
          index, "MCNearbyServiceAdvertiser(peer:discoveryInfo:serviceType:)",
          "MCNearbyServiceAdvertiser(discoveryInfo: 300 bytes)")
        return die(index, "Invalid discoveryInfo passed to MCNearbyServiceAdvertiser")
      default: break
      }
    }
    if peer.program.advertises { advertise(index) }
    if peer.program.browses { browse(index) }
    if let time = peer.program.browsesAnewAt { later(time, index, .browseAnew) }
    if let time = peer.program.stopsDiscoveryAt { later(time, index, .stopDiscovery) }
    if let (time, _) = peer.program.newInfo { later(time, index, .advertiseAnew) }
    for fault in plan.hosts(of: peer.side) {
      switch fault {
      case .vanishes(let after): later(chances.draw(after), index, .vanish)
      case .background(let after, let noticed, let returns):
        let start = chances.draw(after)
        later(start, index, .leaveForeground(noticed: chances.draw(noticed), returns: chances.draw(returns)))
      case .noDiscovery, .secondEntry: break
      }
    }
  }

  func later(_ delay: Duration, _ index: Int, _ act: Act) { eventQueue.add(.act(peer: index, act), at: now + delay) }

  private func die(_ index: Int, _ reason: String) {
    note(index, "ends: \(reason)")
    peers[index].isGone = true
  }

  // MARK: Browsing and advertising

  /// Returns the refusal to browse and to advertise: its code, or an inner `nil` for a refusal without an error.
  /// Returns `nil` if both begin.
  private func refusal(_ index: Int) -> Int?? {
    for case .refused(let code, let side) in plan.discovery where side == peers[index].side || side == .both {
      return .some(code)
    }
    return nil
  }

  private func browse(_ index: Int) {
    let peer = peers[index]
    call(index, "startBrowsingForPeers()", "startBrowsingForPeers")
    if let refusal = refusal(index) {
      guard let code = refusal else { return }
      return tell(
        index, "browser(_:didNotStartBrowsingForPeers:)", "didNotStartBrowsingForPeers \(code)")
    }
    peer.isBrowsing = true
    // A ghost was there before the others, so it is found first.
    report(index, peer.view.began(at: now + Self.finding / 2))
    for other in peers where other !== peer && other.isAdvertising {
      report(index, peer.view.found(other.name, at: now + Self.finding))
    }
  }

  private func advertise(_ index: Int) {
    let peer = peers[index]
    call(index, "startAdvertisingPeer()", "startAdvertisingPeer\(Self.text(of: peer.program.info))")
    if let refusal = refusal(index) {
      guard let code = refusal else { return }
      return tell(
        index, "advertiser(_:didNotStartAdvertisingPeer:)", "didNotStartAdvertisingPeer \(code)")
    }
    peer.isAdvertising = true
    appear(index)
  }

  private func appear(_ index: Int) {
    for (other, browser) in peers.enumerated() where other != index && browser.isBrowsing {
      report(other, browser.view.found(peers[index].name, at: now + Self.finding))
    }
  }

  /// Reports to the browsers that a peer's service is gone.
  private func lose(_ index: Int) {
    guard peers[index].isAdvertising else { return }
    for (other, browser) in peers.enumerated() where other != index && browser.isBrowsing {
      report(other, browser.view.lost(peers[index].name, at: now + Self.latency))
    }
  }

  private func advertiseAnew(_ index: Int) {
    let peer = peers[index]
    guard let info = peer.program.newInfo?.info else { return }
    call(index, "stopAdvertisingPeer()", "stopAdvertisingPeer")
    peer.program.info = info
    let isUnnoticed = plan.discovery.contains(.stale)
    if !isUnnoticed { lose(index) }
    call(index, "startAdvertisingPeer()", "startAdvertisingPeer\(Self.text(of: info))")
    if !isUnnoticed { appear(index) }
  }

  private func stopDiscovery(_ index: Int) {
    let peer = peers[index]
    if peer.isBrowsing { call(index, "stopBrowsingForPeers()", "stopBrowsingForPeers") }
    if peer.isAdvertising {
      call(index, "stopAdvertisingPeer()", "stopAdvertisingPeer")
      lose(index)
    }
    (peer.isBrowsing, peer.isAdvertising) = (false, false)
  }

  private func report(_ index: Int, _ reports: [FaultyView<String>.Due]) {
    for report in reports { eventQueue.add(.report(peer: index, report.report), at: report.at) }
  }

  func reported(_ index: Int, _ report: FaultyView<String>.Report) {
    let peer = peers[index]
    guard peer.isBrowsing else { return }
    switch report {
    case .found(let name):
      guard let other = peers.first(where: { $0.name == name }), other.isAdvertising else { return }
      let info = peer.infos[name] ?? other.program.info
      peer.infos[name] = plan.discovery.contains(.stale) ? info : other.program.info
      found(index, name, "foundPeer \(name)\(Self.text(of: info))")
    case .ghost(let isOwn):
      let name = (isOwn ? peer.name : peers.first { $0 !== peer }?.name ?? "") + Self.earlier
      found(index, name, "foundPeer \(name)")
    case .lost(let name):
      tell(index, "browser(_:lostPeer:)", "lostPeer \(name)")
    }
  }

  private func found(_ index: Int, _ name: String, _ text: String) {
    tell(index, "browser(_:foundPeer:withDiscoveryInfo:)", text)
    let peer = peers[index]
    if !peer.found.contains(name) { peer.found.append(name) }
    switch peer.program.invites {
    case .never: break
    case .each: invite(index, name)
    case .one: if peer.attempt == nil, !isInSession(index, with: name), peer.lastTarget == nil { invite(index, name) }
    }
  }

  static func text(of info: [String: String]) -> String {
    info.isEmpty
      ? "" : " {" + info.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ") + "}"
  }

  // MARK: The background

  private func leaveForeground(_ index: Int, _ noticed: Duration, _ returns: Duration) {
    note(index, "goes to the background")
    peers[index].isAway = true
    later(noticed, index, .beNoticed)
    later(noticed + returns, index, .enterForeground)
  }

  private func beNoticed(_ index: Int) {
    lose(index)
    for wire in wires.indices where !wires[wire].isDead {
      guard let side = wires[wire].ends.firstIndex(where: { $0.peer == index }) else { continue }
      ended(wire, 1 - side)
    }
  }

  private func enterForeground(_ index: Int) {
    let peer = peers[index]
    peer.isAway = false
    note(index, "returns to the foreground")
    for wire in wires.indices {
      guard let side = wires[wire].ends.firstIndex(where: { $0.peer == index }) else { continue }
      ended(wire, side)
      wires[wire].isDead = true
    }
    if peer.isAdvertising { appear(index) }
  }
}
