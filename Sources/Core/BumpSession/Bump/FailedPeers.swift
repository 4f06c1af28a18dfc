/// The peers that were found and failed, so that bump does not say that nobody was found. Pure.
///
/// Anybody can announce thousands of senders: only the few peers that got furthest are kept.
struct FailedPeers<ID: Hashable & Sendable>: Sendable {
  static var maximum: Int { 16 }

  /// In the order in which they were noted, the latest last.
  private var entries: [(id: ID, peer: FailedPeer)] = []

  /// Notes a failure. Of one peer, keeps the failure at the highest stage; of two at the same stage, the later one.
  mutating func note(_ id: ID, _ peer: FailedPeer) {
    var peer = peer
    if let index = entries.firstIndex(where: { $0.id == id }) {
      let former = entries[index].peer
      guard peer.reason.stage >= former.reason.stage else { return }
      peer.name = peer.name ?? former.name
      peer.address = peer.address ?? former.address
      entries.remove(at: index)
    } else if entries.count >= Self.maximum {
      guard let least = entries.indices.min(by: { stage($0) < stage($1) }), stage(least) <= peer.reason.stage else {
        return
      }
      entries.remove(at: least)
    }
    entries.append((id, peer))
  }

  /// The failed peers, those that got furthest first, and of equal ones the latest first.
  var list: [FailedPeer] {
    entries.indices.sorted { (stage($0), $0) > (stage($1), $1) }.map { entries[$0].peer }
  }

  private func stage(_ index: Int) -> Int { entries[index].peer.reason.stage }
}
