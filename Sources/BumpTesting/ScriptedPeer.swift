public import BumpChannel
public import BumpKit
public import BumpWire
import Crypto

/// The other end of a session, which says what a test tells it to: the right thing, the wrong thing, or nothing.
///
/// It has no connection of its own: `read` what came, and send what the other methods return.
public struct ScriptedPeer: Sendable {
  public enum Role: Sendable { case sender, receiver }

  /// What the peer understood of what came.
  public enum Heard: Hashable, Sendable {
    case frame(Frame)
    case message(Message)
  }

  private let role: Role
  private let keys: SessionKeys
  private var frames: [Frame] = []
  private var decoder = FrameDecoder()
  private var handshake: NoiseHandshake?
  /// The channel, once it stands.
  public private(set) var channel: SecureChannel?

  public init(_ role: Role, keys: SessionKeys = SessionKeys(drawnFrom: .system)) {
    self.role = role
    self.keys = keys
  }

  /// Takes in bytes of the other end, and advances the handshake by them.
  ///
  /// - Throws: `WireError`, `SecureChannelError` where they are not what should come.
  public mutating func read(_ bytes: [UInt8]) throws -> [Heard] {
    decoder.append(bytes)
    var heard: [Heard] = []
    while let frame = try decoder.next(due: Set(FrameType.allCases)) {
      switch frame.type {
      case .hello, .welcome:
        frames.append(frame)
        heard.append(.frame(frame))
      case .noise1, .noise2:
        var handshake = begun()
        _ = try handshake.readMessage(frame.body)
        self.handshake = handshake
        if role == .receiver { channel = try SecureChannel(handshake) }
        heard.append(.frame(frame))
      case .sealed:
        guard let message = try channel?.open(frame) else { throw WireError(.frame, "sealed before the handshake") }
        heard.append(.message(message))
      case .abort:
        heard.append(.frame(frame))
      }
    }
    return heard
  }

  /// The receiver's HELLO.
  public mutating func hello() -> [UInt8] { say(Hello(nonce: keys.nonce).frame) }

  /// The sender's WELCOME.
  public mutating func welcome() -> [UInt8] {
    let commit = Commitment.to(publicKey: Array(keys.ephemeral.publicKey.rawRepresentation))
    return say(Welcome(mode: .open, nonce: keys.nonce, commit: commit).frame)
  }

  /// The handshake message that is this role's.
  public mutating func noise() throws -> [UInt8] {
    var handshake = begun()
    let message = try handshake.writeMessage()
    self.handshake = handshake
    if role == .sender { channel = try SecureChannel(handshake) }
    return Frame(role == .receiver ? .noise1 : .noise2, message).bytes
  }

  /// A message in the channel.
  public mutating func seal(_ message: Message) throws -> [UInt8] {
    guard let frame = try channel?.seal(message) else { throw WireError(.frame, "sealing before the handshake") }
    return frame.bytes
  }

  private mutating func say(_ frame: Frame) -> [UInt8] {
    frames.append(frame)
    return frame.bytes
  }

  private func begun() -> NoiseHandshake {
    handshake
      ?? NoiseHandshake(
        role: role == .receiver ? .initiator : .responder, prologue: Prologue.of(frames), ephemeral: keys.ephemeral)
  }
}
