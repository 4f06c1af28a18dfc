import BumpChain
import BumpClaims
import BumpNode
import BumpText
import BumpWallet
import Testing
import VaultContract

@testable import BumpDirect

/// Which messages a node gets, in which order, and which are not sent once something is wrong.
@Suite struct DirectSessionTests {
  private static let before = [
    "eth_chainId", "eth_getCode", "eth_getCode token", "eth_call domain", "eth_call claims", "eth_call simulation",
    "eth_estimateGas", "eth_feeHistory", "eth_getTransactionCount latest", "eth_getTransactionCount pending",
    "eth_getBalance",
  ]

  @Test func `a call is sent once the chain is compared, it is simulated, agreed to, simulated and recorded`() throws {
    var chain = try ScriptedChain()
    let payment = try chain.run().get()
    #expect(
      chain.log == Self.before + [
        "offer", "eth_call simulation", "eth_getTransactionCount pending", "record", "eth_sendRawTransaction", "pause",
        "eth_getTransactionReceipt", "pause", "eth_getTransactionReceipt", "eth_call claims",
      ])
    let offer = try #require(chain.offer)
    #expect(chain.sent == [offer.transaction.hash])
    // 60,000 gas at twice the base fee and the tip.
    #expect(offer.cost == 60_000 * 22 && offer.balance == 1_000_000_000 && offer.payer == chain.wallet.address)
    #expect(payment.status == .claimed && payment.isNew && payment.transaction == offer.transaction.hash)
    #expect(payment.block == 12 && payment.cost == 1000)
    let expected = ChainTransaction(
      chainID: 31337, nonce: 7, fees: Fees(maximum: 22, priority: 2), gasLimit: 60_000, to: ScriptedChain.contract,
      data: try chain.call().data
    ).signed(by: chain.wallet.key)
    #expect(offer.transaction == expected)
  }

  @Test func `no message has the claim's secret in it, but a proof that is good for the receiver alone`() throws {
    var chain = try ScriptedChain()
    _ = try chain.run().get()
    let secret = String(repeating: "5e", count: 16)
    #expect(chain.messages.count == 17)
    for message in chain.messages { #expect(!String(decoding: message, as: UTF8.self).contains(secret)) }
    let key = ClaimKey(secret: chain.claim.secret, claimID: chain.claim.id)
    let proof = key.proof(of: try chain.pinned.payout(of: chain.terms, to: chain.wallet.address))
    let call = ClaimVaultCall.claim(chain.terms.ledgerID, proof: proof.bytes, receiver: chain.wallet.address)
    #expect(try chain.call().data == call.data)
    #expect(throws: WalletError.self) {
      try DirectCall(paying: chain.claim, chain.terms, to: ScriptedChain.contract, at: chain.pinned)
    }
  }

  /// What a node says, why nothing is sent then, and how many questions it gets.
  typealias Refusal = (
    name: String, change: @Sendable (inout ScriptedChain) -> Void, code: DirectFailure.Code, questions: Int
  )

  private static let refusals: [Refusal] = [
    ("another chain", { $0.chainID = 1 }, .mismatch, 1),
    ("other code", { $0.codes[ScriptedChain.contract] = [9] }, .mismatch, 2),
    ("no code", { $0.codes[ScriptedChain.contract] = nil }, .mismatch, 2),
    ("a token of other code", { $0.codes[ScriptedChain.token] = [9] }, .mismatch, 3),
    ("a token of another domain", { $0.separator = .word(9 as UInt64) }, .mismatch, 4),
    ("nothing locked", { $0.status = 0 }, .notLocked, 5), ("claimed before", { $0.status = 2 }, .claimed, 5),
    ("refunded before", { $0.status = 3 }, .expired, 5), ("no such status", { $0.status = 4 }, .node, 5),
    ("a proof that is refused", { $0.refusal = "wrong proof" }, .refused, 6),
    ("an expired claim", { $0.refusal = "expired" }, .expired, 6),
    ("much gas", { $0.gas = 10_000_001 }, .tooDear, 7), ("all gas", { $0.gas = .max }, .tooDear, 7),
    ("dear gas", { $0.baseFee = 999 }, .tooDear, 8), ("the dearest gas", { $0.baseFee = .max }, .tooDear, 8),
    ("a transaction that waits", { $0.pendingNonce = 8 }, .waiting, 10),
    ("fewer transactions that wait", { $0.pendingNonce = 6 }, .waiting, 10),
    ("too few coins", { $0.balance = 60_000 * 22 - 1 }, .poor, 11),
  ]

  @Test(arguments: refusals.indices)
  func `nothing is offered, recorded or sent where a node says that something is wrong`(index: Int) throws {
    let refusal = Self.refusals[index]
    var chain = try ScriptedChain()
    refusal.change(&chain)
    let failure = try chain.run().failure
    #expect(failure?.code == refusal.code, "\(refusal.name)")
    #expect(chain.log == Array(Self.before.prefix(refusal.questions)), "\(refusal.name)")
    #expect(failure?.transaction == nil)
  }

  /// What happens while the owner thinks about the offer.
  typealias Meanwhile = (
    name: String, change: @Sendable (inout ScriptedChain) -> Void, code: DirectFailure.Code, questions: [String]
  )

  private static let again = ["eth_call simulation", "eth_getTransactionCount pending"]
  private static let meanwhile: [Meanwhile] = [
    ("the claim is claimed", { $0.refusal = "not pending" }, .refused, Array(again.prefix(1))),
    ("the claim expires", { $0.refusal = "expired" }, .expired, Array(again.prefix(1))),
    ("the number is used", { ($0.nonce, $0.pendingNonce) = (8, 8) }, .waiting, again),
    ("another transaction waits", { $0.pendingNonce = 8 }, .waiting, again),
    ("the node goes", { $0.replies["eth_call simulation"] = .lost("closed") }, .node, Array(again.prefix(1))),
  ]

  @Test(arguments: meanwhile.indices)
  func `nothing is recorded or sent where the chain went on while the owner thought about it`(index: Int) throws {
    let event = Self.meanwhile[index]
    var chain = try ScriptedChain()
    chain.meanwhile = event.change
    let failure = try chain.run().failure
    #expect(failure?.code == event.code && failure?.transaction == nil, "\(event.name)")
    #expect(chain.log == Self.before + ["offer"] + event.questions, "\(event.name)")
  }

  @Test func `a token that is not pinned is named, and no node is asked`() throws {
    let chain = try ScriptedChain()
    let token = TokenContract(
      token: .usdc, address: ScriptedChain.token, domainName: "USD Coin", domainVersion: "2")
    let description = try VaultDescription(
      chainID: 31337, address: ScriptedChain.contract, tokens: [token], codeHash: Keccak256.hash([1, 2]))
    let terms = ClaimTerms(
      secretHash: chain.terms.secretHash, token: chain.sender.address, amount: chain.claim.amount,
      expiry: Expiry(clamping: 6000))
    for call in [
      DirectCall(refunding: terms, at: chain.pinned),
      DirectCall(refunding: chain.terms, at: PinnedVault(configured: description)),
    ] {
      var session = DirectSession(call, by: chain.wallet.key, ScriptedChain.policy, node: "node")
      guard case .finish(let result) = session.handle(.begin) else {
        Issue.record("a node is asked")
        return
      }
      let failure = try #require(result.failure)
      #expect(
        failure.description
          == "nothing was sent: the token \(call.terms.token) is not pinned with the contract "
          + "\(ScriptedChain.contract). Name the token, its code hash and its domain with that contract in your file of "
          + "contracts (BUMP_CONTRACTS)")
      #expect(failure.code == .mismatch)
    }
  }

  private static let useless: [NodeReply] = [
    .unsent("refused"), .lost("closed"), .answer(status: 200, retryAfter: nil, body: Array("<html>".utf8)),
    .answer(status: 429, retryAfter: 9, body: []),
    .answer(
      status: 200, retryAfter: nil,
      body: Array(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"\u001b[2Jno"}}"#.utf8)),
    .answer(status: 200, retryAfter: nil, body: Array(#"{"jsonrpc":"2.0","id":1000,"result":"0x1"}"#.utf8)),
  ]

  @Test(arguments: before.indices, useless.indices)
  func `nothing is sent where a node gives no answer that can be used`(question: Int, reply: Int) throws {
    var chain = try ScriptedChain()
    chain.replies[Self.before[question]] = Self.useless[reply]
    let failure = try chain.run().failure
    #expect(failure?.code == .node, "\(String(describing: failure))")
    #expect(chain.log == Array(Self.before.prefix(question + 1)))
    #expect(failure?.reason.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test func `a node that has other terms under the claim's id cannot be used`() throws {
    var chain = try ScriptedChain()
    let words = [Bytes32.word(1 as UInt64)] + [Bytes32](repeating: .word(1 as UInt64), count: 5)
    let hex = Hex.prefixed(words.flatMap(\.bytes))
    chain.replies["eth_call claims"] = .answer(
      status: 200, retryAfter: nil, body: Array(#"{"jsonrpc":"2.0","id":5,"result":"\#(hex)"}"#.utf8))
    #expect(try chain.run().failure?.code == .node)
    #expect(chain.log.last == "eth_call claims")
  }

  @Test func `a contract's words are quoted, and what a node says is escaped`() throws {
    var chain = try ScriptedChain()
    chain.refusal = "blocked\u{1B}[2J. Run: rm -rf"
    let reason = try #require(try chain.run().failure?.reason)
    #expect(reason.hasPrefix("the contract refuses the call, and nothing was sent: \""))
    #expect(!reason.unicodeScalars.contains("\u{1B}"))
  }
}
