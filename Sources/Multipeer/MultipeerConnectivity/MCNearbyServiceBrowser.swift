import BumpMultipeer
import Dispatch
@_exported public import Foundation
import NIOCore

/// Finds peers nearby, and invites them.
///
/// A browser is independent of sessions. Its delegate is called on a private serial queue.
open class MCNearbyServiceBrowser: NSObject {
  /// How many seconds an invitation waits if the program gives no time.
  private static let defaultTimeout: TimeInterval = 30
  /// The most seconds that an invitation waits.
  private static let longestTimeout: TimeInterval = 86_400

  private let queue = DispatchQueue(label: "bump.multipeer.browser")
  private let reference = WeakReference()
  private let me = WeakReference()
  private let browser: Browser

  /// The peer that browses. The browser does not find it.
  open private(set) var myPeerID: MCPeerID
  /// The type of the peers to find.
  open private(set) var serviceType: String

  /// Makes a browser. A service type that is not valid ends the program, as on Apple's systems.
  ///
  /// - Parameter serviceType: 1 to 15 letters, digits and single inner hyphens, with at least one letter.
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

  /// Receives sightings and failures. It is not retained.
  open weak var delegate: (any MCNearbyServiceBrowserDelegate)? {
    get { reference.value as? any MCNearbyServiceBrowserDelegate }
    set { reference.value = newValue }
  }

  /// Starts to browse. A failure is reported to the delegate. A repeated start does nothing.
  open func startBrowsingForPeers() { browser.start() }

  /// Stops browsing. Sessions continue.
  open func stopBrowsingForPeers() { browser.stop() }

  /// Invites a peer that this browser has found. The session's delegate is informed of the outcome.
  ///
  /// - Parameters:
  ///   - context: at most 32 KiB, passed unchanged to the other program. More ends the program.
  ///   - timeout: seconds to wait for the answer, at most a day; 30 if it is 0 or less. The time after an acceptance
  ///     does not count.
  open func invitePeer(_ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval) {
    guard (context?.count ?? 0) <= MultipeerLimits.context else {
      fatalError("Invalid context passed to MCNearbyServiceBrowser")
    }
    let (browser, id) = (browser, peerID.peer.id)
    session.engine.invite(
      peerID.peer, context: context.map(Array.init),
      timeout: .seconds(timeout > 0 ? min(timeout, Self.longestTimeout) : Self.defaultTimeout)
    ) {
      await browser.addresses(of: id)
    }
  }
}

/// The methods by which a browser informs its program.
public protocol MCNearbyServiceBrowserDelegate: NSObjectProtocol {
  /// Called when a peer is found, once for all interfaces.
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  /// Called when a peer is found on no interface any more.
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
  /// Called when browsing has failed. The browser can be started again.
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
  /// Does nothing.
  public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}
