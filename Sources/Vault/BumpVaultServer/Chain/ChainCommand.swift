#if Vault
  import ArgumentParser
  import BumpChain
  import BumpChainVault
  import BumpText
  import BumpVaultAPI
  import BumpWallet

  /// What the operator of a vault on a chain does beside the server.
  struct ChainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "chain", abstract: "Makes keys for a vault on a chain, and shows its state.",
      subcommands: [ChainKeyCommand.self, ChainStatusCommand.self])
  }

  /// Makes a key in a file.
  struct ChainKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key", abstract: "Makes a key in a file, unless the file has one, and prints the key's address.",
      discussion: "Whoever has a copy of the file can spend what the key holds. A lost key cannot be restored.")

    @Argument(help: ArgumentHelp("The file. Missing directories above it are made.", valueName: "path"))
    var path: String

    func run() throws {
      let (key, isNew) = try KeyFile.readOrMake(path)
      if isNew { ErrorStream.write(Array("bump-vault: made the key \(ShellCommand.text([path]))\n".utf8)) }
      print(key.address)
    }
  }

  /// Shows how a vault on a chain stands.
  struct ChainStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows how far the vault has followed its chain, its relayer's balance, and the waiting calls.",
      discussion: "The command only reads, and may run beside the servers.")

    @OptionGroup var options: StoreOptions

    @Option(help: ArgumentHelp("The vault's configuration.", valueName: "path"))
    var chain: String

    @Option(help: ArgumentHelp("The address of the relayer's key.", valueName: "address"))
    var relayer: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
      let relayer: Address
      do {
        relayer = try Address(self.relayer)
      } catch {
        throw Failure.usage("--relayer is an address: \(error.reason)")
      }
      let file = try ChainFile.read(chain)
      let opened = try await options.openForChain(file.configuration, makes: false)
      let status: ChainStatus
      do {
        status = try await ChainStatus.read(
          file.configuration, relayer: relayer, nodes: file.nodePool(clock: ServerClock.seconds), store: opened.store)
      } catch {
        await opened.close()
        throw Failure(VisibleText.ofMessage("\(error)"))
      }
      await opened.close()
      if json { print(VisibleText.ofJSON(status.json.text)) } else { print(status.text, terminator: "") }
    }
  }
#endif
