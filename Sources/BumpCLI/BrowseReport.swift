import BumpKit
import BumpWire
import NIOCore

/// What is said of who is near: a line each on stdout, as they come and go, or events.
struct BrowseReport: Sendable {
  enum End { case timeIsUp, interrupted }

  let json: JSONLines

  func began(_ backend: String, _ console: Console) {
    json.write("browsing", ["backend": .string(backend)])
    console.say("Watching who is near; Ctrl-C ends it.")
  }

  /// - Throws: `CommandError` where nobody reads any more.
  func event(_ event: NeighbourEvent) throws {
    switch event {
    case .found(let neighbour):
      json.write("found", pairs(neighbour))
    case .resolved(let neighbour):
      json.write("resolved", pairs(neighbour))
      if !json.isOn { Console.result("+ " + Self.line(neighbour)) }
    case .changed(let neighbour):
      // A person is told once; more addresses are for programs.
      json.write("resolved", pairs(neighbour))
    case .lost(let neighbour):
      json.write("lost", pairs(neighbour))
      // Who never answered was never shown either.
      if !json.isOn, !neighbour.addresses.isEmpty { Console.result("- " + Self.line(neighbour)) }
    }
    guard !Console.hasLostResult else { throw CommandError(.failure, "stdout cannot be written any more") }
  }

  func result(_ status: ExitStatus) -> ExitStatus {
    json.write(
      "result",
      ["outcome": status == .success ? "ended" : "interrupted", "exit": .integer(Int64(status.rawValue))])
    return status
  }

  /// `"alice-7f3a"          code 27  192.0.2.1:4000         12 s`
  static func line(_ neighbour: Neighbour) -> String {
    let address = neighbour.addresses.first?.text ?? "?"
    let columns = [
      QuotedName.ofVisible(neighbour.shown).padded(to: 20), mode(neighbour).padded(to: 7), address.padded(to: 21),
    ]
    return columns.joined(separator: "  ") + "  \(neighbour.age.components.seconds) s"
  }

  private static func mode(_ neighbour: Neighbour) -> String {
    guard let mode = neighbour.mode else { return "?" }
    return mode.description + (mode == .code ? neighbour.channel.map { " \($0)" } ?? "" : "")
  }

  private func pairs(_ neighbour: Neighbour) -> [String: JSONLines.Value?] {
    let address = neighbour.addresses.last
    return [
      "name": .string(neighbour.name), "shown": .string(neighbour.shown), "mode": neighbour.mode.map { .init($0) },
      "channel": neighbour.channel.map { .integer(Int64($0)) },
      "address": address.map { .string($0.text) }, "port": address?.port.map { .integer(Int64($0)) },
      "age": .integer(neighbour.age.components.seconds),
    ]
  }
}
