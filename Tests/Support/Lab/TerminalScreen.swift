/// What a terminal shows of what was written to it: the last rows of it, without colours.
///
/// It knows what bump writes: carriage return, line feed, and of ECMA-48 SGR, EL, CUU, and the modes of DECSET, which it
/// passes over. Each character takes one column.
public struct TerminalScreen: Sendable {
  /// From top to bottom, without the blanks at their ends.
  public var rows: [String] { cells.map { String(String($0).reversed().drop { $0 == " " }.reversed()) } }

  private let size: (rows: Int, columns: Int)
  private var cells: [[Character]] = [[]]
  private var cursor = (row: 0, column: 0)

  public init(rows: Int = 24, columns: Int = 80, showing text: String) {
    size = (rows, columns)
    // A scalar each: "\r\n" would be one character.
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": cursor.column = 0
      case "\n": feed()
      case "\u{1B}" where rest.first == "[":
        let parameters = rest.dropFirst().prefix { !("@"..."~").contains($0) }
        let final = rest.dropFirst(parameters.count + 1).first
        rest = rest.dropFirst(parameters.count + 2)
        if final == "K" { cells[cursor.row].removeSubrange(min(cursor.column, cells[cursor.row].count)...) }
        if final == "A" { cursor.row = max(0, cursor.row - 1) }
      default: put(Character(scalar))
      }
    }
  }

  private mutating func put(_ character: Character) {
    if cursor.column == size.columns {
      cursor.column = 0
      feed()
    }
    while cells[cursor.row].count <= cursor.column { cells[cursor.row].append(" ") }
    cells[cursor.row][cursor.column] = character
    cursor.column += 1
  }

  private mutating func feed() {
    cursor.row += 1
    if cursor.row == cells.count { cells.append([]) }
    if cells.count > size.rows {
      cells.removeFirst()
      cursor.row -= 1
    }
  }
}
