import BumpWallet
import Foundation
import Lab
import Testing

/// `bump wallet export --recovery-code` and `bump wallet import`.
@Suite(.processes()) struct WalletRecoveryTests {
  @Test func `a wallet is taken out as a code, and made of it elsewhere`() async throws {
    let (alice, bob) = (try Person(), try Person())
    let path = "\(alice.home)/wallet.key"
    _ = try await alice.run("wallet", "new", "--wallet", path)
    let exported = try await alice.run("wallet", "export", "--recovery-code", "--yes", "--wallet", path)
    #expect(exported.status == 0 && exported.standardError.isEmpty, "\(exported)")
    let key = try WalletFile.read(path)
    #expect(exported.standardOutput == key.exposedRecoveryCode + "\n")

    let copy = "\(bob.home)/wallet.key"
    let imported = try await bob.run(
      ["wallet", "import", "--wallet", copy], input: exported.standardOutput.lowercased())
    #expect(imported.status == 0 && imported.standardOutput == "\(key.address)\n", "\(imported)")
    #expect(try WalletFile.read(copy) == key)
    #expect(!imported.standardError.contains(key.exposedRecoveryCode), "\(imported)")
  }

  @Test func `where nobody can be asked, no code is printed without a yes`() async throws {
    let alice = try Person()
    _ = try await alice.run("wallet", "new", "--wallet", "\(alice.home)/wallet.key")
    let refused = try await alice.run(
      ["wallet", "export", "--recovery-code", "--wallet", "\(alice.home)/wallet.key"], input: "")
    #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(refused.standardError.contains("there is no terminal to ask on"), "\(refused)")
    let unnamed = try await alice.run("wallet", "export", "--yes")
    #expect(unnamed.status == 64 && unnamed.standardOutput.isEmpty, "\(unnamed)")
  }

  @Test func `a code with a mistake makes no wallet, and is not repeated`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    let key = try PrivateKey(file: Array(String(repeating: "12", count: 32).utf8))
    let code = key.exposedRecoveryCode
    let wrong = String(code.dropLast()) + (code.last == "7" ? "8" : "7")
    for text in [wrong, "", "0000-0000-0000-0000-0000-0000-0000"] {
      let refused = try await alice.run(["wallet", "import", "--wallet", path], input: "\(text)\n")
      #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
      #expect(text.isEmpty || !refused.standardError.contains(text), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a wallet that is there is left as it is`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    _ = try await alice.run("wallet", "new", "--wallet", path)
    let before = try Data(contentsOf: URL(filePath: path))
    let key = try PrivateKey(file: Array(String(repeating: "12", count: 32).utf8))
    let refused = try await alice.run(["wallet", "import", "--wallet", path], input: key.exposedRecoveryCode + "\n")
    #expect(refused.status == 1 && refused.standardError.contains("is there already"), "\(refused)")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }
}
