package import BumpMultipeer
@_exported public import Foundation

/// A peer: an identity, and a name for people.
///
/// Each `init(displayName:)` makes a new identity, even for the same name. Archive the object to keep its identity.
open class MCPeerID: NSObject, NSCopying, NSSecureCoding {
  private enum Key {
    static let identity = "identity"
    static let name = "displayName"
  }

  let peer: Peer
  /// The node of the peer, and of its sessions, advertisers and browsers.
  let node: PeerNode

  /// Makes a peer with a new identity.
  ///
  /// - Parameter myDisplayName: 1 to 63 bytes of UTF-8. Another name ends the program, as on Apple's systems.
  public init(displayName myDisplayName: String) {
    let node = PeerNode.current
    guard let peer = node.peer(named: myDisplayName) else { fatalError("Invalid displayName passed to MCPeerID") }
    (self.peer, self.node) = (peer, node)
  }

  init(_ peer: Peer, of node: PeerNode) { (self.peer, self.node) = (peer, node) }

  /// Reads an archived peer; `nil` if the archive has none.
  public required init?(coder: NSCoder) {
    guard
      let identity = coder.decodeObject(of: NSData.self, forKey: Key.identity),
      let name = coder.decodeObject(of: NSString.self, forKey: Key.name),
      let id = PeerID(Data(referencing: identity)), let peer = Peer(id: id, name: name as String)
    else { return nil }
    (self.peer, node) = (peer, .current)
  }

  /// Writes the identity and the name, in an archive that is read on Linux only.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(peer.id.bytes) as NSData, forKey: Key.identity)
    coder.encode(peer.name as NSString, forKey: Key.name)
  }

  open class var supportsSecureCoding: Bool { true }

  /// The name to show to people. It is not unique, and not an identity.
  open var displayName: String { peer.name }

  /// The identity. Peers with the same one are equal.
  package var identity: PeerID { peer.id }

  /// Returns this object, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool { (object as? MCPeerID)?.peer.id == peer.id }

  /// A number that is the same on every host: programs compare hashes to decide which peer invites.
  open override var hash: Int {
    Int(truncatingIfNeeded: peer.id.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  open override var description: String { "<MCPeerID: \(peer.name)>" }
}
