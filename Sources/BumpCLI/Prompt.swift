import BumpKit
// A dispatch source may be cancelled from any thread; Dispatch does not say so to Swift yet.
@preconcurrency import Dispatch
import Glibc

/// Asks a person on the terminal, and can be cancelled.
enum Prompt {
  /// Asks a question about money, which has no default: nobody is taken to have meant it by a mere Enter. Whatever is
  /// neither yes nor no asks it again, whole.
  ///
  /// - Returns: The answer; no where the input ends; `nil` where the task is cancelled.
  static func yesOrNo(_ question: String, _ console: Console) async -> Bool? {
    for await line in answers("\(question) [y/n] ", console) {
      switch line?.lowercased() {
      case "y", "yes": return true
      case "n", "no", nil: return false
      default: console.askAgain("Type y or n. \(question) [y/n] ")
      }
    }
    console.cancelQuestion()
    return nil
  }

  /// - Returns: The code that is typed; `nil` for an empty line, the end of the input, or a cancelled task.
  static func code(_ question: String, _ console: Console) async -> OneTimeCode? {
    for await line in answers("\(question) ", console) {
      guard let line, !line.isEmpty else { return nil }
      do {
        return try OneTimeCode(line)
      } catch {
        console.ask("\(error)\n\(question) ")
      }
    }
    console.cancelQuestion()
    return nil
  }

  /// - Returns: The number from 1 to `count` that is typed; `nil` where the input ends or the task is cancelled.
  static func number(_ question: String, upTo count: Int, _ console: Console) async -> Int? {
    for await line in answers("\(question) [1-\(count)] ", console) {
      guard let line else { return nil }
      if let number = Int(line), (1...count).contains(number) { return number }
      console.askAgain("Type 1 to \(count). \(question) [1-\(count)] ")
    }
    console.cancelQuestion()
    return nil
  }

  /// - Parameter isWhole: Whether the lines so far, without white space, are all of the text.
  /// - Returns: The text that is typed or pasted, over several lines where a terminal broke it; `nil` where the input
  ///   ends before it has begun.
  static func text(_ question: String, _ console: Console, isWhole: (String) -> Bool) async -> String? {
    var text = ""
    for await line in answers("\(question) ", console) {
      guard let line, !line.isEmpty else { break }
      text += line
      if isWhole(text) { break }
      console.ask("… ")
    }
    return text.isEmpty ? nil : text
  }

  /// Asks, and gives the lines that are typed then, each having ended the question: ask again for another. `nil` is the end
  /// of the input.
  private static func answers(_ question: String, _ console: Console) -> some AsyncSequence<String?, Never> {
    // What was typed before the question was not an answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.ask(question)
    return lines().map { line in
      console.endQuestion(isAnswered: line != nil)
      return line
    }
  }

  /// The lines typed on stdin, without white space around them, and `nil` for the end of the input.
  private static func lines() -> AsyncStream<String?> {
    AsyncStream { continuation in
      let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
      source.setEventHandler {
        // A terminal hands over a line whole, and none is longer (termios(3): canonical mode).
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else {
          continuation.yield(nil)
          return source.cancel()
        }
        let line = String(decoding: bytes.prefix(count), as: UTF8.self)
        continuation.yield(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
      continuation.onTermination = { _ in source.cancel() }
      source.resume()
    }
  }
}
