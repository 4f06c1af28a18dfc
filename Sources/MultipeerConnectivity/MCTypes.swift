import BumpMultipeer

/// The members that a session has at least, the local peer among them.
public let kMCSessionMinimumNumberOfPeers = 2
/// The members that a session has at most, the local peer among them.
public let kMCSessionMaximumNumberOfPeers = 8

/// How data is sent.
public enum MCSessionSendDataMode: Int, Sendable {
  /// In order, and until the session ends.
  case reliable = 0
  /// At once, or not at all: it is dropped where the connection takes nothing at the moment.
  case unreliable = 1
}

/// What a session is to a peer.
public enum MCSessionState: Int, Sendable {
  case notConnected = 0
  case connecting = 1
  case connected = 2

  init(_ state: MemberState) {
    switch state {
    case .notConnected: self = .notConnected
    case .connecting: self = .connecting
    case .connected: self = .connected
    }
  }
}

/// Whether a session is encrypted. Two peers agree, but `required` and `none` do not connect.
public enum MCEncryptionPreference: Int, Sendable {
  /// Encrypted, unless the other peer wants none.
  case optional = 0
  case required = 1
  case none = 2

  var onWire: EncryptionPreference {
    switch self {
    case .optional: .optional
    case .required: .required
    case .none: .none
    }
  }
}
