import BumpWire

/// What two ends speak with each other.
enum Course: CaseIterable, Sendable {
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

extension Passage.Place {
  /// From the receiver HELLO, [PAKE_R,] NOISE_1, [REMEMBER,] ACCEPT, [REMEMBER,] STORED;
  /// from the sender WELCOME, [PAKE_S,] NOISE_2, OFFER, [REMEMBER,] CLAIM.
  static func all(in course: Course) -> [Self] {
    let last = [stored(in: course), claim(in: course)]
    return last.flatMap { last in (0...last.number).map { Self(direction: last.direction, number: $0) } }
  }

  static func accept(in course: Course) -> Self {
    Self(direction: .fromReceiver, number: 2 + (course.mode == .code ? 1 : 0) + (course == .remembering ? 1 : 0))
  }

  static func claim(in course: Course) -> Self {
    Self(direction: .fromSender, number: 3 + (course.mode == .code ? 1 : 0) + (course == .remembering ? 1 : 0))
  }

  static func stored(in course: Course) -> Self {
    Self(direction: .fromReceiver, number: accept(in: course).number + (course == .remembering ? 2 : 1))
  }

  /// Whether the sender writes it once it has released the claim: REMEMBER and CLAIM.
  func isWithClaim(in course: Course) -> Bool {
    let claim = Self.claim(in: course)
    return direction == .fromSender && number >= claim.number - (course == .remembering ? 1 : 0)
  }

  /// Whether the receiver writes it once it has the claim: REMEMBER and STORED.
  func isWithStored(in course: Course) -> Bool {
    direction == .fromReceiver && number > Self.accept(in: course).number
  }
}
