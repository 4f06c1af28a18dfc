#if Vault
  import ArgumentParser
  import BumpChain
  import BumpChainVault
  import BumpWallet

  /// The options of `bump-vault serve` for a vault on a chain.
  struct ChainOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The configuration of a vault on a chain (see Docs/chain.md): a contract holds the money, and the server sends the chain what the vault's users sign.",
        valueName: "path"))
    var chain: String?

    @Option(
      name: .customLong("chain-id"),
      help: ArgumentHelp(
        "The id of the configuration's chain, such as 8453 for Base. Only a chain for tests may be left unnamed.",
        valueName: "number"))
    var chainID: UInt64?

    @Option(
      help: ArgumentHelp(
        "The file of the key that pays for the transactions, as `bump-vault chain key` makes it.", valueName: "path"))
    var relayerKey: String?

    @Option(
      help: ArgumentHelp(
        "The file of the key that signs receipts and the proof of the vault's identity, as `bump-vault chain key` makes it.",
        valueName: "path"))
    var receiptKey: String?

    /// What the options say of a vault on a chain.
    struct Chain: Sendable {
      let file: ChainFile
      let keys: ChainKeys
    }

    /// Reads configuration and keys.
    ///
    /// - Returns: `nil` without `--chain`.
    /// - Throws: `Failure`.
    func read() throws -> Chain? {
      guard let chain else {
        guard chainID == nil, relayerKey == nil, receiptKey == nil else {
          throw Failure.usage("--chain-id, --relayer-key and --receipt-key go with --chain")
        }
        return nil
      }
      guard let relayerKey, let receiptKey else {
        throw Failure.usage("--chain needs --relayer-key and --receipt-key, the files of two keys")
      }
      let file = try ChainFile.read(chain)
      try Self.check(named: chainID, file.configuration.chainID)
      let (relayer, receipts) = (try KeyFile.read(relayerKey), try KeyFile.read(receiptKey))
      // The relayer's key is on a server that anybody may ask to spend; clients pin the other one.
      guard relayer != receipts else {
        throw Failure("\(relayerKey) and \(receiptKey) have the same key. Make another with `bump-vault chain key`")
      }
      return Chain(file: file, keys: ChainKeys(relayer: relayer, receipts: receipts))
    }

    /// Checks that the operator has named the configuration's chain, unless it is one that only tests have.
    static func check(named: UInt64?, _ chainID: UInt64) throws {
      if let named {
        guard named == chainID else {
          throw Failure("the configuration is for the chain \(chainID), and --chain-id names \(named)")
        }
      } else if !KnownChain.isForTests(chainID) {
        throw Failure(
          "the chain \(chainID) may be a public one, whose money is real. Name it: --chain-id \(chainID)", status: 64)
      }
    }
  }
#endif
