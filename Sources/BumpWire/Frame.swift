/// The type byte of a frame.
public enum FrameType: UInt8, Sendable, CaseIterable {
  case hello = 0x01
  case welcome = 0x02
  case pakeR = 0x03
  case pakeS = 0x04
  case noise1 = 0x05
  case noise2 = 0x06
  case sealed = 0x07
  case abort = 0x0F

  /// The length field's allowed values, type byte and body, in a mode: where there is a psk, NOISE_1 has a tag.
  public func lengths(in mode: Mode) -> ClosedRange<Int> {
    switch self {
    case .hello: 22...22
    case .welcome: 63...63
    case .pakeR, .pakeS: 33...33
    case .noise1: mode == .open ? 33...33 : 49...49
    case .noise2: 49...49
    case .sealed: 18...1074
    case .abort: 2...2
    }
  }
}

/// What travels: a big-endian `u16` length, then the type byte and the body.
public struct Frame: Hashable, Sendable {
  public let type: FrameType
  public let body: [UInt8]

  /// - Precondition: the body has a length of the type's. Ours do by construction; the decoder checks theirs.
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
