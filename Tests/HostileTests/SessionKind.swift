import BumpWire

/// What two ends speak with each other.
enum SessionKind: CaseIterable, Sendable {
  case open, code, key
  /// Mode code, and both ends remember each other.
  case remembering

  init(_ mode: Mode) {
    switch mode {
    case .open: self = .open
    case .code: self = .code
    case .key: self = .key
    }
  }

  var mode: Mode {
    switch self {
    case .open: .open
    case .code, .remembering: .code
    case .key: .key
    }
  }

  /// The name by which each end remembers the other.
  static let names = (ofReceiver: "bobby", ofSender: "ally")
}

extension InterceptedFrame.Position {
  /// From the receiver HELLO, [PAKE_R,] NOISE_1, [REMEMBER,] ACCEPT, [REMEMBER,] STORED;
  /// from the sender WELCOME, [PAKE_S,] NOISE_2, OFFER, [REMEMBER,] CLAIM.
  static func all(in kind: SessionKind) -> [Self] {
    let last = [stored(in: kind), claim(in: kind)]
    return last.flatMap { last in (0...last.number).map { Self(direction: last.direction, number: $0) } }
  }

  static func accept(in kind: SessionKind) -> Self {
    Self(direction: .fromReceiver, number: 2 + (kind.mode == .code ? 1 : 0) + (kind == .remembering ? 1 : 0))
  }

  static func claim(in kind: SessionKind) -> Self {
    Self(direction: .fromSender, number: 3 + (kind.mode == .code ? 1 : 0) + (kind == .remembering ? 1 : 0))
  }

  static func stored(in kind: SessionKind) -> Self {
    Self(direction: .fromReceiver, number: accept(in: kind).number + (kind == .remembering ? 2 : 1))
  }

  /// Whether the sender writes it once it has released the claim: REMEMBER and CLAIM.
  func isWithClaim(in kind: SessionKind) -> Bool {
    let claim = Self.claim(in: kind)
    return direction == .fromSender && number >= claim.number - (kind == .remembering ? 1 : 0)
  }

  /// Whether the receiver writes it once it has the claim: REMEMBER and STORED.
  func isWithStored(in kind: SessionKind) -> Bool {
    direction == .fromReceiver && number > Self.accept(in: kind).number
  }
}
