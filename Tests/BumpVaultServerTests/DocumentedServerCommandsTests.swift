#if Vault
  import ArgumentParser
  import Lab
  import Testing

  @testable import BumpVaultServer

  /// The command lines in the code blocks of the documents for a vault's operator.
  @Suite struct DocumentedServerCommandsTests {
    @Test(arguments: ["Docs/vault.md", "Docs/sign-in.md", "Docs/chain.md", "Docs/claim-page.md"])
    func `each command of a document is one that bump-vault takes`(document: String) throws {
      let commands = try documentedCommands(of: "bump-vault", in: document)
      #expect(!commands.isEmpty)
      for command in commands {
        let words = command.split(separator: " ").map(String.init)
        #expect(throws: Never.self, "bump-vault \(command)") { _ = try VaultCommand.parseAsRoot(words) }
      }
    }
  }
#endif
