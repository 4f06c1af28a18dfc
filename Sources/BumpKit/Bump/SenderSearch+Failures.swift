import BumpDiscovery
import BumpWire

/// What became of the senders that were found and came to nothing.
extension SenderSearch {
  /// Those that failed so far, and those that no connection has come of yet.
  var failures: [FailedPeer] {
    var search = self
    search.noteUnconnected()
    return search.failed.list
  }

  /// Keeps what a sender's record says, for who is told of its failure.
  mutating func described(_ id: SenderID, _ txt: TXTRecord) {
    senders[id]?.mode = Mode(txt)
    senders[id]?.channel = txt.channel
  }

  /// Notes why a sender came to nothing. A search that goes on for hours says nothing of that when it ends.
  mutating func note(_ id: SenderID, at address: String? = nil, _ reason: FailedPeer.Reason) {
    guard !isLong else { return }
    let name: String? = if case .instance(let name) = id { name } else { nil }
    let sender = senders[id]
    failed.note(
      id, FailedPeer(name: name, address: address, mode: sender?.mode, channel: sender?.channel, reason: reason))
  }

  /// Notes the senders that are announced, or were given, and are not connected to.
  mutating func noteUnconnected() {
    for (id, sender) in senders.sorted(by: { $0.value.order < $1.value.order }) where !sender.isDone {
      let isUntouched = !sender.addresses.isEmpty || (sender.rounds == 0 && !sender.isResolving)
      if sender.isInSession { continue }
      if !sender.addresses.connections.isEmpty {
        note(id, at: sender.addresses.shown?.description, .connectTimedOut)
      } else if !isGone(sender, id) {
        note(id, at: sender.addresses.shown?.description, isUntouched ? .notTried : .notResolved)
      }
    }
  }
}
