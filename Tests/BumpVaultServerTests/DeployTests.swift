#if Vault
  import BumpChainVault
  import BumpWallet
  import Foundation
  import Glibc
  import Lab
  import Measures
  import Testing

  @testable import BumpVaultServer

  /// `bump-vault deploy` and `bump-vault chain key`: real processes, and a real node of a chain of its own.
  @Suite(.needs(.testChain), .serialized, .processes(2, isLong: true)) struct DeployTests {
    @Test func `a contract is deployed once, and nobody's coins are spent unasked`() async throws {
      try await ServedChain.with { operated in
        #expect(try await ServedChain.key(operated.relayerKey) == operated.relayer, "a key that is there stays")
        // Nobody can be asked here.
        let unasked = try await ServedChain.run(operated.deploying([]))
        #expect(unasked.status == 64 && unasked.standardError.contains("Confirm that with --yes"), "\(unasked)")
        #expect(try await operated.transactions() == "0x0")
        let first = try await operated.deploy().standardOutput
        let again = try await ServedChain.run(operated.deploying([]))
        #expect(again.status == 0 && again.standardOutput.contains("transaction  made before"), "\(again)")
        for name in ["contract", "code hash", "block"] {
          let line = try #require(first.split(separator: "\n").first { $0.hasPrefix(name) })
          #expect(again.standardOutput.contains(line), "\(again)")
        }
        #expect(try await operated.transactions() == "0x1")
        // The URL of a node may contain a key.
        let attributes = try FileManager.default.attributesOfItem(atPath: operated.configuration)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let file = try ChainFile.read(operated.configuration)
        #expect(first.contains("contract     \(file.configuration.contract)\n"))
        #expect(first.contains("block        \(file.configuration.startBlock)\n"))
        #expect(file.configuration.tokens.map(\.contract.domainName) == ["USD Coin"])
        let twice = try await ServedChain.run(operated.deploying(["--write", operated.configuration]))
        #expect(twice.status == 1 && twice.standardError.contains("is there already"), "\(twice)")
      }
    }

    @Test(.enabled(if: Measure.isThorough))
    func `a deployment whose end nobody saw is found again, and nothing is paid twice`() async throws {
      try await ServedChain.with { operated in
        try await operated.chain.call("test_mining", #"["manual"]"#)
        let begun = try await ServedChain.start(operated.deploying())
        let line = try await begun.line(on: .error) { $0.contains("sending the transaction 0x") }
        let hash = try #require(line.split(separator: " ").last)
        while try await !operated.chain.call("test_state").contains(hash) {}
        begun.signal(SIGKILL)
        _ = try await begun.finish()
        let waiting = try await ServedChain.run(operated.deploying())
        #expect(waiting.status == 1 && waiting.standardError.contains("number 0, waits for a block"), "\(waiting)")
        let place = try #require(waiting.standardError.firstMatch(of: /will be at (0x[0-9a-fA-F]{40})/)).1
        try await operated.chain.call("test_mine")
        let found = try await ServedChain.run(operated.deploying())
        #expect(found.status == 0 && found.standardOutput.contains("contract     \(place)"), "\(found)")
        #expect(try await operated.transactions() == "0x1")
      }
    }

    @Test(.enabled(if: Measure.isThorough))
    func `a deployment is refused on another chain, for a key without coins, and above the fee cap`() async throws {
      try await ServedChain.with { operated in
        let poor = "\(operated.folder)/poor.key"
        let address = try await ServedChain.key(poor)
        for (arguments, reason) in [
          (["--chain-id", "31338", "--key", operated.relayerKey], "the node is of the chain 31337, not of 31338"),
          (["--chain-id", "31337", "--key", poor], "\(address) has 0 ether"),
          (["--chain-id", "31337", "--key", operated.relayerKey, "--fee-cap", "1 wei"], "more than the cap now"),
        ] {
          let refused = try await ServedChain.run(["deploy", "--node", operated.chain.url, "--yes"] + arguments)
          #expect(refused.status == 1 && refused.standardError.contains(reason), "\(refused)")
        }
        #expect(try await operated.transactions() == "0x0")
      }
    }
  }
#endif
