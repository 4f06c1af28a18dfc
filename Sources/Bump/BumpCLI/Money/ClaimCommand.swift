import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

struct ClaimCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claim", abstract: "Have a vault pay a received claim into your wallet.",
    usage: "bump claim <claimid|link> [<options>]",
    discussion: """
      Until you have claimed it, a received claim is not yours: its sender knows its secret too, and whoever claims \
      first gets the money. The secret stays here: bump sends the vault a proof that only pays your address. The claim \
      of a link is received first. Without --vault its vault is the link's host, which bump asks you to confirm. \
      With --direct bump asks no vault, and sends the claim to the contract that holds the money.
      """)

  // Parsed later: the parser's errors repeat the argument, and no error may repeat a link.
  @Argument(
    help: ArgumentHelp(
      "The claim's id, as `bump history` shows it, or its beginning. Or a claim link, or `-` for one on stdin.",
      valueName: "claimid|link"), completion: Completions.receivedClaims)
  var what: String

  @Option(help: PayoutAddress.help, transform: PayoutAddress.init)
  var address: PayoutAddress?

  @Flag(help: "Confirm a vault that is not known here without asking. With --direct, spend coins without asking.")
  var yes = false

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var direct: DirectOptions
  @OptionGroup var vault: VaultOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    _ = try named()
    try address?.check(asks: Console.canAsk && !yes)
  }

  /// Returns the beginning of the claim's id; `nil` for a link.
  private func named() throws -> ClaimID? {
    what == "-" || ArgumentText.isLikeLink(what) ? nil : try Arguments.claimID(what)
  }

  func run() async throws {
    let json = JSONLines(json)
    let beginning = try named()
    if let node = direct.node {
      var found = Found()
      throw try await json.concluding(
        adding: ["claimId": found.claim.map { .init($0) }, "txHash": found.transaction.map { .init($0) }]
      ) { try await carry(over: node, beginning, json, &found) }
    }
    guard let beginning else { throw try await json.concluding { try await linkReceiver(json).take(what) } }
    var id: ClaimID?
    throw try await json.concluding(adding: ["claimId": id.map { .init($0) }]) {
      try await perform(beginning, json, &id)
    }
  }

  func linkReceiver(_ json: JSONLines) -> LinkReceiver {
    let check = VaultCheck(vault: vault, paysAtOnce: true, address: address, margin: .standard, yes: yes)
    let report = ReceiveReport(
      console: Console(quiet: false), json: json, showSecret: false, isOfPayment: true)
    return LinkReceiver(store: store, keyFile: nil, with: nil, vault: check, report: report)
  }

  /// - Parameter found: set to the complete id, once that is known.
  private func perform(_ id: ClaimID, _ json: JSONLines, _ found: inout ClaimID?) async throws -> ExitStatus {
    let store = try await store.open()
    let claims = try await received(id, in: store)
    found = claims[0].claim.id
    // At most one of several claims with the same id is good. The vault says which.
    guard claims.count == 1 else { return try await paid(try await held(of: claims, in: store), in: store, json) }
    return try await paid(claims[0], in: store, json)
  }

  /// Returns the received claims that an id or its beginning names, one or more.
  ///
  /// - Throws: `CommandError` if there is none.
  func received(_ id: ClaimID, in store: ClaimStore) async throws -> [IncomingClaim] {
    let entries = try await ClaimLookup.entries(id, in: store)
    let claims = entries.compactMap { if case .received(let claim) = $0 { claim } else { nil } }
    guard claims.isEmpty else { return claims }
    let isFunded = try await store.funding(of: entries).contains { $0 != nil }
    throw CommandError(
      .failure, "claim \(id) was sent from here, and not received",
      remedy: isFunded ? "To get its money back: bump refund \(id)" : nil)
  }

  private func confirmedVault(of claim: IncomingClaim, in store: ClaimStore) async throws -> ConfirmedVault {
    // A vault that was asked for the money before may have paid.
    let known = try await IncomingFunding.vaultInDoubt(about: claim.claim, in: store)
    let last = try await store.funding(of: claim.claim, .incoming).flatMap { VaultURL($0.vault) }
    let url = try known ?? vault.named() ?? last ?? vault.required()
    return try await ConfirmedVault.confirmed(url, in: store, yes: yes, Console(quiet: false))
  }

  /// Returns that of several claims with the same id which the vault holds, or has paid.
  ///
  /// - Throws: `CommandError` if the vault holds none, or if that is not known.
  private func held(of claims: [IncomingClaim], in store: ClaimStore) async throws -> IncomingClaim {
    let id = claims[0].claim.id
    var doubt: CommandError?
    for claim in claims {
      let confirmed = try await confirmedVault(of: claim, in: store)
      guard let terms = try? ClaimTerms(claim.claim, expiry: claim.expiry, at: confirmed.vault) else { continue }
      switch try await confirmed.client.run(StatusSession(terms, at: confirmed.vault)) {
      case .success(let answer) where answer.status != .none: return claim
      case .success: continue
      case .failure(let failure) where failure.problem == .unknownClaim: continue
      case .failure(let failure): doubt = doubt ?? CommandError(failure, at: confirmed.url)
      }
    }
    guard let doubt else {
      throw CommandError(.failure, "the vault holds none of the \(claims.count) claims with the id \(id)")
    }
    throw CommandError(
      doubt.status,
      "it is not known which of the \(claims.count) claims with the id \(id) the vault holds: "
        + doubt.reason, remedy: doubt.remedy)
  }

  private func paid(_ claim: IncomingClaim, in store: ClaimStore, _ json: JSONLines) async throws -> ExitStatus {
    let receiver = try await address?.confirmed(Console(quiet: false)) ?? vault.wallet.read().address
    let confirmed = try await confirmedVault(of: claim, in: store)
    let money = try IncomingFunding(claim.claim, expiry: claim.expiry, at: confirmed, in: store)
    let payment = try await Interrupt.cancels { try await money.claim(to: receiver) }
    let (id, said) = (claim.claim.id, payment.receipt)
    json.write(
      "result",
      [
        "outcome": .string(payment.outcome), "claimId": .init(id), "amount": .init(said.amount),
        "token": .init(claim.claim.token),
        "vault": .init(confirmed.url), "receiver": .init(said.receiver), "txHash": .init(said.transaction),
        "time": .integer(said.time), "level": payment.isFinal ? nil : .string(Funding.Level.confirmed.rawValue),
        "exit": .integer(Int64(payment.status.rawValue)),
      ])
    if !json.isOn { Console.result(payment.message(claim.claim.token)) }
    guard Console.hasLostResult else { return payment.status }
    throw CommandError(.failure, "stdout cannot be written, but the claim is paid", remedy: "See: bump show \(id)")
  }
}
