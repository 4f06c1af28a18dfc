import BumpChain
import BumpWallet

/// The claims that were moved in blocks which are not final yet, and what was said of them.
struct ClaimNews {
  private var claims: [Bytes32: ClaimProgress] = [:]
  /// The block of each claim's latest event.
  private var latest: [Bytes32: UInt64] = [:]

  /// Takes a step of the chain.
  mutating func take(_ step: ChainStep) {
    if step.takesBack > 0 {
      for id in claims.keys { claims[id]?.takeBack(above: step.parent.number) }
    }
    for block in step.blocks {
      for placed in block.events {
        claims[placed.event.ledgerID, default: ClaimProgress()].take(placed.event, block: block.header.number)
        latest[placed.event.ledgerID] = block.header.number
      }
    }
  }

  /// Returns the claims of which there is something to say now that the chain has come so far, and whether a
  /// reorganization took back what was said before. Claims that are final are forgotten after that.
  mutating func claims(at height: ChainHeight) -> [(ledgerID: Bytes32, isTakenBack: Bool)] {
    var changed: [(ledgerID: Bytes32, isTakenBack: Bool)] = []
    for id in claims.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      let news = claims[id]?.news(at: height) ?? []
      if !news.isEmpty { changed.append((id, news.first == .unsettled)) }
      if latest[id, default: 0] <= height.finalized { (claims[id], latest[id]) = (nil, nil) }
    }
    return changed
  }
}
