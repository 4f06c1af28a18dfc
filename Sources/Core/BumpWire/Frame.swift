/// The type byte of a frame, the third one on the wire.
public enum FrameType: UInt8, Sendable, CaseIterable {
  /// The receiver's first frame: version and nonce.
  case hello = 0x01
  /// The sender's answer to HELLO: version, mode, nonce, commitment and key hint.
  case welcome = 0x02
  /// The receiver's CPace share, in mode code.
  case pakeR = 0x03
  /// The sender's CPace share, in mode code.
  case pakeS = 0x04
  /// The receiver's Noise handshake message.
  case noise1 = 0x05
  /// The sender's Noise handshake message.
  case noise2 = 0x06
  /// An encrypted `Message`.
  case sealed = 0x07
  /// The sender's place in the receiver's queue, before NOISE_1: `Queued`.
  case queued = 0x08
  /// An `AbortReason`, in clear.
  case abort = 0x0F

  /// Returns the allowed values of the length field, which counts the type byte and the body, in bytes.
  ///
  /// They depend on the mode: with a psk, NOISE_1 carries a tag of 16 bytes.
  public func lengths(in mode: Mode) -> ClosedRange<Int> {
    switch self {
    case .hello: 22...22
    case .welcome: 63...63
    case .pakeR, .pakeS: 33...33
    case .noise1: mode == .open ? 33...33 : 49...49
    case .noise2: 49...49
    case .sealed: 18...1074
    case .queued: 10...10
    case .abort: 2...2
    }
  }
}

/// A frame as both ends send it over TCP: a big-endian `u16` length, then the type byte and the body.
public struct Frame: Hashable, Sendable {
  /// The type, which decides the allowed lengths.
  public let type: FrameType
  /// Everything after the type byte.
  public let body: [UInt8]

  /// Makes a frame.
  ///
  /// - Precondition: the body has a length that its type allows. The decoder checks this for frames of the peer.
  public init(_ type: FrameType, _ body: [UInt8]) {
    precondition(Mode.allCases.contains { type.lengths(in: $0).contains(body.count + 1) })
    self.type = type
    self.body = body
  }

  /// The frame exactly as on the wire.
  public var bytes: [UInt8] {
    let length = UInt16(body.count + 1)
    return [UInt8(length >> 8), UInt8(length & 0xFF), type.rawValue] + body
  }
}
