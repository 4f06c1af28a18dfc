import Foundation
import MultipeerConnectivity

/// A peer that invites the first one that it finds, and keeps what comes.
class Peer: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate, @unchecked Sendable {
  static let type = "mpc-figures"

  let id = MCPeerID(displayName: "figures")
  let session: MCSession
  private let browser: MCNearbyServiceBrowser
  private let condition = NSCondition()
  private var found: ContinuousClock.Instant?
  private var connected: ContinuousClock.Instant?
  private var received: [Data] = []
  private var streams: [InputStream] = []
  private var isGone = false
  private var members = 0

  init(_ preference: MCEncryptionPreference) {
    session = MCSession(peer: id, securityIdentity: nil, encryptionPreference: preference)
    browser = MCNearbyServiceBrowser(peer: id, serviceType: Self.type)
    super.init()
    session.delegate = self
    browser.delegate = self
  }

  /// Finds a peer and connects; returns the milliseconds between the two.
  @discardableResult
  func connect() -> Double {
    browser.startBrowsingForPeers()
    return condition.withLock {
      while connected == nil { condition.wait() }
      guard let found, let connected else { return -1 }
      return found.duration(to: connected) / .milliseconds(1)
    }
  }

  /// Waits until so many others are connected.
  func meets(_ count: Int) { condition.withLock { while members < count { condition.wait() } } }

  func look() { browser.startBrowsingForPeers() }

  func leave() {
    browser.stopBrowsingForPeers()
    session.disconnect()
    isLeft()
  }

  /// Waits until another one is not connected any more.
  func isLeft() { condition.withLock { while !isGone { condition.wait() } } }

  func receive() -> Data {
    condition.withLock {
      while received.isEmpty { condition.wait() }
      return received.removeFirst()
    }
  }

  /// The first stream that came.
  func stream() -> InputStream {
    condition.withLock {
      while streams.isEmpty { condition.wait() }
      return streams.removeFirst()
    }
  }

  private func change(_ body: () -> Void) {
    condition.withLock {
      body()
      condition.signal()
    }
  }

  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    guard found == nil else { return }
    found = .now
    browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10)
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    switch state {
    case .connected:
      change {
        connected = .now
        members += 1
      }
    case .notConnected:
      change {
        isGone = true
        members -= 1
      }
    case .connecting: break
    }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    change { received.append(data) }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {
    change { streams.append(stream) }
  }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
