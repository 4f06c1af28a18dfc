import BumpMultipeer

/// The least number of members in a session, including the local peer.
public let kMCSessionMinimumNumberOfPeers = 2
/// The greatest number of members in a session, including the local peer.
public let kMCSessionMaximumNumberOfPeers = 8

/// How data is sent.
public enum MCSessionSendDataMode: Int, Sendable {
  /// Delivered completely and in order, unless the session ends first.
  case reliable = 0
  /// Sent at once or dropped: if the connection has no room, the message is lost.
  case unreliable = 1
}

/// The state of a peer in a session.
public enum MCSessionState: Int, Sendable {
  /// Also reported for an invitation that was declined or has failed.
  case notConnected = 0
  /// An invitation was accepted, or another member introduced the peer. After at most ten
  /// seconds the state is another one.
  case connecting = 1
  /// Both programs have accepted the certificates.
  case connected = 2

  init(_ state: MemberState) {
    switch state {
    case .notConnected: self = .notConnected
    case .connecting: self = .connecting
    case .connected: self = .connected
    }
  }
}

/// Whether a session is encrypted. Two peers agree on it; `required` and `none` do not connect.
public enum MCEncryptionPreference: Int, Sendable {
  /// Encrypted, unless the other peer wants none.
  case optional = 0
  /// Encrypted: a peer with `none` is not connected.
  case required = 1
  /// Not encrypted, also with a peer that has `optional`. A peer with `required` is not connected.
  case none = 2

  var onWire: EncryptionPreference {
    switch self {
    case .optional: .optional
    case .required: .required
    case .none: .none
    }
  }
}
