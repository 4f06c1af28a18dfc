import BumpKit
import BumpWire

/// The receiver's part of a session as far as WELCOME. It costs a sender neither a handshake nor a guess at its code.
actor PeerTalk {
  private var decoder = FrameDecoder()
  private var answer: PeerProbe.Answer?

  func run(on connection: any Connection) async -> PeerProbe.Answer {
    connection.send(Hello(nonce: RandomBytes.system.draw(Hello.nonceLength)).frame.bytes)
    await connection.receive { await self.handle($0, connection) }
    return answer ?? .closed
  }

  private func handle(_ bytes: [UInt8], _ connection: any Connection) {
    guard answer == nil else { return }
    decoder.append(bytes)
    do {
      guard let frame = try decoder.next(due: [.welcome, .abort]) else { return }
      answer = Self.answer(frame)
    } catch {
      answer = .stranger
    }
    connection.close()
  }

  private static func answer(_ frame: Frame) -> PeerProbe.Answer {
    if frame.type == .abort {
      return frame.body.first.flatMap(AbortReason.init(rawValue:)).map { .gaveUp($0) } ?? .stranger
    }
    return switch Welcome.parse(frame) {
    case .success(let welcome): .welcome(welcome.mode)
    case .failure(.version): .gaveUp(.version)
    case .failure: .stranger
    }
  }
}
