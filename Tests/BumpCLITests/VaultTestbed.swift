import BumpClaims
import BumpKit
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

/// A vault that answers over HTTP, and two people who may confirm it.
struct VaultTestbed: Sendable {
  let desk: InProcessVaultServer
  let server: LocalVaultServer
  let alice: Person
  let bob: Person

  /// One where alice has a wallet with 3.00.
  static func withFundedSender() async throws -> VaultTestbed {
    let testbed = try await VaultTestbed()
    try await testbed.open(testbed.alice, "3.00")
    return testbed
  }

  init() async throws {
    desk = try await InProcessVaultServer()
    desk.scene.clock.set(UnixTime.now())
    server = try LocalVaultServer(desk.service)
    (alice, bob) = (try Person(), try Person())
  }

  /// Makes somebody a wallet, confirms the vault, and puts test money into it.
  @discardableResult
  func open(_ person: Person, _ amount: String? = nil) async throws -> Address {
    let made = try await person.run("wallet", "new")
    let address = try Address(made.standardOutput.dropLast())
    let trusted = try await person.run("wallet", "trust", server.url, "--yes")
    try #require(trusted.status == 0, "\(trusted)")
    if let amount {
      _ = try await desk.scene.vault.mint(
        .word(UInt64.random(in: .min ... .max)), Amount(amount), of: desk.scene.token, to: address)
    }
    return address
  }

  /// Has the vault be found at another URL, which somebody confirms.
  func move(to url: String, _ person: Person) async throws {
    desk.setOrigin(VaultURL(url))
    let trusted = try await person.run("wallet", "trust", url, "--moved-from", server.url, "--yes")
    try #require(trusted.status == 0, "\(trusted)")
  }

  func balance(_ person: Person, at url: String? = nil) async throws -> String {
    let shown = try await person.run("wallet", "balance", "--vault", url ?? server.url)
    try #require(shown.status == 0, "\(shown)")
    return shown.standardOutput
  }

  /// Has alice lock a claim, and shows its link.
  func send(_ arguments: String...) async throws -> ProcessResult {
    try await alice.run(["send", "1.00", "--vault", server.url, "--link-only"] + arguments)
  }

  /// The link of a claim of alice's whose money is locked, and its id.
  func lockedLink() async throws -> (link: String, id: String) {
    let sent = try await send()
    try #require(sent.status == 0, "\(sent)")
    return (try #require(sent.lines.last), try #require(try await alice.history().first?.string("claimId")))
  }

  /// Confirms a vault for somebody at a place where nobody is, as if the one that answers were there.
  func confirmNobody(for person: Person) async throws -> String {
    let store = try await ClaimStore.open(at: person.store)
    let url = "http://127.0.0.1:\(try closedPort())"
    try await store.confirm(vault: url, describedAs: #require(store.confirmedVault(at: server.url)))
    return url
  }
}
