import ArgumentParser
import BumpClaims
import BumpKit
import FoundationEssentials

/// Writes events for programs: one JSON object per line on stdout, each with `event` and `ms`, the milliseconds since
/// the start.
struct JSONLines: Sendable {
  enum Value: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case integer(Int64)
    case list([[String: Value]])
    case flag(Bool)

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }

    /// The peers whose transfer failed; `nil` for none.
    init?(_ peers: [FailedPeer]) {
      guard !peers.isEmpty else { return nil }
      self = .list(
        peers.map { peer in
          let pairs: [String: Value?] = [
            "name": peer.name.map { .string($0) }, "address": peer.address.map { .string($0) },
            "mode": peer.mode.map { .init($0) }, "channel": peer.channel.map { .integer(Int64($0)) },
            "reason": .string(peer.reason.word),
          ]
          return pairs.compactMapValues(\.self)
        })
    }

    /// A value's description, as a string.
    init(_ value: some CustomStringConvertible) { self = .string(value.description) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .list(let values): try container.encode(values)
      case .flag(let value): try container.encode(value)
      }
    }
  }

  let isOn: Bool
  /// Whether each object says that its event is simulated.
  let isSimulated: Bool
  private let start = ContinuousClock.now

  init(_ isOn: Bool, isSimulated: Bool = false) {
    (self.isOn, self.isSimulated) = (isOn, isSimulated)
  }

  /// Writes one object, without the pairs whose value is `nil`.
  func write(_ event: String, _ pairs: [String: Value?] = [:]) {
    guard isOn else { return }
    Console.result(line(event, pairs))
  }

  /// Returns the object in one line, escaped so that a terminal can show it.
  func line(_ event: String, _ pairs: [String: Value?]) -> String {
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
  func concluding(
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
