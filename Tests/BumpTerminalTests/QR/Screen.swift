struct RGB: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  static let black = RGB(red: 0, green: 0, blue: 0)
  static let white = RGB(red: 255, green: 255, blue: 255)
  static let lightGrey = RGB(red: 170, green: 170, blue: 170)
  static let magenta = RGB(red: 255, green: 0, blue: 255)
}

/// What a terminal makes of colours.
struct Terminal {
  let page: RGB
  let ink: RGB
  /// What its theme makes of ANSI black and of ANSI white.
  let ansiBlack: RGB
  let ansiWhite: RGB
  /// Whether it knows `38;5;n` and `48;5;n`.
  let hasCube: Bool

  /// The themes spoil the ANSI colours, so that one of them is seen where it shows.
  static let dark = Terminal(page: .black, ink: .white, ansiBlack: .magenta, ansiWhite: .magenta, hasCube: true)
  static let light = Terminal(page: .white, ink: .black, ansiBlack: .magenta, ansiWhite: .magenta, hasCube: true)
  static let eightColors = Terminal(
    page: .black, ink: .lightGrey, ansiBlack: .black, ansiWhite: .lightGrey, hasCube: false)
}

struct ScreenError: Error {
  let reason: String
}

/// A terminal that draws half blocks and, in place of one, `#` as ink that fills its cell; it refuses whatever else a drawing has no business with.
struct Screen {
  /// Upper and lower halves in turn; rows may differ in length.
  private(set) var pixels: [[RGB]] = []
  let terminal: Terminal

  private struct Pen: Equatable {
    var ink: RGB
    var paper: RGB
    var blinks = false
  }

  /// - Throws: `ScreenError` at an unknown sequence or character, and at a line that leaves its colours on.
  init(_ terminal: Terminal, showing text: String) throws {
    self.terminal = terminal
    let normal = Pen(ink: terminal.ink, paper: terminal.page)
    var pen = normal
    var upper: [RGB] = []
    var lower: [RGB] = []
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}":
        guard rest.popFirst() == "[", let end = rest.firstIndex(of: "m") else {
          throw ScreenError(reason: "an escape that is no SGR sequence")
        }
        let parameters = rest[..<end].split(separator: ";", omittingEmptySubsequences: false)
        rest = rest[end...].dropFirst()
        try apply(parameters.map { Int($0) ?? -1 }, to: &pen, normal: normal)
      case "\n":
        guard pen == normal else { throw ScreenError(reason: "colours left on at the end of a line") }
        pixels += [upper, lower]
        (upper, lower) = ([], [])
      case "█", "▀", "▄", "#", " ":
        guard !pen.blinks else { throw ScreenError(reason: "blinking") }
        upper.append("█▀#".contains(character) ? pen.ink : pen.paper)
        lower.append("█▄#".contains(character) ? pen.ink : pen.paper)
      default:
        throw ScreenError(reason: "the character \(String(reflecting: character))")
      }
    }
    guard upper.isEmpty, pen == normal else { throw ScreenError(reason: "an unfinished last line") }
  }

  private func apply(_ parameters: [Int], to pen: inout Pen, normal: Pen) throws {
    var rest = parameters[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: pen = normal
      case 5: pen.blinks = true
      case 25: pen.blinks = false
      case 30: pen.ink = terminal.ansiBlack
      case 40: pen.paper = terminal.ansiBlack
      case 47: pen.paper = terminal.ansiWhite
      case 38 where terminal.hasCube: pen.ink = try Self.cubeColor(&rest)
      case 48 where terminal.hasCube: pen.paper = try Self.cubeColor(&rest)
      // A terminal without the cube passes over what it does not know, number by number.
      case _ where !terminal.hasCube: break
      default: throw ScreenError(reason: "SGR \(parameter)")
      }
    }
  }

  private static func cubeColor(_ rest: inout ArraySlice<Int>) throws -> RGB {
    guard rest.popFirst() == 5, let index = rest.popFirst(), (16...231).contains(index) else {
      throw ScreenError(reason: "a colour outside of the cube")
    }
    let level = { (digit: Int) in UInt8(digit == 0 ? 0 : 55 + 40 * digit) }
    let digits = index - 16
    return RGB(red: level(digits / 36), green: level(digits / 6 % 6), blue: level(digits % 6))
  }
}
