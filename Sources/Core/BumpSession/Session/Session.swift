package import BumpWire

/// One connection of one end, as a state machine. The protocol has what the sessions of a sender and of a receiver
/// share: reading frames, sealing messages, and ending with a reason.
package protocol Session: Sendable {
  associatedtype Input: SessionInput
  associatedtype Output: SessionOutput

  var decoder: FrameDecoder { get set }
  /// The frame types that are allowed now.
  var due: Set<FrameType> { get }
  /// When `.deadline` is due; `nil` for never.
  var deadline: Moment? { get }

  mutating func handle(_ input: Input, at now: Moment) -> [Output]
  /// Handles a frame of a type in `due`, except ABORT.
  mutating func handle(_ frame: Frame, at now: Moment) throws -> [Output]
  /// Handles the other end's ABORT.
  mutating func aborted(_ reason: AbortReason) -> [Output]
  /// Ends the session, if it can end now, and sends the other end the reason.
  mutating func fail(_ failure: SessionFailure) -> [Output]
}

/// The inputs that every session has.
package protocol SessionInput {
  /// The session's `deadline` has passed.
  static var deadline: Self { get }
  /// The bump does not need this session any more.
  static func dismissed(_ reason: AbortReason) -> Self
}

/// The outputs that every session has.
package protocol SessionOutput {
  static func send(_ bytes: [UInt8]) -> Self
}

extension Session {
  /// Handles received bytes, frame by frame.
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

  /// Seals a message and returns the output that sends it.
  func sealed(_ message: Message, _ channel: inout SecureChannel) -> [Output] {
    // Sealing fails only after 2⁶⁴ − 1 messages. Then nothing is sent, and the other end's time limit ends the session.
    guard let frame = try? channel.seal(message) else { return [] }
    return [.send(frame.bytes)]
  }

  /// Returns the ABORT that sends the other end the reason, if there is one to send.
  func farewell(_ failure: SessionFailure) -> [Output] {
    failure.reason.map { [.send($0.frame.bytes)] } ?? []
  }
}
