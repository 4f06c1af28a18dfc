#if Vault
  import ArgumentParser
  import BumpChain
  import BumpChainVault
  import BumpNode
  import BumpSystem
  import BumpText
  import BumpWallet
  import Glibc

  /// Deploys the contract that holds the money of a vault on a chain.
  struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "deploy",
      abstract: "Deploys the contract of a vault on a chain.",
      discussion: """
        The contract has no owner: deploying it gives no right to it. If the key has deployed it before, the command \
        says where, and spends nothing.
        """)

    @Option(help: ArgumentHelp("The URL of a node of the chain.", valueName: "url"))
    var node: String

    @Option(
      help: ArgumentHelp(
        "The file of the key that pays for the deployment, as `bump-vault chain key` makes it.", valueName: "path"))
    var key: String

    @Option(
      name: .customLong("chain-id"),
      help: ArgumentHelp("The id of the chain, such as 8453 for Base.", valueName: "number"))
    var chainID: UInt64

    @Option(
      help: ArgumentHelp(
        "The most that one unit of gas may cost, by default \"0.1 gwei\" on Base and Base Sepolia and \"5 gwei\" elsewhere.",
        valueName: "amount"))
    var feeCap: String?

    @Option(
      help: ArgumentHelp(
        "Write a configuration for the vault to this new file, for you to complete.", valueName: "path"))
    var write: String?

    @Option(
      help: ArgumentHelp(
        "The token's contract for the configuration, by default USDC on Base and Base Sepolia.", valueName: "address"))
    var token: String?

    @Flag(help: "Do not ask before coins are spent.")
    var yes = false

    func run() async throws {
      guard let url = NodeURL(node) else { throw Failure.usage("--node is \(NodeURL.rule)") }
      guard chainID > 0, chainID <= UInt64(Int64.max) else {
        throw Failure.usage("--chain-id is a whole number above zero")
      }
      let cap = try gasPrice()
      guard write != nil || token == nil else { throw Failure.usage("--token goes with --write") }
      if let write, access(write, F_OK) == 0 { throw Failure("the file \(write) is there already. Name another") }
      let token = try tokenAddress()
      let key = try KeyFile.read(key)
      let nodes = NodePool(
        [(url.shown, HTTPNodeTransport(url: url.text))], chainID: chainID, clock: ServerClock.seconds)
      let fees = FeePolicy(cap: cap, priorityCap: cap, leastPriority: 1_000_000)
      let deployment = Deployment(by: key, over: nodes, fees)
      let contract = try await deployed(by: deployment, key.address)
      print(Self.text(contract), terminator: "")
      guard let write else { return }
      let skeleton = try await ChainSkeleton(url, chainID: chainID, contract, token, feeCap: cap, nodes)
      do {
        // The URL may contain a key.
        try PrivateFile.create(write, Array(skeleton.text.utf8))
      } catch {
        throw Failure("the contract is deployed, but \(write) cannot be written: \(error.reason)")
      }
      print("Wrote \(write). Look at its fees, its sponsoring and its limits before you serve it.")
    }

    private func gasPrice() throws -> UInt64 {
      guard let feeCap else { return KnownChain.feeCap(on: chainID) }
      guard let cap = CoinAmount.wei(feeCap).flatMap({ UInt64(exactly: $0) }), cap > 0 else {
        throw Failure.usage("--fee-cap is the price of one unit of gas, such as \"0.5 gwei\"")
      }
      return cap
    }

    private func tokenAddress() throws -> Address? {
      guard let text = token ?? KnownChain.of(chainID)?.usdc else { return nil }
      do {
        return try Address(text)
      } catch {
        throw Failure.usage("--token is an address: \(error.reason)")
      }
    }

    private func deployed(by deployment: Deployment, _ sender: Address) async throws -> DeployedContract {
      do {
        switch try await deployment.standing() {
        case .made(let contract): return contract
        case .waiting(let nonce, let contract):
          throw Failure(
            "a transaction of \(sender), number \(nonce), waits for a block. If it makes the contract, that will be at \(contract). Run this again later"
          )
        case .ready(let offer):
          try agree(to: offer, of: sender)
          // It is known before it is sent, so that it can be looked for whatever happens.
          ErrorStream.write(Array("bump-vault: sending the transaction \(offer.transaction.hash)\n".utf8))
          return try await deployment.carry(offer) { try await Task.sleep(for: .seconds(1)) }
        }
      } catch let error as ChainError {
        throw Failure(VisibleText.ofMessage("\(error)"))
      } catch let error as NodeError {
        throw Failure(VisibleText.ofMessage("\(error)"))
      }
    }

    /// Asks on a terminal whether to spend coins.
    private func agree(to offer: Deployment.Offer, of sender: Address) throws {
      let (cost, balance) = (CoinAmount.text(offer.cost), CoinAmount.text(offer.balance))
      guard offer.balance >= offer.cost else {
        throw Failure("the deployment may cost \(cost), and \(sender) has \(balance). Send it more of the chain's coin")
      }
      if yes { return }
      guard isatty(STDIN_FILENO) == 1 else {
        throw Failure("the deployment may cost \(cost) of \(sender). Confirm that with --yes", status: 64)
      }
      let question =
        "Deploy the contract on the chain \(chainID) at \(offer.contract)? It costs \(sender) at most \(cost) of its \(balance). A rollup also charges for the data. [y/n] "
      ErrorStream.write(Array(question.utf8))
      guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
        throw Failure("nothing was sent")
      }
    }

    private static func text(_ contract: DeployedContract) -> String {
      """
      contract     \(contract.address)
      code hash    \(ClaimVaultContract.codeHash)
      block        \(contract.block.map { "\($0)" } ?? "unknown: this node does not keep old states")
      transaction  \(contract.transaction?.description ?? "made before")
      cost         \(contract.cost.map(CoinAmount.text) ?? "nothing now")

      """
    }
  }
#endif
