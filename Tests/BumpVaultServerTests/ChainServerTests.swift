#if Vault
  import Foundation
  import Lab
  import Measures
  import Testing

  /// A vault on a chain as its operator serves it: real processes, and a real node of a chain of its own.
  @Suite(.needs(.testChain), .serialized, .processes(3, isLong: true)) struct ChainServerTests {
    @Test func `a vault on a chain says which contract it is, and its operator sees how it stands`() async throws {
      try await ServedChain.with { operated in
        let deployed = try await operated.deploy().standardOutput
        try await operated.serve { port in
          let contract = try #require(deployed.firstMatch(of: /contract +(0x[0-9a-fA-F]{40})/)).1
          let known = try await ServedVault.ask(port, "GET", "/api/vault").body
          for text in [
            "\"kind\":\"contract\"", "\"chainId\":31337", "\"address\":\"\(contract)\"", "\"faucet\":false",
            "\"receiptKey\":\"\(operated.receipts)\"", "\"confirmations\":1", "\"amount\":\"100.00\"",
          ] {
            #expect(known.contains(text), "\(known)")
          }
          // The index begins beside the requests.
          while try await ServedVault.ask(port, "GET", "/readyz").status != 200 {}
          let status = try await ServedChain.run(operated.asking(["--json"]))
          let shown = try JSONSerialization.jsonObject(with: Data(status.standardOutput.utf8)) as? [String: Any]
          #expect(shown?["contract"] as? String == String(contract) && shown?["behind"] as? Int == 0, "\(status)")
          let lease = try #require(shown?["leaseSeconds"] as? Int)
          #expect(lease > 0 && lease <= 30, "\(status)")
          #expect((shown?["relayer"] as? [String: Any])?["address"] as? String == operated.relayer, "\(status)")
        }
      }
    }

    @Test(.enabled(if: Measure.isThorough))
    func `a vault whose chain has something else than is configured is not served`() async throws {
      try await ServedChain.with { operated in
        try await operated.deploy()
        let hashes = try String(contentsOfFile: operated.configuration, encoding: .utf8)
          .matches(of: /0x[0-9a-f]{64}/).map { String($0.0) }
        try #require(hashes.count == 2)
        let other = "0x" + String(repeating: "00", count: 32)
        for (text, changed, options, reason) in [
          (
            "\"chainId\": 31337", "\"chainId\": 31338", ["--chain-id", "31338"],
            "configured as 31338, and the chain has 31337"
          ),
          (hashes[0], other, [], "the code hash of the vault's contract"),
          (hashes[1], other, [], "the code hash of the token USDC"),
          ("\"version\": \"2\"", "\"version\": \"1\"", [], "the domain separator of the token USDC"),
        ] {
          try operated.change(text, changed)
          let refused = try await ServedChain.run(operated.serving(options))
          #expect(refused.status == 1 && refused.standardError.contains(reason), "\(refused)")
          #expect(refused.standardError.split(separator: "\n").count == 1, "\(refused)")
          try operated.change(changed, text)
        }
        try operated.change(operated.chain.url, "http://127.0.0.1:1")
        let unreached = try await ServedChain.run(operated.serving())
        #expect(unreached.status == 1 && unreached.standardError.contains("no node of the chain"), "\(unreached)")
      }
    }
  }
#endif
