import BumpTesting
import BumpWire
import Foundation

/// A receiver that was not invited: one connection to a sender, and all that came over it.
///
/// Its calls block: for threads of their own only.
struct RogueReceiver: Sendable {
  /// What it gets instead of an answer where the sender turns it away, or has gone.
  struct Refused: Error {}

  /// Closes it when nobody has a use for it any more.
  private final class Connection: Sendable {
    let socket: Socket
    init(to port: UInt16) throws { socket = try Socket.connected(to: port) }
    deinit { socket.close() }
  }

  private let connection: Connection
  private let mode: Mode
  private var peer: ScriptedPeer
  /// All frames of the sender, as on the wire.
  private(set) var frames: [[UInt8]] = []

  /// - Parameter credential: what it says it knows.
  init(to port: UInt16, claiming credential: Credential) throws {
    connection = try Connection(to: port)
    mode = credential.mode
    peer = ScriptedPeer(.receiver, credential: credential)
  }

  var types: [FrameType?] { frames.map { FrameType(rawValue: $0[2]) } }

  /// Whether the sender said no more than what everybody may hear: nothing of NOISE_2, nothing sealed.
  var isKeptOut: Bool {
    types.allSatisfy { [.welcome, .pakeS, .abort].contains($0) }
  }

  /// The digits on its screen, once the channel stands.
  var digits: VerificationDigits? { peer.channel?.digits }

  /// All that is before NOISE_1.
  ///
  /// - Parameter isDowngrading: whether it takes WELCOME for one of its own mode, whatever the sender wrote there.
  mutating func approach(downgrading isDowngrading: Bool = false) throws {
    connection.socket.write(peer.hello())
    var welcome = try nextFrame()
    if isDowngrading {
      welcome[8] = mode.rawValue
      welcome.replaceSubrange((welcome.count - Welcome.keyHintLength)..., with: repeatElement(0, count: 8))
    }
    _ = try peer.read(welcome)
    guard mode == .code else { return }
    connection.socket.write(try peer.pake())
    try hear()
  }

  /// NOISE_1: with a code, this is the guess.
  mutating func knock() throws { connection.socket.write(try peer.noise()) }

  /// One frame more of the sender's.
  mutating func hear() throws {
    _ = try peer.read(try nextFrame())
  }

  private mutating func nextFrame() throws -> [UInt8] {
    guard let frame = connection.socket.readFrame() else { throw Refused() }
    frames.append(frame)
    guard frame[2] != FrameType.abort.rawValue else { throw Refused() }
    return frame
  }

  mutating func say(_ message: Message) throws { connection.socket.write(try peer.seal(message)) }

  /// All that the sender says until it closes.
  mutating func listen() {
    while let frame = connection.socket.readFrame() { frames.append(frame) }
  }
}

extension OneTimeCode {
  /// Another code of the same channel: as many of them as there are steps below a million.
  func wrong(_ step: Int = 1) throws -> OneTimeCode {
    let digits = ((Int(exposed.suffix(Self.digitCount)) ?? 0) + step) % 1_000_000
    return try OneTimeCode("\(channel)-" + String(String(1_000_000 + digits).dropFirst()))
  }
}

/// Runs what blocks in a thread of its own.
func inThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
  }
}

/// Runs what blocks, once for each, each in a thread of its own.
func inThreads<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    for (index, element) in elements.enumerated() {
      group.addTask { (index, try await inThread { try body(element) }) }
    }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
