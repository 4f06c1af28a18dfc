/// Computes how many columns of a terminal a text needs.
///
/// Characters of the East Asian Width classes W and F (Unicode UAX #11), and those shown as emoji by default, need two
/// columns; combining marks and joiners need none. The emoji presentation selector adds one to the character before it.
/// If terminals differ, the result is the larger number, so that truncated text fits.
public enum TextWidth {
  /// Returns the number of columns of a text.
  ///
  /// - Parameter text: one line, escaped by `VisibleText`.
  public static func columns(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 || scalar == Joiner.emojiSelector { return 1 }
    if Joiner.isJoiner(scalar) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The characters of the classes W and F in EastAsianWidth.txt of Unicode 16.0.0, and the unassigned ones between
  /// them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x1F300...0x1F64F,
    0x1F6D0...0x1F6FF, 0x1F7E0...0x1F7FF, 0x1F90C...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
