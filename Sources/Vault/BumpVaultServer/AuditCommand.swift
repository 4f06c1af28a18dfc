#if Vault
  import ArgumentParser
  import BumpClaims
  import BumpVault
  import BumpWallet

  /// Audits a vault's books while the vault may be in use.
  struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "audit",
      abstract: "Recomputes the journal's hashes, chain and signatures, and compares all balances with it.")

    @OptionGroup var options: StoreOptions

    func run() async throws {
      let opened = try await options.openForReading()
      let vault = try await Vault(opened.store)
      let report = try await vault.audit()
      await opened.close()
      for (token, sums) in report.sums.sorted(by: { $0.key.description < $1.key.description }) {
        print("\(token): minted \(sums.minted), balances \(sums.balances), locked \(sums.locked) base units")
      }
      print("\(report.entries) entries, \(report.batches) batches")
      for finding in report.findings { print("WRONG: \(finding)") }
      guard report.isSound else { throw Failure("the vault's books are not in order") }
      print("The books are in order.")
    }
  }
#endif
