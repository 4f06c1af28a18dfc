public import BumpClaims
public import BumpNoise
public import Crypto
import FoundationEssentials

/// The secret by which an end authenticates the other. It decides the mode; no end falls back to a weaker one.
public enum Credential: Hashable, Sendable {
  /// Nothing: mode open.
  case none
  /// A one-time code: mode code. Each sender and each receiver with the code allows three guesses at it, so draw a new
  /// code for each bump.
  case code(OneTimeCode)
  /// A shared key: mode key.
  case key(SharedKey)

  /// The mode that goes with this credential.
  public var mode: Mode {
    switch self {
    case .none: .open
    case .code: .code
    case .key: .key
    }
  }

  /// Returns the key hint for WELCOME, 8 bytes: all zero outside mode key.
  public func keyHint(nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    guard case .key(let key) = self else { return [UInt8](repeating: 0, count: Welcome.keyHintLength) }
    return key.hint(nonceR: nonceR, nonceS: nonceS)
  }

  /// Returns the tag for QUEUED, 8 bytes: all zero outside mode key.
  public func tag(ofPlace place: UInt8, nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    guard case .key(let key) = self else { return [UInt8](repeating: 0, count: Queued.tagLength) }
    return key.tag(ofPlace: place, nonceR: nonceR, nonceS: nonceS)
  }
}

/// The frames of a connection before Noise begins, and the psk derived from the credential: makes the Noise handshake.
public struct HandshakePrologue: Sendable {
  private let hello: Frame
  private let welcome: Frame
  private var pake: [Frame] = []
  private var queued: [Frame] = []
  private var psk: SymmetricKey?

  /// Makes the handshake's input in mode open; `use` adds a psk in the other modes.
  public init(hello: Frame, welcome: Frame) {
    self.hello = hello
    self.welcome = welcome
  }

  /// Derives the psk from a shared key (mode key).
  public mutating func use(_ key: SharedKey, nonceR: [UInt8], nonceS: [UInt8]) {
    psk = key.psk(nonceR: nonceR, nonceS: nonceS)
  }

  /// Returns this end's side of CPace (mode code).
  ///
  /// - Parameter y: CPace's scalar, fresh for this connection.
  /// - Throws: `SecureChannelError.lowOrderKey` for a scalar of zero.
  public func exchange(_ code: OneTimeCode, y: SymmetricKey) throws -> CPace {
    let ci = CPace.lvCat(Array("bump/1 code".utf8), Array(String(code.channel).utf8))
    return try CPace(prs: code.digits.key, ci: ci.flatMap { $0.withUnsafeBytes(Array.init) }, sid: sid, y: y)
  }

  /// Derives the psk from CPace's key, once both shares are known (mode code).
  ///
  /// - Throws: `SecureChannelError.lowOrderKey` if the other end's share is not valid.
  public mutating func use(_ exchange: CPace, role: NoiseHandshake.Role, peerShare: [UInt8]) throws {
    let (ya, yb) = role == .initiator ? (exchange.share, peerShare) : (peerShare, exchange.share)
    let transcript = CPace.transcriptIR(ya, Array("R".utf8), yb, Array("S".utf8))
    let isk = try exchange.isk(peerShare, transcript: transcript)
    pake = [Frame(.pakeR, ya), Frame(.pakeS, yb)]
    psk = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: isk, salt: sid, info: Array("bump/1 psk code".utf8), outputByteCount: 32)
  }

  /// Adds a QUEUED, which no mode with CPace has.
  public mutating func add(_ queued: Queued) { self.queued.append(queued.frame) }

  /// Returns the Noise handshake. Its prologue is `"bump/1"` ‖ `00` ‖ every frame so far, exactly as on the wire.
  public func handshake(_ role: NoiseHandshake.Role, ephemeral: EphemeralKey) -> NoiseHandshake {
    let prologue = ([hello, welcome] + pake + queued).reduce(into: Array("bump/1".utf8) + [0]) { $0 += $1.bytes }
    return NoiseHandshake(role: role, prologue: prologue, ephemeral: ephemeral, psk: psk)
  }

  /// The first 16 bytes of SHA-256(`"bump/1 sid"` ‖ HELLO frame ‖ WELCOME frame).
  private var sid: [UInt8] {
    Array(SHA256.hash(data: Array("bump/1 sid".utf8) + hello.bytes + welcome.bytes).prefix(16))
  }
}
