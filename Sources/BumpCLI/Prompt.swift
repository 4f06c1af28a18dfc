import BumpKit
// A dispatch source may be cancelled from any thread; Dispatch does not say so to Swift yet.
@preconcurrency import Dispatch
import Glibc

/// Asks a person on the terminal, and can be cancelled.
enum Prompt {
  enum Answer { case yes, no, inputEnded, cancelled }

  /// Asks a question about money, which has no default: nobody is taken to have meant it by a mere Enter. Whatever is
  /// neither yes nor no asks it again, whole.
  static func answer(_ question: String, _ console: Console) async -> Answer {
    for await line in answers("\(question) [y/n] ", console) {
      switch line?.lowercased() {
      case "y", "yes": return .yes
      case "n", "no": return .no
      case nil: return .inputEnded
      default: console.askAgain("Type y or n. \(question) [y/n] ")
      }
    }
    console.cancelQuestion()
    return .cancelled
  }

  /// Asks a question about money as `answer` does.
  ///
  /// - Returns: The answer; no where the input ends, which is said; `nil` where the task is cancelled.
  static func yesOrNo(_ question: String, _ console: Console) async -> Bool? {
    switch await answer(question, console) {
    case .yes: return true
    case .no: return false
    case .inputEnded:
      console.insist("The input ended, which is taken as no.")
      return false
    case .cancelled: return nil
    }
  }

  /// Asks for a code until one is typed. An empty line asks again: that nobody has one is said by Ctrl-D.
  ///
  /// - Parameter objection: What is to be said before this code is used; `nil` for nothing. The code is asked for again
  ///   then.
  /// - Returns: The code; `nil` where the input ends or the task is cancelled.
  static func code(
    _ question: String, _ console: Console, objection: (OneTimeCode) -> String?
  ) async -> OneTimeCode? {
    for await line in answers("\(question) ", console) {
      guard let line else { return nil }
      guard !line.isEmpty else {
        console.askAgain("Type the code, or Ctrl-D for none. \(question) ")
        continue
      }
      do {
        let code = try OneTimeCode(line)
        guard let objection = objection(code) else { return code }
        console.insist(objection)
      } catch {
        console.insist("\(error)")
      }
      console.ask("\(question) ")
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

  /// Asks for a link until one will do. It may be pasted over several lines, where a terminal broke it; an empty line
  /// ends it.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the lines so far, without white space, are all of the link.
  ///   - read: Makes something of a link; throws what is wrong with it.
  ///   - isObjection: Whether such an error is said and the link asked for again. Others are thrown.
  /// - Returns: What was made of the link; `nil` where the input ends or the task is cancelled.
  static func link<Value>(
    _ question: String, _ console: Console, isWhole: (String) -> Bool, read: (String) async throws -> Value,
    isObjection: (any Error) -> Bool
  ) async throws -> Value? {
    var text = ""
    for await line in answers("\(question) ", console) {
      guard let line else { return nil }
      let piece = line.filter { !$0.isWhitespace }
      // What begins a link anew is not the rest of one.
      text = piece.hasPrefix("https://") ? piece : text + piece
      if text.isEmpty {
        console.askAgain("Paste the link, or Ctrl-D for none. \(question) ")
      } else if line.isEmpty || isWhole(text) {
        do {
          return try await read(text)
        } catch  where isObjection(error) {
          Console.standardError("\(error)")
          text = ""
          console.ask("\(question) ")
        }
      } else {
        console.ask("… ")
      }
    }
    console.cancelQuestion()
    return nil
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
