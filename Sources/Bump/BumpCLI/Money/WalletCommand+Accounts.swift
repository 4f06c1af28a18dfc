import ArgumentParser
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

extension WalletCommand {
  struct Trust: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Confirm a vault, or a change of one.",
      discussion: """
        bump signs only for vaults that you confirmed. A vault proves each time that it is the one you confirmed at this \
        URL. bump refuses one that changes its chain, its addresses or whether it makes test money. An unknown vault is \
        asked about when it is first used, too.
        """)

    @Argument(
      help: ArgumentHelp("The vault, such as https://vault.example.", valueName: "url"), transform: Arguments.vault)
    var url: VaultURL

    @Option(
      help: ArgumentHelp(
        "The URL at which you confirmed this vault before it moved. bump forgets the old URL and moves its claims to the new one.",
        valueName: "url"), transform: Arguments.vault)
    var movedFrom: VaultURL?

    @Flag(help: "Confirm it without asking.")
    var yes = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
      let (store, console) = (try await store.open(), Console(quiet: false))
      _ = try await Interrupt.cancels { [url, movedFrom, yes] in
        try await ConfirmedVault.confirm(url, movedFrom: movedFrom, in: store, yes: yes, console)
      }
      console.say("The vault \(url) is confirmed.")
    }
  }

  /// The options of the commands that ask a vault about the user's own account.
  struct AccountOptions: ParsableArguments {
    @Flag(help: "Confirm a vault that is not known here without asking.")
    var yes = false

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var vault: VaultOptions
    @OptionGroup var store: StoreOptions

    /// Runs a session with the vault, with the wallet's key.
    func ask<Session: VaultSession, Answer: Sendable>(
      _ session: @escaping @Sendable (PrivateKey, TrustedVault) -> Session
    ) async throws -> (Answer, PinnedVault) where Session.Outcome == Result<Answer, VaultFailure> {
      let (url, key) = (try vault.required(), try vault.wallet.read())
      let (store, yes) = (try await store.open(), yes)
      return try await Interrupt.cancels {
        let confirmed = try await ConfirmedVault.confirmed(url, in: store, yes: yes, Console(quiet: false))
        do {
          return (try await confirmed.client.run(session(key, confirmed.vault)).get(), confirmed.vault.pinned)
        } catch let failure as VaultFailure {
          throw CommandError(failure, at: url)
        }
      }
    }
  }

  struct Balance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "balance", abstract: "Show how much your wallet has at a vault.",
      usage: "bump wallet balance [<options>]")

    @OptionGroup var options: AccountOptions

    func run() async throws {
      let (answer, vault) = try await options.ask { BalancesSession(of: $0, at: $1) }
      let lines = JSONLines(options.json)
      let contracts = answer.balances.keys + vault.vault.tokens.map(\.address)
      let rows = Set(contracts).map { (vault.symbol(of: $0), answer.balances[$0]) }.sorted { $0.0 < $1.0 }
      for (token, amount) in rows {
        if !options.json {
          Console.result("\(amount?.description ?? "0.00") \(token)")
        } else if let amount {
          lines.write(
            "balance", ["address": .init(answer.account), "amount": .init(amount), "token": .string(token)])
        }
      }
      try Console.checkResult()
    }
  }

  struct Movements: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "List what came into your wallet at a vault and left it, the newest first.",
      usage: "bump wallet history [<options>]")

    // Unconditional parsing, so that `--limit -1` is a wrong number, not an unknown option.
    @Option(parsing: .unconditional, help: "How many entries at the most.")
    var limit = 20

    @OptionGroup var options: AccountOptions

    func validate() throws {
      guard limit > 0 else { throw ValidationError("--limit is a number greater than zero") }
    }

    func run() async throws {
      let (entries, vault) = try await options.ask { [limit] in AccountHistorySession(of: $0, count: limit, at: $1) }
      let lines = JSONLines(options.json)
      for entry in entries {
        let token = vault.symbol(of: entry.token)
        if options.json {
          lines.write(
            "movement",
            [
              "kind": .string(entry.kind), "amount": .init(entry.amount), "token": .string(token),
              "time": .integer(entry.time), "ledgerId": entry.ledgerID.map { .init($0) },
            ])
        } else {
          let isKnown = ["mint", "deposit", "claim", "refund"].contains(entry.kind)
          let kind = isKnown ? entry.kind : QuotedName.of(entry.kind)
          let id = entry.ledgerID.map { "  (\($0))" } ?? ""
          Console.result(
            "\(UTCTime.text(entry.time))  \(kind.padded(to: 8))  \(entry.amount) \(token)\(id)")
        }
      }
      if entries.isEmpty, !options.json { Console.result("nothing yet") }
      try Console.checkResult()
    }
  }
}

extension PinnedVault {
  /// Returns the ticker of a token; the address of its contract if the confirmed vault does not list it.
  func symbol(of contract: Address) -> String {
    vault.tokens.first { $0.address == contract }?.token.description ?? contract.description
  }
}
