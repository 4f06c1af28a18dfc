import BumpChannel
import BumpKit
import BumpWire

/// The receiver's part of a session in mode open, from HELLO to the sender's OFFER, which it answers with ABORT busy, as
/// one does that waits for another's.
actor PeerTalk {
  private enum State {
    case awaitingWelcome(Frame)
    case awaitingNoise2(NoiseHandshake)
    case awaitingOffer(SecureChannel)
  }

  private var state: State
  private var decoder = FrameDecoder()
  private var answer: PeerProbe.Answer?
  private let keys = SessionKeys(drawnFrom: .system)

  init() {
    state = .awaitingWelcome(Hello(nonce: keys.nonce).frame)
  }

  func run(on connection: any Connection) async -> PeerProbe.Answer {
    if case .awaitingWelcome(let hello) = state { connection.send(hello.bytes) }
    await connection.receive { await self.handle($0, connection) }
    return answer ?? .closed
  }

  private func handle(_ bytes: [UInt8], _ connection: any Connection) {
    guard answer == nil else { return }
    decoder.append(bytes)
    do {
      while answer == nil, let frame = try decoder.next(due: due) {
        answer = try handle(frame, connection)
      }
    } catch {
      answer = .stranger
    }
    if answer != nil { connection.close() }
  }

  private var due: Set<FrameType> {
    switch state {
    case .awaitingWelcome: [.welcome, .abort]
    case .awaitingNoise2: [.noise2, .abort]
    case .awaitingOffer: [.sealed, .abort]
    }
  }

  /// - Returns: the answer, once it is known.
  private func handle(_ frame: Frame, _ connection: any Connection) throws -> PeerProbe.Answer? {
    if frame.type == .abort {
      return frame.body.first.flatMap(AbortReason.init(rawValue:)).map { .gaveUp($0) } ?? .stranger
    }
    switch state {
    case .awaitingWelcome(let hello):
      return try begin(hello, frame, connection)
    case .awaitingNoise2(var handshake):
      _ = try handshake.readMessage(frame.body)
      state = .awaitingOffer(try SecureChannel(handshake))
      return nil
    case .awaitingOffer(var channel):
      guard case .offer(let json) = try channel.open(frame) else { return .stranger }
      connection.send(AbortReason.busy.frame.bytes)
      return .offer(try Offer(json: json))
    }
  }

  private func begin(_ hello: Frame, _ frame: Frame, _ connection: any Connection) throws -> PeerProbe.Answer? {
    switch Welcome.parse(frame) {
    case .failure(.version): return .gaveUp(.version)
    case .failure: return .stranger
    case .success(let welcome) where welcome.mode != .open: return .welcome(welcome.mode)
    case .success:
      var handshake = Opening(hello: hello, welcome: frame).handshake(.initiator, ephemeral: keys.ephemeral)
      connection.send(Frame(.noise1, try handshake.writeMessage()).bytes)
      state = .awaitingNoise2(handshake)
      return nil
    }
  }
}
