/// The SGR sequences (ECMA-48 §8.3.117) for black on white.
enum TerminalColor {
  /// Sets black on white.
  ///
  /// Themes redefine the first 16 colours, but not the 256-colour cube: its corners 16 and 231 are black and white
  /// nearly everywhere. Direct colour (`38;2`) would be as exact, but fewer terminals and multiplexers support it.
  ///
  /// A terminal without the cube applies the first sequence, black on light grey; it reads the `5` of the second as
  /// blink, which `25` resets. The `0` resets bold, which may brighten black, and reverse video.
  static let darkOnLight = "\u{1B}[0;30;47m\u{1B}[38;5;16;48;5;231;25m"
  /// Sets black on black: any character in these colours is a dark module.
  static let dark = "\u{1B}[0;30;40m\u{1B}[38;5;16;48;5;16;25m"
  static let reset = "\u{1B}[0m"
}
