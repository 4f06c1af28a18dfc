package import ArgumentParser
import BumpText
import FoundationEssentials

/// Writes events for programs: one JSON object per line on stdout, each with `event` and `ms`, the milliseconds since
/// the start.
package struct JSONLines: Sendable {
  package enum Value: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case integer(Int64)
    case list([[String: Value]])
    case flag(Bool)

    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// A value's description, as a string.
    package init(_ value: some CustomStringConvertible) { self = .string(value.description) }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .list(let values): try container.encode(values)
      case .flag(let value): try container.encode(value)
      }
    }
  }

  package let isOn: Bool
  /// Whether each object says that its event is simulated.
  package let isSimulated: Bool
  private let start = ContinuousClock.now

  package init(_ isOn: Bool, isSimulated: Bool = false) {
    (self.isOn, self.isSimulated) = (isOn, isSimulated)
  }

  /// Writes one object, without the pairs whose value is `nil`.
  package func write(_ event: String, _ pairs: [String: Value?] = [:]) {
    guard isOn else { return }
    Console.result(line(event, pairs))
  }

  /// Returns the object in one line, escaped so that a terminal can show it.
  package func line(_ event: String, _ pairs: [String: Value?]) -> String {
    let elapsed = start.duration(to: .now).components
    var object = pairs.compactMapValues(\.self)
    object["event"] = .string(event)
    if isSimulated { object["simulated"] = .flag(true) }
    object["ms"] = .integer(elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings, integers and lists of them never fails.
    let data = (try? encoder.encode(object)) ?? Data()
    return VisibleText.ofJSON(String(decoding: data, as: UTF8.self))
  }

  /// Runs a command, and returns its exit code. Writes the event `result` if the command throws.
  ///
  /// - Parameter pairs: further fields of that event, evaluated when it is written.
  package func concluding(
    adding pairs: @autoclosure () -> [String: Value?] = [:], _ body: () async throws -> ExitStatus
  ) async throws -> ExitCode {
    do {
      return ExitCode(try await body().rawValue)
    } catch let code as ExitCode {
      // The reader of stdout has closed it.
      throw code
    } catch {
      let error = CommandError(error)
      let result: [String: Value?] = [
        "outcome": .string(error.status == .unauthenticated ? "unauthenticated" : "failed"),
        "exit": .integer(Int64(error.status.rawValue)), "error": .string(error.message),
      ]
      write("result", result.merging(pairs()) { $1 })
      throw error
    }
  }
}
