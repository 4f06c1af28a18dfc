import BumpKit
import BumpTerminal

extension JSONLines.Value {
  /// The peers whose transfer failed; `nil` for none.
  init?(_ peers: [FailedPeer]) {
    guard !peers.isEmpty else { return nil }
    self = .list(
      peers.map { peer in
        let pairs: [String: JSONLines.Value?] = [
          "name": peer.name.map { .string($0) }, "address": peer.address.map { .string($0) },
          "mode": peer.mode.map { .init($0) }, "channel": peer.channel.map { .integer(Int64($0)) },
          "reason": .string(peer.reason.word),
        ]
        return pairs.compactMapValues(\.self)
      })
  }

  /// Other senders nearby; `nil` for none.
  init?(_ senders: [Neighbour]) {
    guard !senders.isEmpty else { return nil }
    self = .list(
      senders.map { sender in
        let pairs: [String: JSONLines.Value?] = [
          "name": .string(sender.name), "mode": sender.mode.map { .init($0) },
          "channel": sender.channel.map { .integer(Int64($0)) },
        ]
        return pairs.compactMapValues(\.self)
      })
  }
}
