import BumpMultipeer
@_exported public import Foundation

/// Announces a peer, and answers invitations for the program.
///
/// On Apple's systems an alert of the system asks the person. Linux has none: `invitationHandler` answers, and without
/// it every invitation is declined.
open class MCAdvertiserAssistant: NSObject {
  private final class Answers: NSObject, MCNearbyServiceAdvertiserDelegate {
    weak var owner: MCAdvertiserAssistant?

    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?,
      invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) {
      guard let owner else { return invitationHandler(false, nil) }
      owner.delegate?.advertiserAssistantWillPresentInvitation(owner)
      guard let ask = owner.invitationHandler else { return owner.answer(false, invitationHandler) }
      let once = Once { [weak owner] accepts in owner?.answer(accepts, invitationHandler) }
      ask(peerID, context) { once.call($0) }
    }
  }

  private let advertiser: MCNearbyServiceAdvertiser
  private let answers = Answers()

  /// The session that accepted invitations join.
  open private(set) var session: MCSession
  /// The key-value pairs that browsers receive with the peer.
  open private(set) var discoveryInfo: [String: String]?
  /// The type under which the peer is announced.
  open private(set) var serviceType: String
  /// Receives what the assistant does.
  open weak var delegate: (any MCAdvertiserAssistantDelegate)?

  /// Answers an invitation in the person's place: called with the inviting peer, its context, and a closure that takes
  /// the answer. Not in Apple's API.
  open var invitationHandler: ((MCPeerID, Data?, @escaping (Bool) -> Void) -> Void)?

  /// Makes an assistant for the peer of a session. Arguments that are not valid end the program.
  public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
    self.session = session
    self.serviceType = serviceType
    discoveryInfo = info
    advertiser = MCNearbyServiceAdvertiser(peer: session.myPeerID, discoveryInfo: info, serviceType: serviceType)
    super.init()
    answers.owner = self
    advertiser.delegate = answers
  }

  /// Starts to advertise.
  open func start() { advertiser.startAdvertisingPeer() }

  /// Stops advertising.
  open func stop() { advertiser.stopAdvertisingPeer() }

  private func answer(_ accepts: Bool, _ handler: (Bool, MCSession?) -> Void) {
    handler(accepts, accepts ? session : nil)
    delegate?.advertiserAssistantDidDismissInvitation(self)
  }
}

/// The methods by which an assistant informs its program.
public protocol MCAdvertiserAssistantDelegate: NSObjectProtocol {
  /// Called when an invitation has come, before `invitationHandler`. No alert is shown here.
  func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
  /// Called once the invitation is answered, also if it is declined because there is no `invitationHandler`.
  func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
}

extension MCAdvertiserAssistantDelegate {
  /// Does nothing.
  public func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
  /// Does nothing.
  public func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
}
