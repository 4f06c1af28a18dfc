import Dispatch
import Lab

@testable import MultipeerConnectivity

/// Counts that whoever holds it is gone.
final class Sentinel: Sendable {
  static let key = DispatchSpecificKey<Sentinel>()

  private let gone: ObservedValue<Int>

  init(_ gone: ObservedValue<Int>) { self.gone = gone }

  deinit { gone.change { $0 += 1 } }
}

final class WatchedAdvertiser: MCNearbyServiceAdvertiser {
  var sentinel: Sentinel?
}

final class WatchedBrowser: MCNearbyServiceBrowser {
  var sentinel: Sentinel?
}
