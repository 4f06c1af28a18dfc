import BumpChain
import BumpClaims
import BumpNode
import BumpText
import BumpVaultAPI
import BumpWallet
import Testing
import VaultContract

@testable import BumpDirect

/// A node that says what a test wants, a claim of 1.00 whose money its contract holds, and what a session does with both.
struct ScriptedChain {
  static let contract = Address.ofContract(madeBy: .zero, nonce: 1)
  static let token = Address.ofContract(madeBy: .zero, nonce: 2)
  static let policy = FeePolicy(cap: 1000, priorityCap: 1000, leastPriority: 1)
  static let earlier = Bytes32.word(0xEA as UInt64)

  let claim: Claim
  let pinned: PinnedVault
  let terms: ClaimTerms
  let (wallet, sender): (Person, Person)

  // What the node says.
  var chainID: UInt64 = 31337
  var codes: [Address: [UInt8]] = [contract: [1, 2], token: [3, 4]]
  var separator: Bytes32
  /// The claim's status in the contract, before a transaction is sent and once a block has it.
  var (status, statusAfter): (UInt64, UInt64) = (1, 2)
  /// Why the contract refuses the call; `nil` if it takes it.
  var refusal: String?
  var (gas, baseFee, nonce, pendingNonce): (UInt64, UInt64, UInt64, UInt64) = (50_000, 10, 7, 7)
  var balance: UInt128 = 1_000_000_000
  /// What becomes of a message; a method that is not here gets its answer.
  var replies: [String: NodeReply] = [:]
  /// The transactions that a block has, and whether they took effect.
  var mined: [Bytes32: Bool] = [:]
  /// After how many questions about its receipt a block has what was sent, and whether it takes effect; `nil` for never.
  var blocks: Int? = 1
  var takesEffect = true
  /// What happens while the owner thinks about the offer.
  var meanwhile: (@Sendable (inout ScriptedChain) -> Void)?

  // What the session did.
  private(set) var log: [String] = []
  private(set) var sent: [Bytes32] = []
  private(set) var offer: DirectOffer?
  private(set) var messages: [[UInt8]] = []

