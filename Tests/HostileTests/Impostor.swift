import BumpClaims
import BumpNoise
import BumpTesting
import BumpWire
import Glibc
import Synchronization

/// Somebody in the middle with a handshake of their own to both sides: a receiver to the sender, a sender to the receiver.
final class Impostor: Sendable {
  /// Whether they pass on what they read, or, in the sender's place, a CLAIM with a mac of their own.
  enum Relay: Sendable { case asRead, withOwnMAC }

  struct Seen: Sendable {
    /// Types of all frames that the sender wrote.
    var fromSender: [FrameType] = []
    /// What the impostor could read.
    var messages: [Message] = []
  }

  private let connectionRelay: ConnectionRelay
  private let shared = Mutex(Seen())

  var port: UInt16 { connectionRelay.port }
  var seen: Seen { shared.withLock { $0 } }

  /// Connections wait until `start`.
  init() throws {
    connectionRelay = try ConnectionRelay()
  }

  /// - Parameters:
  ///   - toSender: what they say they know, to the sender.
  ///   - toReceiver: the same to the receiver.
  func start(
    to sender: UInt16, claiming toSender: Credential, _ toReceiver: Credential, relay: Relay = .asRead
  ) {
    connectionRelay.start(to: sender) { [self] _, receiverSocket, senderSocket in
      var sides = Sides(
        sender: senderSocket, receiver: receiverSocket,
        toSender: ScriptedPeer(.receiver, credential: toSender),
        toReceiver: ScriptedPeer(.sender, credential: toReceiver))
      // What either end takes as a reason to leave ends the impostor's connection too.
      try? sides.meet(noteSender: note, code: (toSender.mode == .code, toReceiver.mode == .code))
      try? sides.relay(relay, noteSender: note, noteMessage: note)
      senderSocket.end()
      receiverSocket.end()
    }
  }

  func close() async { await connectionRelay.close() }

  private func note(_ type: FrameType) { shared.withLock { $0.fromSender.append(type) } }
  private func note(_ message: Message) { shared.withLock { $0.messages.append(message) } }
}

/// The impostor's two ends of one connection.
private struct Sides {
  private struct Left: Error {}

  let sender: Socket
  let receiver: Socket
  var toSender: ScriptedPeer
  var toReceiver: ScriptedPeer

  /// Both handshakes, each with keys of the impostor's own.
  mutating func meet(noteSender: (FrameType) -> Void, code: (toSender: Bool, toReceiver: Bool)) throws {
    sender.write(toSender.hello())
    _ = try heardFromSender(noteSender)
    if code.toSender {
      sender.write(try toSender.pake())
      _ = try heardFromSender(noteSender)
    }
    sender.write(try toSender.noise())

    _ = try heardFromReceiver()
    receiver.write(toReceiver.welcome())
    if code.toReceiver {
      _ = try heardFromReceiver()
      receiver.write(try toReceiver.pake())
    }
    do {
      _ = try heardFromReceiver()
      receiver.write(try toReceiver.noise())
    } catch is NoiseError {
      // NOISE_1 does not open for who does not know the code or the key: what is left is to make something up.
      receiver.write(Frame(.noise2, (0..<48).map { _ in .random(in: .min ... .max) }).bytes)
      _ = receiver.readFrame()
    }
    // NOISE_2, where the sender took the handshake.
    _ = try heardFromSender(noteSender)
  }

  /// OFFER, ACCEPT, CLAIM and STORED, opened on one side and sealed anew for the other.
  mutating func relay(
    _ relay: Impostor.Relay, noteSender: (FrameType) -> Void, noteMessage: (Message) -> Void
  ) throws {
    while true {
      // OFFER, then CLAIM.
      for heard in try heardFromSender(noteSender) {
        guard case .message(let message) = heard else { continue }
        noteMessage(message)
        receiver.write(try toReceiver.seal(try passed(message, relay)))
      }
      // ACCEPT, then STORED.
      for heard in try heardFromReceiver() {
        guard case .message(let message) = heard else { continue }
        noteMessage(message)
        sender.write(try toSender.seal(message))
      }
    }
  }

  private func passed(_ message: Message, _ relay: Impostor.Relay) throws -> Message {
    guard relay == .withOwnMAC, case .claim(_, let payload) = message, let channel = toReceiver.channel else {
      return message
    }
    return channel.claimMessage(try Claim(payload: payload))
  }

  private mutating func heardFromSender(_ note: (FrameType) -> Void) throws -> [ScriptedPeer.Heard] {
    guard let bytes = sender.readFrame() else { throw Left() }
    if let type = FrameType(rawValue: bytes[2]) { note(type) }
    return try toSender.read(bytes)
  }

  private mutating func heardFromReceiver() throws -> [ScriptedPeer.Heard] {
    guard let bytes = receiver.readFrame(), FrameType(rawValue: bytes[2]) != .abort else { throw Left() }
    return try toReceiver.read(bytes)
  }
}
