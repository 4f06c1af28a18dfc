import BumpChannel
package import BumpWire

/// One connection as one end sees it, a state machine. What the sessions of a sender and of a receiver share: they read
/// frames, seal messages and say why they end.
package protocol Session: Sendable {
  associatedtype Input: SessionInput
  associatedtype Output: SessionOutput

  var decoder: FrameDecoder { get set }
  /// The frames that may come now.
  var due: Set<FrameType> { get }
  /// When `.deadline` is due; `nil` for never.
  var deadline: Moment? { get }

  mutating func handle(_ input: Input, at now: Moment) -> [Output]
  /// Handles a frame that is due, any but ABORT.
  mutating func handle(_ frame: Frame, at now: Moment) throws -> [Output]
  /// Handles the other end's ABORT.
  mutating func aborted(_ reason: AbortReason) -> [Output]
  /// Ends the session, where it can end, and tells the other end why.
  mutating func fail(_ failure: SessionFailure) -> [Output]
}

/// The inputs that each session has.
package protocol SessionInput {
  /// The moment that the session named has come.
  static var deadline: Self { get }
  /// The bump has no more use for the session.
  static func dismissed(_ reason: AbortReason) -> Self
}

/// The outputs that each session has.
package protocol SessionOutput {
  static func send(_ bytes: [UInt8]) -> Self
}

extension Session {
  /// Handles bytes of the other end, frame by frame.
  mutating func receive(_ bytes: [UInt8], at now: Moment) -> [Output] {
    decoder.append(bytes)
    var outputs: [Output] = []
    do {
      while let frame = try decoder.next(due: due) {
        outputs += frame.type == .abort ? aborted(try AbortReason(frame)) : try handle(frame, at: now)
      }
    } catch {
      outputs += fail(SessionFailure(error))
    }
    return outputs
  }

  /// Seals a message and sends it.
  func sealed(_ message: Message, _ channel: inout SecureChannel) -> [Output] {
    // Sealing fails only after 2⁶⁴ − 1 messages; then nothing is sent, and the other end's patience ends the session.
    guard let frame = try? channel.seal(message) else { return [] }
    return [.send(frame.bytes)]
  }

  /// Tells the other end why the session ends, where it is still there to be told.
  func farewell(_ failure: SessionFailure) -> [Output] {
    failure.reason.map { [.send($0.frame.bytes)] } ?? []
  }
}
