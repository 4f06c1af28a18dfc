#if Vault
  import ArgumentParser
  import BumpText
  import Testing

  @testable import BumpVaultServer

  @Suite struct VersionTests {
    @Test func `bump-vault has the version of bump`() {
      #expect(VaultCommand.configuration.version == Version.current)
    }
  }
#endif
