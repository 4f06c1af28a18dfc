import BumpClaims
import BumpKit
import Foundation
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpCLI

/// What `bump claim --direct` and `bump refund --direct` refuse before a node is asked, and what they leave.
@Suite(.processes()) struct DirectCommandTests {
  private static let node = "http://127.0.0.1:8545"

  @Test(arguments: [
    (["claim", "someClaim", "--direct", "http://node.example"], "a node is https://, or http:// on this machine"),
    (["claim", "someClaim", "--direct", "https://me:secret@node.example"], "a node is https://"),
    (["claim", "someClaim", "--fee-cap", "1 gwei"], "--fee-cap goes with --direct"),
    (["claim", "someClaim", "--direct", node, "--fee-cap", "1"], "--fee-cap is the price of one unit of gas"),
    (["refund", "someClaim", "--direct", node, "--fee-cap", "0 wei"], "--fee-cap is the price of one unit of gas"),
    (["refund", "someClaim", "--wallet", "wallet.key"], "--wallet goes with --direct"),
  ])
  func `a wrong option is named`(arguments: [String], words: String) async throws {
    let refused = try await Person().run(arguments)
    #expect(refused.status == 64 && refused.error?.contains(words) == true, "\(refused)")
    #expect(refused.error?.contains("secret") == false, "a node's URL may contain a key")
  }

  @Test(arguments: ["claim", "refund"])
  func `no coins are spent where nobody can be asked, without --yes`(command: String) async throws {
    let bob = try Person()
    let id =
      command == "claim" ? try await Self.received(bob) : try await bob.claim(.linkShown).description
    let refused = try await bob.run(command, id, "--direct", Self.node)
    #expect(refused.status == 1, "\(refused)")
    #expect(
      refused.error == "there is no terminal to ask on, and nothing was sent. Run it on a terminal, or with --yes")
  }

  private static func received(_ person: Person) async throws -> String {
    _ = try await person.take(strangersLink())
    return "stranger"
  }

  @Test func `a contract that is not pinned is not called, and the error says how to name it`() async throws {
    let bob = try Person()
    _ = try await bob.run("wallet", "new")
    let refused = try await bob.run(
      ["claim", "-", "--direct", Self.node, "--vault", "https://gone.example", "--yes", "--json"],
      input: try strangersLink() + "\n")
    #expect(try refused.status == 1 && refused.result.string("claimId") == "stranger", "\(refused)")
    #expect(
      try refused.result.string("error")
        == "no contract is pinned for the claim's money: the vault https://gone.example was never confirmed here, and "
        + "your configuration names 0 contracts that hold USDC. Name the contract in your file of contracts "
        + "(BUMP_CONTRACTS)")
    #expect(try await bob.history().first?.string("money") == nil, "the claim is kept, and nothing was asked for")
  }

  @Test func `a claim that has no vault is not refunded, and one whose vault is no contract is not carried`()
    async throws
  {
    let alice = try Person()
    _ = try await alice.run("wallet", "new")
    let id = try await alice.claim(.linkShown)
    let refused = try await alice.run("refund", id.description, "--direct", Self.node, "--yes")
    #expect(refused.error == "claim \(id) has no vault, so no money of it is locked", "\(refused)")
    let testbed = try await VaultTestbed.withFundedSender()
    let (_, locked) = try await testbed.lockedLink()
    let embedded = try await testbed.alice.run("refund", locked, "--direct", Self.node, "--yes")
    #expect(
      embedded.error
        == "the vault \(testbed.server.url) is not a contract on a chain: its operator holds the money. Leave out --direct",
      "\(embedded)")
  }

  @Test func `a node that cannot be reached leaves the claim as it was`() async throws {
    let bob = try Person()
    _ = try await bob.run("wallet", "new")
    let id = try await Self.received(bob)
    let hash = "0x" + String(repeating: "12", count: 32)
    let contracts = """
      {"contracts": [{"chainId": 8453, "address": "0x\(String(repeating: "2b", count: 20))", "codeHash": "\(hash)",
        "tokens": [{"symbol": "USDC", "address": "0x\(String(repeating: "3c", count: 20))", "codeHash": "\(hash)",
          "domain": {"name": "USD Coin", "version": "2"}}]}]}
      """
    let file = "\(bob.home)/contracts.json"
    try #require(
      FileManager.default.createFile(
        atPath: file, contents: Data(contracts.utf8), attributes: [.posixPermissions: 0o600]))
    let node = "127.0.0.1:\(try closedPort())"
    let refused = try await bob.run(
      ["claim", id, "--direct", "http://\(node)/with-a-key", "--vault", "https://gone.example", "--yes"],
      changes: ["BUMP_CONTRACTS": file])
    #expect(refused.status == 1, "\(refused)")
    let words = "nothing was sent, since the node \(node) cannot be used: it does not answer: "
    #expect(refused.error?.hasPrefix(words) == true && refused.error?.contains("with-a-key") == false, "\(refused)")
    #expect(try await bob.history().first?.string("money") == nil)
  }
}
