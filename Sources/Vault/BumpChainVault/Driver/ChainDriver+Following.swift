import BumpChain
import BumpWallet

extension ChainDriver {
  /// Follows the chain to its latest block, by one node's answers.
  func follow() async {
    guard !isFollowing, follower != nil else { return }
    isFollowing = true
    defer { isFollowing = false }
    let life = life
    var node: NodePool.Place?
    do {
      let place = try await nodes.choose()
      node = place
      try await follow(at: place, life)
    } catch let error as FollowError {
      follower?.giveUp()
      reportOnce("follow", .error, "the chain cannot be followed: \(error)")
      if let node { await nodes.leave(node, because: error.description) }
    } catch let error as NodeError {
      // It refuses to answer about a block that it has named: it has forgotten it.
      follower?.giveUp()
      if let node { await nodes.leave(node, because: error.reason) }
    } catch let error as ChainStoreError {
      // What the follower took is not in the store: it begins anew behind the store's headers.
      follower = nil
      failed(error, "a step of the chain was not stored")
    } catch {
      follower?.giveUp()
    }
  }

  private func follow(at place: NodePool.Place, _ life: Int) async throws {
    guard let latest = try await nodes.header(.latest, at: place) else {
      return await nodes.leave(place, because: "it has no latest block")
    }
    heard(latest)
    guard life == self.life else { return }
    var effects = try follower?.take(head: latest) ?? []
    var absence = LogAbsence(configuration, nodes)
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      switch effect {
      case .askHead:
        let header = try await nodes.header(.latest, at: place)
        guard life == self.life else { return }
        effects += try follower?.take(head: header) ?? []
      case .askNumbered(let number):
        let header = try await nodes.header(.number(number), at: place)
        guard life == self.life else { return }
        effects += try follower?.take(head: header) ?? []
      case .askHeader(let hash):
        let header = try await nodes.header(hash: hash, at: place)
        if header == nil { await nodes.leave(place, because: "it has forgotten a block that it named") }
        guard life == self.life else { return }
        effects += try follower?.take(header: header, hash: hash) ?? []
      case .askLogs(let hash):
        let logs = try await nodes.logs(of: configuration.contract, inBlock: hash, at: place)
        if logs.isEmpty, let header = follower?.header(ofLogsIn: hash) {
          try await absence.check(header, at: place)
        }
        guard life == self.life else { return }
        effects += try follower?.take(logs: logs, inBlock: hash) ?? []
      case .advance(let step):
        guard let lease = held?.lease, life == self.life else { return }
        try await store.advance(step, lease)
        guard life == self.life, let follower else { return }
        outbox?.moved(takingBackAbove: step.takesBack > 0 ? step.parent.number : nil, finalized: follower.finalized)
        news.take(step)
        await tell()
      }
    }
    guard life == self.life else { return }
    try await finalize(at: place, life)
    isOver("follow")
  }

  private func finalize(at place: NodePool.Place, _ life: Int) async throws {
    guard let header = try await nodes.header(.finalized, at: place), life == self.life else { return }
    let before = follower?.finalized ?? 0
    try follower?.take(finalized: header)
    guard let number = follower?.finalized, number > before, let lease = held?.lease else { return }
    try await store.finalize(upTo: number, lease)
    guard life == self.life else { return }
    outbox?.moved(takingBackAbove: nil, finalized: number)
    await tell()
  }

  /// Tells listeners of the claims that have changed, now that the chain has come so far.
  private func tell() async {
    guard let follower else { return }
    await tell(at: height(follower.tip.number, finalized: follower.finalized))
  }

  func height(_ tip: UInt64, finalized: UInt64) -> ChainHeight {
    ChainHeight(tip: tip, finalized: finalized, confirmations: configuration.confirmations)
  }

  func tell(at height: ChainHeight) async {
    let changed = news.claims(at: height)
    if changed.contains(where: \.isTakenBack) {
      report(ChainReport(.warning, "a reorganization took back the state of a claim"))
    }
    for claim in changed {
      var ids = [ChainClaimName.of(claim.ledgerID)]
      if let draft = try? await store.claim(ledgerID: claim.ledgerID)?.draft { ids.append(draft.claimID) }
      for id in ids { listeners.tell(id) }
    }
    wake()
  }

  /// Asks for the chain's latest block, without following it.
  func readHead() async {
    guard let header = try? await nodes.header(.latest) else { return }
    heard(header)
  }

  private func heard(_ header: BlockHeader) { (head, headTime) = (header.number, clock()) }

  /// Returns what is wrong with the index of this height; `nil` if it is near to the chain's tip.
  func lag(of height: ChainHeight) -> String? {
    guard let head, let headTime, clock() - headTime <= Self.silence else { return "no node of the chain answers" }
    let tip = height.tip
    guard head > tip + Self.lag else { return nil }
    return "the index is \(head - tip) blocks behind the chain"
  }

  /// For how long nodes may be silent, in seconds; and how many blocks the index may be behind.
  private static let (silence, lag): (Int64, UInt64) = (60, 20)
}
