/// A pattern of an apple-app-site-association file: `*` stands for any run of characters, `?` for one character, and
/// `$(name)` for one of a variable's values.
struct Pattern: Sendable {
  indirect enum Token: Sendable {
    case scalar(Unicode.Scalar)
    case one
    case run
    /// One character of these ranges.
    case oneOf([ClosedRange<Unicode.Scalar>])
    /// One of these patterns.
    case choice([[Token]])
  }

  /// Why a pattern is not valid.
  enum Fault: Error {
    /// The variable of this name is not defined; `nil` for one that does not end.
    case variable(String?)
  }

  /// The pattern as written.
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

  /// Returns the tokens of a variable's value, in which no other variable is replaced.
  static func value(_ text: String) -> [Token] { text.flatMap(plain) }

  private static func plain(_ character: Character) -> [Token] {
    switch character {
    case "*": [.run]
    case "?": [.one]
    default: character.unicodeScalars.map(Token.scalar)
    }
  }

  /// Apple's variables. Codes of regions and languages are checked only for their form.
  private static let builtIn: [String: [Token]] = [
    "alpha": [.oneOf(["A"..."Z", "a"..."z"])], "upper": [.oneOf(["A"..."Z"])], "lower": [.oneOf(["a"..."z"])],
    "alnum": [.oneOf(["A"..."Z", "a"..."z", "0"..."9"])], "digit": [.oneOf(["0"..."9"])],
    "xdigit": [.oneOf(["0"..."9", "a"..."f", "A"..."F"])],
    "region": [.oneOf(["A"..."Z"]), .oneOf(["A"..."Z"])],
    "lang": [
      .oneOf(["a"..."z"]), .oneOf(["a"..."z"]), .choice([[], [.oneOf(["a"..."z"])]]),
    ],
  ]

  /// Returns whether the whole text matches. Follows all ways at the same time, so that no pattern takes longer than
  /// its length times the text's.
  func matches(_ text: [Unicode.Scalar], ignoringCase: Bool, _ work: inout MatchWork) -> Bool {
    var reached = [Bool](repeating: false, count: text.count + 1)
    reached[0] = true
    return Self.advance(reached, over: tokens, text, ignoringCase, &work).last == true
  }

  /// Returns the places in the text that are reached behind the tokens, from these places.
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

/// The work of matching that is left, for all patterns and URLs of a project: a hostile file would otherwise take
/// hours.
struct MatchWork: Sendable {
  /// The greatest number of comparisons of characters.
  static let limit = 20_000_000
  private(set) var left = limit

  var isSpent: Bool { left <= 0 }

  mutating func spend(_ count: Int) -> Bool {
    left -= count
    return left > 0
  }
}

extension Unicode.Scalar {
  /// The ASCII letter in lower case; any other character as it is.
  fileprivate var lowered: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }

  /// The ASCII letter in upper case; any other character as it is.
  fileprivate var raised: Unicode.Scalar {
    ("a"..."z").contains(self) ? Unicode.Scalar(UInt8(value) & 0xDF) : self
  }
}
