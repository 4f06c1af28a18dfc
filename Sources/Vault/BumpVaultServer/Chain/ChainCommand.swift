#if Vault
  import ArgumentParser
  import BumpText
  import BumpWallet

  /// What the operator of a vault on a chain does beside the server.
  struct ChainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "chain", abstract: "Makes keys for a vault on a chain.",
      subcommands: [ChainKeyCommand.self])
  }

  /// Makes a key in a file.
  struct ChainKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key", abstract: "Makes a key in a file, if there is none, and prints its address.",
      discussion: "Whoever has a copy of the file has the key, and what it holds. Nobody can make a lost one again.")

    @Argument(help: ArgumentHelp("The file. Missing directories above it are made.", valueName: "path"))
    var path: String

    func run() throws {
      let (key, isNew) = try KeyFile.readOrMake(path)
      if isNew { ErrorStream.write(Array("bump-vault: made the key \(ShellCommand.text([path]))\n".utf8)) }
      print(key.address)
    }
  }
#endif
