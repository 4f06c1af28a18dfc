import ArgumentParser

struct BumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump",
    abstract: "Hand a payment claim to a computer nearby.",
    discussion: """
      `bump send 1.00` on one computer, `bump receive` on the other, within ten seconds. They find each other over \
      DNS-SD (Bonjour), open an encrypted session, and the claim is handed over once. Where nobody is found, the \
      sender shows the same claim as a QR code.
      """,
    version: Version.current,
    subcommands: [
      SendCommand.self, ReceiveCommand.self, BrowseCommand.self, HistoryCommand.self, ShowCommand.self,
      LinkCommand.self, SettleCommand.self, KeyCommand.self, DoctorCommand.self,
    ])

  func run() throws { throw ValidationError("name a command: \(Self.commands)") }

  /// What to say to a word that is no command, but may be what one takes.
  static func unknown(_ word: String) -> String {
    if (try? Arguments.amount(word)) != nil { return "'\(word)' is no command; try: bump send \(word)" }
    // Neither a code nor a link is repeated.
    if (try? Arguments.code(word)) != nil { return "a code is no command; `bump receive` asks for it" }
    if word.contains("#") || word.contains("://") {
      return "a link is no command; `bump receive --link -` asks for it"
    }
    return "'\(word)' is no command; name one: \(commands)"
  }

  private static let commands = "send, receive, browse, history, show, link, settle, key or doctor"
}
