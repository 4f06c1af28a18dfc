@preconcurrency import MultipeerConnectivity

/// A table of players nearby, written against Apple's module alone.
final class Game: NSObject {
  private let me: MCPeerID
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private(set) var players: [MCPeerID] = []

  init(name: String) {
    me = MCPeerID(displayName: name)
    session = MCSession(peer: me, securityIdentity: nil, encryptionPreference: .required)
    advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: ["version": "1"], serviceType: "nearby-game")
    browser = MCNearbyServiceBrowser(peer: me, serviceType: "nearby-game")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func begin() {
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func play(_ move: String) {
    do {
      try session.send(Data(move.utf8), toPeers: session.connectedPeers, with: .reliable)
    } catch MCError.notConnected {
      print("\(me.displayName) is alone")
    } catch MCError.invalidParameter {
      print("\(me.displayName) is ready to play")
    } catch {
      print(error.localizedDescription)
    }
  }

  func end() {
    browser.stopBrowsingForPeers()
    advertiser.stopAdvertisingPeer()
    session.disconnect()
  }
}

extension Game: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    let name = peerID.displayName
    DispatchQueue.main.async { print("\(name) is \(state == .connected ? "here" : "not here")") }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    print("\(peerID.displayName) plays \(String(decoding: data, as: UTF8.self))")
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {}

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}

extension Game: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    invitationHandler(true, session)
  }
}

extension Game: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  {
    players.append(peerID)
    // Of two, one invites.
    if me.hash < peerID.hash { browser.invitePeer(peerID, to: session, withContext: nil, timeout: 20) }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { players.removeAll { $0 == peerID } }
}
