import BumpChain
import BumpWallet

/// What a server without the lease does to tell of what the lease's holder has stored.
extension ChainDriver {
  /// Reads on in the index if it has changed, and tells of the claims that have.
  func readIndex() async {
    guard held == nil, !isReading else { return }
    isReading = true
    defer { isReading = false }
    let life = life
    do {
      guard let height = try await store.height(), height.revision != seen?.revision else { return }
      var found = try await store.blocks(above: seen?.tip.number ?? height.finalized)
      if let seen, found?.parent != seen.tip {
        // A reorganization. What was final when it was read is still there.
        found = try await store.blocks(above: seen.headers[0].number)
      }
      guard life == self.life, held == nil else { return }
      guard let found, let step = seen?.take(found) else {
        // The first time, or too much has changed meanwhile: streams read their claims again with their heartbeats.
        seen = found.map { SeenIndex($0) }
        if let found { beginNews(with: found) }
        return
      }
      news.take(step)
      await tell(at: self.height(seen?.tip.number ?? 0, finalized: found.finalized))
    } catch {
      failed(error, "what another server has stored cannot be read")
    }
  }

  /// Begins with what the index has above its latest final block: of that nothing is to be said.
  func beginNews(with open: IndexedBlocks) {
    let tip = open.blocks.last?.header ?? open.parent
    news = ClaimNews()
    news.take(ChainStep(parent: open.parent, takesBack: 0, blocks: open.blocks))
    _ = news.claims(at: height(tip.number, finalized: open.finalized))
  }
}

/// The headers of an index as they were read last.
struct SeenIndex {
  /// The headers from one that was final on, the tip last.
  private(set) var headers: [BlockHeader]
  private(set) var revision: Int64

  init(_ open: IndexedBlocks) {
    headers = [open.parent] + open.blocks.map(\.header)
    revision = open.revision
  }

  var tip: BlockHeader { headers[headers.count - 1] }

  /// Takes what the index has now.
  ///
  /// - Returns: how it came there; `nil` if that cannot be told.
  mutating func take(_ found: IndexedBlocks) -> ChainStep? {
    guard let first = headers.firstIndex(of: found.parent) else { return nil }
    let above = headers[(first + 1)...]
    let common = zip(above, found.blocks).prefix { $0 == $1.header }.count
    let parent = first + common
    let step = ChainStep(
      parent: headers[parent], takesBack: headers.count - parent - 1, blocks: Array(found.blocks.dropFirst(common)))
    headers = headers[...parent] + step.blocks.map(\.header)
    headers.removeFirst(headers.lastIndex { $0.number <= found.finalized } ?? 0)
    revision = found.revision
    return step
  }
}
