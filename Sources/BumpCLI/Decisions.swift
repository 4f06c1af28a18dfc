import BumpWire
import Dispatch
import Synchronization

/// The answers of a program that decides about each offer: a line each on stdin, `y 1` or `n 1`, where the number is that of
/// the event `question`. So an answer that comes late never answers the question after it.
final class Decisions: Sendable {
  private struct State {
    var count = 0
    var isOver = false
    var waiting: [Int: CheckedContinuation<Bool?, Never>] = [:]
  }

  private let json: JSONLines
  private let state = Mutex(State())

  /// Begins to read: what comes before its question answers nothing.
  init(_ json: JSONLines) {
    self.json = json
    DispatchQueue.global().async {
      while let line = readLine() { self.read(line) }
      self.end()
    }
  }

  /// Asks a question, and waits for its answer.
  ///
  /// - Parameter pairs: What the program needs to know.
  /// - Returns: The answer; no where stdin has ended or the task is cancelled.
  func ask(_ pairs: [String: JSONLines.Value?]) async -> Bool {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let answer: Bool? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isAsked = state.withLock { state in
          if !state.isOver, !Task.isCancelled { state.waiting[number] = continuation }
          return state.waiting[number] != nil
        }
        guard isAsked else { return continuation.resume(returning: false) }
        json.write("question", pairs.merging(["question": .integer(Int64(number))]) { $1 })
      }
    } onCancel: {
      resume(number, with: nil)
    }
    if answer == nil { json.write("cancelled", ["question": .integer(Int64(number))]) }
    return answer ?? false
  }

  private func read(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, ["y", "n"].contains(words[0]), let number = Int(words[1]) else {
      return Console.standardError("that is no answer; write y or n and the question's number, such as: y 1")
    }
    if !resume(number, with: words[0] == "y") {
      Console.standardError("question \(number) is not open; the answer is passed over")
    }
  }

  private func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [:] }
      return state.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  @discardableResult private func resume(_ number: Int, with answer: Bool?) -> Bool {
    guard let continuation = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return false }
    continuation.resume(returning: answer)
    return true
  }
}
