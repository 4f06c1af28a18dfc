/// The SGR sequences (ECMA-48 §8.3.117) that make black on white.
enum TerminalColor {
  /// Themes redefine the first 16 colours, black and white among them, but the 256-colour cube they leave alone:
  /// its corners 16 and 231 are black and white nearly everywhere. Direct colour (`38;2`) would be as exact, but
  /// fewer terminals and multiplexers pass it on.
  ///
  /// A terminal without the cube takes the black on light grey that comes first, reads the cube's `5` as blink and
  /// has that undone by `25`. The `0` is there for bold, which may brighten black, and for reverse video.
  static let darkOnLight = "\u{1B}[0;30;47m\u{1B}[38;5;16;48;5;231;25m"
  /// Black on black: what is drawn so is a dark module, whatever its character.
  static let dark = "\u{1B}[0;30;40m\u{1B}[38;5;16;48;5;16;25m"
  static let reset = "\u{1B}[0m"
}
