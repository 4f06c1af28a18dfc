import ArgumentParser
import BumpTerminal
import BumpWallet

extension WalletCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Make the file of a wallet from its recovery code.",
      discussion: """
        The code is read from standard input, so that it is in no list of processes and no history of a shell. It has 56 \
        letters and digits, as the wallet's page of a vault shows it under "Take the key out", and as \
        `bump wallet export --recovery-code` prints it. An existing file is never overwritten.
        """)

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @Option(help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
    var wallet: String?

    func run() throws {
      let (wallet, console) = (Wallet(wallet), Console(quiet: false))
      if Console.canAsk { console.insist("The recovery code:") }
      let key = try wallet.create(PrivateKey(recoveryCode: try StandardInput.line()))
      console.say("The wallet is in \(wallet.path).")
      if json {
        JSONLines(true).write("wallet", ["address": .init(key.address), "file": .string(wallet.path)])
      } else {
        Console.result("\(key.address)")
      }
      try Console.checkResult()
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Print your wallet's key, after a question.",
      discussion: """
        Whoever sees the recovery code can take all that is in your wallet, now and later. To restore the wallet from it, \
        type it on the wallet's page of a vault, or into `bump wallet import`.
        """)

    @Flag(help: "Print the recovery code: 56 letters and digits that are the key itself.")
    var recoveryCode = false

    @Flag(help: "Print it without asking.")
    var yes = false

    @Option(help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
    var wallet: String?

    func validate() throws {
      guard recoveryCode else { throw ValidationError("name what to print: --recovery-code") }
    }

    func run() async throws {
      let (wallet, yes) = (Wallet(wallet), yes)
      let key = try wallet.read()
      if !yes { try await Interrupt.cancels { try await Self.ask(key.address) } }
      Console.result(key.exposedRecoveryCode)
      try Console.checkResult()
    }

    private static func ask(_ address: Address) async throws {
      guard Console.canAsk else {
        throw CommandError(
          .failure, "there is no terminal to ask on, and the recovery code was not printed",
          remedy: "Run it on a terminal, or with --yes")
      }
      let lines = ["Whoever sees the recovery code of \(address) can take all that is in this wallet, now and later."]
      guard await Prompt.answer("Show it here?", about: lines, Console(quiet: false)) == .yes else {
        throw CommandError(.declined, "the recovery code was not printed")
      }
    }
  }
}
