import BumpClaims
import BumpWallet
import Samples
import Testing

@testable import BumpChain

@Suite struct VectorTests {
  private static let zero = Bytes32(rightAligned: [])

  /// Every call, by the name that the vector has.
  private static func calls() throws -> [(String, signature: String, selector: [UInt8])] {
    let terms = try VaultVector.named("a").terms()
    let vault: [(String, ClaimVaultCall)] = [
      (
        "depositWithAuthorization",
        .depositWithAuthorization(terms, from: .zero, validBefore: Expiry(clamping: 1), authorization: [])
      ),
      ("deposit", .deposit(terms)), ("claim", .claim(zero, proof: [], receiver: .zero)), ("refund", .refund(zero)),
      ("claims", .claims(zero)), ("locked", .locked(.zero)),
    ]
    let token: [(String, TokenCall)] = [
      ("balanceOf", .balance(of: .zero)), ("authorizationState", .authorizationState(.zero, nonce: zero)),
      ("DOMAIN_SEPARATOR", .domainSeparator),
    ]
    return vault.map { ($0.0, $0.1.signature, Array($0.1.data.prefix(4))) }
      + token.map { ($0.0, $0.1.signature, Array($0.1.data.prefix(4))) }
  }

  @Test func `signatures and selectors of all calls are the vector's`() throws {
    let vector = try ChainVector.file.get()
    let calls = try Self.calls()
    #expect(Set(calls.map(\.0)) == Set(vector.selectors.keys))
    for (name, signature, selector) in calls {
      #expect(signature == vector.signatures[name])
      #expect(selector == vector.selectors[name].map(hex), "\(name)")
    }
  }

  @Test func `topics of the three events are the vector's`() throws {
    let vector = try ChainVector.file.get()
    #expect(VaultEvent.createdTopic.description == vector.topics["ClaimCreated"])
    #expect(VaultEvent.claimedTopic.description == vector.topics["Claimed"])
    #expect(VaultEvent.refundedTopic.description == vector.topics["Refunded"])
  }

  @Test(arguments: try ChainVector.file.get().cases)
  func `calldata is the vector's`(vector: ChainVector.Case) throws {
    let claim = try VaultVector.named(vector.claimId)
    let (id, terms) = (try Bytes32(claim.ledgerId), try claim.terms())
    let (sender, receiver) = (try Address(claim.sender), try Address(claim.receiver))
    let deposit = ClaimVaultCall.depositWithAuthorization(
      terms, from: sender, validBefore: Expiry(clamping: claim.authorizationValidBefore),
      authorization: hex(claim.authorization))
    #expect(deposit.data == hex(vector.depositWithAuthorization))
    #expect(ClaimVaultCall.claim(id, proof: hex(claim.proof), receiver: receiver).data == hex(vector.claim))
    #expect(ClaimVaultCall.refund(id).data == hex(vector.refund))
    #expect(ClaimVaultCall.claims(id).data == hex(vector.claims))
    #expect(TokenCall.authorizationState(sender, nonce: id).data == hex(vector.authorizationState))
  }

  @Test(arguments: try ChainVector.file.get().cases)
  func `the contract's answer about a claim is read`(vector: ChainVector.Case) throws {
    let vaults = try VaultVector.named(vector.claimId)
    let claim = try ChainClaim(hex(vector.claimsAnswer))
    #expect(claim.has(try vaults.terms()))
    #expect(claim.sender == (try Address(vaults.sender)))
    #expect(claim.status == .pending)
  }

  @Test(arguments: try ChainVector.file.get().cases)
  func `logs and their filter are the vector's`(vector: ChainVector.Case) throws {
    let claim = try VaultVector.named(vector.claimId)
    let (id, terms) = (try Bytes32(claim.ledgerId), try claim.terms())
    let (created, claimed) = (try log(vector.created), try log(vector.claimed))
    #expect(
      try VaultEvent(created)
        == .created(
          id, sender: Address(claim.sender), token: terms.token, amount: UInt128(terms.amount.baseUnits),
          expiry: UInt64(claim.expiry)))
    #expect(try VaultEvent(claimed) == .claimed(id, receiver: Address(claim.receiver)))
    let bloom = try #require(Bloom(hex(vector.bloomOfCreated)))
    #expect(Bloom(of: [created]) == bloom)
    #expect(bloom.mayContain(created.address) && bloom.mayContain(VaultEvent.createdTopic) && bloom.mayContain(id))
    #expect(!bloom.mayContain(VaultEvent.claimedTopic) && !bloom.mayContain(VaultEvent.refundedTopic))
    #expect(!Bloom.empty.mayContain(created.address))
  }

  private func log(_ log: ChainVector.Case.Log) throws -> ChainLog {
    ChainLog(
      address: try Address(log.address), topics: try log.topics.map { try Bytes32($0) }, data: hex(log.data),
      blockHash: Self.zero, transaction: Self.zero, index: 0)
  }

  @Test(arguments: try ChainVector.file.get().rlp)
  func `RLP is the vector's`(vector: ChainVector.Encoding) {
    #expect(vector.value.encoded == hex(vector.encoding))
  }

  @Test(arguments: try ChainVector.file.get().transactions)
  func `a signed transaction is the vector's`(vector: ChainVector.Transaction) throws {
    let transaction = ChainTransaction(
      chainID: try number(vector.chainId), nonce: try number(vector.nonce),
      fees: Fees(maximum: try number(vector.maxFeePerGas), priority: try number(vector.maxPriorityFeePerGas)),
      gasLimit: try number(vector.gas), to: try vector.to.map { try Address($0) }, value: try number(vector.value),
      data: hex(vector.data))
    #expect(transaction.signingHash.description == vector.signingHash)
    let signed = transaction.signed(by: try ChainVector.key())
    #expect(signed.bytes == hex(vector.raw))
    #expect(signed.hash.description == vector.hash)
  }

  @Test func `addresses of contracts are the vector's`() throws {
    let vector = try ChainVector.file.get()
    let relayer = try Address(vector.relayer)
    #expect(try ChainVector.key().address == relayer)
    for created in vector.create {
      #expect(Address.ofContract(madeBy: relayer, nonce: try number(created.nonce)).description == created.address)
    }
  }
}
