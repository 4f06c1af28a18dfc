import BumpClaims
import BumpKit
import BumpTerminal
import NIOCore

/// Reports the senders nearby as they appear and disappear: a line each on stdout, or JSON events.
struct BrowseReport: Sendable {
  enum End { case timeIsUp, interrupted }

  let json: JSONLines

  /// - Parameter time: how long the command runs; `nil` for until Ctrl-C.
  /// - Throws: `CommandError` if stdout cannot be written.
  func began(_ backend: String, for time: Duration?, _ console: Console) throws {
    json.write("browsing", ["backend": .string(backend)])
    try Console.checkResult()
    console.say(
      "Watching for senders\(time.map { ", for \(Self.seconds($0)) s" } ?? ". \(Interrupt.inWords) ends it").")
  }

  /// Returns seconds as the user gave them, such as `5` or `0.5`.
  private static func seconds(_ time: Duration) -> String {
    let seconds = time / .seconds(1)
    return Int(exactly: seconds).map(String.init) ?? "\(seconds)"
  }

  /// - Throws: `CommandError` if stdout cannot be written.
  func event(_ event: NeighbourEvent) throws {
    switch event {
    case .found(let neighbour):
      json.write("found", pairs(neighbour))
    case .resolved(let neighbour):
      json.write("resolved", pairs(neighbour))
      if !json.isOn { Console.result("+ " + Self.line(neighbour)) }
    case .changed(let neighbour):
      // People see the first address only; programs get all.
      json.write("resolved", pairs(neighbour))
    case .lost(let neighbour):
      json.write("lost", pairs(neighbour))
      // A sender that never resolved was never shown.
      if !json.isOn, !neighbour.addresses.isEmpty { Console.result("- " + Self.line(neighbour)) }
    }
    try Console.checkResult()
  }

  /// - Throws: `CommandError` if stdout cannot be written.
  func result(_ status: ExitStatus) throws -> ExitStatus {
    json.write(
      "result",
      ["outcome": status == .success ? "ended" : "interrupted", "exit": .integer(Int64(status.rawValue))])
    try Console.checkResult()
    return status
  }

  /// Returns a line such as `"alice-7f3a"          code 27  192.0.2.1:4000         12 s`.
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
