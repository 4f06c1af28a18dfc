public import BumpClaims
import BumpNoise
public import BumpSession
public import BumpWire
import Crypto

/// The other end of a session, which sends what a test chooses: valid frames, invalid ones, or none.
///
/// The peer has no connection: pass received bytes to `read`, and send the bytes that the other methods return.
public struct ScriptedPeer: Sendable {
  /// The end that the peer plays.
  public enum Role: Sendable { case sender, receiver }

  /// A frame that the peer received, decrypted if it was sealed.
  public enum Heard: Hashable, Sendable {
    /// A frame of the handshake, or ABORT.
    case frame(Frame)
    /// The message in a sealed frame.
    case message(Message)
  }

  private let role: Role
  private let version: UInt8
  private let credential: Credential
  private let keys: SessionKeys
  private let commitment: [UInt8]?
  private var decoder: FrameDecoder
  private var said: Frame?
  private var prologue: HandshakePrologue?
  /// The receiver's and the sender's nonce, once both are known.
  private var nonces: (r: [UInt8], s: [UInt8])?
  private var exchange: CPace?
  private var handshake: NoiseHandshake?
  /// The encrypted channel; `nil` until the handshake is complete.
  public private(set) var channel: SecureChannel?

  /// Makes a peer.
  ///
  /// - Parameters:
  ///   - version: the version in HELLO or WELCOME.
  ///   - credential: the code or key of this end, if it has one.
  ///   - keys: the nonce, keys and scalar of this end.
  ///   - commitment: 32 bytes to send in a sender's WELCOME in place of the commitment to its key.
  public init(
    _ role: Role, version: UInt8 = ProtocolVersion.current, credential: Credential = .none,
    keys: SessionKeys = SessionKeys(drawnFrom: .system), commitment: [UInt8]? = nil
  ) {
    self.role = role
    self.commitment = commitment
    self.version = version
    self.credential = credential
    self.keys = keys
    decoder = FrameDecoder(mode: credential.mode)
  }

  /// Reads bytes from the other end, and advances the handshake.
  ///
  /// - Throws: an error such as `WireError` or `SecureChannelError` if the bytes are not valid.
  public mutating func read(_ bytes: [UInt8]) throws -> [Heard] {
    decoder.append(bytes)
    var heard: [Heard] = []
    while let frame = try decoder.next(due: Set(FrameType.allCases)) {
      if frame.type == .sealed {
        guard let message = try channel?.open(frame) else { throw WireError(.frame, "sealed before the handshake") }
        heard.append(.message(message))
      } else {
        try advance(by: frame)
        heard.append(.frame(frame))
      }
    }
    return heard
  }

  private mutating func advance(by frame: Frame) throws {
    switch frame.type {
    case .hello:
      said = frame
    case .welcome:
      guard let hello = said, case .success(let welcome) = Welcome.parse(frame) else { return }
      open(hello: hello, welcome: frame, nonceR: keys.nonce, nonceS: welcome.nonce)
    case .pakeR, .pakeS:
      let exchange = try exchanged()
      try prologue?.use(exchange, role: role == .receiver ? .initiator : .responder, peerShare: frame.body)
    case .noise1, .noise2:
      var handshake = try begun()
      _ = try handshake.readMessage(frame.body)
      self.handshake = handshake
      if role == .receiver { channel = try SecureChannel(handshake) }
    case .queued:
      prologue?.add(try Queued(frame))
    case .sealed, .abort:
      break
    }
  }

  /// Returns the receiver's HELLO.
  public mutating func hello() -> [UInt8] {
    let hello = Hello(version: version, nonce: keys.nonce).frame
    said = hello
    return hello.bytes
  }

  /// Returns the sender's WELCOME. Read HELLO first.
  public mutating func welcome() -> [UInt8] {
    let nonceR = said.map { Array($0.body.suffix(Hello.nonceLength)) } ?? []
    let welcome = Welcome(
      version: version, mode: credential.mode, nonce: keys.nonce,
      commit: commitment ?? Commitment.to(publicKey: Array(keys.ephemeral.publicKey.rawRepresentation)),
      keyHint: credential.keyHint(nonceR: nonceR, nonceS: keys.nonce)
    ).frame
    if let hello = said { open(hello: hello, welcome: welcome, nonceR: nonceR, nonceS: keys.nonce) }
    return welcome.bytes
  }

  /// Returns this role's CPace share: the receiver's after WELCOME, the sender's after PAKE_R.
  public mutating func pake() throws -> [UInt8] {
    Frame(role == .receiver ? .pakeR : .pakeS, try exchanged().share).bytes
  }

  /// Returns the QUEUED of a receiver that has the sender at this place of its queue. It goes between WELCOME and NOISE_1.
  public mutating func queued(at place: UInt8) throws -> [UInt8] {
    guard let nonces else { throw WireError(.frame, "a place in the queue before WELCOME") }
    let queued = Queued(place: place, tag: credential.tag(ofPlace: place, nonceR: nonces.r, nonceS: nonces.s))
    prologue?.add(queued)
    return queued.frame.bytes
  }

  /// Returns this role's Noise handshake message. With a payload it is invalid: the protocol has none.
  public mutating func noise(payload: [UInt8] = []) throws -> [UInt8] {
    var handshake = try begun()
    let message = try handshake.writeMessage(payload)
    self.handshake = handshake
    if role == .sender { channel = try SecureChannel(handshake) }
    let type = role == .receiver ? FrameType.noise1 : .noise2
    guard !payload.isEmpty else { return Frame(type, message).bytes }
    // `Frame` rejects this length.
    return [UInt8((message.count + 1) >> 8), UInt8((message.count + 1) & 0xFF), type.rawValue] + message
  }

  /// Returns a message, encrypted in the channel.
  public mutating func seal(_ message: Message) throws -> [UInt8] {
    guard let frame = try channel?.seal(message) else { throw WireError(.frame, "sealing before the handshake") }
    return frame.bytes
  }

  private mutating func open(hello: Frame, welcome: Frame, nonceR: [UInt8], nonceS: [UInt8]) {
    var prologue = HandshakePrologue(hello: hello, welcome: welcome)
    if case .key(let key) = credential { prologue.use(key, nonceR: nonceR, nonceS: nonceS) }
    self.prologue = prologue
    nonces = (nonceR, nonceS)
  }

  private mutating func exchanged() throws -> CPace {
    if let exchange { return exchange }
    guard let prologue, case .code(let code) = credential else {
      throw WireError(.frame, "an exchange without a code, or before WELCOME")
    }
    let exchange = try prologue.exchange(code, y: keys.scalar)
    self.exchange = exchange
    return exchange
  }

  private func begun() throws -> NoiseHandshake {
    if let handshake { return handshake }
    guard let prologue else { throw WireError(.frame, "a handshake before WELCOME") }
    return prologue.handshake(role == .receiver ? .initiator : .responder, ephemeral: keys.ephemeral)
  }
}
