import BumpMultipeer
import Dispatch
@_exported public import Foundation

/// A session of up to eight peers that send each other messages, streams and resources.
///
/// The session calls its delegate on a private serial queue. Use a new session after a failed attempt, as on Apple's
/// systems.
open class MCSession: NSObject {
  private let queue: DispatchQueue
  private let reference = WeakReference()
  private let me = WeakReference()
  let engine: SessionEngine

  /// The local peer.
  open private(set) var myPeerID: MCPeerID
  /// The certificates given to the initializer: this peer's, the leaf first, as `Data` in DER or PEM.
  open private(set) var securityIdentity: [Any]?
  /// Whether the connections of this session are encrypted.
  open private(set) var encryptionPreference: MCEncryptionPreference

  /// Makes a session that must be encrypted.
  public convenience init(peer myPeerID: MCPeerID) {
    self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
  }

  /// Makes a session. An identity that is not valid ends the program.
  ///
  /// - Parameter identity: certificates as `Data`, the leaf first: at most 8, together at most 32 KiB. They are passed
  ///   to the other peers' programs. Nothing checks them.
  public init(peer myPeerID: MCPeerID, securityIdentity identity: [Any]?, encryptionPreference: MCEncryptionPreference)
  {
    let certificates = (identity ?? []).compactMap { ($0 as? Data).map(Array.init) }
    guard certificates.count == (identity ?? []).count, Terms.fit(certificates) else {
      fatalError("Invalid securityIdentity passed to MCSession")
    }
    self.myPeerID = myPeerID
    securityIdentity = identity
    self.encryptionPreference = encryptionPreference
    let queue = DispatchQueue(label: "bump.multipeer.session")
    self.queue = queue
    var generator = myPeerID.node.environment.random
    let terms = Terms(
      peer: myPeerID.peer, session: PeerID(using: &generator), preference: encryptionPreference.onWire,
      port: (try? myPeerID.node.listeningPort()) ?? 0, certificates: certificates)
    let (reference, me) = (reference, me)
    engine = SessionEngine(terms, of: myPeerID.node, on: queue) { news in
      MCSession.deliver(news, me.value as? MCSession, reference.value as? any MCSessionDelegate)
    }
    super.init()
    me.value = self
  }

  deinit { engine.disconnect() }

  /// Receives the session's events. It is not retained. Events without a delegate are dropped.
  open weak var delegate: (any MCSessionDelegate)? {
    get { reference.value as? any MCSessionDelegate }
    set { reference.value = newValue }
  }

  /// The connected peers, without the local one.
  open var connectedPeers: [MCPeerID] { engine.connectedPeers.map { MCPeerID($0, of: engine.node) } }

