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
    let access = try await ConfirmedVault.of(claim, in: store, Console(quiet: false))
    let wasRefunded = try await store.funding(of: claim.claim, .outgoing)?.status == .refunded
    let receipt = try await Interrupt.cancels {
      try await ClaimMoney(claim, at: access, in: store).refund()
    }.receipt
    json.write(
      "result",
      [
        "outcome": "refunded", "claimId": .init(id), "amount": .init(receipt.amount), "token": .init(claim.claim.token),
        "vault": .init(access.url), "txHash": .init(receipt.transaction), "exit": 0,
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

extension ConfirmedVault {
  /// Returns the vault of a claim made here.
  ///
  /// - Parameter console: where to say that the vault is waited for; `nil` for nowhere.
  /// - Throws: `CommandError` if the claim has none.
  static func of(
    _ claim: OutgoingClaim, in store: ClaimStore, _ console: Console?
  ) async throws -> ConfirmedVault {
    let id = claim.claim.id
    guard let funding = try await store.funding(of: claim.claim, .outgoing), let url = VaultURL(funding.vault) else {
      throw CommandError(.failure, "claim \(id) has no vault, so no money of it is locked")
    }
    guard let access = try await known(url, in: store, console) else {
      throw CommandError(
        .failure, "the vault \(url) is not known here any more", remedy: "Confirm it with: \(trust(url))")
    }
    return access
  }
}