  init() throws {
    (wallet, sender) = (try Person(1), try Person(2))
    claim = Claim(
      id: try ClaimID("claim"), secret: try ClaimSecret([UInt8](repeating: 0x5E, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
    let token = TokenContract(
      token: .usdc, address: Self.token, domainName: "USD Coin", domainVersion: "2", codeHash: Keccak256.hash([3, 4]))
    pinned = PinnedVault(
      configured: try VaultDescription(
        chainID: 31337, address: Self.contract, tokens: [token], codeHash: Keccak256.hash([1, 2])))
    terms = ClaimTerms(
      secretHash: ClaimKey(secret: claim.secret, claimID: claim.id).secretHash, token: Self.token,
      amount: claim.amount, expiry: Expiry(clamping: 6000))
    separator =
      Domain(name: "USD Coin", version: "2", chainID: 31337, verifyingContract: Self.token).separator
  }

  func call(_ deed: DirectCall.Deed = .claim) throws -> DirectCall {
    switch deed {
    case .refund: DirectCall(refunding: terms, at: pinned)
    case .claim: try DirectCall(paying: claim, terms, to: wallet.address, at: pinned)
    case .takeBack: try DirectCall(paying: claim, terms, to: sender.address, isTakenBack: true, at: pinned)
    }
  }

  func session(_ deed: DirectCall.Deed = .claim, known: [Bytes32] = [], rounds: Int = 3) throws -> DirectSession {
    DirectSession(try call(deed), by: wallet.key, known: known, Self.policy, node: "node", rounds: rounds)
  }

  /// Runs a session to its end.
  ///
  /// - Parameter step: the step in whose place, counted from 0, the command is interrupted.
  mutating func run(
    _ deed: DirectCall.Deed = .claim, known: [Bytes32] = [], rounds: Int = 3, cancelledAt place: Int? = nil
  ) throws -> Result<DirectPayment, DirectFailure> {
    var session = try session(deed, known: known, rounds: rounds)
    var step = session.handle(.begin)
    for count in 0... {
      if case .finish(let result) = step { return result }
      if count == place {
        step = session.handle(.cancelled)
        continue
      }
      switch step {
      case .ask(let message): step = session.handle(.reply(try reply(to: message)))
      case .offer(let offer):
        (self.offer, log) = (offer, log + ["offer"])
        meanwhile?(&self)
        step = session.handle(.agreed)
      case .record(let hash):
        #expect(hash == offer?.transaction.hash)
        log.append("record")
        step = session.handle(.recorded)
      case .pause:
        log.append("pause")
        step = session.handle(.waited)
      case .finish: break
      }
    }
    fatalError("a session has an end")
  }

  /// Answers a message, and takes down which it was.
  mutating func reply(to message: [UInt8]) throws -> NodeReply {
    let fields = try Self.members(JSONParser.parse(message, within: .init(count: 1 << 20, depth: 8)))
    guard case .string(let method)? = fields["method"], case .integer(let id)? = fields["id"],
      case .array(let parameters)? = fields["params"]
    else { throw NotUnderstood() }
    let what = try name(method, parameters)
    log.append(what)
    messages.append(message)
    if method == "eth_sendRawTransaction", case .string(let text)? = parameters.first {
      sent.append(Keccak256.hash(try #require(Hex.decode(prefixed: text))))
    }
    if let reply = replies[what] ?? replies[method] { return reply }
    return .answer(status: 200, retryAfter: nil, body: try answer(what, parameters, id: id).encoded)
  }

  struct NotUnderstood: Error {}

  private static func members(_ value: JSONValue) -> [String: JSONValue] {
    guard case .object(let members) = value else { return [:] }
    return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The method, and what it is asked of where several questions have one method.
  private func name(_ method: String, _ parameters: [JSONValue]) throws -> String {
    switch method {
    case "eth_call":
      let call = Self.members(try #require(parameters.first))
      if call["to"] == .string(Self.token.description) { return "eth_call domain" }
      let isClaims = call["data"] == .string(Hex.prefixed(ClaimVaultCall.claims(terms.ledgerID).data))
      if !isClaims { #expect(call["from"] == .string(wallet.address.description)) }
      return isClaims ? "eth_call claims" : "eth_call simulation"
    case "eth_getCode": return parameters.first == .string(Self.token.description) ? "eth_getCode token" : method
    case "eth_getTransactionCount": return "\(method) \(parameters.last == "pending" ? "pending" : "latest")"
    default: return method
    }
  }

  private static func quantity(_ number: some BinaryInteger) -> JSONValue { .string("0x" + String(number, radix: 16)) }

  private mutating func answer(_ what: String, _ parameters: [JSONValue], id: Int64) throws -> JSONValue {
    let result: JSONValue
    switch what {
    case "eth_chainId": result = Self.quantity(chainID)
    case "eth_getCode": result = .string(Hex.prefixed(codes[Self.contract] ?? []))
    case "eth_getCode token": result = .string(Hex.prefixed(codes[Self.token] ?? []))
    case "eth_call domain": result = .text(separator) ?? .null
    case "eth_call claims": result = .string(Hex.prefixed(words))
    case "eth_call simulation":
      if let refusal {
        return [
          "jsonrpc": "2.0", "id": .integer(id),
          "error": [
            "code": 3, "message": "execution reverted", "data": .string(Hex.prefixed(Self.revert(refusal))),
          ],
        ]
      }
      result = "0x"
    case "eth_estimateGas": result = Self.quantity(gas)
    case "eth_feeHistory":
      result = ["baseFeePerGas": [Self.quantity(baseFee), Self.quantity(baseFee)], "reward": [["0x2"]]]
    case "eth_getTransactionCount latest": result = Self.quantity(nonce)
    case "eth_getTransactionCount pending": result = Self.quantity(pendingNonce)
    case "eth_getBalance": result = Self.quantity(balance)
    case "eth_sendRawTransaction": result = .text(sent.last) ?? .null
    case "eth_getTransactionReceipt": result = try receipt(parameters)
    default: throw NotUnderstood()
    }
    return ["jsonrpc": "2.0", "id": .integer(id), "result": result]
  }

  /// What `claims` returns.
  private var words: [UInt8] {
    let isMined = mined.contains { $0.value }
    let now = isMined ? statusAfter : status
    guard now != 0 else { return [UInt8](repeating: 0, count: 192) }
    return [
      .word(sender.address), .word(Self.token), .word(terms.amount), .word(terms.expiry), .word(now), terms.secretHash,
    ].flatMap(\.bytes)
  }

  /// What a call returns that reverts with a reason (Solidity's `Error(string)`).
  private static func revert(_ reason: String) -> [UInt8] {
    let text = Array(reason.utf8)
    let padding = [UInt8](repeating: 0, count: (32 - text.count % 32) % 32)
    return [0x08, 0xC3, 0x79, 0xA0] + Bytes32.word(32 as UInt64).bytes + Bytes32.word(UInt64(text.count)).bytes + text
      + padding
  }

  private mutating func receipt(_ parameters: [JSONValue]) throws -> JSONValue {
    guard case .string(let text)? = parameters.first else { throw NotUnderstood() }
    let hash = try Bytes32(text)
    if sent.contains(hash), let left = blocks {
      if left == 0 { mined[hash] = takesEffect } else { blocks = left - 1 }
    }
    guard let isSuccessful = mined[hash] else { return .null }
    return [
      "transactionHash": .text(hash), "blockHash": .text(Bytes32.word(12 as UInt64)), "blockNumber": "0xc",
      "status": isSuccessful ? "0x1" : "0x0", "gasUsed": "0x64", "effectiveGasPrice": "0xa",
    ]
  }
}

extension Result where Success == DirectPayment, Failure == DirectFailure {
  /// Why it failed; `nil` if it did not.
  var failure: DirectFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
