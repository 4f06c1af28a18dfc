import BumpClaims
import BumpWallet

@testable import BumpChain

/// What the accounts and the contract of a simulated chain have after a block. It has the contract's rules.
struct ChainState {
  struct Claim {
    let terms: ClaimTerms
    let sender: Address
    var status: UInt64
  }

  /// Why a call reverts: the contract's own words.
  struct Reverted: Error { let reason: String }

  static let transferGas: UInt64 = 60_000

  let pinned: PinnedVault
  var claims: [Bytes32: Claim] = [:]
  var balances: [Address: UInt64] = [:]
  var nonces: [Address: UInt64] = [:]
  var wei: [Address: UInt128] = [:]
  /// Receivers that the token does not pay.
  var blocked: Set<Address> = []

  private static func selector(_ call: ClaimVaultCall) -> [UInt8] { Array(call.data.prefix(4)) }
  private static let refund = selector(.refund(.word(0 as UInt64)))
  private static let claim = selector(.claim(.word(0 as UInt64), proof: [], receiver: .zero))

  /// Carries a call out.
  ///
  /// - Returns: the topics and the data of its event.
  mutating func execute(_ data: [UInt8], at time: UInt64) throws(Reverted) -> (topics: [Bytes32], data: [UInt8]) {
    let selector = Array(data.prefix(4))
    let words = stride(from: 4, to: data.count - 31, by: 32).map { Bytes32(rightAligned: data[$0..<$0 + 32]) }
    if selector == Self.refund { return try refund(words[0], at: time) }
    if selector == Self.claim {
      return try pay(words[0], proof: Self.bytes(data, at: 1), to: Self.address(words[2]), at: time)
    }
    return try deposit(words, Self.bytes(data, at: 7), at: time)
  }

  private static func address(_ word: Bytes32) -> Address { Address(word.bytes.suffix(20)) ?? .zero }

  static func number(_ word: Bytes32) -> UInt64 { word.bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// Returns the argument of the type `bytes` at a place.
  private static func bytes(_ data: [UInt8], at place: Int) -> [UInt8] {
    let arguments = Array(data.dropFirst(4))
    let start = Int(number(Bytes32(rightAligned: arguments[32 * place..<32 * place + 32])))
    let count = Int(number(Bytes32(rightAligned: arguments[start..<start + 32])))
    return Array(arguments[start + 32..<start + 32 + count])
  }

  private mutating func deposit(
    _ words: [Bytes32], _ authorization: [UInt8], at time: UInt64
  ) throws(Reverted) -> (topics: [Bytes32], data: [UInt8]) {
    let (sender, id, token) = (Self.address(words[0]), words[1], Self.address(words[2]))
    guard
      let amount = Amount(baseUnits: Int64(Self.number(words[3]))),
      let expiry = Expiry(unixSeconds: Int64(Self.number(words[5]))),
      let validBefore = Expiry(unixSeconds: Int64(Self.number(words[6])))
    else { throw Reverted(reason: "wrong amount") }
    let terms = ClaimTerms(secretHash: words[4], token: token, amount: amount, expiry: expiry)
    guard terms.ledgerID == id else { throw Reverted(reason: "wrong id") }
    guard claims[id] == nil else { throw Reverted(reason: "id used") }
    guard Int64(time) < expiry.unixSeconds else { throw Reverted(reason: "expired") }
    let message = try? pinned.deposit(of: terms, from: sender, validBefore: validBefore)
    let signature = try? Signature(authorization)
    guard let message, let signature, message.isAuthorized(by: signature), Int64(time) < validBefore.unixSeconds
    else { throw Reverted(reason: "authorization") }
    guard balances[sender, default: 0] >= UInt64(amount.baseUnits) else { throw Reverted(reason: "balance") }
    balances[sender, default: 0] -= UInt64(amount.baseUnits)
    balances[pinned.vault.address, default: 0] += UInt64(amount.baseUnits)
    claims[id] = Claim(terms: terms, sender: sender, status: 1)
    return (
      [VaultEvent.createdTopic, id, .word(sender)],
      [Bytes32.word(token), .word(amount), .word(expiry)].flatMap(\.bytes)
    )
  }

  private mutating func pay(
    _ id: Bytes32, proof: [UInt8], to receiver: Address, at time: UInt64
  ) throws(Reverted) -> (topics: [Bytes32], data: [UInt8]) {
    guard let claim = claims[id], claim.status == 1 else { throw Reverted(reason: "not pending") }
    let payout = try? pinned.payout(of: claim.terms, to: receiver)
    guard let payout, let signature = try? Signature(proof),
      payout.isProven(by: signature, secretHash: claim.terms.secretHash)
    else { throw Reverted(reason: "wrong proof") }
    guard Int64(time) < claim.terms.expiry.unixSeconds else { throw Reverted(reason: "expired") }
    try move(claim, id, to: receiver, status: 2)
    return ([VaultEvent.claimedTopic, id, .word(receiver)], [])
  }

  private mutating func refund(
    _ id: Bytes32, at time: UInt64
  ) throws(Reverted) -> (topics: [Bytes32], data: [UInt8]) {
    guard let claim = claims[id], claim.status == 1 else { throw Reverted(reason: "not pending") }
    guard Int64(time) >= claim.terms.expiry.unixSeconds else { throw Reverted(reason: "not expired") }
    try move(claim, id, to: claim.sender, status: 3)
    return ([VaultEvent.refundedTopic, id], [])
  }

  private mutating func move(
    _ claim: Claim, _ id: Bytes32, to receiver: Address, status: UInt64
  ) throws(Reverted) {
    guard !blocked.contains(receiver) else { throw Reverted(reason: "blocklisted") }
    let units = UInt64(claim.terms.amount.baseUnits)
    balances[pinned.vault.address, default: 0] -= units
    balances[receiver, default: 0] += units
    claims[id]?.status = status
  }
}
