import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

struct RefundCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refund", abstract: "Get an expired claim's money back from its vault.",
    usage: "bump refund [<claimid>] [<options>]",
    discussion: "Anybody may ask a vault for a refund: the money always goes back to the sender.")

  @OptionGroup var claimID: SentClaimIDArgument

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let json = JSONLines(json)
    var id: ClaimID?
    throw try await json.concluding(adding: ["claimId": id.map { .init($0) }]) { try await perform(json, &id) }
  }

  /// - Parameter found: set to the complete id, once that is known.
  private func perform(_ json: JSONLines, _ found: inout ClaimID?) async throws -> ExitStatus {
    let store = try await store.open()
    let claim = try await claimID.find(in: store, "claim to refund") { limit in
      let now = UnixTime.now()
      return try await store.unfinished(limit: 1000).map(\.0).filter { $0.expiry.hasPassed(at: now) }.prefix(limit)
        .map(\.self)
    }
    let id = claim.claim.id
    found = id
    let vault = try await ConfirmedVault.of(claim, in: store, by: VaultConnector(Console(quiet: false)))
    let wasRefunded = try await store.funding(of: claim.claim, .outgoing)?.status == .refunded
    let receipt = try await Interrupt.cancels {
      try await OutgoingFunding(claim, at: vault, in: store).refund()
    }.receipt
    json.write(
      "result",
      [
        "outcome": "refunded", "claimId": .init(id), "amount": .init(receipt.amount), "token": .init(claim.claim.token),
        "vault": .init(vault.url), "txHash": .init(receipt.transaction), "exit": 0,
      ])
    if !json.isOn {
      Console.result(
        (wasRefunded ? "Already refunded: " : "Refunded ")
          + "\(receipt.amount) \(claim.claim.token) of claim \(id) (transaction \(receipt.transaction)).")
    }
    guard Console.hasLostResult else { return .success }
    throw CommandError(
      .failure, "stdout cannot be written, but claim \(id) is refunded", remedy: "See: bump show \(id)")
  }
}
