package import BumpWire
// A dispatch source may be cancelled from any thread, but Dispatch does not declare it Sendable yet.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Asks a person on the terminal. Questions can be cancelled.
package enum Prompt {
  package enum Answer { case yes, no, inputEnded, cancelled }

  /// Asks a question about money. There is no default: any line other than yes or no asks again. The question takes an
  /// answer only after a second on the screen, so that nobody says yes to a question that they have not read.
  ///
  /// - Parameters:
  ///   - pause: how long the question is on the screen before it takes an answer.
  ///   - lines: what the question is about, printed above it.
  ///   - reason: why the question may be cancelled, as a clause.
  package static func answer(
    _ question: String, after pause: Duration = .seconds(1), about lines: [String], _ console: Console,
    cancelledBecause reason: String = "bump ends here"
  ) async -> Answer {
    await answer(
      question, hint: "[y/n]", after: pause, about: lines, yes: ["y", "yes"], called: "y", console,
      cancelledBecause: reason)
  }

  /// - Parameters:
  ///   - hint: how to answer.
  ///   - pause: how long the question is on the screen before it takes an answer. Lines typed before are discarded.
  ///   - lines: what the question is about, printed above it.
  ///   - yes: the lines that mean yes.
  ///   - name: the words for those lines, to show after any other line.
  ///   - reason: why the question may be cancelled, as a clause.
  private static func answer(
    _ question: String, hint: String, after pause: Duration, about lines: [String], yes: [String],
    called name: String, _ console: Console, cancelledBecause reason: String
  ) async -> Answer {
    for await line in answers("\(question) ", hint: "\(hint) ", after: pause, about: lines, console) {
      switch line?.lowercased() {
      case let line? where yes.contains(line): return .yes
      case "n", "no": return .no
      case nil: return .inputEnded
      default: console.askAgain("Type \(name) or n. \(question) \(hint) ")
      }
    }
    console.cancelQuestion(reason)
    return .cancelled
  }

  /// Asks the person to compare digits and to decide. The answer is yes, or digits if a yes may be meant for others
  /// (`Comparisons`).
  ///
  /// - Parameters:
  ///   - other: the word for the other end, such as `sender`.
  ///   - deed: what a yes does, such as `Accept 1.00 USDC`.
  ///   - line: which money the question is about.
  /// - Returns: the answer; false, with a message, at the end of the input; `nil` if the task is cancelled.
  package static func comparison(
    of digits: VerificationDigits, with other: String, to deed: String, about line: String, _ console: Console
  ) async -> Bool? {
    let question = "Does the \(other)'s screen show \(digits)? \(deed)?"
    let (isByDigits, isReplacing, typed) = console.comparisons.withLock { comparisons in
      comparisons.show(digits)
      return (comparisons.hasOthers, comparisons.isReplacing, comparisons.answer(to: digits))
    }
    let lines = isReplacing ? [line, "This question replaces the one before it: compare the new digits."] : [line]
    let reason = "the \(other) has gone, or the time for an answer is up"
    let answer =
      isByDigits
      ? await self.answer(
        question, hint: "If so, type \(typed). If not, n:", after: sight(isReplacing), about: lines,
        yes: [typed, digits.description].flatMap { [$0, $0.filter { $0 != " " }] }, called: typed, console,
        cancelledBecause: reason)
      : await self.answer(question, about: lines, console, cancelledBecause: reason)
    // An answer that comes as the question is withdrawn does not count either.
    console.comparisons.withLock { $0.isReplacing = answer == .cancelled || Task.isCancelled }
    switch answer {
    case .yes: return true
    case .no: return false
    case .inputEnded:
      console.insist("The input ended, which counts as no.")
      return false
    case .cancelled: return nil
    }
  }

  /// Returns how long a question is on the screen before it takes an answer.
  private static func sight(_ isReplacing: Bool) -> Duration { .seconds(isReplacing ? 2 : 1) }

  /// Asks whether to admit a receiver once more that has had its attempts at the digits.
  ///
  /// - Parameter line: what happened.
  /// - Returns: the answer; false at the end of the input, or if the task is cancelled.
  package static func readmission(_ line: String, _ console: Console) async -> Bool {
    let isReplacing = console.comparisons.withLock(\.isReplacing)
    let answer = await answer(
      "Let it try once more?", after: sight(isReplacing),
      about: isReplacing ? [line, "This question replaces the one before it."] : [line], console,
      cancelledBecause: "another receiver comes first, or no try is left")
    // A question about digits replaces this one.
    console.comparisons.withLock { $0.isReplacing = answer == .cancelled || Task.isCancelled }
    return answer == .yes
  }

  /// Asks for a code until a valid one is typed, or Ctrl-D. An empty line asks again.
  ///
  /// - Parameter reason: returns why the question was cancelled, as a clause.
  /// - Returns: the code; `nil` at the end of the input, or if the task is cancelled.
  package static func code(
    _ question: String, _ console: Console, cancelledBecause reason: () -> String
  ) async -> OneTimeCode? {
    for await line in answers("\(question) ", console, keepingTyped: true) {
      guard let line else { return nil }
      guard !line.isEmpty else {
        console.askAgain("Type the code, or Ctrl-D for none. \(question) ")
        continue
      }
      do {
        return try OneTimeCode(line)
      } catch {
        console.ask("\(question) ", about: ["\(error)"])
      }
    }
    console.cancelQuestion(reason())
    return nil
  }

  /// Asks for a number from 1 to `count`.
  ///
  /// - Parameter lines: what the numbers mean, printed above the question.
  /// - Returns: the number; `nil` at the end of the input, or if the task is cancelled.
  package static func number(_ question: String, upTo count: Int, about lines: [String], _ console: Console) async
    -> Int?
  {
    // This list may have replaced another. A number that was meant for the other list is discarded.
    for await line in answers("\(question) ", hint: "[1-\(count)] ", after: .seconds(1), about: lines, console) {
      guard let line else { return nil }
      if let number = Int(line), (1...count).contains(number) { return number }
      console.askAgain("Type \(count == 2 ? "1 or 2" : "1 to \(count)"). \(question) [1-\(count)] ")
    }
    console.cancelQuestion("the senders nearby have changed")
    return nil
  }

  /// Returns whether a text is the beginning of a claim's link.
  package static func beginsLink(_ text: String) -> Bool {
    ["https://", "http://"].contains { text.hasPrefix($0) }
  }

  /// Asks for a link until a valid one is entered. A link that a terminal broke may be pasted in several lines; an
  /// empty line ends it.
  ///
  /// - Parameters:
  ///   - isWhole: returns whether the lines so far, without white space, are a complete link.
  ///   - read: makes a value from the link, or throws.
  ///   - isObjection: returns whether to print an error and ask again. Other errors are rethrown.
  /// - Returns: the value; `nil` at the end of the input, or if the task is cancelled.
  package static func link<Value>(
    _ question: String, _ console: Console, isWhole: (String) -> Bool, read: (String) async throws -> Value,
    isObjection: (any Error) -> Bool
  ) async throws -> Value? {
    var text = ""
    for await line in answers("\(question) ", console) {
      guard let line else { return nil }
      let piece = line.filter { !$0.isWhitespace }
      // A line that begins a link replaces the lines before it.
      text = beginsLink(piece) ? piece : text + piece
      if text.isEmpty {
        console.askAgain("Paste the link, or Ctrl-D for none. \(question) ")
      } else if line.isEmpty || isWhole(text) {
        do {
          return try await read(text)
        } catch  where isObjection(error) {
          text = ""
          console.ask("\(question) ", about: ["bump: \(error)"])
        }
      } else {
        console.ask("… ")
      }
    }
    console.cancelQuestion("bump ends here")
    return nil
  }

  /// Returns an argument, or for `-` the link that a person pastes, or the first line of stdin.
  ///
  /// - Throws: `CommandError` if the person enters none.
  package static func link(or argument: String, _ console: Console) async throws -> String {
    guard argument == "-" else { return argument }
    guard Console.canAsk else { return try StandardInput.line().filter { !$0.isWhitespace } }
    let link = try await link("The link:", console, isWhole: { _ in true }, read: { $0 }, isObjection: { _ in false })
    guard let link else { throw CommandError(.failure, "no link was entered") }
    return link
  }

  /// Asks, and returns the typed lines, with white space collapsed; `nil` is the end of the input. Each line ends the
  /// question: ask again for the next line.
  ///
  /// - Parameters:
  ///   - hint: how to answer.
  ///   - pause: how long the question is on the screen before it takes an answer. Lines typed before are discarded.
  ///   - lines: what the question is about, printed above it.
  ///   - keepingTyped: whether to use lines that were typed before the question, such as another code during the
  ///     search.
  private static func answers(
    _ question: String, hint: String = "", after pause: Duration = .zero, about lines: [String] = [],
    _ console: Console, keepingTyped: Bool = false
  ) -> some AsyncSequence<String?, Never> {
    let watch = ForegroundJob.Watch(on: terminal) { isContinued in
      if isContinued { console.hideQuestion() }
      let isInSight = isContinued || ForegroundJob.isOurs && !StopSignal.hasJustEnded
      guard isInSight, console.hidesQuestion else { return }
      discardTyped()
      console.showQuestion()
      open(console)
    }
    StopSignal.hideBefore { console.hideQuestion() }
    if !keepingTyped { terminal.sync(execute: discardTyped) }
    console.ask(question, hint: hint, after: pause, about: lines)
    terminal.async { open(console) }
    return self.lines(console, watch).compactMap { () -> String?? in
      // The line may have been discarded meanwhile.
      guard let line = typed.withLock({ lines -> String?? in lines.isEmpty ? nil : .some(lines.removeFirst()) }) else {
        return nil
      }
      console.endQuestion(with: line)
      return .some(line?.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
  }

  /// Lets the question take an answer once its pause is over, on the queue. A question that is shown again pauses
  /// again.
  @Sendable private static func open(_ console: Console) {
    guard let time = console.timeToOpening else { return }
    guard time <= .zero else {
      let milliseconds = Int(time / .milliseconds(1)) + 1
      return terminal.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { open(console) }
    }
    flush()
    console.openQuestion()
  }

  /// The queue on which stdin is read and flushed.
  static let terminal = DispatchQueue(label: "terminal")

  /// Discards lines typed before the question.
  @Sendable private static func discardTyped() {
    typed.withLock { $0 = [] }
    flush()
  }

  /// Discards the terminal's input buffer, except in the background, where it belongs to another job.
  private static func flush() {
    if ForegroundJob.isOurs { tcflush(STDIN_FILENO, TCIFLUSH) }
  }

  /// The lines that were read and that no question has taken yet, with their newlines; `nil` is the end of the input.
  /// Two lines typed at once are read before the first has ended its question.
  private static let typed = Mutex<[String?]>([])

  /// Yields for each line in `typed`. Reads nothing in the background. When the process is in the foreground again, the
  /// question is printed again, and lines typed before are discarded.
  private static func lines(_ console: Console, _ watch: ForegroundJob.Watch) -> AsyncStream<Void> {
    AsyncStream { continuation in
      let line: @Sendable (String?) -> Void = { line in
        typed.withLock { $0.append(line) }
        continuation.yield()
      }
      // After this, no line is read on that queue for the question before.
      terminal.sync { for _ in typed.withLock(\.self) { continuation.yield() } }
      let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: terminal)
      source.setEventHandler {
        guard ForegroundJob.isOurs, !console.hidesQuestion else {
          // The line belongs to another job, or was typed before the question is on the screen.
          source.suspend()
          return terminal.asyncAfter(deadline: .now() + ForegroundJob.interval) { source.resume() }
        }
        // The next question may have flushed the line meanwhile. A read would then block, and take that question's
        // answer.
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, 0) > 0 else { return }
        // A terminal in canonical mode returns whole lines of at most 4096 bytes (termios(3)).
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else {
          // Not the end of the input: a read from the background fails too (EIO).
          if count < 0, !ForegroundJob.isOurs { return }
          // Ctrl-D during the pause is discarded, like all input then. If the terminal is gone, poll(2) reports
          // POLLHUP.
          if console.timeToOpening != nil, input.revents & Int16(POLLHUP) == 0 { return }
          line(nil)
          return source.cancel()
        }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        console.timeToOpening == nil ? line(text) : console.repeatQuestion(after: text)
      }
      continuation.onTermination = { _ in
        source.cancel()
        watch.cancel()
      }
      source.resume()
    }
  }
}
