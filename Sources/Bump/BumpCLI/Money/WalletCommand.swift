import ArgumentParser
import BumpClaims
import BumpTerminal
import BumpText
import BumpWallet

struct WalletCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallet", abstract: "Make your wallet, and show its address and its money.",
    discussion: """
      A wallet is a key in a file. Whoever has a copy of the file can take the money, and without any copy the money is \
      lost.
      """,
    subcommands: [New.self, Show.self, Balance.self, Movements.self, Trust.self, Import.self, Export.self])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Make a wallet in a new file that only you can read, and print its address.")

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @Option(help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
    var wallet: String?

    func run() throws {
      let wallet = Wallet(wallet)
      let report = WalletReport(address: try wallet.create().address, file: wallet.path)
      Console(quiet: false).say(
        "The wallet is in \(wallet.path). Back the file up: anybody with a copy can take the money, and without any copy the "
          + "money is lost.")
      if json { report.write(to: JSONLines(true)) } else { Console.result("\(report.address)") }
      guard !Console.hasLostResult else {
        throw CommandError(
          .failure, "stdout cannot be written, but the wallet is made", remedy: "`bump wallet show` shows its address")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show your wallet's address. Its key is not shown.")

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @Option(help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
    var wallet: String?

    func run() throws {
      let wallet = Wallet(wallet)
      let key = try wallet.read()
      let report = WalletReport(address: key.address, file: wallet.path)
      if json { report.write(to: JSONLines(true)) } else { report.lines(key).forEach(Console.result) }
      try Console.checkResult()
    }
  }
}

/// Describes a wallet, without its key.
private struct WalletReport {
  let address: Address
  let file: String

  /// Returns all details, one per line.
  func lines(_ key: PrivateKey) -> [String] {
    ["address  \(address)", "file     \(VisibleText.of(file))", "key      \(key)"]
  }

  func write(to json: JSONLines) {
    json.write("wallet", ["address": .init(address), "file": .string(file)])
  }
}
