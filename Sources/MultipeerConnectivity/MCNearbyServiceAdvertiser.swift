import BumpMultipeer
import Dispatch
@_exported public import Foundation

/// Announces a peer to browsers nearby, and brings their invitations.
///
/// It is independent of sessions. Its delegate is called on a private serial queue.
open class MCNearbyServiceAdvertiser: NSObject {
  private let queue = DispatchQueue(label: "bump.multipeer.advertiser")
  private let reference = WeakReference()
  private let me = WeakReference()
  let advertiser: Advertiser

  open private(set) var myPeerID: MCPeerID
  open private(set) var discoveryInfo: [String: String]?
  open private(set) var serviceType: String

  /// Makes an advertiser.
  ///
  /// - Parameters:
  ///   - info: what browsers are told with the peer: each key and value together have at most 254 bytes, and no key has a
  ///     `=`. Apple advises at most 400 bytes in all.
  ///   - serviceType: 1 to 15 letters, digits and single inner hyphens, with a letter.
  public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
    let type = Arguments.serviceType(serviceType, of: "MCNearbyServiceAdvertiser")
    self.myPeerID = myPeerID
    discoveryInfo = Arguments.discoveryInfo(info, of: "MCNearbyServiceAdvertiser")
    self.serviceType = serviceType
    let (reference, me, queue, node) = (reference, me, queue, myPeerID.node)
    let peer = myPeerID.peer
    advertiser = Advertiser(peer, PeerInfo(peer, info), type, of: node, on: queue) { invitation, answer in
      guard
        let owner = me.value as? MCNearbyServiceAdvertiser,
        let delegate = reference.value as? any MCNearbyServiceAdvertiserDelegate
      else { return }
      let once = Once(answer)
      delegate.advertiser(
        owner, didReceiveInvitationFromPeer: MCPeerID(invitation.from, of: node),
        withContext: invitation.context.map { Data($0) }
      ) { accepts, session in
        once.call(accepts ? session?.engine : nil)
      }
    } onFailure: { error in
      let error = Handover(error)
      node.run(on: queue) {
        guard
          let owner = me.value as? MCNearbyServiceAdvertiser,
          let delegate = reference.value as? any MCNearbyServiceAdvertiserDelegate
        else { return }
        delegate.advertiser(owner, didNotStartAdvertisingPeer: error.value)
      }
    }
    super.init()
    me.value = self
  }

  deinit { advertiser.stop() }

  open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
    get { reference.value as? any MCNearbyServiceAdvertiserDelegate }
    set { reference.value = newValue }
  }

  /// Begins. A failure is told to the delegate. A repeated start does nothing.
  open func startAdvertisingPeer() { advertiser.start() }

  /// Ends. Sessions go on.
  open func stopAdvertisingPeer() { advertiser.stop() }
}

/// What an advertiser tells its program.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
  /// A peer invites.
  ///
  /// - Parameters:
  ///   - context: what the inviting program added. It may be anything.
  ///   - invitationHandler: to be called once, now or later: with true and a session to accept, else to decline. A second
  ///     call is ignored. If it is never called, the invitation times out.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void)
  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
  /// Does nothing.
  public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}

/// Calls a function once.
private final class Once: @unchecked Sendable {
  private let lock = NSLock()
  private var function: (@Sendable (SessionEngine?) -> Void)?

  init(_ function: @escaping @Sendable (SessionEngine?) -> Void) { self.function = function }

  func call(_ engine: SessionEngine?) {
    let function = lock.withLock {
      defer { self.function = nil }
      return self.function
    }
    function?(engine)
  }
}
