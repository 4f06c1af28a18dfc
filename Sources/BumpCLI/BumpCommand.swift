import ArgumentParser

struct BumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump",
    abstract: "Hand a payment claim to a computer nearby.",
    discussion: """
      `bump send` on one computer, `bump receive` on the other, within ten seconds. They find each other over \
      DNS-SD (Bonjour), open an encrypted session, and the claim is handed over once. Where nobody is found, the \
      sender shows the same claim as a QR code.
      """,
    version: Version.current,
    subcommands: [
      SendCommand.self, ReceiveCommand.self, BrowseCommand.self, HistoryCommand.self, ShowCommand.self,
      LinkCommand.self, SettleCommand.self, KeyCommand.self, DoctorCommand.self,
    ])

  func run() throws {
    throw ValidationError("name a command: send, receive, browse, history, show, link, settle, key or doctor")
  }
}
