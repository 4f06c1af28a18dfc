/// Those that were found and failed, so that nobody is said to be missing who was there. Pure.
///
/// Anybody may announce thousands: a few are kept, those that came furthest.
struct FailedPeers<ID: Hashable & Sendable>: Sendable {
  static var maximum: Int { 16 }

  /// The latest last.
  private var entries: [(id: ID, peer: FailedPeer)] = []

  /// Notes a failure. Of one peer the furthest is kept, and of two that are equally far the later.
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

  /// Those that came furthest first, and of those the latest.
  var list: [FailedPeer] {
    entries.indices.sorted { (stage($0), $0) > (stage($1), $1) }.map { entries[$0].peer }
  }

  private func stage(_ index: Int) -> Int { entries[index].peer.reason.stage }
}
