/// The end of a text that is being shown. It decides which marks and joiners may follow.
struct ShownEnd {
  /// The last character that is no mark; `nil` behind an escape, a joiner, or nothing.
  private var base: Unicode.Scalar?
  /// The last character; `nil` behind an escape, a joiner, or nothing.
  private var last: Unicode.Scalar?
  /// How many more marks the last character may have. An enclosing mark counts as two.
  private var room = 0

  /// The most nonspacing marks on one character: Unicode UTS #39 §5.4 knows of no orthography with more. Tibetan,
  /// pointed Hebrew and vowelled Arabic have three, Burmese four.
  private static let mostMarks = 4

  mutating func add(_ scalar: Unicode.Scalar) {
    switch scalar {
    // None behind a quote: marks would hide where it ends.
    case "\"": (base, last, room) = (scalar, scalar, 0)
    // Before a virama; `needs` has seen that it is next.
    case Joiner.zwj where last.map(Joiner.viramas.keys.contains) ?? false: (base, last, room) = (nil, nil, 1)
    case Joiner.zwj, Joiner.zwnj: escape()
    // Room for the keycap, which is an enclosing mark.
    case Joiner.emojiSelector: (last, room) = (scalar, base.map(Joiner.beginsKeycap) ?? false ? 2 : 0)
    default:
      if let marks = Self.marks(scalar) {
        (last, room) = (scalar, room - marks)
      } else {
        (base, last, room) = (scalar, scalar, Self.mostMarks)
      }
    }
  }

  /// Adds an escape. No mark may be behind it, since it would hide where the escape ends.
  mutating func escape() { (base, last, room) = (nil, nil, 0) }

  /// Returns whether a mark must be escaped: there is nothing to bear it, or too much on that already. Also the same
  /// mark twice in a row, of which only one is seen (UTS #39 §5.4).
  func isTooMuch(_ scalar: Unicode.Scalar) -> Bool {
    Self.marks(scalar).map { $0 > room || scalar == last } ?? false
  }

  /// Returns how much room a mark takes; `nil` for any other character.
  private static func marks(_ scalar: Unicode.Scalar) -> Int? {
    // The first mark is U+0300. Looking up a category takes long.
    guard scalar.value >= 0x300 else { return nil }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark: 1
    case .enclosingMark: 2
    default: nil
    }
  }

  /// Returns whether an invisible character is needed here, by the script or in an emoji.
  ///
  /// - A joiner or non-joiner behind a virama (RFC 5892, Appendix A.1 and A.2); the latter only before a letter.
  /// - A non-joiner between two letters that would join (RFC 5892, Appendix A.1). The first may have marks.
  /// - A joiner between two emoji (Unicode UTS #51, ED-16).
  /// - A joiner between a letter ra and its virama, which keeps the ra whole (The Unicode Standard, 12.2 and 12.8).
  /// - The emoji presentation selector behind a character that is no emoji without it (UTS #51, ED-9a). Behind an ASCII
  ///   character it is seen only with a keycap after it (ED-14c).
  ///
  /// - Parameter next: the next character; `nil` at the end, or if it will be escaped.
  func needs(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let last else { return false }
    switch scalar {
    case Joiner.zwj:
      if Joiner.isVirama(last) { return true }
      guard let next else { return false }
      return Joiner.viramas[last] == next || Joiner.isEmoji(last) && Joiner.beginsEmoji(next)
    case Joiner.zwnj:
      guard let base, let next else { return false }
      return Joiner.isVirama(last) && Joiner.isLetter(next) || Joining.joinsNext(base) && Joining.joinsPrevious(next)
    case Joiner.emojiSelector:
      if Joiner.beginsKeycap(last) { return next == Joiner.keycap }
      return Joiner.beginsEmoji(last) && !last.properties.isEmojiPresentation
    default: return false
    }
  }
}

/// The invisible characters that some scripts and emoji need, and their neighbours.
package enum Joiner {
  static let zwnj: Unicode.Scalar = "\u{200C}"
  static let zwj: Unicode.Scalar = "\u{200D}"
  static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

  /// Returns whether this is a joiner or a non-joiner.
  package static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == zwj || scalar == zwnj }

  static let keycap: Unicode.Scalar = "\u{20E3}"

  /// The letters ra that a joiner keeps apart from the virama behind them, with that virama: Bengali, Assamese, Kannada.
  static let viramas: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{9B0}": "\u{9CD}", "\u{9F0}": "\u{9CD}", "\u{CB0}": "\u{CCD}",
  ]

  /// Returns whether this character can be on a keycap: a digit, `#` or `*`.
  static func beginsKeycap(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isEmoji }

  /// Returns whether this is a virama, which has no vowel follow its consonant.
  static func isVirama(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.canonicalCombiningClass == .virama }

  /// Returns whether an emoji may begin with this character: none of ASCII, no letter of a flag and no skin colour.
  static func beginsEmoji(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && scalar.properties.isEmoji && !scalar.properties.isEmojiModifier
      && !(0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Returns whether an emoji may end with this character.
  static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar == emojiSelector || scalar.properties.isEmojiModifier || beginsEmoji(scalar)
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}