  /// Sends a message to each of these peers. When this returns, the message is queued; it may not have arrived.
  ///
  /// - Throws: `MCError.notConnected` if one of the peers is not connected: then nothing is sent to the others either.
  ///   `MCError.invalidParameter` for no peers or more than 32 MiB.
  open func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
    guard !peerIDs.isEmpty else { throw MCError(.invalidParameter, "There is no peer to send to.") }
    guard data.count <= MultipeerLimits.message else {
      throw MCError(.invalidParameter, "A message has at most \(MultipeerLimits.message) bytes. Send a resource.")
    }
    do {
      try engine.send(Array(data), to: peerIDs.map(\.peer), isReliable: mode == .reliable)
    } catch {
      throw MCError(.notConnected, "Peers (\(error.peers.map(\.name).joined(separator: ", "))) not connected")
    }
  }

  /// Sends a file to a peer.
  ///
  /// - Parameter completionHandler: called once, on the session's queue: with `nil` when the peer has all of the file,
  ///   otherwise with the error.
  /// - Returns: the progress in bytes, which can be cancelled; `nil` if sending has not begun.
  @discardableResult
  open func sendResource(
    at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
    withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
  ) -> Progress? {
    let handler = UncheckedSendable(completionHandler)
    let (queue, node) = (queue, engine.node)
    let end: @Sendable ((any Error)?) -> Void = { error in node.run(on: queue) { handler.value?(error) } }
    guard resourceURL.isFileURL else {
      end(MCError(.unsupported, "A resource is a file."))
      return nil
    }
    guard (1...MultipeerLimits.name).contains(resourceName.utf8.count) else {
      end(MCError(.invalidParameter, "A resource's name has 1 to \(MultipeerLimits.name) bytes."))
      return nil
    }
    do {
      let resource = try OutgoingResource(resourceURL, name: resourceName, of: node, onEnd: end)
      guard engine.open(resource, to: peerID.peer) else {
        end(MCError(.notConnected, "Peers (\(peerID.displayName)) not connected"))
        return nil
      }
      return resource.progress
    } catch {
      end(error)
      return nil
    }
  }

  /// Opens a stream to a peer. Set the stream's delegate, schedule it and open it.
  ///
  /// - Throws: `MCError.notConnected`; `MCError.invalidParameter` for a name that is empty or longer than 63 bytes.
  @discardableResult
  open func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    guard (1...MultipeerLimits.name).contains(streamName.utf8.count) else {
      throw MCError(.invalidParameter, "A stream's name has 1 to \(MultipeerLimits.name) bytes.")
    }
    guard let stream = engine.openStream(streamName, to: peerID.peer) else {
      throw MCError(.notConnected, "Peers (\(peerID.displayName)) not connected")
    }
    return stream
  }

  /// Leaves the session. The other members are informed, and this session's delegate is called for each of them. Queued
  /// messages may be lost.
  open func disconnect() { engine.disconnect() }

  /// Makes the data that another peer needs to connect to this one, for peers that programs find by other means. Both
  /// programs make data, exchange it, and call `connectPeer`. Keep it from third parties: they could take a peer's
  /// place.
  ///
  /// - Parameter completionHandler: called with the data; with `MCError.invalidParameter` for the local peer; with
  ///   `MCError.unavailable` if this host has no network.
  open func nearbyConnectionData(
    forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) {
    let (engine, peer, handler) = (engine, peerID.peer, UncheckedSendable(completionHandler))
    engine.node.run(on: queue) {
      if let data = engine.connectionData(for: peer) { return handler.value(Data(data), nil) }
      let isLocal = peer == engine.terms.peer
      handler.value(
        nil,
        isLocal
          ? MCError(.invalidParameter, "This is the session's own peer.")
          : MCError(.unavailable, "This host has no network."))
    }
  }

  /// Makes the data that another peer needs to connect to this one.
  open func nearbyConnectionData(forPeer peerID: MCPeerID) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      nearbyConnectionData(forPeer: peerID) { data, error in
        if let data {
          continuation.resume(returning: data)
        } else {
          continuation.resume(throwing: error ?? MCError(.unknown))
        }
      }
    }
  }

  /// Connects to a peer with the data that the peer's program made for this one by `nearbyConnectionData`. Both
  /// programs call this, within 30 seconds of each other, after both have made data. With data of another peer or data
  /// that was used, the delegate gets `notConnected`.
  open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
    engine.connect(to: peerID.peer, with: Array(data))
  }

  /// Cancels connecting to a peer, and makes the unused data that this session made for it invalid.
  open func cancelConnectPeer(_ peerID: MCPeerID) { engine.cancelConnect(to: peerID.peer) }

  private static func deliver(_ news: SessionEngine.News, _ session: MCSession?, _ delegate: (any MCSessionDelegate)?) {
    guard let session, let delegate else { return drop(news, session) }
    switch news {
    case .state(let peer, let state):
      delegate.session(session, peer: MCPeerID(peer, of: session.engine.node), didChange: MCSessionState(state))
    case .certificates(let id, let peer, let chain):
      let engine = session.engine
      delegate.session(
        session, didReceiveCertificate: chain.isEmpty ? nil : chain.map { Data($0) },
        fromPeer: MCPeerID(peer, of: session.engine.node)
      ) { engine.judged(id, $0) }
    case .message(let peer, let bytes):
      delegate.session(session, didReceive: Data(bytes), fromPeer: MCPeerID(peer, of: session.engine.node))
    case .stream(let peer, let name, let stream):
      delegate.session(
        session, didReceive: stream.value, withName: name, fromPeer: MCPeerID(peer, of: session.engine.node))
    case .resourceBegan(let peer, let resource):
      delegate.session(
        session, didStartReceivingResourceWithName: resource.name, fromPeer: MCPeerID(peer, of: session.engine.node),
        with: resource.progress)
    case .resourceEnded(let peer, let resource, let error):
      delegate.session(
        session, didFinishReceivingResourceWithName: resource.name, fromPeer: MCPeerID(peer, of: session.engine.node),
        at: error == nil ? resource.url : nil, withError: error)
      resource.remove()
    }
  }

  /// Disposes of an event that has no delegate. Certificates are accepted, as by a delegate without that method.
  private static func drop(_ news: SessionEngine.News, _ session: MCSession?) {
    switch news {
    case .certificates(let id, _, _): session?.engine.judged(id, true)
    case .stream(_, _, let stream): stream.value.close()
    case .resourceEnded(_, let resource, _): resource.remove()
    case .state, .message, .resourceBegan: break
    }
  }
}
