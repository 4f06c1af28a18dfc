import ArgumentParser
import BumpClaims
import BumpKit
import BumpWire

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was sent and received, the newest first. Secrets are not shown.")

  // Unconditional parsing, so that `--limit -1` is a wrong number, not an unknown option.
  @Option(parsing: .unconditional, help: "How many entries at the most.")
  var limit = 20

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit is a number greater than zero") }
  }

  func run() async throws {
    let store = try await self.store.openForReading()
    let found = try await store?.history(limit: limit < .max ? limit + 1 : limit) ?? []
    let entries = Array(found.prefix(limit))
    if let store { await ClaimRefresh.run(store, listing: entries, opening: self.store) }
    let fundings = try await store?.funding(of: entries) ?? []
    let lines = JSONLines(json)
    for (entry, funding) in zip(entries, fundings) {
      let claim = ClaimReport(entry, funding)
      if json { claim.write(to: lines) } else { Console.result(claim.line) }
    }
    if entries.isEmpty, !json { Console.result("nothing sent or received yet") }
    if found.count > limit, !json {
      Console(quiet: false).say("These are the newest \(limit). For more of them: bump history --limit 1000")
    }
    try Console.checkList()
  }
}
