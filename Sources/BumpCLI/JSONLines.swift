import ArgumentParser
import BumpKit
import BumpWire
import FoundationEssentials

/// What programs read: one JSON object a line on stdout, each with `event` and `ms`, the milliseconds since the start.
struct JSONLines: Sendable {
  enum Value: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case string(String)
    case integer(Int64)
    case list([[String: Value]])
    case flag(Bool)

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }

    /// Those who were found and failed; `nil` for none.
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

    /// Any value by its description.
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
  private let start = ContinuousClock.now

  init(_ isOn: Bool) {
    self.isOn = isOn
  }

  /// Writes one object. Pairs whose value is `nil` are left out.
  func write(_ event: String, _ pairs: [String: Value?] = [:]) {
    guard isOn else { return }
    Console.result(line(event, pairs))
  }

  /// The object as one line of harmless characters: a terminal may show it, whoever chose the names in it.
  func line(_ event: String, _ pairs: [String: Value?]) -> String {
    let elapsed = start.duration(to: .now).components
    var object = pairs.compactMapValues(\.self)
    object["event"] = .string(event)
    object["ms"] = .integer(elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, integers and lists of them always encode.
    let data = (try? encoder.encode(object)) ?? Data()
    return VisibleText.ofJSON(String(decoding: data, as: UTF8.self))
  }

  /// Runs a command and gives its exit code. Where it throws instead, `result` is the last line all the same.
  func concluding(_ body: () async throws -> ExitStatus) async throws -> ExitCode {
    do {
      return ExitCode(try await body().rawValue)
    } catch {
      let error = CommandError(error)
      write(
        "result",
        [
          "outcome": .string(error.status == .unauthenticated ? "unauthenticated" : "failed"),
          "exit": .integer(Int64(error.status.rawValue)), "error": .string(error.message),
        ])
      throw error
    }
  }
}
