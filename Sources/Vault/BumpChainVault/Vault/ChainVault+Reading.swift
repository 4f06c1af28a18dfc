import BumpChain
public import BumpClaims
public import BumpVault
public import BumpWallet

extension ChainVault {
  public func repeated(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord? {
    guard let standing = try await found(claimID), standing.terms == terms else { return nil }
    return standing.record(claimID, standing.anyAuthorization)
  }

  public func draft(_ claimID: ClaimID, _ terms: ClaimTerms) async throws -> ClaimRecord {
    // An id of 64 hex digits stands for the amount that was locked under that ledger id.
    if let ledgerID = ChainClaimName.ledgerID(of: claimID), ledgerID != terms.ledgerID { throw VaultRefusal.idTaken }
    if let claim = try await repeated(claimID, terms) { return claim }
    let time = try await heightAndTime().time
    try limits.check(terms, of: pinned, at: time)
    let draft = ChainDraft(claimID: claimID, terms: terms, since: time.clock)
    guard
      let row = try await add(draft, lapsingBefore: time.clock - limits.draftLifetime), let added = row.draft,
      added.terms == terms
    else { throw VaultRefusal.idTaken }
    return ClaimRecord(claimID: claimID, terms: terms, state: .draft(since: added.since))
  }

  public func terms(of claimID: ClaimID) async throws -> ClaimTerms? { try await found(claimID)?.terms }

  public func isDeposited(_ claimID: ClaimID) async throws -> Bool { try await found(claimID)?.row.created != nil }

  public func authorization(ofDeposit claimID: ClaimID) async throws -> SenderAuthorization? {
    try await found(claimID)?.row.requests[.deposit]?.authorization
  }

  public func claimID(_ name: ClaimName) async throws -> ClaimID {
    switch name {
    case .claimID(let id): return id
    case .ledgerID(let ledgerID):
      guard let row = try await row(ledgerID: ledgerID), row.created != nil else { throw VaultRefusal.unknownClaim }
      return row.draft?.claimID ?? ChainClaimName.of(ledgerID)
    }
  }

  public func view(_ claimID: ClaimID, askedBy name: ClaimName) async throws -> ClaimView {
    guard let standing = try await found(claimID) else { throw VaultRefusal.unknownClaim }
    return standing.view(askedBy: name)
  }

  public func balances(of account: Address) async throws -> [Address: Int64] {
    var balances: [Address: Int64] = [:]
    for token in pinned.vault.tokens {
      let result = try await read(TokenCall.balance(of: account).data, of: token.address)
      guard let units = try? TokenCall.balance(result) else { throw Self.unreachable("a token returned no balance") }
      if units > 0 { balances[token.address] = Int64(clamping: units) }
    }
    return balances
  }

  public func history(of account: Address, before number: Int64?, limit: Int) async throws -> [NumberedEntry] {
    let height = try await heightAndTime().height
    var (entries, before): ([NumberedEntry], Int64?) = ([], number)
    while entries.count < limit {
      let page = try await movements(of: account, before: before, limit: limit)
      entries += page.compactMap { entry($0, height) }
      guard page.count == limit, let last = page.last else { break }
      before = last.event.number
    }
    return Array(entries.prefix(limit))
  }

  /// Returns a movement as an entry of a journal; `nil` if it is not confirmed, or of a token that the vault does not
  /// hold.
  private func entry(_ movement: ChainMovement, _ height: ChainHeight) -> NumberedEntry? {
    let (event, vault) = (movement.event, pinned.vault.address)
    guard
      height.level(of: event.block) > .seen,
      case .created(_, let sender, let token, let units, _) = movement.created.event,
      pinned.vault.tokens.contains(where: { $0.address == token }),
      let amount = Int64(exactly: units).flatMap(Amount.init(baseUnits:))
    else { return nil }
    let (kind, from, to): (JournalEntry.Kind, Address, Address) =
      switch event.event {
      case .created: (.deposit, sender, vault)
      case .claimed(_, let receiver): (.claim, vault, receiver)
      case .refunded: (.refund, vault, sender)
      }
    return NumberedEntry(
      number: event.number,
      entry: JournalEntry(
        kind, at: Int64(clamping: event.time), ledgerID: event.event.ledgerID, from: from, to: to, token: token,
        amount: amount, evidence: []))
  }

  public func readiness() async throws -> StoreTime {
    let (height, time) = try await heightAndTime()
    if let lag = await driver.lag(of: height) { throw Self.unreachable(lag) }
    return time
  }

  /// Returns how a claim stands; `nil` if there is none of that id, or its draft has lapsed.
  func found(_ claimID: ClaimID) async throws -> ClaimStanding? {
    var row: ChainClaimRow?
    if let ledgerID = ChainClaimName.ledgerID(of: claimID) {
      row = try await self.row(ledgerID: ledgerID)
      if row?.created == nil { row = nil }
    }
    if row == nil { row = try await self.row(claimID) }
    guard let row, let terms = try await terms(row) else { return nil }
    let (height, time) = try await heightAndTime()
    let standing = ClaimStanding(row: row, terms: terms, height: height, time: time)
    return standing.hasLapsed(lifetime: limits.draftLifetime) ? nil : standing
  }

  /// Returns the terms of a claim: its draft's, or what the contract has of one that was locked without a draft.
  private func terms(_ row: ChainClaimRow) async throws -> ClaimTerms? {
    if let draft = row.draft { return draft.terms }
    let result = try await read(ClaimVaultCall.claims(row.ledgerID).data, of: configuration.contract)
    guard
      let claim = try? ChainClaim(result), let amount = Int64(exactly: claim.amount).flatMap(Amount.init(baseUnits:)),
      let expiry = Int64(exactly: claim.expiry).flatMap(Expiry.init(unixSeconds:)),
      pinned.vault.tokens.contains(where: { $0.address == claim.token })
    else { return nil }
    let terms = ClaimTerms(secretHash: claim.secretHash, token: claim.token, amount: amount, expiry: expiry)
    // The ledger id is the hash of the terms: a node that makes them up is found out.
    return terms.ledgerID == row.ledgerID ? terms : nil
  }
}

extension ClaimStanding {
  /// The authorization of the deposit's request, or an empty one of its sender: another program carried the deposit.
  fileprivate var anyAuthorization: SenderAuthorization {
    row.requests[.deposit]?.authorization
      ?? SenderAuthorization(sender: sender ?? .zero, validBefore: terms.expiry, bytes: [])
  }
}
