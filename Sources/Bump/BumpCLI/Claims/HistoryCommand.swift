import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was sent and received, the newest first. Secrets are not shown.")

  // Unconditional parsing, so that `--limit -1` is a wrong number, not an unknown option.
  @Option(
    parsing: .unconditional,
    help: "How many of the newest entries. Older claims whose money a vault may still hold are listed too.")
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
    var entries = Array(found.prefix(limit))
    if let store {
      await ClaimRefresh.run(store, listing: entries, opening: self.store)
      entries += try await Self.unfinished(besides: entries, in: store)
    }
    let fundings = try await store?.funding(of: entries) ?? []
    let lines = JSONLines(json)
    for (entry, funding) in zip(entries, fundings) {
      let claim = ClaimReport(entry, funding)
      if json { claim.write(to: lines) } else { Console.result(claim.line) }
    }
    if entries.isEmpty, !json {
      let isMistaken = store == nil && self.store.store != nil
      Console.result("nothing sent or received yet\(isMistaken ? ": there is no store at that path" : "")")
    }
    if found.count > limit, !json {
      Console(quiet: false).say("There are more. To list them: bump history --limit 1000")
    }
    try Console.checkList()
  }

  /// Returns the sent claims that are not listed although a vault holds or may hold their money, the newest first: whoever
  /// does not see them does not get their money back.
  private static func unfinished(besides entries: [HistoryEntry], in store: ClaimStore) async throws -> [HistoryEntry] {
    let listed = Set(entries.compactMap { if case .sent(let claim) = $0 { claim.claim } else { nil } })
    return try await store.unfinished(limit: 1000).filter { !listed.contains($0.0.claim) }
      .map { HistoryEntry.sent($0.0) }.sorted { $0.time > $1.time }
  }
}
