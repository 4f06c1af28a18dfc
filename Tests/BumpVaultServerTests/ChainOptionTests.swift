#if Vault
  import Foundation
  import Lab
  import Testing

  /// The options of `bump-vault serve` for a vault on a chain, and its keys.
  @Suite(.serialized, .processes()) struct ChainOptionTests {
    @Test func `what a vault on a chain has not, and keys that others can read, are refused in one line`() async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (one, two) = ("\(folder)/one.key", "\(folder)/two.key")
      #expect(try await ServedChain.key(one) != ServedChain.key(two))
      let file = "\(folder)/chain.json"
      try ChainFileTests.sample(chainID: 31337).write(toFile: file, atomically: false, encoding: .utf8)
      func refusal(_ keys: [String], _ more: [String] = []) async throws -> ProcessResult {
        try await ServedChain.run(
          ["serve", "--store", "\(folder)/store", "--chain", file, "--relayer-key", keys[0], "--receipt-key", keys[1]]
            + more)
      }
      for (option, reason) in [
        (["--faucet"], "can make no money"), (["--moved"], "not for a vault on a chain"),
        (["--copied"], "not for a vault on a chain"), (["--cap", "5.00"], "has its limits in its configuration"),
        (["--expiry-seconds", "600"], "has its limits in its configuration"),
      ] {
        let refused = try await refusal([one, two], option)
        #expect(refused.status == 64 && refused.standardError.contains(reason), "\(refused)")
      }
      for arguments in [
        ["--chain-id", "8453"], ["--relayer-key", one], ["--receipt-key", one], ["--chain", file],
      ] {
        let refused = try await ServedChain.run(["serve", "--store", "\(folder)/store"] + arguments)
        #expect(refused.status == 64 && refused.standardError.contains("--relayer-key and --receipt-key"), "\(refused)")
      }
      let same = try await refusal([one, one])
      #expect(same.status == 1 && same.standardError.contains("have the same key"), "\(same)")
      let missing = try await refusal([one, "\(folder)/three.key"])
      #expect(missing.status == 1 && missing.standardError.contains("bump-vault chain key"), "\(missing)")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: two)
      let open = try await refusal([one, two])
      #expect(open.status == 1 && open.standardError.contains("the key \(two)"), "\(open)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/store"))
    }
  }
#endif
