import BumpDiscovery

/// Why the senders that were found failed.
extension SenderConnector {
  /// The senders that have failed, and those without a connection so far.
  var failures: [FailedPeer] {
    var search = self
    search.noteUnconnected()
    return search.failed.list
  }

  /// Keeps a sender's record, to report it with the sender's failure.
  mutating func described(_ id: SenderID, _ announcement: Announcement) { senders[id]?.announcement = announcement }

  /// Notes why a sender failed. A long search reports no failures at its end, so it keeps none.
  mutating func note(_ id: SenderID, at address: String? = nil, _ reason: FailedPeer.Reason) {
    guard !isLong else { return }
    let announcement = senders[id]?.announcement
    let peer = FailedPeer(
      name: id.instanceName, address: address, mode: announcement?.mode, channel: announcement?.channel, reason: reason)
    failed.note(id, peer)
  }

  /// Returns whether to report that a sender has not admitted us: once, and not in the first second, in which it may
  /// admit us.
  mutating func tellsRefusal(_ id: SenderID, at now: Moment) -> Bool {
    guard let sender = senders[id], !sender.isRefusalTold else { return false }
    let since = sender.refusedSince ?? now
    senders[id]?.refusedSince = since
    guard now > since + AttemptBudget.patience else { return false }
    senders[id]?.isRefusalTold = true
    return true
  }

  /// Notes a failure for each sender that is announced or was given, but not connected to.
  mutating func noteUnconnected(isTimeUp: Bool = true) {
    for (id, sender) in senders.sorted(by: { $0.value.order < $1.value.order }) where !sender.isDone {
      let isUntouched = !sender.addresses.isEmpty || (sender.rounds == 0 && !sender.isResolving)
      if sender.isInSession { continue }
      if !sender.addresses.connections.isEmpty {
        note(id, at: sender.addresses.shown?.description, isTimeUp ? .connectTimedOut : .notTried)
      } else if !isGone(sender, id) {
        note(id, at: sender.addresses.shown?.description, isUntouched ? .notTried : .notResolved)
      }
    }
  }
}
