import BumpClaims
import BumpDirect
import BumpKit
import BumpNode
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// A claim that is paid in a transaction of one's own.
extension ClaimCommand {
  /// What is known of a failed payment, for its result.
  struct Found {
    var claim: ClaimID?
    var transaction: Bytes32?
  }

  /// - Parameter beginning: the beginning of the claim's id; `nil` for a link.
  func carry(
    over node: NodeURL, _ beginning: ClaimID?, _ json: JSONLines, _ found: inout Found
  ) async throws -> ExitStatus {
    try DirectPayer.check(yes: yes)
    guard let beginning else {
      guard let kept = try await linkReceiver(json).kept(what) else { return .expired }
      found.claim = kept.claim.claim.id
      Console(quiet: false).say("The claim is kept: \(kept.claim.claim.id)")
      return try await carry(
        [(kept.claim.claim, kept.claim.expiry)], of: kept.vault, over: node, in: kept.store, json, &found)
    }
    let store = try await store.open()
    let claims = try await received(beginning, in: store)
    found.claim = claims.first?.claim.id
    return try await carry(claims.map { ($0.claim, $0.expiry) }, of: nil, over: node, in: store, json, &found)
  }

  /// Pays that of several claims with the same id which the contract holds. Whatever is wrong with another one, which a
  /// stranger may have sent, does not keep the good one from being paid.
  ///
  /// - Parameter linked: the vault that the claim's link names.
  private func carry(
    _ claims: [(claim: Claim, expiry: Expiry)], of linked: VaultURL?, over node: NodeURL, in store: ClaimStore,
    _ json: JSONLines, _ found: inout Found
  ) async throws -> ExitStatus {
    let key = try vault.wallet.read()
    let receiver = try await address?.confirmed(Console(quiet: false)) ?? key.address
    let payer = DirectPayer(node: node, feeCap: direct.feeCap, key: key, yes: yes)
    let connector = try VaultConnector(Console(quiet: false))
    var (missing, reason): (DirectFailure?, (any Error)?)
    var hasVault = false
    for (claim, expiry) in claims {
      guard let url = try await vaultURL(of: claim, linked, in: store) else { continue }
      hasVault = true
      do {
        let vault = try await ConfirmedVault.contract(holding: claim.token, at: url, in: store, by: connector)
        let money = try IncomingFunding(claim, expiry: expiry, at: vault, in: store)
        return try await carried(money, to: receiver, by: payer, json)
      } catch let error as FundingError {
        reason = reason ?? error
      } catch let failure as DirectFailure {
        found.transaction = failure.transaction
        switch failure.code {
        case .notLocked: missing = failure
        case .claimed, .expired: reason = reason ?? failure
        default: throw failure
        }
      }
    }
    if !hasVault, !claims.isEmpty { _ = try vault.required() }
    throw reason ?? missing ?? CommandError(.failure, "there is no such claim")
  }

  /// Returns the vault whose record the claim has, or is to have; `nil` if none is named anywhere. It is not asked.
  private func vaultURL(of claim: Claim, _ linked: VaultURL?, in store: ClaimStore) async throws -> VaultURL? {
    if let known = try await IncomingFunding.vaultInDoubt(about: claim, in: store) { return known }
    if let named = try vault.named() { return named }
    return try await store.funding(of: claim, .incoming).flatMap { VaultURL($0.vault) } ?? linked
  }

  private func carried(
    _ money: IncomingFunding, to receiver: Address, by payer: DirectPayer, _ json: JSONLines
  ) async throws -> ExitStatus {
    let call: DirectCall
    do {
      call = try DirectCall(paying: money.claim, money.terms, to: receiver, at: money.vault.vault.pinned)
    } catch {
      throw CommandError(.failure, "the claim cannot be paid: \(error.reason)", remedy: error.remedy)
    }
    let own = try await money.ownTransactions()
    let payment = try await payer.carry(call, of: money.claim, known: own.all.map(\.hash)) { transaction in
      let record = try await money.begin(.init(transaction, paying: receiver))
      return { try await money.withdraw(record) }
    }
    let paid = own.all.last { $0.hash == payment.transaction }?.receiver ?? receiver
    return try DirectReport(
      payment: payment, claim: money.claim, deed: call.deed, receiver: paid, node: payer.node, vault: money.vault.url
    ).conclude(json)
  }
}
