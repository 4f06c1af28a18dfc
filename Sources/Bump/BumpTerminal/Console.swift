import ArgumentParser
import BumpText
import Glibc
package import Synchronization

/// Writes messages for people to stderr, and results to stdout.
///
/// The last line of the screen may be a status, which is rewritten in place, or a question. All other lines appear above
/// it, whatever wrote them. In the background neither is printed, since the last line may be another program's question.
package final class Console: Sendable {
  private let isQuiet: Bool
  /// Whether the terminal can rewrite a line in place.
  private let rewrites: Bool
  /// The status or question on the last line.
  private struct Status {
    var text = ""
    var isQuestion = false
    /// The lines above a question, which say what the question is about.
    var about: [String] = []
    /// These lines as they are on the screen, directly above the question.
    var above = ""
    /// The terminal's columns when they were written; `nil` if they are unknown.
    var columns: Int?
    /// The hint how to answer, which follows the question once it takes an answer.
    var hint = ""
    /// How long the question is on the screen before it takes an answer.
    var pause: Duration = .zero
    /// When the question on the screen takes an answer; `nil` if it does already.
    var opening: ContinuousClock.Instant?
    /// Whether the status or question is on the screen.
    var isShown = false
    /// The number of rows of the last answered question with its answer.
    var answeredRows = 1

    /// The text on the last line.
    var line: String { opening == nil ? text + hint : text }
  }

  /// The program has one screen, so all of its consoles share the last line.
  private static let status = Mutex(Status())
  /// The digits that a person at this screen may have compared.
  package let comparisons = Mutex(Comparisons())
  /// The reason of the failed transfer that was printed last. The result does not repeat it.
  private let saidFailure = Mutex<String?>(nil)
  private let ofStrangers = Mutex((count: 0, since: ContinuousClock.now))

  package init(quiet: Bool) {
    isQuiet = quiet
    rewrites = isatty(STDERR_FILENO) == 1 && Environment.takesEscapes
  }

  /// The terminal that shows questions to a person at stdin: stderr, or otherwise the controlling terminal; `nil` if
  /// nobody can be asked.
  private static let terminal: Int32? = {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    if isatty(STDERR_FILENO) == 1 { return STDERR_FILENO }
    // The answer is typed on stdin, so the question must be on the same terminal. tcgetpgrp(3) fails for all but the
    // controlling one.
    guard tcgetpgrp(STDIN_FILENO) >= 0 else { return nil }
    let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
    return terminal < 0 ? nil : terminal
  }()

  /// Whether a person can be asked.
  package static var canAsk: Bool { terminal != nil }

  /// Whether a person is at stdin, but no terminal can show them a question.
  package static var cannotShowQuestions: Bool { isatty(STDIN_FILENO) == 1 && !canAsk }

  /// Changes the status or question. In the background neither is on the screen.
  private static func withStatus<Result>(_ change: (inout sending Status) -> sending Result) -> sending Result {
    status.withLock { status in
      if !ForegroundJob.isOurs { status.isShown = false }
      return change(&status)
    }
  }

  /// Prints a message, unless --quiet.
  package func say(_ line: String) {
    if !isQuiet { insist(line) }
  }

  /// Prints a message even with --quiet. A status or question stays below it. Escapes the message, since parts of it
  /// may come from a peer, or be the name of a file.
  package func insist(_ line: String) { Self.print(line, to: STDERR_FILENO) }

  /// Prints a message that the person here needs, such as digits to compare, where questions are shown.
  package func insistInSight(_ line: String) { Self.print(line, to: Self.terminal ?? STDERR_FILENO) }

  private static func print(_ line: String, to file: Int32) {
    let line = wrapped(line, for: file)
    withStatus { status in
      let isAbove = status.isShown && Self.file(of: status) == file
      _ = write(isAbove ? eraseAll(status) + line + "\n" + all(of: &status) : line + "\n", to: file)
    }
  }

  /// Returns a message that a terminal can show, without broken words if the terminal's width is known.
  private static func wrapped(_ message: String, for file: Int32) -> String {
    let message = VisibleText.ofMessage(message)
    return width(of: file).map { WrappedText.of(message, columns: $0) } ?? message
  }

  /// Returns a question and its hint, without broken words if the terminal's width is known.
  private static func wrapped(_ question: String, hint: String, for file: Int32) -> (question: String, hint: String) {
    width(of: file).map { WrappedText.of(question, hint: hint, columns: $0) } ?? (question, hint)
  }

  /// Returns the status, or the question with the lines above it, to be written below a message: between an offer and
  /// its question a message would separate the two.
  private static func all(of status: inout Status) -> String {
    guard status.isQuestion else { return cut(status.text) }
    setLines(above: &status)
    return status.above + status.line
  }

  /// Notes the lines that say what a question is about, each with its newline, which are written next.
  private static func setLines(above status: inout Status) {
    let file = file(of: status)
    status.above = status.about.map { wrapped($0, for: file) + "\n" }.joined()
    status.columns = width(of: file)
  }

  /// Returns the file to which the status or question is written.
  private static func file(of status: Status) -> Int32 { status.isQuestion ? terminal ?? STDERR_FILENO : STDERR_FILENO }

  /// Returns the bytes that erase the last line, or that end it if it cannot be erased.
  private static func erase(_ status: Status) -> String {
    if status.text.isEmpty || !status.isShown { return "" }
    guard Environment.takesEscapes else { return "\n" }
    // A status takes one row. A question may take several; erase all of them, because of the digits.
    return eraseLine + (status.isQuestion ? String(repeating: lineUp, count: rows(of: status.line) - 1) : "")
  }

  /// Returns the bytes that erase the status, or the question with the lines above it. Where those lines cannot be
  /// erased, they stay, and are written a second time.
  private static func eraseAll(_ status: Status) -> String {
    let question = erase(status)
    // Where the window has another width now, it is not known how many rows they have.
    guard status.isQuestion, Environment.takesEscapes, !status.above.isEmpty,
      status.columns == width(of: file(of: status))
    else { return question }
    // The last row is that of the question.
    let count = rows(of: status.above) - 1
    let isOnScreen = count + rows(of: status.line) < height(of: file(of: status))
    return isOnScreen ? question + String(repeating: lineUp, count: count) : question
  }

  /// Writes a line of the result or an error, which may be the program's last, so that no status stays below it. A
  /// question does.
  ///
  /// - Returns: whether the line was written.
  private static func writeLast(_ bytes: [UInt8], to file: Int32) -> Bool {
    withStatus { status in
      guard status.isShown, file == Self.file(of: status) || isatty(file) == 1 else { return write(bytes, to: file) }
      write(eraseAll(status), to: Self.file(of: status))
      if !status.isQuestion { (status.text, status.isShown) = ("", false) }
      let isWritten = write(bytes, to: file)
      if status.isShown { write(all(of: &status), to: Self.file(of: status)) }
      return isWritten
    }
  }

  /// Prints a message that peers can cause at will: at most sixteen in a minute, then one that says that others are
  /// suppressed.
  ///
  /// - Parameters:
  ///   - insisting: whether to print it even with --quiet.
  ///   - inSight: whether the person here needs it, so that it is printed even with --quiet, and where questions are shown.
  /// - Returns: whether the message itself was printed.
  @discardableResult
  package func sayOfStrangers(_ line: String, insisting: Bool = false, inSight: Bool = false) -> Bool {
    let count = ofStrangers.withLock { said in
      if said.since.duration(to: .now) > .seconds(60) { said = (0, .now) }
      said.count += 1
      return said.count
    }
    guard count <= 17, insisting || inSight || !isQuiet else { return false }
    let text = count <= 16 ? line : "Further messages like this are suppressed for one minute."
    inSight ? insistInSight(text) : insist(text)
    return count <= 16
  }

  /// Prints that a transfer failed.
  ///
  /// - Parameters:
  ///   - reason: why, as a clause.
  ///   - more: what is said behind it, with a space before it.
  package func sayFailure(_ reason: String, more: String = "") {
    guard sayOfStrangers("The transfer failed: \(reason).\(more)") else { return }
    saidFailure.withLock { $0 = reason }
  }

  /// Returns whether this is the reason that `sayFailure` printed last.
  package func hasSaid(_ reason: String?) -> Bool { reason != nil && saidFailure.withLock { $0 == reason } }

  /// Whether a status replaces the one before it.
  package var rewritesStatus: Bool { rewrites }

  /// The width of a status: all columns but the last, which the cursor needs. 80 if the terminal's width is unknown.
  package var statusLine: StatusLine {
    StatusLine(columns: Self.columns(of: STDERR_FILENO) - 1, ellipsis: Environment.isUTF8 ? "…" : Self.ascii("…"))
  }

  private static func columns(of terminal: Int32) -> Int { width(of: terminal) ?? 80 }

  /// Returns the columns of a terminal; `nil` if they are unknown.
  private static func width(of terminal: Int32) -> Int? {
    let columns = size(of: terminal).ws_col
    return columns > 0 ? Int(columns) : nil
  }

  /// Returns the rows of a terminal; 24 if they are unknown.
  private static func height(of terminal: Int32) -> Int {
    let rows = size(of: terminal).ws_row
    return rows > 0 ? Int(rows) : 24
  }

  /// Returns the size of a terminal; zero if it is unknown.
  private static func size(of terminal: Int32) -> winsize {
    var size = winsize()
    return ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
  }

  /// Sets the status: on a terminal in place, otherwise once as a plain line. Does nothing while a question is asked,
  /// or in the background of a terminal.
  ///
  /// - Parameter insisting: whether to show it even with --quiet.
  package func setStatus(_ line: String, first: Bool, insisting: Bool = false) {
    guard insisting || !isQuiet else { return }
    Self.withStatus { status in
      if status.isQuestion { return }
      if rewrites {
        guard ForegroundJob.isOurs else { return }
        (status.text, status.isShown) = (statusLine.cut(Environment.isUTF8 ? line : Self.ascii(line)), true)
        Self.write(Self.eraseLine + Self.cut(status.text), to: STDERR_FILENO)
      } else if first {
        Self.write(line + "\n", to: STDERR_FILENO)
      }
    }
  }

  package func clearStatus() {
    Self.withStatus { status in
      if status.isQuestion { return }
      Self.write(Self.erase(status), to: STDERR_FILENO)
      (status.text, status.isShown) = ("", false)
    }
  }

  /// Prints a question, which stays on the last line until `endQuestion`. The answer is typed after it. In the
  /// background, prints a line which says that there is a question, and the question itself at `showQuestion`.
  ///
  /// - Parameters:
  ///   - hint: how to answer, such as `[y/n] `.
  ///   - pause: how long the question is on the screen before the hint appears and it takes an answer.
  ///   - lines: what the question is about, printed above it.
  package func ask(_ question: String, hint: String = "", after pause: Duration = .zero, about lines: [String] = []) {
    Self.withStatus { status in
      Self.write(Self.erase(status), to: Self.file(of: status))
      (status.about, status.isQuestion, status.pause) = (lines, true, pause)
      (status.text, status.hint) = Self.wrapped(question, hint: hint, for: Self.file(of: status))
      show(&status)
    }
  }

  /// Replaces the question and the line typed after it by another question about the same.
  package func askAgain(_ question: String) {
    Self.withStatus { status in
      status.isQuestion = true
      (status.text, status.hint) = Self.wrapped(question, hint: "", for: Self.file(of: status))
      replaceAnswered(&status)
    }
  }

  /// How long it is until the question takes an answer; `nil` if it does already, or is not on the screen.
  package var timeToOpening: Duration? {
    Self.withStatus { status in
      guard status.isQuestion, status.isShown else { return nil }
      return status.opening.map { ContinuousClock.now.duration(to: $0) }
    }
  }

  /// Prints the hint how to answer. From now on the question takes an answer.
  package func openQuestion() {
    Self.withStatus { status in
      let erased = Environment.takesEscapes ? Self.erase(status) : ""
      status.opening = nil
      Self.write(Environment.takesEscapes ? erased + status.line : status.hint, to: Self.file(of: status))
    }
  }

  /// Prints a question again, in place of itself and of a line that was typed before it took an answer.
  package func repeatQuestion(after line: String) {
    Self.withStatus { status in
      status.answeredRows = Self.rows(of: Self.echoed(line, after: status.line))
      replaceAnswered(&status)
    }
  }

  private func replaceAnswered(_ status: inout Status) {
    let up = Environment.takesEscapes ? String(repeating: Self.lineUp, count: status.answeredRows) : ""
    if ForegroundJob.isOurs { Self.write(up, to: Self.file(of: status)) }
    show(&status, isNew: false)
  }

  /// Prints the question or, in the background, that there is one.
  ///
  /// - Parameter isNew: whether to print the lines above it too, and to start its pause.
  private func show(_ status: inout Status, isNew: Bool = true) {
    status.isShown = ForegroundJob.isOurs
    guard status.isShown else {
      let what = status.about.first.map { "In the background: \($0)" } ?? "A bump in the background has a question."
      // Another program's question may be on the last line.
      let note = VisibleText.ofMessage("\(what) `fg` brings the question.")
      return _ = Self.write("\n\(note)\n", to: Self.file(of: status))
    }
    if isNew { status.opening = status.pause > .zero ? .now + status.pause : nil }
    if isNew { Self.setLines(above: &status) }
    let lines = isNew ? status.above : ""
    Self.write((Environment.takesEscapes ? Self.eraseLine : "") + lines + status.line, to: Self.file(of: status))
  }

  /// Whether a question is not on the screen, because it was asked in the background.
  package var hidesQuestion: Bool { Self.withStatus { $0.isQuestion && !$0.isShown } }

  /// Notes that a question may no longer be on the screen.
  package func hideQuestion() { Self.withStatus { $0.isShown = $0.isShown && !$0.isQuestion } }

  /// Prints a question that is not on the screen, with the lines above it.
  package func showQuestion() {
    Self.withStatus { status in
      if status.isQuestion, !status.isShown { show(&status) }
    }
  }

  /// Ends a question.
  ///
  /// - Parameter line: the line as the person typed it, whose newline ended the question's line; `nil` at the end of
  ///   the input.
  package func endQuestion(with line: String?) {
    Self.withStatus { status in
      if line == nil { Self.write("\n", to: Self.file(of: status)) }
      status.answeredRows = Self.rows(of: Self.echoed(line ?? "", after: status.line))
      Self.end(&status)
    }
  }

  private static func end(_ status: inout Status) {
    (status.text, status.hint, status.opening) = ("", "", nil)
    (status.isQuestion, status.isShown) = (false, false)
  }

  /// Returns a question and the line typed after it as the terminal shows them: tabs up to the next multiple of eight
  /// columns, control characters as `^A` (ECHOCTL of termios(3)).
  package static func echoed(_ line: String, after question: String) -> String {
    line.unicodeScalars.reduce(into: question) { shown, scalar in
      switch scalar.value {
      case 0x0A: break
      case 0x09:
        let line = shown.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
        shown += String(repeating: " ", count: 8 - TextWidth.columns(of: line) % 8)
      case 0..<0x20, 0x7F: shown += "^?"
      default: shown.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns how many rows of the terminal a question takes.
  private static func rows(of text: String) -> Int {
    let columns = columns(of: terminal ?? STDERR_FILENO)
    let text = Environment.isUTF8 ? text : ascii(text)
    return text.split(separator: "\n", omittingEmptySubsequences: false).reduce(0) { rows, line in
      rows + max(1, (TextWidth.columns(of: line) + columns - 1) / columns)
    }
  }

  /// Erases a cancelled question, and its digits.
  ///
  /// - Parameter reason: why it was cancelled, as a clause.
  package func cancelQuestion(_ reason: String) {
    Self.withStatus { status in
      if status.isShown {
        // After Ctrl-C keep the line: the terminal has printed ^C on it.
        let note = Self.wrapped("Question cancelled: \(reason).", for: Self.file(of: status))
        let words = Interrupt.hasCome ? "" : Self.erase(status) + note
        Self.write(words + "\n", to: Self.file(of: status))
      }
      Self.end(&status)
    }
  }

  /// Prints a line of the result to stdout.
  package static func result(_ line: String) {
    if !writeLast(encoded(line + "\n", for: STDOUT_FILENO), to: STDOUT_FILENO) { loseResult(errno) }
  }

  /// Prints a sentence of the result to stdout, without broken words if that is a terminal.
  package static func resultInLines(_ sentence: String) { result(wrapped(sentence, for: STDOUT_FILENO)) }

  /// The columns of stdout; `nil` if it is no terminal, or they are unknown.
  package static var resultColumns: Int? { width(of: STDOUT_FILENO) }

  /// Writes a result that is the content of a file, unchanged. Not for a terminal.
  package static func result(_ bytes: [UInt8]) {
    if !writeLast(bytes, to: STDOUT_FILENO) { loseResult(errno) }
  }

  /// Whether printing a line of the result has failed.
  package static var hasLostResult: Bool { lostResult.withLock { $0 != nil } }
  /// The first error.
  private static let lostResult = Mutex<CInt?>(nil)
  private static func loseResult(_ error: CInt) { lostResult.withLock { $0 = $0 ?? error } }

  /// Checks that all of the result was printed.
  ///
  /// - Throws: `CommandError` if a line of the result could not be written.
  package static func checkResult() throws {
    if hasLostResult { throw CommandError(.failure, "not all was shown: stdout cannot be written") }
  }

  /// Checks in the same way the output of a list, of which a reader may need only a part: the reader may close the
  /// pipe, as head(1) does.
  ///
  /// - Throws: `CommandError`, or `ExitCode` without a message if the reader has closed the pipe.
  package static func checkList() throws {
    if lostResult.withLock({ $0 == EPIPE }) { throw ExitCode(ExitStatus.failure.rawValue) }
    try checkResult()
  }

  /// The name of the program, which is before each error.
  package static let program = Mutex("bump")

  /// Prints an error, even with --quiet. Escapes it, since parts of it may come from a peer.
  package static func standardError(_ message: String) {
    let line = wrapped("\(program.withLock(\.self)): \(message)", for: STDERR_FILENO) + "\n"
    _ = writeLast(encoded(line, for: STDERR_FILENO), to: STDERR_FILENO)
  }

  /// Carriage return, and erase in line (ECMA-48 EL).
  private static let eraseLine = "\r\u{1B}[K"

  /// Cursor up, carriage return, and erase in line (ECMA-48 CUU, EL).
  private static let lineUp = "\u{1B}[A\r\u{1B}[K"

  /// Turns off line wrapping for a line (DECAWM, reset and set). If the terminal has become narrower since the line was
  /// truncated, a wrapped line could not be erased.
  private static func cut(_ line: String) -> String { line.isEmpty ? "" : "\u{1B}[?7l\(line)\u{1B}[?7h" }

  /// Returns the text in ASCII, for a terminal without UTF-8.
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

  /// Writes without a buffer, so that the text is written even if the process is killed next.
  @discardableResult private static func write(_ text: String, to file: Int32) -> Bool {
    write(encoded(text, for: file), to: file)
  }

  /// Returns the text in UTF-8, or in ASCII for a terminal without it.
  private static func encoded(_ text: String, for file: Int32) -> [UInt8] {
    let isForPeople = !text.utf8.allSatisfy { $0 < 0x80 } && !Environment.isUTF8 && isatty(file) == 1
    return Array((isForPeople ? ascii(text) : text).utf8)
  }

  @discardableResult private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      // The reader is gone or the disk is full: the error cannot be reported here.
      guard count > 0 || (count < 0 && errno == EINTR) else { return false }
      bytes = bytes.dropFirst(max(count, 0))
    }
    return true
  }
}
