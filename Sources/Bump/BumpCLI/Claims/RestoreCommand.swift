import ArgumentParser
import BumpKit
import BumpTerminal

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make the store from a backup, after it was lost.",
    usage: "bump restore <backup> [--store <path>]",
    discussion: """
      The backup is only read, and an existing store is never overwritten. A claim that was new or lost in the backup may \
      have been sent since: in the restored store it is unknown, and bump does not send it before you have settled it. \
      Docs/store.md says how to make a backup, and what a restored store lacks.
      """)

  @Argument(help: ArgumentHelp("The backup, a SQLite file.", valueName: "backup"), completion: .file())
  var backup: String

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let restored = try await store.restore(backup)
    Console.result(Self.sentence(restored))
    let console = Console(quiet: false)
    for line in Self.advice(restored) { console.say(line) }
    try Console.checkResult()
  }

  static func sentence(_ store: RestoredStore) -> String {
    "Restored \(count(store.sent, "claim")) of yours and \(count(store.received, "received claim"))."
  }

  static func advice(_ store: RestoredStore) -> [String] {
    var lines = ["Claims that you received since the backup are not in it. Ask their senders, whose stores have them."]
    if store.doubtful > 0 {
      lines.append(
        "\(count(store.doubtful, "claim")) of yours may have been sent since. Ask who has them, then: bump settle CLAIMID"
      )
    }
    return lines
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
