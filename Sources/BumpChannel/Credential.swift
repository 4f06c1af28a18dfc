public import BumpWire
public import Crypto
import FoundationEssentials

/// What an end knows of the other beforehand. It decides the mode, and no end falls back to a weaker one.
public enum Credential: Hashable, Sendable {
  case none
  case code(OneTimeCode)
  case key(SharedKey)

  public var mode: Mode {
    switch self {
    case .none: .open
    case .code: .code
    case .key: .key
    }
  }

  /// The hint in WELCOME: zero but in mode key.
  public func keyHint(nonceR: [UInt8], nonceS: [UInt8]) -> [UInt8] {
    guard case .key(let key) = self else { return [UInt8](repeating: 0, count: Welcome.keyHintLength) }
    return key.hint(nonceR: nonceR, nonceS: nonceS)
  }
}

/// What both ends have seen of a connection before Noise begins, and what they know: it makes the handshake.
public struct Opening: Sendable {
  private let hello: Frame
  private let welcome: Frame
  private var pake: [Frame] = []
  private var psk: SymmetricKey?

  public init(hello: Frame, welcome: Frame) {
    self.hello = hello
    self.welcome = welcome
  }

  /// Mode key: the psk is drawn from the key.
  public mutating func use(_ key: SharedKey, nonceR: [UInt8], nonceS: [UInt8]) {
    psk = key.psk(nonceR: nonceR, nonceS: nonceS)
  }

  /// Mode code: this end's part of CPace.
  ///
  /// - Parameter y: CPace's scalar, fresh for this connection.
  /// - Throws: `SecureChannelError.lowOrderKey` for a scalar of zero.
  public func exchange(_ code: OneTimeCode, y: SymmetricKey) throws -> CPace {
    let ci = CPace.lvCat(Array("bump/1 code".utf8), Array(String(code.channel).utf8))
    return try CPace(prs: code.digits, ci: ci.flatMap { $0.withUnsafeBytes(Array.init) }, sid: sid, y: y)
  }

  /// Mode code, once both shares are there: the psk is drawn from what CPace makes of them.
  ///
  /// - Throws: `SecureChannelError.lowOrderKey` where the other end's share is none.
  public mutating func use(_ exchange: CPace, role: NoiseHandshake.Role, peerShare: [UInt8]) throws {
    let (ya, yb) = role == .initiator ? (exchange.share, peerShare) : (peerShare, exchange.share)
    let transcript = CPace.transcriptIR(ya, Array("R".utf8), yb, Array("S".utf8))
    let isk = try exchange.isk(peerShare, transcript: transcript)
    pake = [Frame(.pakeR, ya), Frame(.pakeS, yb)]
    psk = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: isk, salt: sid, info: Array("bump/1 psk code".utf8), outputByteCount: 32)
  }

  /// The handshake, its prologue `"bump/1"` ‖ `00` ‖ every frame so far, exactly as on the wire.
  public func handshake(_ role: NoiseHandshake.Role, ephemeral: EphemeralKey) -> NoiseHandshake {
    let prologue = ([hello, welcome] + pake).reduce(into: Array("bump/1".utf8) + [0]) { $0 += $1.bytes }
    return NoiseHandshake(role: role, prologue: prologue, ephemeral: ephemeral, psk: psk)
  }

  /// The first 16 bytes of SHA-256(`"bump/1 sid"` ‖ HELLO frame ‖ WELCOME frame).
  private var sid: [UInt8] {
    Array(SHA256.hash(data: Array("bump/1 sid".utf8) + hello.bytes + welcome.bytes).prefix(16))
  }
}
