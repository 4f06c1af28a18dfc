import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

struct RefundCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refund", abstract: "Get a claim's money back from its vault.",
    usage: "bump refund [<claimid>] [<options>]",
    discussion: """
      Once the claim has expired, the vault refunds it: the money always goes back to the sender. Before that, bump takes \
      the money back: it claims it for the wallet that locked it. The vault pays whoever claims first. If somebody may \
      have the claim or its link, bump asks you first. Afterwards the claim is worth nothing, and bump no longer sends \
      it. Name the claim, unless it is the only one that has expired or is being taken back. With --direct bump asks no \
      vault, and sends the refund to the contract that holds the money.
      """)

  @OptionGroup var claimID: SentClaimIDArgument

  @Flag(
    help:
      "Take the money back without asking, although somebody may have the claim or its link. With --direct, spend coins without asking."
  )
  var yes = false

  @Flag(help: "Write one JSON object a line.")
  var json = false

  @OptionGroup var direct: DirectOptions

  @Option(
    help: ArgumentHelp(
      "With --direct, the file of the key that pays for the transaction (or BUMP_WALLET, by default $XDG_DATA_HOME/bump/wallet.key).",
      valueName: "path"), completion: .file(), transform: Arguments.walletPath)
  var wallet: String?

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard direct.node != nil || wallet == nil else { throw ValidationError("--wallet goes with --direct") }
  }

  func run() async throws {
    let json = JSONLines(json)
    var (id, sent): (ClaimID?, Bytes32?)
    throw try await json.concluding(adding: ["claimId": id.map { .init($0) }, "txHash": sent.map { .init($0) }]) {
      try await perform(json, &id, &sent)
    }
  }

  private static let remedy =
    "To take money back before its claim expires, name the claim's id: `bump history` lists the claims"

  /// - Parameter found: set to the complete id, once that is known.
  private func perform(
    _ json: JSONLines, _ found: inout ClaimID?, _ sent: inout Bytes32?
  ) async throws -> ExitStatus {
    let store = try await store.open()
    let claim = try await claimID.find(in: store, "expired claim to refund", orElse: Self.remedy) { limit in
      let now = UnixTime.now()
      return try await store.unfinished(limit: 1000)
        .filter { $0.0.expiry.hasPassed(at: now) || $0.1.status == .takingBack }.prefix(limit).map(\.0)
    }
    let id = claim.claim.id
    found = id
    if let node = direct.node { return try await carry(claim, over: node, in: store, json, &sent) }
    let vault = try await ConfirmedVault.of(claim, in: store, by: try VaultConnector(Console(quiet: false)))
    let before = try await store.funding(of: claim.claim, .outgoing)
    let money = try OutgoingFunding(claim, at: vault, in: store)
    let receipt = try await Interrupt.cancels { try await gotBack(money) }
    let wasBack = before?.status == .refunded || before?.isTakenBack == true
    let report = RefundReport(signed: receipt, claim: claim.claim, wasBack: wasBack)
    report.write(to: json, at: vault.url)
    guard Console.hasLostResult else { return .success }
    let what = report.isTakenBack ? "taken back" : "refunded"
    throw CommandError(
      .failure, "stdout cannot be written, but the money of claim \(id) is \(what)", remedy: "See: bump show \(id)")
  }

  /// Has the vault refund the money, or takes it back if the claim has not expired by the vault's clock. That the claim has
  /// not expired need not be the vault's own word: of what follows, only a receipt counts.
  private func gotBack(_ money: OutgoingFunding) async throws -> SignedReceipt {
    do {
      return try await money.refund()
    } catch let early as FundingError where early.failure?.problem == .notExpired {
      return try await takenBack(money)
    }
  }

  /// Takes the money back. Asks the person first if somebody may have the claim or its link.
  private func takenBack(_ money: OutgoingFunding) async throws -> SignedReceipt {
    do {
      return try await money.takeBack(evenIfHandedOver: yes)
    } catch let held as FundingError where held.code == .handedOver && Console.canAsk {
      try await Self.ask(about: money.claim)
      return try await money.takeBack(evenIfHandedOver: true)
    }
  }

  static func ask(about claim: OutgoingClaim) async throws {
    let (id, sum) = (claim.claim.id, "\(claim.claim.amount) \(claim.claim.token)")
    let lines = [
      "Claim \(id) has not expired, and \(claim.peer?.quoted ?? "somebody") may have it or its link.",
      "Whoever claims it first gets the \(sum). If you do, the claim is worth nothing to anybody else: their bump says "
        + "that somebody else has claimed it.",
    ]
    switch await Prompt.answer("Take the \(sum) back?", about: lines, Console(quiet: false)) {
    case .yes: return
    case .no, .inputEnded: throw CommandError(.declined, "the money of claim \(id) was not taken back")
    case .cancelled: throw CommandError(.interrupted, "interrupted, and the money of claim \(id) was not taken back")
    }
  }
}

/// Reports money that is its sender's again.
private struct RefundReport {
  let signed: SignedReceipt
  let claim: Claim
  /// Whether the store had that before.
  let wasBack: Bool

  private var receipt: Receipt { signed.receipt }

  /// Whether the money was taken back before the claim expired. Otherwise the vault has refunded it.
  var isTakenBack: Bool { receipt.outcome == .claimed }

  func write(to json: JSONLines, at vault: VaultURL) {
    json.write(
      "result",
      [
        "outcome": isTakenBack ? "takenBack" : "refunded", "claimId": .init(claim.id), "amount": .init(receipt.amount),
        "token": .init(claim.token), "vault": .init(vault), "txHash": .init(receipt.transaction),
        "receiver": isTakenBack ? .init(receipt.receiver) : nil, "time": isTakenBack ? .integer(receipt.time) : nil,
        "level": signed.inclusion.map { .string($0.level.rawValue) }, "exit": 0,
      ])
    guard !json.isOn else { return }
    let money = "\(receipt.amount) \(claim.token) of claim \(claim.id) (transaction \(receipt.transaction))."
    Console.result("\(words) \(money)\(signed.isFinal ? "" : " \(Payment.mayBeUndone)")")
  }

  private var words: String {
    switch (isTakenBack, wasBack) {
    case (true, true): "Already taken back:"
    case (true, false): "Taken back:"
    case (false, true): "Already refunded:"
    case (false, false): "Refunded"
    }
  }
}
