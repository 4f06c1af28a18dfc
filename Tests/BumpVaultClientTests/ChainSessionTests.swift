import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Sessions with a vault that is a contract, by scripted answers: at each level, and with each lie.
struct ChainSessionTests {
  private let key: PrivateKey
  private let vault: TrustedVault
  private let claim: Claim
  private let bob: Person
  private let expiry = Expiry(clamping: 6000)

  init() throws {
    key = try Person(50).key
    bob = try Person(2)
    claim = Claim(
      id: try ClaimID("claim"), secret: try ClaimSecret([UInt8](repeating: 1, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
    let code = Bytes32.word(0xC0DE as UInt64)
    let token = TokenContract(
      token: .usdc, address: try Person(51).address, domainName: "USD Coin", domainVersion: "2", codeHash: code)
    let description = try VaultDescription(
      chainID: 31337, address: Person(52).address, tokens: [token], receiptKey: key.address, codeHash: code)
    let url = try #require(VaultURL("https://vault.example"))
    vault = TrustedVault(try PinnedVault(confirmed: description), hasFaucet: false, at: url)
  }

  private var terms: ClaimTerms { get throws { try ClaimTerms(claim, expiry: expiry, at: vault) } }

  private func described(
    _ description: VaultDescription? = nil, for nonce: Bytes32, by signer: PrivateKey? = nil
  ) throws -> VaultReply {
    let said = description ?? vault.pinned.vault
    let proof = IdentityProof(said, hasFaucet: false, at: vault.url, nonce: nonce, by: signer ?? key)
    let tokens = said.tokens.map { token -> JSONValue in
      let domain = Domain(
        name: token.domainName, version: token.domainVersion, chainID: said.chainID, verifyingContract: token.address)
      return [
        "symbol": .text(token.token), "address": .text(token.address), "decimals": 6,
        "domain": ["name": .string(token.domainName), "version": .string(token.domainVersion)],
        "domainSeparator": .text(domain.separator), "codeHash": .text(token.codeHash),
      ]
    }
    let body: JSONValue = [
      "kind": "contract", "chainId": .integer(Int64(clamping: said.chainID)), "address": .text(said.address),
      "receiptKey": .text(said.receiptKey), "codeHash": .text(said.codeHash), "tokens": .array(tokens),
      "limits": ["amount": "100.00", "authorizationSeconds": 600], "challenge": false, "faucet": false,
      "origin": .text(vault.url), "nonce": .text(nonce), "signature": .text(proof.signature),
    ]
    return .answer(status: 200, body: body.encoded)
  }

  private func state(_ status: String, _ more: JSONValue.Member...) throws -> VaultReply {
    let terms = try terms
    let members: JSONValue = [
      "ledgerId": .text(terms.ledgerID), "token": .text(terms.token), "amount": .text(terms.amount),
      "expiry": .integer(terms.expiry.unixSeconds), "secretHash": .text(terms.secretHash), "status": .string(status),
      "now": 1000,
    ]
    guard case .object(let list) = members else { return .lost("no object") }
    return .answer(status: 200, body: JSONValue.object(list + more).encoded)
  }

  private static let submitted = VaultReply.answer(
    status: 202, body: Array(#"{"status":"submitted","txHash":"\#(Bytes32.word(7 as UInt64))"}"#.utf8))

  private func receipt(
    _ level: Inclusion.Level, chainID: UInt64? = nil, block: UInt64 = 9
  ) throws -> SignedReceipt {
    let terms = try terms
    let domain = Domain(
      name: "ClaimVault", version: "1", chainID: chainID ?? 31337, verifyingContract: vault.pinned.vault.address)
    let receipt = Receipt(
      ledgerID: terms.ledgerID, outcome: .claimed, token: terms.token, amount: terms.amount, receiver: bob.address,
      transaction: .word(7 as UInt64), time: 1001, domain: domain)
    let inclusion = Inclusion(blockNumber: block, blockHash: .word(9 as UInt64), level: level)
    return SignedReceipt(ChainReceipt(receipt, in: inclusion), by: key)
  }

  /// A payout whose request was recorded, and is sent.
  private func payout() throws -> PayoutSession {
    var session = try PayoutSession(claim, expiry: expiry, to: bob.address, at: vault)
    let nonce = Bytes32.word(3 as UInt64)
    _ = session.handle(.begin(nonce: nonce), at: 1000)
    _ = session.handle(.reply(try described(for: nonce)), at: 1000)
    _ = session.handle(.reply(try state("pending")), at: 1000)
    guard case .ask = session.handle(.recorded, at: 1000) else {
      Issue.record("not asked")
      return session
    }
    return session
  }

  @Test func `a payout that is carried is asked for with the same request until it is confirmed`() throws {
    var session = try payout()
    guard case .ask(let first, _) = session.handle(.reply(Self.submitted), at: 1000) else { return record("no") }
    for now in 1001..<1040 as Range<Int64> {
      #expect(session.handle(.reply(Self.submitted), at: now) == .ask(first, after: .seconds(2)))
    }
    let receipt = try receipt(.confirmed)
    guard
      case .finish(.paid(let paid)) = session.handle(
        .reply(.answer(status: 200, body: receipt.json.encoded)), at: 1040)
    else { return record("not paid") }
    #expect(paid == receipt && !paid.isFinal)
  }

  @Test func `a payout whose time is up while it is carried is open, and names its transaction`() throws {
    var session = try payout()
    _ = session.handle(.reply(Self.submitted), at: 1000)
    guard case .finish(.perhapsPaid(let failure)) = session.handle(.timeUp, at: 1060) else { return record("certain") }
    #expect(failure.code == .submitted && failure.transaction == .word(7 as UInt64))
  }

  @Test func `a refusal behind a submitted payout does not say that nothing was paid`() throws {
    var session = try payout()
    _ = session.handle(.reply(Self.submitted), at: 1000)
    let gone = Problem(.unknownClaim, "gone").answer
    let step = session.handle(.reply(.answer(status: 404, body: gone.body.encoded)), at: 1001)
    guard case .finish(.perhapsPaid) = step else { return record("certain") }
  }

  @Test(arguments: [Inclusion.Level.confirmed, .finalized])
  func `a receipt that is signed as another type, for another chain or without its block is not believed`(
    level: Inclusion.Level
  ) throws {
    let good = try receipt(level)
    let plain = SignedReceipt(good.receipt, signature: key.sign(good.receipt.digest))
    let other = Inclusion(
      blockNumber: 9, blockHash: .word(9 as UInt64), level: level == .confirmed ? .finalized : .confirmed)
    let lies = [
      plain, SignedReceipt(good.receipt, in: good.inclusion, signature: plain.signature),
      SignedReceipt(good.receipt, signature: good.signature), try receipt(level, chainID: 31338),
      SignedReceipt(good.receipt, in: other, signature: good.signature),
    ]
    for lie in lies {
      var session = try payout()
      let step = session.handle(.reply(.answer(status: 200, body: lie.json.encoded)), at: 1001)
      guard case .finish(.perhapsPaid(let failure)) = step else { return record("believed") }
      #expect(failure.code == .untrusted)
    }
    var session = try payout()
    let step = session.handle(.reply(.answer(status: 200, body: good.json.encoded)), at: 1001)
    guard case .finish(.alreadyPaid) = step else { return record("not believed: \(step)") }
  }

  @Test func `nothing is signed for a vault whose code, chain, token or receipt key is another now`() throws {
    let before = vault.pinned.vault
    let (code, stranger) = (Bytes32.word(1 as UInt64), try Person(60).key)
    let token = before.tokens[0]
    let changed = TokenContract(
      token: token.token, address: token.address, domainName: token.domainName, domainVersion: token.domainVersion,
      codeHash: code)
    let others = [
      (
        try VaultDescription(
          chainID: before.chainID, address: before.address, tokens: before.tokens, receiptKey: before.receiptKey,
          codeHash: code), key
      ),
      (
        try VaultDescription(
          chainID: 0x6275_6D70, address: before.address, tokens: before.tokens, receiptKey: before.receiptKey,
          codeHash: before.codeHash), key
      ),
      (
        try VaultDescription(
          chainID: before.chainID, address: before.address, tokens: [changed], receiptKey: before.receiptKey,
          codeHash: before.codeHash), key
      ),
      (
        try VaultDescription(
          chainID: before.chainID, address: before.address, tokens: before.tokens, receiptKey: stranger.address,
          codeHash: before.codeHash), stranger
      ),
    ]
    for (other, signer) in others {
      var session = DepositSession(claim.id, try terms, from: bob.key, at: vault)
      let nonce = Bytes32.word(4 as UInt64)
      _ = session.handle(.begin(nonce: nonce), at: 1000)
      let step = session.handle(.reply(try described(other, for: nonce, by: signer)), at: 1000)
      guard case .finish(.notLocked(let failure)) = step else { return record("signed") }
      #expect(failure.code == .changed)
    }
  }

  @Test func `a deposit on a chain may be used for ten minutes, and is refused with certainty ten minutes later`()
    throws
  {
    for (now, isCertain) in [(1000, false), (1600, false), (2199, false), (2200, true)] as [(Int64, Bool)] {
      var session = DepositSession(claim.id, try terms, from: bob.key, at: vault)
      let nonce = Bytes32.word(4 as UInt64)
      _ = session.handle(.begin(nonce: nonce), at: 1000)
      _ = session.handle(.reply(try described(for: nonce)), at: 1000)
      let draft: JSONValue = ["claimId": .text(claim.id), "ledgerId": .text(try terms.ledgerID), "status": "none"]
      guard
        case .record(let request, _) = session.handle(.reply(.answer(status: 201, body: draft.encoded)), at: 1000)
      else { return record("not recorded") }
      #expect(try DepositRequest(Array(request.utf8)).validBefore.unixSeconds == 1600)
      _ = session.handle(.recorded, at: 1000)
      _ = session.handle(.reply(Self.submitted), at: 1000)
      let over = Problem(.authorizationExpired, "over").answer
      switch session.handle(.reply(.answer(status: 410, body: over.body.encoded)), at: now) {
      case .finish(.notLocked): #expect(isCertain)
      case .finish(.perhapsLocked(let until, _)): #expect(!isCertain && until.unixSeconds == 2200)
      default: record("no end")
      }
    }
  }

  @Test(arguments: ["submitted", "none", "pending"])
  func `the state of a claim is read with its level`(status: String) throws {
    var session = StatusSession(try terms, at: vault)
    let nonce = Bytes32.word(4 as UInt64)
    _ = session.handle(.begin(nonce: nonce), at: 1000)
    _ = session.handle(.reply(try described(for: nonce)), at: 1000)
    let block: JSONValue = ["number": 5, "hash": .text(Bytes32.word(5 as UInt64))]
    let reply =
      status == "pending"
      ? try state(status, .init("level", "confirmed"), .init("block", block)) : try state(status)
    guard case .finish(.success(let answer)) = session.handle(.reply(reply), at: 1000) else { return record("unread") }
    #expect(answer.isSubmitted == (status == "submitted"))
    #expect(answer.inclusion?.level == (status == "pending" ? .confirmed : nil))
    let state = FundingState(.success(answer), leaving: .standard, at: 1000)
    #expect(state == (status == "pending" ? .funded : status == "submitted" ? .submitted(nil) : .notFunded))
  }

  @Test func `a claim that the vault knows no more has nothing locked, and silence says nothing`() throws {
    func status(after reply: VaultReply) throws -> ClaimStatus? {
      var session = StatusSession(try terms, at: vault)
      let nonce = Bytes32.word(4 as UInt64)
      _ = session.handle(.begin(nonce: nonce), at: 1000)
      _ = session.handle(.reply(try described(for: nonce)), at: 1000)
      guard case .finish(let answer) = session.handle(.reply(reply), at: 1000) else { return nil }
      return answer.status
    }
    let unknown = Problem(.unknownClaim, "there is none").answer
    #expect(try status(after: .answer(status: unknown.status, body: unknown.body.encoded)) == ClaimStatus.none)
    #expect(try status(after: state("pending")) == .pending)
    #expect(try status(after: .unsent("no network")) == nil)
  }

  @Test func `what a reorganization takes back is told, though it is an earlier state`() throws {
    var watch = ClaimWatch(try terms)
    func event(_ name: String, _ status: String) throws -> EventParser.Event {
      guard case .answer(_, let body, _) = try state(status) else { return .init(name: name, data: []) }
      return EventParser.Event(name: name, data: body)
    }
    guard case .tell = watch.received(try event("pending", "pending")) else { return record("not told") }
    #expect(watch.received(try event("none", "none")) == .none)
    guard case .tell(let answer) = watch.received(try event("unsettled", "none")) else { return record("not told") }
    #expect(answer.status == .none)
  }
}
