import BumpWire
import Glibc
import Synchronization

/// What people read, on stderr, and programs, on stdout.
///
/// One line may be a status that is rewritten in place; every other line goes above it.
final class Console: Sendable {
  private let isQuiet: Bool
  /// Whether a line can be rewritten in place.
  private let rewrites: Bool
  /// The last line, where something is to stay there.
  private struct Status {
    var text = ""
    var isQuestion = false
  }

  private let status = Mutex(Status())
  private let ofStrangers = Mutex((count: 0, since: ContinuousClock.now))

  init(quiet: Bool) {
    isQuiet = quiet
    rewrites = isatty(STDERR_FILENO) == 1 && Environment.takesEscapes
  }

  /// Whether a person can be asked.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Says a line, unless to be quiet.
  func say(_ line: String) {
    if !isQuiet { insist(line) }
  }

  /// Says a line even where to be quiet. A status, or a question that waits for its answer, stays below it.
  func insist(_ line: String) {
    status.withLock { status in
      _ = Self.write(
        erase(status) + line + "\n" + (status.isQuestion ? status.text : Self.cut(status.text)), to: STDERR_FILENO)
    }
  }

  /// What takes the last line away; where that cannot be done, what ends it.
  private func erase(_ status: Status) -> String {
    if status.text.isEmpty { return "" }
    return rewrites ? Self.eraseLine : "\n"
  }

  /// Says a line of a kind that strangers can bring about at will: sixteen a minute, and then that there are more.
  ///
  /// - Parameter insisting: Whether to say it even where to be quiet.
  func sayOfStrangers(_ line: String, insisting: Bool = false) {
    let count = ofStrangers.withLock { said in
      if said.since.duration(to: .now) > .seconds(60) { said = (0, .now) }
      said.count += 1
      return said.count
    }
    guard count <= 17, insisting || !isQuiet else { return }
    insist(count <= 16 ? line : "Further messages like this are suppressed for one minute.")
  }

  /// Whether a status takes the place of the one before it.
  var rewritesStatus: Bool { rewrites && !isQuiet }

  /// Sets the status line: in place on a terminal, as a plain line, once, elsewhere. A question that stands is left alone.
  func setStatus(_ line: String, first: Bool) {
    guard !isQuiet else { return }
    status.withLock { status in
      if status.isQuestion { return }
      if rewrites {
        status.text = line
        Self.write(Self.eraseLine + Self.cut(line), to: STDERR_FILENO)
      } else if first {
        Self.write(line + "\n", to: STDERR_FILENO)
      }
    }
  }

  func clearStatus() {
    status.withLock { status in
      if status.isQuestion || status.text.isEmpty { return }
      Self.write(Self.eraseLine, to: STDERR_FILENO)
      status.text = ""
    }
  }

  /// Begins a question: the answer is typed behind it. It stays the last line until `endQuestion`.
  func ask(_ question: String) {
    status.withLock { status in
      Self.write(erase(status) + question, to: STDERR_FILENO)
      status = Status(text: question, isQuestion: true)
    }
  }

  /// Asks again, in place of the question and of the line that was typed behind it.
  func askAgain(_ question: String) {
    if rewrites { Self.write(Self.lineUp, to: STDERR_FILENO) }
    ask(question)
  }

  /// Ends a question.
  ///
  /// - Parameter isAnswered: Whether a person typed a line, which has ended the question's.
  func endQuestion(isAnswered: Bool) {
    status.withLock { status in
      if !isAnswered { Self.write("\n", to: STDERR_FILENO) }
      status = Status()
    }
  }

  /// Takes away a question that nobody is to answer any more, its digits with it.
  func cancelQuestion() {
    status.withLock { status in
      // A Ctrl-C is seen on the line.
      let isWithdrawn = !Interrupt.hasCome
      Self.write((isWithdrawn ? erase(status) + "Question cancelled." : "") + "\n", to: STDERR_FILENO)
      status = Status()
    }
  }

  /// Writes a line of the result.
  static func result(_ line: String) {
    if !write(line + "\n", to: STDOUT_FILENO) { lostResult.withLock { $0 = true } }
  }

  /// Whether a line of the result could not be written: what was to be shown was not.
  static var hasLostResult: Bool { lostResult.withLock(\.self) }
  private static let lostResult = Mutex(false)

  /// - Throws: `CommandError` where a line of the result could not be written.
  static func checkResult() throws {
    if hasLostResult { throw CommandError(.failure, "stdout cannot be written; not all was shown") }
  }

  /// Says an error, whatever else is to be said.
  ///
  /// Parts of it may have come from outside, such as a path: nothing in it drives a terminal.
  static func standardError(_ message: String) { write("bump: \(VisibleText.ofMessage(message))\n", to: STDERR_FILENO) }

  /// Carriage return, and erase in line (ECMA-48 EL).
  private static let eraseLine = "\r\u{1B}[K"

  /// Cursor up, carriage return, and erase in line (ECMA-48 CUU, EL).
  private static let lineUp = "\u{1B}[A\r\u{1B}[K"

  /// A line that ends at the terminal's edge, where it is narrow: on the next line it could not be erased any more
  /// (DECAWM, reset and set).
  private static func cut(_ line: String) -> String { line.isEmpty ? "" : "\u{1B}[?7l\(line)\u{1B}[?7h" }

  /// The text for a terminal that takes ASCII alone.
  private static func ascii(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "…": "..."
      case "×": "x"
      case _ where scalar.isASCII: String(scalar)
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }.joined()
  }

  /// Straight to the file, so that what was said is there even if the process is killed next.
  @discardableResult private static func write(_ text: String, to file: Int32) -> Bool {
    let isForPeople = !text.utf8.allSatisfy { $0 < 0x80 } && !Environment.isUTF8 && isatty(file) == 1
    var bytes = Array((isForPeople ? ascii(text) : text).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      // Nobody reads (any more), or the disk is full: nothing that could still be said would be heard.
      guard count > 0 || (count < 0 && errno == EINTR) else { return false }
      bytes = bytes.dropFirst(max(count, 0))
    }
    return true
  }
}
