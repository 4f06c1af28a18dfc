import BumpMultipeer
import Dispatch
@_exported public import Foundation
import NIOCore

/// Finds peers nearby, and invites them.
///
/// It is independent of sessions. Its delegate is called on a private serial queue.
open class MCNearbyServiceBrowser: NSObject {
  /// What an invitation waits where the program gives no time.
  private static let defaultTimeout: TimeInterval = 30

  private let queue = DispatchQueue(label: "bump.multipeer.browser")
  private let reference = WeakReference()
  private let me = WeakReference()
  private let browser: Browser

  open private(set) var myPeerID: MCPeerID
  open private(set) var serviceType: String

  /// Makes a browser.
  ///
  /// - Parameter serviceType: 1 to 15 letters, digits and single inner hyphens, with a letter.
  public init(peer myPeerID: MCPeerID, serviceType: String) {
    let type = Arguments.serviceType(serviceType, of: "MCNearbyServiceBrowser")
    self.myPeerID = myPeerID
    self.serviceType = serviceType
    let (reference, me, queue, node) = (reference, me, queue, myPeerID.node)
    browser = Browser(myPeerID.peer, type, of: node) { event in
      node.run(on: queue) {
        guard
          let owner = me.value as? MCNearbyServiceBrowser,
          let delegate = reference.value as? any MCNearbyServiceBrowserDelegate
        else { return }
        switch event {
        case .found(let peer, let info):
          delegate.browser(owner, foundPeer: MCPeerID(peer, of: node), withDiscoveryInfo: info)
        case .lost(let peer): delegate.browser(owner, lostPeer: MCPeerID(peer, of: node))
        case .failed(let error): delegate.browser(owner, didNotStartBrowsingForPeers: error)
        }
      }
    }
    super.init()
    me.value = self
  }

  deinit { browser.stop() }

  open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
    get { reference.value as? any MCNearbyServiceBrowserDelegate }
    set { reference.value = newValue }
  }

  /// Begins. A failure is told to the delegate. A repeated start does nothing.
  open func startBrowsingForPeers() { browser.start() }

  /// Ends. Sessions go on.
  open func stopBrowsingForPeers() { browser.stop() }

  /// Invites a peer that this browser has found.
  ///
  /// - Parameters:
  ///   - context: at most 32 KiB, which the other program gets as it is.
  ///   - timeout: seconds to wait for the answer; 30 where it is 0 or less. What follows an acceptance is not in it.
  open func invitePeer(_ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval) {
    guard (context?.count ?? 0) <= MultipeerLimits.context else {
      fatalError("Invalid context passed to MCNearbyServiceBrowser")
    }
    let (browser, id) = (browser, peerID.peer.id)
    session.engine.invite(
      peerID.peer, context: context.map(Array.init), timeout: .seconds(timeout > 0 ? timeout : Self.defaultTimeout)
    ) {
      await browser.addresses(of: id)
    }
  }
}

/// What a browser tells its program.
public protocol MCNearbyServiceBrowserDelegate: NSObjectProtocol {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
  /// Does nothing.
  public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}
