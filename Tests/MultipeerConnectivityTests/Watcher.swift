import Foundation
import Lab
import Synchronization

@testable import MultipeerConnectivity

/// A delegate of everything that sees on which thread it is called, and whether two calls overlap. It declines invitations, and
/// lacks the method for certificates.
final class Watcher: NSObject, @unchecked Sendable {
  /// So long a call waits for another one to come meanwhile, which it must not.
  private static let patience: TimeInterval = 0.01

  private let running = NSCondition()
  private var inside = 0
  private var overlapped = 0
  private let state = ObservedValue((count: 0, onMain: 0, waiting: 0))
  /// What each call waits for, where there is anything.
  let gate = Mutex<DispatchSemaphore?>(nil)

  /// How many calls began before the one of before was over.
  var overlaps: Int { running.withLock { overlapped } }
  var onMain: Int { state.value.onMain }

  /// Waits until so many calls are over.
  func sawAll(_ number: Int) async throws { try await state.wait { $0.count >= number ? () : nil } }

  /// Waits until so many calls wait for the gate.
  func isWaiting(_ number: Int) async throws { try await state.wait { $0.waiting >= number ? () : nil } }

  fileprivate func watch() {
    if let gate = gate.withLock(\.self) {
      state.change { $0.waiting += 1 }
      gate.wait()
    }
    running.withLock {
      inside += 1
      if inside > 1 {
        overlapped += 1
        running.broadcast()
      }
      if overlapped == 0 { _ = running.wait(until: Date(timeIntervalSinceNow: Self.patience)) }
      inside -= 1
    }
    state.change { state in
      state.count += 1
      if Thread.isMainThread { state.onMain += 1 }
    }
  }
}

extension Watcher: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) { watch() }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) { watch() }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) { watch() }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) { watch() }

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) { watch() }
}

extension Watcher: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    watch()
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { watch() }
}

extension Watcher: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    watch()
    invitationHandler(false, nil)
  }
}
