import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire
import Glibc

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was sent and received, without secrets.",
    discussion: """
      One line a claim: on a terminal the newest last, otherwise the newest first. Where something is in doubt or to be \
      done, the line ends with the next command. The list comes from the store. Then bump asks the vaults that hold the \
      claims' money, for at most two seconds, and lists again each claim that has changed there. A claim made here is new \
      (not sent), released (a receiver may still answer), delivered, unknown (sent, without a valid answer), \
      lost (settled as such), or its link was shown.
      """)

  // Unconditional parsing, so that `--limit -1` is a wrong number, not an unknown option.
  @Option(
    parsing: .unconditional,
    help: """
      How many of the newest entries. Older claims that somebody may still take, or whose money a vault may still \
      hold, are listed too.
      """)
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
    if json {
      try await writeJSON(entries, store)
    } else {
      try await list(entries, store, hasMore: found.count > limit)
    }
    try Console.checkList()
  }

  /// Writes the claims for programs, which get each once: the vaults are asked first.
  private func writeJSON(_ entries: [HistoryEntry], _ store: ClaimStore?) async throws {
    guard let store else { return }
    await ClaimRefresh.run(store, listing: entries, opening: self.store)
    let entries = entries + (try await Self.unfinished(besides: entries, in: store))
    let lines = JSONLines(true)
    for (entry, funding) in zip(entries, try await store.funding(of: entries)) {
      ClaimReport(entry, funding).write(to: lines)
    }
  }

  /// Lists the claims as the store has them, then those again that the answers of vaults have changed.
  private func list(_ newest: [HistoryEntry], _ store: ClaimStore?, hasMore: Bool) async throws {
    guard let store, !newest.isEmpty else {
      let isMistaken = store == nil && self.store.store != nil
      return Console.result("nothing sent or received yet\(isMistaken ? ": there is no store at that path" : "")")
    }
    let console = Console(quiet: false)
    // A person reads the end of a list first, and a program its beginning.
    let isForPerson = isatty(STDOUT_FILENO) == 1
    let more = "There are more. To list them: bump history --limit 1000"
    if hasMore, isForPerson { console.say(more) }
    var entries = newest + (try await Self.unfinished(besides: newest, in: store))
    if isForPerson { entries.reverse() }
    let fundings = try await store.funding(of: entries)
    let columns = Console.resultColumns
    for (entry, funding) in zip(entries, fundings) { Console.result(ClaimReport(entry, funding).line(in: columns)) }
    if hasMore, !isForPerson { console.say(more) }
    guard !Console.hasLostResult, fundings.contains(where: { $0?.isFinal == false }) else { return }
    if console.rewritesStatus { console.setStatus("Asking the vaults. Ctrl-C ends it.", first: true) }
    await ClaimRefresh.run(store, listing: newest, opening: self.store)
    console.clearStatus()
    let changed = zip(entries, zip(fundings, try await store.funding(of: entries))).filter { $1.0 != $1.1 }
    let lines = changed.map { entry, fundings in
      [fundings.0, fundings.1].map { ClaimReport(entry, $0).line(in: columns) }
    }.filter { $0[0] != $0[1] }
    if !lines.isEmpty { console.say("Their vaults say now:") }
    for line in lines { Console.result(line[1]) }
  }

  /// The greatest number of claims of each kind that are listed whatever the limit.
  private static let most = 1000

  /// Returns the sent claims that are not listed although somebody may still take them, or a vault holds or may hold
  /// their money, the newest first: whoever does not see them neither settles them nor gets their money back.
  private static func unfinished(besides entries: [HistoryEntry], in store: ClaimStore) async throws -> [HistoryEntry] {
    var listed = Set(entries.compactMap { if case .sent(let claim) = $0 { claim.claim } else { nil } })
    let funded = try await store.unfinished(limit: most).map { $0.0 }
    let undecided = try await store.undecided(limit: most)
    let linked = try await store.claimsWithLinks(limit: most)
    // A link whose money was claimed or refunded is worth nothing.
    let fundings = try await store.funding(of: linked.map { HistoryEntry.sent($0) })
    let live = zip(linked, fundings).filter { $1?.isFinal != true }.map { $0.0 }
    return (funded + undecided + live).filter { listed.insert($0.claim).inserted }
      .map { HistoryEntry.sent($0) }.sorted { $0.time > $1.time }
  }
}
