import ArgumentParser
import BumpKit
import BumpWire

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one claim, whole.")

  @Argument(
    help: ArgumentHelp("The claim's id, as `bump history` shows it, or its beginning.", valueName: "claimid"),
    completion: Completions.claims, transform: Arguments.claimID)
  var id: ClaimID

  @Flag(help: "Show the secret too: whoever knows it can take the money.")
  var showSecret = false

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let entries = try await ClaimLookup.entries(id, in: store.openForReading())
    let lines = JSONLines(json)
    for (index, entry) in entries.enumerated() {
      let claim = ClaimReport(entry)
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
