/// How the two ends authenticate each other.
public enum Mode: UInt8, Sendable, CaseIterable, CustomStringConvertible {
  /// Not at all: the session is encrypted, but the first receiver to connect gets the claim.
  case open = 0
  /// By a one-time code that one person tells the other.
  case code = 1
  /// By a key that both machines hold.
  case key = 2

  /// The mode's name in the TXT record.
  public var description: String {
    switch self {
    case .open: "open"
    case .code: "code"
    case .key: "key"
    }
  }
}

/// Why an end closes the connection. It is not authenticated: use it for messages only.
public enum AbortReason: UInt8, Sendable, CaseIterable {
  /// The peer's protocol version is not supported.
  case version = 1
  /// The peer uses another mode.
  case mode = 2
  /// This end serves another peer, or will not serve this one, such as a receiver that has had its attempts at the
  /// digits.
  case busy = 3
  /// The peer sent something that the protocol does not allow.
  case protocolError = 4
  /// The peer has another code or key.
  case authentication = 5
  /// The peer did not answer in time.
  case timedOut = 6
  /// This end is closing.
  case shuttingDown = 7
  /// The sender offered a card or a link, and this receiver takes none.
  case documents = 8

  /// The ABORT frame with this reason.
  public var frame: Frame { Frame(.abort, [rawValue]) }
}

private let magic = Array("BUMP".utf8)

/// The protocol's version byte. The receiver chooses it in HELLO for one session, and WELCOME repeats it.
public enum ProtocolVersion {
  /// The only version that this end speaks. The TXT record names it, too.
  public static let current: UInt8 = 1
}

/// The receiver's first frame, HELLO.
public struct Hello: Hashable, Sendable {
  /// The length of a nonce in HELLO and WELCOME, in bytes.
  public static let nonceLength = 16
  /// The version of this session.
  public let version: UInt8
  /// 16 random bytes, fresh for every connection.
  public let nonce: [UInt8]

  /// Makes a HELLO.
  public init(version: UInt8 = ProtocolVersion.current, nonce: [UInt8]) {
    self.version = version
    self.nonce = nonce
  }

  /// The HELLO as a frame.
  public var frame: Frame { Frame(.hello, magic + [version] + nonce) }

  /// Reads a HELLO.
  ///
  /// - Returns: the HELLO, or the reason to abort with: `protocolError`, or `version` for an unsupported one.
  public static func parse(_ frame: Frame) -> Result<Hello, AbortReason> {
    guard frame.type == .hello, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    guard frame.body[magic.count] == ProtocolVersion.current else { return .failure(.version) }
    return .success(Hello(nonce: Array(frame.body.suffix(nonceLength))))
  }
}

/// The sender's answer to HELLO.
public struct Welcome: Hashable, Sendable {
  /// The length of the key hint, in bytes.
  public static let keyHintLength = 8
  private static let commitLength = 32

  /// The version that HELLO chose.
  public let version: UInt8
  /// The sender's mode; no session changes it.
  public let mode: Mode
  /// 16 random bytes, fresh for every connection.
  public let nonce: [UInt8]
  /// The commitment to the sender's ephemeral key, 32 bytes.
  public let commit: [UInt8]
  /// Identifies the shared key to an end that has it, and to nobody else. All zero outside mode key.
  public let keyHint: [UInt8]

  /// Makes a WELCOME.
  public init(
    version: UInt8 = ProtocolVersion.current, mode: Mode, nonce: [UInt8], commit: [UInt8],
    keyHint: [UInt8] = [UInt8](repeating: 0, count: Self.keyHintLength)
  ) {
    self.version = version
    self.mode = mode
    self.nonce = nonce
    self.commit = commit
    self.keyHint = keyHint
  }

  /// The WELCOME as a frame.
  public var frame: Frame { Frame(.welcome, magic + [version, mode.rawValue] + nonce + commit + keyHint) }

  /// Reads a WELCOME.
  ///
  /// - Returns: the WELCOME, or the reason to abort with: `protocolError`, `version` or `mode`.
  public static func parse(_ frame: Frame) -> Result<Welcome, AbortReason> {
    guard frame.type == .welcome, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    var rest = frame.body.dropFirst(magic.count)
    guard rest.popFirst() == ProtocolVersion.current else { return .failure(.version) }
    guard let mode = rest.popFirst().flatMap(Mode.init(rawValue:)) else { return .failure(.mode) }
    let nonce = Array(rest.prefix(Hello.nonceLength))
    let commit = Array(rest.dropFirst(Hello.nonceLength).prefix(commitLength))
    let keyHint = Array(rest.suffix(keyHintLength))
    // Without a key, zero is the only valid encoding of the hint.
    guard mode == .key || keyHint.allSatisfy({ $0 == 0 }) else { return .failure(.protocolError) }
    return .success(Welcome(mode: mode, nonce: nonce, commit: commit, keyHint: keyHint))
  }
}

extension AbortReason: Error {}
