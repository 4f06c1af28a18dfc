import ArgumentParser
import BumpKit
import BumpWire

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was sent and received, the newest first; never a secret.")

  // Unconditional: `--limit -1` is a bad number, not an unknown option.
  @Option(parsing: .unconditional, help: "How many entries at the most.")
  var limit = 20

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit is a number greater than zero") }
  }

  func run() async throws {
    let entries = try await store.openForReading()?.history(limit: limit) ?? []
    let lines = JSONLines(json)
    for entry in entries {
      let claim = ClaimReport(entry)
      if json { claim.write(to: lines) } else { Console.result(claim.line) }
    }
    if entries.isEmpty, !json { Console.result("nothing sent or received yet") }
    try Console.checkResult()
  }
}
