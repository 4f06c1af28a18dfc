/// A pattern of an apple-app-site-association file: `*` is any run of characters, `?` one of them, and `$(name)` one of a
/// variable's values.
struct Pattern: Sendable {
  indirect enum Token: Sendable {
    case scalar(Unicode.Scalar)
    case one
    case run
    /// One of some characters.
    case oneOf([ClosedRange<Unicode.Scalar>])
    /// One of several patterns.
    case choice([[Token]])
  }

  /// Why a pattern is not valid.
  enum Fault: Error {
    /// The name of a variable that is not defined, or `nil` for one that does not end.
    case variable(String?)
  }

  /// The pattern as it is written.
  let text: String
  private let tokens: [Token]

  /// Matches everything.
  static let all = Pattern(text: "*", tokens: [.run])
  /// Matches nothing.
  static let none = Pattern(text: "", tokens: [.oneOf([])])

  private init(text: String, tokens: [Token]) {
    (self.text, self.tokens) = (text, tokens)
  }

  /// Reads a pattern.
  ///
  /// - Parameter variables: the values of the variables that the file defines.
  init(_ text: String, _ variables: [String: [[Token]]]) throws(Fault) {
    self.text = text
    var tokens: [Token] = []
    var rest = Substring(text)
    while let character = rest.first {
      if rest.hasPrefix("$(") {
        guard let end = rest.firstIndex(of: ")") else { throw Fault.variable(nil) }
        let name = String(rest[..<end].dropFirst(2))
        if let values = variables[name] {
          tokens.append(.choice(values))
        } else if let built = Self.builtIn[name] {
          tokens += built
        } else {
          throw Fault.variable(name)
        }
        rest = rest[end...].dropFirst()
      } else {
        tokens += Self.plain(character)
        rest.removeFirst()
      }
    }
    self.tokens = tokens
  }

  /// The tokens of a variable's value, which has no variables in it.
  static func value(_ text: String) -> [Token] { text.flatMap(plain) }

  private static func plain(_ character: Character) -> [Token] {
    switch character {
    case "*": [.run]
    case "?": [.one]
    default: character.unicodeScalars.map(Token.scalar)
    }
  }

  /// The variables of Apple's. Codes of regions and languages are taken by their form.
  private static let builtIn: [String: [Token]] = [
    "alpha": [.oneOf(["A"..."Z", "a"..."z"])], "upper": [.oneOf(["A"..."Z"])], "lower": [.oneOf(["a"..."z"])],
    "alnum": [.oneOf(["A"..."Z", "a"..."z", "0"..."9"])], "digit": [.oneOf(["0"..."9"])],
    "xdigit": [.oneOf(["0"..."9", "a"..."f", "A"..."F"])],
    "region": [.oneOf(["A"..."Z"]), .oneOf(["A"..."Z"])],
    "lang": [
      .oneOf(["a"..."z"]), .oneOf(["a"..."z"]), .choice([[], [.oneOf(["a"..."z"])]]),
    ],
  ]

  /// Whether the whole text matches. It follows all ways at once, so that no pattern takes longer than its length times the
  /// text's.
  func matches(_ text: [Unicode.Scalar], ignoringCase: Bool, _ work: inout MatchWork) -> Bool {
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    return Self.advance(reached, over: tokens, text, ignoringCase, &work).last == true
  }

  /// From some places in the text to those that are reached behind the tokens.
  private static func advance(
    _ places: [Bool], over tokens: [Token], _ text: [Unicode.Scalar], _ ignoringCase: Bool, _ work: inout MatchWork
  ) -> [Bool] {
    var places = places
    for token in tokens {
      guard places.contains(true), work.spend(text.count + 1) else {
        return [Bool](repeating: false, count: places.count)
      }
      switch token {
      case .run:
        if let first = places.firstIndex(of: true) { for index in first..<places.count { places[index] = true } }
      case .choice(let patterns):
        var reached = [Bool](repeating: false, count: places.count)
        for pattern in patterns {
          guard work.spend(text.count + 1) else { break }
          for (index, isReached) in advance(places, over: pattern, text, ignoringCase, &work).enumerated()
          where isReached {
            reached[index] = true
          }
        }
        places = reached
      case .scalar, .one, .oneOf:
        for index in stride(from: text.count, through: 1, by: -1) {
          places[index] = places[index - 1] && takes(token, text[index - 1], ignoringCase)
        }
        places[0] = false
      }
    }
    return places
  }

  private static func takes(_ token: Token, _ scalar: Unicode.Scalar, _ ignoringCase: Bool) -> Bool {
    switch token {
    case .scalar(let other): scalar == other || ignoringCase && scalar.lowered == other.lowered
    case .oneOf(let ranges):
      ranges.contains { range in
        range.contains(scalar) || ignoringCase && (range.contains(scalar.lowered) || range.contains(scalar.raised))
      }
    default: true
    }
  }
}

/// What matching may cost, over all patterns and URLs of a project: a hostile file would otherwise take hours.
struct MatchWork: Sendable {
  /// Characters compared, at most.
  static let limit = 20_000_000
  private(set) var left = limit

  var isSpent: Bool { left <= 0 }

  mutating func spend(_ count: Int) -> Bool {
    left -= count
    return left > 0
  }
}

extension Unicode.Scalar {
  /// In lower case, in ASCII.
  fileprivate var lowered: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }

  /// In upper case, in ASCII.
  fileprivate var raised: Unicode.Scalar {
    ("a"..."z").contains(self) ? Unicode.Scalar(UInt8(value) & 0xDF) : self
  }
}
