public import BumpClaims
import BumpText
public import BumpVault
public import BumpVaultAPI
public import BumpWallet

extension Answer {
  /// Returns the answer to `POST /api/claims`: 201, also for a repeat, whose claim may be in a later state.
  ///
  /// - Parameter secret: the secret, if the vault drew it. It is in this answer and nowhere else.
  public static func drafted(_ claim: ClaimRecord, secret: ClaimSecret? = nil) -> Answer {
    Answer(
      201,
      [
        "claimId": .text(claim.claimID), "ledgerId": .text(claim.terms.ledgerID),
        "expiry": .integer(claim.terms.expiry.unixSeconds), "status": .string(claim.status.rawValue),
        "secret": secret.map { .string(Base64.encoded($0.exposed)) },
      ], headers: [Header("Location", "/api/claims/\(claim.claimID)")])
  }

  /// Returns the answer to `POST /api/claims/{id}/deposit`: 200 with the deposit's transaction, also for a repeat.
  ///
  /// - Returns: `nil` for a draft, which has no deposit.
  public static func deposited(_ claim: ClaimRecord) -> Answer? {
    claim.deposit.map {
      Answer(200, ["status": .string(claim.status.rawValue), "txHash": .text($0.transaction)])
    }
  }

  /// Returns the answer to a deposit, a claim or a refund that a chain confirms later: 202 with the transaction.
  public static func submitted(_ transaction: Bytes32) -> Answer {
    Answer(202, ["status": "submitted", "txHash": .text(transaction)])
  }

  /// Returns the answer to `GET /api/claims/{name}`.
  public static func claim(_ claim: ClaimView) -> Answer { Answer(200, claim.json) }

  /// Returns the answer to a claim that was paid to the receiver that asks, now or before.
  public static func paid(_ payout: PayoutResult) -> Answer {
    guard case .object(let members) = payout.receipt.json else { return receipt(payout.receipt) }
    return Answer(
      200,
      .object(members + [JSONValue.Member("made", .string(payout.isNew ? PayoutResponse.now : PayoutResponse.before))])
    )
  }

  /// Returns the answer to a refund that was carried out, now or before.
  public static func receipt(_ receipt: SignedReceipt) -> Answer { Answer(200, receipt.json) }
}

extension ClaimView {
  /// The claim as JSON for anybody: without the sender's address.
  public var json: JSONValue {
    [
      "claimId": .text(claimID), "ledgerId": .text(terms.ledgerID), "token": .text(terms.token),
      "amount": .text(terms.amount), "expiry": .integer(terms.expiry.unixSeconds), "status": .string(statusName),
      "secretHash": .text(terms.secretHash), "now": .integer(now), "txHash": .text(transaction),
      "time": time.map { .integer($0) },
      "receiver": .text(receiver), "level": inclusion.map { .string($0.level.rawValue) }, "block": inclusion?.block,
    ]
  }
}
