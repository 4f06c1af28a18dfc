import BumpClaims
import Samples
import Testing

@testable import BumpWallet

@Suite struct VaultVectorTests {
  @Test(arguments: try VaultVector.all())
  func `keys and addresses are the vector's`(vector: VaultVector) throws {
    #expect(try PrivateKey(Bytes32(vector.senderKey).bytes).address.description == vector.sender)
    #expect(try PrivateKey(Bytes32(vector.receiverKey).bytes).address.description == vector.receiver)
    let key = try vector.key()
    #expect(key.key.exposed == (try Bytes32(vector.claimKey)).bytes)
    #expect(key.address.description == vector.claimAddress)
    #expect(key.secretHash.description == vector.secretHash)
  }

  @Test(arguments: try VaultVector.all())
  func `the ledger id and the proof are the vector's`(vector: VaultVector) throws {
    #expect(try vector.terms().ledgerID.description == vector.ledgerId)
    let payout = try vector.payout()
    #expect(payout.digest.description == vector.claimDigest)
    #expect(try vector.key().proof(of: payout).description == vector.proof)
    #expect(payout.isProven(by: try Signature(vector.proof), secretHash: try Bytes32(vector.secretHash)))
  }

  @Test(arguments: try VaultVector.all())
  func `the authorization of the deposit is the vector's`(vector: VaultVector) throws {
    let deposit = try vector.deposit()
    #expect(deposit.nonce.description == vector.ledgerId)
    #expect(deposit.digest.description == vector.authorizationDigest)
    #expect(try PrivateKey(Bytes32(vector.senderKey).bytes).sign(deposit.digest).description == vector.authorization)
    #expect(deposit.isAuthorized(by: try Signature(vector.authorization)))
  }

  /// What a thief would change about a proof that he saw, or where else he would bring it.
  @Test(arguments: try VaultVector.all())
  func `a proof is worth nothing for another receiver, another claim, or at another vault`(vector: VaultVector) throws {
    let proof = try Signature(vector.proof)
    let secretHash = try Bytes32(vector.secretHash)
    let terms = try vector.terms()
    let others = [
      try VaultVector.vault().payout(of: terms, to: Address(vector.sender)),
      try VaultVector.vault().payout(
        of: ClaimTerms(
          secretHash: secretHash, token: terms.token, amount: terms.amount,
          expiry: Expiry(clamping: terms.expiry.unixSeconds + 60)),
        to: Address(vector.receiver)),
      try vector.payout(at: VaultVector.vault(chainID: 31338)),
      try vector.payout(at: VaultVector.vault(address: "0x1111111111111111111111111111111111111112")),
    ]
    for other in others { #expect(!other.isProven(by: proof, secretHash: secretHash)) }
    #expect(!(try vector.payout()).isProven(by: proof, secretHash: Seeded.digest(0)))
  }

  @Test(arguments: try VaultVector.all())
  func `an authorization is worth nothing with other terms, for another vault, or on another chain`(
    vector: VaultVector
  ) throws {
    let authorization = try Signature(vector.authorization)
    let terms = try vector.terms()
    let vault = try VaultVector.vault()
    let two = try Amount("2.00")
    let more = ClaimTerms(secretHash: terms.secretHash, token: terms.token, amount: two, expiry: terms.expiry)
    let until = vector.until
    let later = Expiry(clamping: until.unixSeconds + 1)
    let others = [
      try vault.deposit(of: more, from: Address(vector.sender), validBefore: until),
      try vault.deposit(of: terms, from: Address(vector.sender), validBefore: later),
      try vault.deposit(of: terms, from: Address(vector.receiver), validBefore: until),
      try vector.deposit(at: VaultVector.vault(chainID: 8453)),
      try vector.deposit(at: VaultVector.vault(address: "0x1111111111111111111111111111111111111112")),
      try vector.deposit(at: VaultVector.vault(tokenName: "USDC")),
    ]
    for other in others { #expect(!other.isAuthorized(by: authorization)) }
  }

  @Test func `the secretHash of the zero address opens to nobody`() throws {
    let payout = try VaultVector.all()[0].payout()
    let ofZero = ClaimKey.hash(of: .zero)
    let unrecoverable = [
      try unsigned(payout.digest), try Signature(adding(5, to: zeros) + adding(1, to: zeros) + [27]),
    ]
    for signature in unrecoverable {
      #expect(signature.signer(of: payout.digest) == nil)
      #expect(!payout.isProven(by: signature, secretHash: ofZero))
      #expect(!payout.isSigned(by: .zero, signature))
    }
  }

  @Test func `another claim id makes another key of the same secret`() throws {
    let secret = try ClaimSecret([UInt8](repeating: 7, count: 16))
    let (a, b) = (try ClaimID("a"), try ClaimID("b"))
    #expect(ClaimKey(secret: secret, claimID: a) == ClaimKey(secret: secret, claimID: a))
    #expect(ClaimKey(secret: secret, claimID: a) != ClaimKey(secret: secret, claimID: b))
  }

  private let zeros = [UInt8](repeating: 0, count: 32)

  /// What anybody can make for any digest z: r of the generator G, s = z. The key that it would be of is infinity.
  private func unsigned(_ digest: Bytes32) throws -> Signature {
    let g = bytes("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
    let isHigh = halfOrder.lexicographicallyPrecedes(digest.bytes)
    return try Signature(g + (isHigh ? negated(digest.bytes) : digest.bytes) + [isHigh ? 28 : 27])
  }
}
