import BumpKit
// A dispatch source may be cancelled from any thread; Dispatch does not say so to Swift yet.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Asks a person on the terminal, and can be cancelled.
enum Prompt {
  /// Whether a question has lost its object. From then on nobody is taken to have meant the next one by a mere Enter.
  private static let hasBeenVoid = Mutex(false)

  /// - Returns: the answer to `question [Y/n]`; no where the input ends; `nil` where the task is cancelled.
  static func yesOrNo(_ question: String, _ console: Console) async -> Bool? {
    // What was typed before the question was not an answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    let takesEnter = !hasBeenVoid.withLock(\.self)
    console.ask("\(question) \(takesEnter ? "[Y/n]" : "[y/n]") ")
    for await line in lines() {
      switch line?.lowercased() {
      case "" where takesEnter, "y", "yes":
        console.endQuestion()
        return true
      case "n", "no":
        console.endQuestion()
        return false
      case nil:
        console.endQuestion(isVoid: true)
        return false
      default:
        console.endQuestion()
        console.ask("Please answer y or n: ")
      }
    }
    dismiss("the other side went away", console)
    return nil
  }

  /// - Returns: the code that is typed; `nil` for an empty line, the end of the input, or a cancelled task.
  static func code(_ question: String, _ console: Console) async -> OneTimeCode? {
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.ask("\(question) ")
    for await line in lines() {
      console.endQuestion(isVoid: line == nil)
      guard let line, !line.isEmpty else { return nil }
      do {
        return try OneTimeCode(line)
      } catch {
        console.ask("\(error)\n\(question) ")
      }
    }
    console.endQuestion(isVoid: true)
    return nil
  }

  /// - Returns: the number from 1 to `count` that is typed; `nil` where the input ends or the task is cancelled.
  static func number(_ question: String, upTo count: Int, _ console: Console) async -> Int? {
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.ask("\(question) [1-\(count)] ")
    for await line in lines() {
      console.endQuestion(isVoid: line == nil)
      guard let line else { return nil }
      if let number = Int(line), (1...count).contains(number) { return number }
      console.ask("Please answer 1 to \(count): ")
    }
    dismiss("a sender went away", console)
    return nil
  }

  private static func dismiss(_ why: String, _ console: Console) {
    hasBeenVoid.withLock { $0 = true }
    console.endQuestion(isVoid: true)
    if !Interrupt.hasCome { console.say("That question is void: \(why).") }
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
