/// How the two ends know each other.
public enum Mode: UInt8, Sendable, CaseIterable, CustomStringConvertible {
  /// Not at all: the session is encrypted, but whoever is quickest gets the claim.
  case open = 0
  /// By a one-time code that one person tells the other.
  case code = 1
  /// By a key that both machines hold.
  case key = 2

  /// The word for it in the TXT record.
  public var description: String {
    switch self {
    case .open: "open"
    case .code: "code"
    case .key: "key"
    }
  }
}

/// Why an end gives up. A hint for a message to the person: it is never authenticated.
public enum AbortReason: UInt8, Sendable, CaseIterable {
  case version = 1
  case mode = 2
  case busy = 3
  case protocolError = 4
  case authentication = 5
  case timedOut = 6
  case shuttingDown = 7

  public var frame: Frame { Frame(.abort, [rawValue]) }
}

private let magic = Array("BUMP".utf8)

/// The protocol's version byte. The receiver chooses it in HELLO, for one session, and WELCOME repeats it.
public enum ProtocolVersion: UInt8, Sendable, CaseIterable {
  /// Claims, and nothing else.
  case one = 1
  /// Claims, and what both ends agree on beside them: that they remember each other.
  case two = 2

  /// The highest one that is spoken here, which the TXT record names.
  public static let highest = two
}

/// The receiver's first word.
public struct Hello: Hashable, Sendable {
  public static let nonceLength = 16
  public let version: ProtocolVersion
  public let nonce: [UInt8]

  /// - Parameter version: the lowest one in which all that the receiver wants can be said.
  public init(version: ProtocolVersion = .one, nonce: [UInt8]) {
    self.version = version
    self.nonce = nonce
  }

  public var frame: Frame { Frame(.hello, magic + [version.rawValue] + nonce) }

  /// - Returns: why it is refused, where it is not a HELLO of a version that is spoken here.
  public static func parse(_ frame: Frame) -> Result<Hello, AbortReason> {
    guard frame.type == .hello, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    guard let version = ProtocolVersion(rawValue: frame.body[magic.count]) else { return .failure(.version) }
    return .success(Hello(version: version, nonce: Array(frame.body.suffix(nonceLength))))
  }
}

/// The sender's answer to HELLO.
public struct Welcome: Hashable, Sendable {
  public static let keyHintLength = 8
  private static let commitLength = 32

  /// HELLO's.
  public let version: ProtocolVersion
  public let mode: Mode
  public let nonce: [UInt8]
  /// The commitment to the sender's ephemeral key.
  public let commit: [UInt8]
  /// Tells whoever holds the key which it is, and nobody else. Zero but in mode key.
  public let keyHint: [UInt8]

  public init(
    version: ProtocolVersion = .one, mode: Mode, nonce: [UInt8], commit: [UInt8],
    keyHint: [UInt8] = [UInt8](repeating: 0, count: Self.keyHintLength)
  ) {
    self.version = version
    self.mode = mode
    self.nonce = nonce
    self.commit = commit
    self.keyHint = keyHint
  }

  public var frame: Frame { Frame(.welcome, magic + [version.rawValue, mode.rawValue] + nonce + commit + keyHint) }

  /// - Returns: why it is refused, where it is not a WELCOME of a version that is spoken here, in a mode that is known.
  public static func parse(_ frame: Frame) -> Result<Welcome, AbortReason> {
    guard frame.type == .welcome, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    var rest = frame.body.dropFirst(magic.count)
    guard let version = rest.popFirst().flatMap(ProtocolVersion.init(rawValue:)) else { return .failure(.version) }
    guard let mode = rest.popFirst().flatMap(Mode.init(rawValue:)) else { return .failure(.mode) }
    let nonce = Array(rest.prefix(Hello.nonceLength))
    let commit = Array(rest.dropFirst(Hello.nonceLength).prefix(commitLength))
    let keyHint = Array(rest.suffix(keyHintLength))
    // Where there is no key the hint has one encoding too: zero.
    guard mode == .key || keyHint.allSatisfy({ $0 == 0 }) else { return .failure(.protocolError) }
    return .success(Welcome(version: version, mode: mode, nonce: nonce, commit: commit, keyHint: keyHint))
  }
}

extension AbortReason: Error {}
