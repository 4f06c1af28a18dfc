import BumpKit
// A dispatch source may be cancelled from any thread; Dispatch does not say so to Swift yet.
@preconcurrency import Dispatch
import Glibc

/// Asks a person on the terminal, and can be cancelled.
enum Prompt {
  /// - Returns: the answer to `question [Y/n]`; no where the input ends; `nil` where the task is cancelled.
  static func yesOrNo(_ question: String, _ console: Console) async -> Bool? {
    // What was typed before the question was not an answer to it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.ask("\(question) [Y/n] ")
    for await line in lines() {
      switch line?.lowercased() {
      case "", "y", "yes":
        return true
      case "n", "no":
        return false
      case nil:
        console.say("")
        return false
      default:
        console.ask("Please answer y or n: ")
      }
    }
    console.say("")
    return nil
  }

  /// - Returns: the code that is typed; `nil` for an empty line, the end of the input, or a cancelled task.
  static func code(_ question: String, _ console: Console) async -> OneTimeCode? {
    tcflush(STDIN_FILENO, TCIFLUSH)
    console.ask("\(question) ")
    for await line in lines() {
      guard let line, !line.isEmpty else { break }
      do {
        return try OneTimeCode(line)
      } catch {
        console.ask("\(error)\n\(question) ")
      }
    }
    console.say("")
    return nil
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
