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

/// The protocol's version byte.
private let version: UInt8 = 1

/// The receiver's first word.
public struct Hello: Hashable, Sendable {
  public static let nonceLength = 16
  public let nonce: [UInt8]

  public init(nonce: [UInt8]) {
    self.nonce = nonce
  }

  public var frame: Frame { Frame(.hello, magic + [version] + nonce) }

  /// - Returns: why it is refused, where it is not a HELLO of this version.
  public static func parse(_ frame: Frame) -> Result<Hello, AbortReason> {
    guard frame.type == .hello, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    guard frame.body[magic.count] == version else { return .failure(.version) }
    return .success(Hello(nonce: Array(frame.body.suffix(nonceLength))))
  }
}

/// The sender's answer to HELLO.
public struct Welcome: Hashable, Sendable {
  public static let keyHintLength = 8
  private static let commitLength = 32

  public let mode: Mode
  public let nonce: [UInt8]
  /// The commitment to the sender's ephemeral key.
  public let commit: [UInt8]
  /// Tells whoever holds the key which it is, and nobody else. Zero but in mode key.
  public let keyHint: [UInt8]

  public init(
    mode: Mode, nonce: [UInt8], commit: [UInt8], keyHint: [UInt8] = [UInt8](repeating: 0, count: Self.keyHintLength)
  ) {
    self.mode = mode
    self.nonce = nonce
    self.commit = commit
    self.keyHint = keyHint
  }

  public var frame: Frame { Frame(.welcome, magic + [version, mode.rawValue] + nonce + commit + keyHint) }

  /// - Returns: why it is refused, where it is not a WELCOME of this version in a mode that is known here.
  public static func parse(_ frame: Frame) -> Result<Welcome, AbortReason> {
    guard frame.type == .welcome, frame.body.starts(with: magic) else { return .failure(.protocolError) }
    var rest = frame.body.dropFirst(magic.count)
    guard rest.popFirst() == version else { return .failure(.version) }
    guard let mode = rest.popFirst().flatMap(Mode.init(rawValue:)) else { return .failure(.mode) }
    let nonce = Array(rest.prefix(Hello.nonceLength))
    let commit = Array(rest.dropFirst(Hello.nonceLength).prefix(commitLength))
    let keyHint = Array(rest.suffix(keyHintLength))
    // Where there is no key the hint has one encoding too: zero.
    guard mode == .key || keyHint.allSatisfy({ $0 == 0 }) else { return .failure(.protocolError) }
    return .success(Welcome(mode: mode, nonce: nonce, commit: commit, keyHint: keyHint))
  }
}

extension AbortReason: Error {}
