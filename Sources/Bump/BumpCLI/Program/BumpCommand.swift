import ArgumentParser
import BumpTerminal
import BumpText

struct BumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump",
    abstract: "Hand a payment claim to a computer nearby.",
    discussion: """
      Type `bump send 1.00` on one computer and `bump receive` on the other, within ten seconds. The two find each \
      other by DNS-SD (Bonjour), open an encrypted session, and hand the claim over once. If no receiver comes, the \
      sender shows the same claim as a QR code. A claim is an amount, a token, an id and a secret: whoever knows the \
      secret can take the money. With --vault, a server or a contract locks the money first.
      """,
    version: Version.current,
    subcommands: [SendCommand.self, ReceiveCommand.self, BrowseCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Claim",
        subcommands: [
          HistoryCommand.self, ShowCommand.self, LinkCommand.self, SettleCommand.self, RestoreCommand.self,
        ]),
      CommandGroup(name: "Money", subcommands: [WalletCommand.self, ClaimCommand.self, RefundCommand.self]),
      CommandGroup(name: "Other", subcommands: [KeyCommand.self, DoctorCommand.self, SimulateCommand.self]),
    ])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  /// Returns the error for a word that is not a command, but may be an argument of one.
  static func unknown(_ word: String) -> String {
    if (try? Arguments.amount(word)) != nil { return "'\(word)' is not a command. Try `bump send \(word)`" }
    if ["clip", "lint", "aasa", "entitlements", "card"].contains(word) {
      return
        "'\(word)' is not a command of bump. The program bump-clip has it: bump-clip\(word == "clip" ? "" : " \(word)")"
    }
    // The error never repeats a code or a link.
    if (try? Arguments.code(word)) != nil { return "a code is not a command. `bump receive` asks for it" }
    if ArgumentText.isLikeLink(word) { return "a link is not a command. `bump receive --link -` asks for it" }
    return "'\(ArgumentText.repeatable(word))' is not a command. \(commandMeant(by: word, of: "bump"))"
  }
}
