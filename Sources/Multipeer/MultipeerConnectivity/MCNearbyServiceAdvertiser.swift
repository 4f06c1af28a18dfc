import BumpMultipeer
import Dispatch
@_exported public import Foundation

/// Announces a peer to browsers nearby, and delivers their invitations.
///
/// An advertiser is independent of sessions. Its delegate is called on a private serial queue.
open class MCNearbyServiceAdvertiser: NSObject {
  private let queue = DispatchQueue(label: "bump.multipeer.advertiser")
  private let reference = WeakReference()
  private let me = WeakReference()
  let advertiser: Advertiser

  /// The peer that is announced.
  open private(set) var myPeerID: MCPeerID
  /// The key-value pairs that browsers receive with the peer.
  open private(set) var discoveryInfo: [String: String]?
  /// The type under which the peer is announced.
  open private(set) var serviceType: String

  /// Makes an advertiser. An argument that is not valid ends the program, as on Apple's systems.
  ///
  /// - Parameters:
  ///   - info: the pairs that browsers receive with the peer. Each key and value together have at most 254 bytes, and
  ///     no key is empty or has a `=`. With two more for each pair they have at most 1,230 in all; Apple advises
  ///     at most 400.
  ///   - serviceType: 1 to 15 letters, digits and single inner hyphens, with at least one letter.
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
        once.call(accepts ? session?.engine.acceptance : nil)
      }
    } onFailure: { error in
      let error = UncheckedSendable(error)
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

  /// Receives invitations and failures. It is not retained.
  open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)? {
    get { reference.value as? any MCNearbyServiceAdvertiserDelegate }
    set { reference.value = newValue }
  }

  /// Starts to advertise. A failure is reported to the delegate. A repeated start does nothing.
  open func startAdvertisingPeer() { advertiser.start() }

  /// Stops advertising. Sessions continue.
  open func stopAdvertisingPeer() { advertiser.stop() }
}

/// The methods by which an advertiser informs its program.
public protocol MCNearbyServiceAdvertiserDelegate: NSObjectProtocol {
  /// Called when a peer invites this one.
  ///
  /// - Parameters:
  ///   - context: the bytes that the inviting program added. Nothing has checked them.
  ///   - invitationHandler: call it once, now or later: with true and a session to accept, otherwise to decline. A
  ///     second call is ignored. If it is never called, the invitation times out.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void)
  /// Called when advertising has failed. The advertiser can be started again.
  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
  /// Does nothing.
  public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}

/// Calls a function once.
final class Once<Argument>: @unchecked Sendable {
  private let lock = NSLock()
  private var function: ((Argument) -> Void)?

  init(_ function: @escaping (Argument) -> Void) { self.function = function }

  func call(_ argument: Argument) {
    let function = lock.withLock {
      defer { self.function = nil }
      return self.function
    }
    function?(argument)
  }
}
