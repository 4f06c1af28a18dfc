import BumpClaims
public import BumpVault
public import BumpVaultAPI
public import BumpWallet

extension Answer {
  /// Returns the answer to `GET /api/accounts/{address}`: the account's balances, without those that are zero.
  ///
  /// - Parameter balances: the base units by token.
  public static func balances(of account: Address, _ balances: [Address: Int64]) -> Answer {
    let rows = balances.sorted { $0.key.description < $1.key.description }.compactMap { token, units -> JSONValue? in
      Amount(baseUnits: units).map { ["token": .text(token), "amount": .text($0)] }
    }
    return Answer(200, ["address": .text(account), "balances": .array(rows)])
  }

  /// Returns the answer to `GET /api/accounts/{address}/history`: a page, the latest entry first. It has ledger ids and
  /// no claim ids.
  ///
  /// - Parameter limit: the greatest number of entries of a page. A page with that many says where the next one begins.
  public static func history(of account: Address, _ entries: [NumberedEntry], limit: Int) -> Answer {
    Answer(
      200,
      [
        "address": .text(account), "entries": .array(entries.map(\.entry.json)),
        "before": entries.count < limit ? nil : entries.last.map { .integer($0.number) },
      ])
  }

  /// Returns the answer to `POST /api/faucet`.
  public static func minted(_ entry: JournalEntry) -> Answer {
    Answer(
      200,
      [
        "address": .text(entry.to), "token": .text(entry.token), "amount": .text(entry.amount),
        "txHash": .text(entry.hash),
      ])
  }

  /// Returns the answer to `GET /api/challenge`.
  public static func challenge(_ challenge: Challenge) -> Answer { Answer(200, challenge.json) }

  /// Returns the answer to `GET /api/vault`: everything that a client pins, and the vault's limits.
  ///
  /// - Parameters:
  ///   - chain: what a vault on a chain tells beside that; `nil` for an embedded vault.
  ///   - asksForChallenge: whether a draft needs a solved challenge.
  ///   - hasFaucet: whether the vault makes test money. The answer says so, since then the vault's money is worth
  ///     nothing.
  ///   - signIn: by which ways codes are sent; `nil` where nobody can sign in.
  ///   - proof: the proof of the vault's identity; `nil` if the client sent no nonce.
  public static func vault(
    _ vault: VaultDescription, _ limits: VaultLimits, chain: ChainTerms? = nil, version: String,
    asksForChallenge: Bool, hasFaucet: Bool, signIn: JSONValue? = nil, proof: IdentityProof? = nil
  ) -> Answer {
    Answer(
      200,
      [
        "version": .string(version), "kind": vault.isContract ? "contract" : nil,
        "chainId": .integer(Int64(clamping: vault.chainID)), "address": .text(vault.address),
        "receiptKey": .text(vault.receiptKey), "codeHash": .text(vault.codeHash),
        "tokens": .array(vault.tokens.map { $0.json(on: vault.isContract ? vault.chainID : nil) }),
        "confirmations": chain.map { .integer(Int64(clamping: $0.confirmations)) },
        "limits": [
          "amount": .text(limits.cap),
          // On a chain, what is paid for a sender is counted instead.
          "pending": chain == nil ? .integer(limits.pending) : nil,
          "depositsPerDay": chain == nil ? .integer(limits.depositsPerDay) : nil,
          "draftSeconds": .integer(limits.draftLifetime), "expirySeconds": .integer(limits.longestLife),
          "authorizationSeconds": chain.map { .integer($0.authorizationSeconds) },
        ],
        "challenge": .bool(asksForChallenge), "faucet": .bool(hasFaucet), "signIn": signIn,
        "origin": .text(proof?.origin), "nonce": .text(proof?.nonce), "signature": .text(proof?.signature),
      ])
  }

  /// The answer to `GET /healthz` if the server works.
  public static let healthy = Answer(200, ["status": "ok"])

  /// Returns the answer to `GET /readyz` if the store answers.
  ///
  /// - Parameter time: the store's time. The answer says so if its clock is not believed.
  public static func ready(at time: StoreTime) -> Answer {
    Answer(200, ["status": "ok", "clock": time.warning.map { .string($0) }])
  }
}

extension JournalEntry {
  /// The entry as JSON for the owner of an account.
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.name), "ledgerId": kind == .mint ? nil : .text(ledgerID), "token": .text(token),
      "amount": .text(amount), "time": .integer(time),
    ]
  }
}

extension JournalEntry.Kind {
  fileprivate var name: String {
    switch self {
    case .mint: "mint"
    case .deposit: "deposit"
    case .claim: "claim"
    case .refund: "refund"
    }
  }
}

extension TokenContract {
  /// - Parameter chainID: the chain of the token's contract; `nil` for an embedded vault's token.
  fileprivate func json(on chainID: UInt64?) -> JSONValue {
    let separator = chainID.map {
      Domain(name: domainName, version: domainVersion, chainID: $0, verifyingContract: address).separator
    }
    return [
      "symbol": .text(token), "address": .text(address), "decimals": .integer(Self.decimals),
      "domain": ["name": .string(domainName), "version": .string(domainVersion)],
      "domainSeparator": .text(separator), "codeHash": .text(codeHash),
    ]
  }
}
