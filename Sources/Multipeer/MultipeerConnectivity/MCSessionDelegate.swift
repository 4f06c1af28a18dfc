/// The methods by which a session informs its program, called on a private serial queue.
public protocol MCSessionDelegate: NSObjectProtocol {
  /// Called when a peer's state has changed.
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
  /// Called with a message from a peer.
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
  /// Called when a peer has opened a stream. Set the stream's delegate, schedule it and open it.
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID)
  /// Called when a peer begins to send a file. Cancelling the progress stops the transfer.
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress)
  /// Called when a file was received, or has failed.
  ///
  /// - Parameter localURL: a temporary file, which is removed when the method returns; `nil` with an error.
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?)
  /// Called with a peer's certificates before the peer is connected.
  ///
  /// - Parameters:
  ///   - certificate: `Data` of each certificate, the leaf first; `nil` for none. Nothing has checked them.
  ///   - certificateHandler: call it once, with whether to accept the peer. Until then the peer is connecting.
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
  /// Accepts every certificate, as Apple's framework does if a delegate lacks the method.
  ///
  /// If a superclass conforms without this method, a subclass that adds it is not called: Swift binds a protocol's
  /// default where the conformance is declared.
  public func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    certificateHandler(true)
  }
}
