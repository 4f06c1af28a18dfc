import Foundation

/// A process ended its output without having said what was awaited.
public struct OutputEnded: Error, CustomStringConvertible {
  public let description: String
}

extension RunningProcess {
  public enum Stream: Sendable { case output, error }

  /// Waits for a complete line of its output, or of its error stream.
  ///
  /// - Throws: `TimedOut`, or `OutputEnded` at the stream's end.
  @discardableResult
  public func line(
    on stream: Stream = .output, within limit: Duration = .hang,
    where matches: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    try await first(on: stream, within: limit, "the line") { Output.lines(of: $0).first(where: matches) }
  }

  /// Waits until so many complete lines of its output match.
  ///
  /// - Throws: `TimedOut`, or `OutputEnded` at the output's end.
  public func lines(
    _ count: Int, within limit: Duration = .hang, where matches: @escaping @Sendable (String) -> Bool
  ) async throws {
    try await first(on: .output, within: limit, "\(count) lines") { bytes in
      Output.lines(of: bytes).count(where: matches) >= count ? () : nil
    }
  }

  /// Waits for a piece of text that need not end a line, such as a question.
  ///
  /// - Parameter after: how many bytes of the stream to pass over, for a text that comes again.
  /// - Throws: `TimedOut`, or `OutputEnded` at the stream's end.
  public func text(
    _ text: String, on stream: Stream = .output, after count: Int = 0,
    within limit: Duration = .hang
  ) async throws {
    try await first(on: stream, within: limit, text) { bytes in
      String(decoding: Output.joined(Array(bytes.dropFirst(count))), as: UTF8.self).contains(text) ? () : nil
    }
  }

  /// Waits for an event of `bump --json`.
  ///
  /// - Throws: `TimedOut`, or `OutputEnded` at the output's end.
  @discardableResult
  public func event(_ name: String, within limit: Duration = .hang) async throws -> JSONObject {
    try await first(on: .output, within: limit, "the event \(name)") { bytes in
      Output.lines(of: bytes).lazy.compactMap { try? JSONObject($0) }.first { $0.string("event") == name }
    }
  }

  private func first<Result: Sendable>(
    on stream: Stream, within limit: Duration, _ what: String,
    _ search: @escaping @Sendable ([UInt8]) -> Result?
  ) async throws -> Result {
    do {
      let output = stream == .output ? standardOutput : standardError
      let found = try await withTimeout(limit, what) { try await output.first(search) }
      guard let found else { throw OutputEnded(description: "never said \(what): \(self)") }
      return found
    } catch let error as TimedOut {
      throw TimedOut(description: "\(error) from \(self)\nIts threads wait in: \(waits)")
    }
  }

  /// The kernel's function in which each of its threads sleeps, by proc_pid_wchan(5): a process that says nothing more may
  /// hang or wait.
  private var waits: String {
    let threads = "/proc/\(processID)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []
    return names.map { name in
      let facts = ["comm", "wchan"].map { file in
        (try? String(contentsOfFile: "\(threads)/\(name)/\(file)", encoding: .utf8)) ?? "?"
      }
      return facts.map { $0.trimmingCharacters(in: .newlines) }.joined(separator: " ")
    }.joined(separator: ", ")
  }
}
