import BumpKit
import BumpVaultAPI
import Lab
import Testing
import VaultTestServer

/// A vault proves to `bump` who it is, and has one URL.
@Suite(.processes(3)) struct VaultIdentityTests {
  private let testbed: VaultTestbed
  private var alice: Person { testbed.alice }
  private var server: LocalVaultServer { testbed.server }

  init() async throws { testbed = try await VaultTestbed() }

  /// The server of a stranger, which passes everything on to the vault.
  private func relay() throws -> LocalVaultServer { try LocalVaultServer(testbed.desk.service, isOrigin: false) }

  @Test func `a stranger's server that relays a vault is asked for nothing, and both are named`() async throws {
    try await testbed.open(alice, "3.00")
    let relay = try relay()
    for command in [
      ["wallet", "trust", relay.url, "--yes"], ["send", "1.00", "--vault", relay.url, "--link-only", "--yes"],
      ["wallet", "balance", "--vault", relay.url, "--yes"], ["wallet", "history", "--vault", relay.url, "--yes"],
    ] {
      let finished = try await alice.run(command)
      #expect(
        finished.status == 1
          && finished.error?.contains("the server at \(relay.url) says that its URL is \(server.url)") == true,
        "\(finished)")
    }
    #expect(relay.requests.count == 4 && relay.requests.allSatisfy { $0.hasPrefix("GET /api/vault?nonce=") })
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
    #expect(try await alice.history().isEmpty)
  }

  /// As if the store had it from before: each use asks for the proof again.
  @Test func `a vault that was confirmed and relays another now is paid nothing, and shows no history`() async throws {
    try await testbed.open(alice, "3.00")
    let relay = try relay()
    let store = try await ClaimStore.open(at: alice.store)
    try await store.confirm(vault: relay.url, describedAs: #require(store.confirmedVault(at: server.url)))
    let sent = try await alice.run("send", "1.00", "--vault", relay.url, "--link-only")
    #expect(sent.status == 1 && sent.standardOutput.isEmpty && sent.error?.contains(server.url) == true, "\(sent)")
    for command in ["balance", "history"] {
      let shown = try await alice.run("wallet", command, "--vault", relay.url)
      #expect(
        shown.status == 1 && shown.standardOutput.isEmpty && shown.error?.contains(server.url) == true, "\(shown)")
    }
    #expect(relay.requests.allSatisfy { $0.hasPrefix("GET /api/vault?nonce=") })
    #expect(try await testbed.balance(alice) == "3.00 USDC\n")
  }

  /// As a vault of a developer's, that was started again on another port.
  @Test func `a vault that has moved is used at its new URL once that is confirmed, with the claims that it holds`()
    async throws
  {
    try await testbed.open(alice, "3.00")
    let sent = try await testbed.send()
    #expect(sent.status == 0, "\(sent)")
    let moved = try LocalVaultServer(testbed.desk.service)
    let refused = try await alice.run("wallet", "balance", "--vault", moved.url, "--yes")
    #expect(
      refused.status == 1 && refused.error?.contains("which you confirmed at \(server.url)") == true, "\(refused)")
    #expect(
      refused.error?.hasSuffix("confirm that with: bump wallet trust \(moved.url) --moved-from \(server.url)") == true)
    // Nor does it answer for its old URL any more.
    let old = try await alice.run("wallet", "balance", "--vault", server.url)
    #expect(old.status == 1 && old.error?.contains("says that its URL is \(moved.url)") == true, "\(old)")
    let trusted = try await alice.run("wallet", "trust", moved.url, "--moved-from", server.url, "--yes")
    #expect(
      trusted.status == 0
        && trusted.standardError.contains("bump looks at \(moved.url) for the money that was at \(server.url)."),
      "\(trusted)")
    let shown = try await alice.run("wallet", "balance", "--vault", moved.url)
    #expect(shown.standardOutput == "2.00 USDC\n", "\(shown)")
    #expect(try await alice.history().first?.string("vault") == moved.url)
    let unknown = try await alice.run("wallet", "trust", moved.url, "--moved-from", server.url, "--yes")
    #expect(
      unknown.status == 1 && unknown.error?.contains("is not the one that you confirmed at \(server.url)") == true)
  }

  @Test func `a vault that names the token of one that is confirmed elsewhere is refused, and both are named`()
    async throws
  {
    try await testbed.open(alice)
    let copy = try await InProcessVaultServer(copying: testbed.desk)
    let other = try LocalVaultServer(copy.service)
    let refused = try await alice.run("wallet", "trust", other.url, "--yes")
    #expect(
      refused.status == 1 && refused.error?.contains(other.url) == true && refused.error?.contains(server.url) == true,
      "\(refused)")
    let moved = try await alice.run("wallet", "trust", other.url, "--moved-from", server.url, "--yes")
    #expect(moved.status == 1, "\(moved)")
    #expect(try await ClaimStore.open(at: alice.store).confirmedVaults().keys.sorted() == [server.url])
  }

  @Test func `a vault is one, whether it is asked as localhost or by its address`() async throws {
    try await testbed.open(alice, "3.00")
    let named = try await alice.run("wallet", "balance", "--vault", "http://localhost:\(server.port)")
    #expect(named.status == 0 && named.standardOutput == "3.00 USDC\n" && named.standardError.isEmpty, "\(named)")
  }

  @Test func `a vault without TLS is confirmed with a word of who can read and answer`() async throws {
    let warning =
      "The connection to it is not encrypted: others on the network can read your requests, and answer in its place."
    let near = try await alice.run("wallet", "trust", server.url, "--yes")
    #expect(near.status == 0 && !near.standardError.contains(warning), "\(near)")
    // This spelling of the address is not known to be this machine's.
    let url = "http://127.1:\(server.port)"
    testbed.desk.setOrigin(VaultURL(url))
    let far = try await testbed.bob.run("wallet", "trust", url, "--yes")
    #expect(far.status == 0 && far.standardError.contains(warning), "\(far)")
  }
}
