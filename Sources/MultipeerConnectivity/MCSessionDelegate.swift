/// What a session tells its program, on a private serial queue.
public protocol MCSessionDelegate: NSObjectProtocol {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
  /// The program sets the stream's delegate, schedules and opens it.
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID)
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress)
  /// - Parameter localURL: a temporary file, which is gone when the method returns; `nil` with an error.
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?)
  /// - Parameters:
  ///   - certificate: `Data` of each certificate, the leaf first. Nothing has checked them.
  ///   - certificateHandler: to be called once; until then the peer is connecting.
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
  /// Takes every certificate, as Apple's framework does where a delegate lacks the method.
  ///
  /// A subclass that adds the method is not asked where its superclass conforms without it: Swift binds a protocol's
  /// default where the conformance is written.
  public func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    certificateHandler(true)
  }
}
