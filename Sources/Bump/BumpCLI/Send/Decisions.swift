import BumpClaims
import BumpSystem
import BumpTerminal
import BumpWire
import Synchronization

/// Asks a program to decide about each offer. The program answers on stdin by a line `y 1` or `n 1` with the number of
/// the event `question`, so that a late answer is never taken for the answer to the next question.
final class Decisions: Sendable {
  private struct State {
    var count = 0
    var isOver = false
    var waiting: [Int: CheckedContinuation<Bool?, Never>] = [:]
  }

  private let json: JSONLines
  private let state = Mutex(State())

  /// Starts to read stdin. Ignores answers that come before their question.
  init(_ json: JSONLines) {
    self.json = json
    startThread {
      while let line = readLine(strippingNewline: false) { self.read(line) }
      self.end()
    }
  }

  /// Asks a question, and waits for its answer.
  ///
  /// - Parameter pairs: the fields of the event `question`.
  /// - Returns: the answer; false if stdin has ended or the task is cancelled.
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
    guard let answer = Self.answer(line) else {
      return Console.standardError(
        "that is not an answer. Write a line of y or n, one space, and the question's number, such as: y 1")
    }
    if !resume(answer.question, with: answer.isYes) {
      Console.standardError("question \(answer.question) is not being asked, so its answer is ignored")
    }
  }

  /// Parses an answer. Accepts only the documented form: a truncated number could be that of another question.
  ///
  /// - Parameter line: the line with its newline. The last line of a program that was killed may lack it.
  static func answer(_ line: String) -> (isYes: Bool, question: Int)? {
    let bytes = Array(line.utf8)
    guard let answer = bytes.first, answer == UInt8(ascii: "y") || answer == UInt8(ascii: "n") else { return nil }
    let number = Int(String(decoding: bytes.dropFirst(2).dropLast(), as: UTF8.self))
    guard let number, bytes.dropFirst().elementsEqual(" \(number)\n".utf8) else { return nil }
    return (answer == UInt8(ascii: "y"), number)
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
