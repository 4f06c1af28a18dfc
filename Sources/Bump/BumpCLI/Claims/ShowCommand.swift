import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show everything about one claim.")

  @OptionGroup var claimID: ClaimIDArgument

  @Flag(help: "Show the secret too: anybody who knows it can take the money.")
  var showSecret = false

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let store = try await self.store.openForReading()
    let entries = try await ClaimLookup.entries(claimID.id, in: store)
    let fundings = try await store?.funding(of: entries) ?? []
    let lines = JSONLines(json)
    for (index, (entry, funding)) in zip(entries, fundings).enumerated() {
      let claim = ClaimReport(entry, funding)
      if json {
        claim.write(to: lines, showSecret: showSecret)
      } else {
        if index > 0 { Console.result("") }
        claim.lines(showSecret: showSecret).forEach(Console.result)
      }
    }
    try Console.checkResult()
  }
}
