import BumpClaims
import BumpVault
import BumpWallet
import Samples
import Testing
import VaultContract

/// Hashes by a second implementation, in Python: hashlib of what the doc comments say, byte by byte; eth-account for
/// EIP-712.
@Suite struct EncodingTests {
  private static let hashes: [(JournalEntry.Kind, String)] = [
    (.mint, "b51dce3ffdfd8a275275898dc4356dc5f59068cc229397e3292b2865c3175179"),
    (.deposit, "17c4a03098d849a9310c6a42e60ec88e9856e92a73c27ce573eacf31d0de4dc0"),
    (.claim, "1bce41ab56988c4ffef737bed02d46a835e1e0f2df18eb2a1dd135517cfb6c19"),
    (.refund, "6f201862c65af4e4f86199b3683533a110ff218ea999b0ef734a7b3f3bc9d145"),
  ]

  @Test(arguments: hashes)
  func `a journal entry has one encoding, whose SHA-256 is the transaction's hash`(
    kind: JournalEntry.Kind, hash: String
  ) throws {
    let evidence: [UInt8] =
      switch kind {
      case .mint: []
      case .deposit: bytes("000000006b49d278") + run(9, 65)
      case .claim: run(9, 65)
      case .refund: run(8, 32)
      }
    let entry = try entry(kind, evidence)
    #expect(try entry.hash == Bytes32("0x" + hash))
    #expect(entry.encoding.count == 128 + evidence.count)
  }

  @Test func `entries that differ in anything have another hash`() throws {
    let (id, address) = (try #require(Bytes32(run(9, 32))), try #require(Address(run(9, 20))))
    let entry = try entry(.claim, [1, 2])
    let others = [
      JournalEntry(
        .refund, at: entry.time, ledgerID: entry.ledgerID, from: entry.from, to: entry.to, token: entry.token,
        amount: entry.amount, evidence: [1, 2]),
      JournalEntry(
        .claim, at: entry.time + 1, ledgerID: entry.ledgerID, from: entry.from, to: entry.to, token: entry.token,
        amount: entry.amount, evidence: [1, 2]),
      JournalEntry(
        .claim, at: entry.time, ledgerID: id, from: entry.from, to: entry.to, token: entry.token, amount: entry.amount,
        evidence: [1, 2]),
      JournalEntry(
        .claim, at: entry.time, ledgerID: entry.ledgerID, from: address, to: entry.to, token: entry.token,
        amount: entry.amount, evidence: [1, 2]),
      JournalEntry(
        .claim, at: entry.time, ledgerID: entry.ledgerID, from: entry.from, to: address, token: entry.token,
        amount: entry.amount, evidence: [1, 2]),
      JournalEntry(
        .claim, at: entry.time, ledgerID: entry.ledgerID, from: entry.from, to: entry.to, token: address,
        amount: entry.amount, evidence: [1, 2]),
      try self.entry(.claim, [1]), try self.entry(.claim, [2, 1]), try self.entry(.claim, [1, 2, 0]),
    ]
    #expect(Set(([entry] + others).map(\.hash)).count == others.count + 1)
  }

  @Test func `a batch's hash has in it the hash of the one before`() throws {
    let hashes = try [5, 6, 7].map { try #require(Bytes32(run($0, 32))) }
    let first = Batch(after: nil, at: 1_800_000_000, entries: [hashes[0]])
    #expect(try first.hash == Bytes32("0xbad1be4c0864484d25fad777280dbf813615ef95df9bc11ec4bcbffe677f23eb"))
    let second = Batch(after: (1, first.hash), at: 1_800_000_060, entries: Array(hashes[1...]))
    #expect(try second.hash == Bytes32("0x2acd248803961f2b4384152f4ed82a05bc439f7b8bab1a5c24eafc1ee98a2279"))
  }

  @Test func `a receipt is the vault's alone, and for these terms alone`() throws {
    let rules = VaultRules(try Scene.identity())
    let claim = try record(.claimed)
    let receipt = try #require(rules.receipt(of: claim))
    #expect(receipt.isSigned(by: rules.identity.address) && !receipt.isSigned(by: .zero))
    #expect(rules.receipt(of: claim) == receipt)
    let other = try #require(VaultRules(Scene.identity(seed: 2)).receipt(of: claim))
    #expect(!other.isSigned(by: rules.identity.address))
    let refund = try #require(rules.receipt(of: record(.refunded)))
    #expect(refund.receipt.receiver == .zero && refund.receipt.digest != receipt.receipt.digest)
  }

  @Test func `a receipt is signed as EIP-712 has it`() throws {
    let token = TokenContract(
      token: .usdc, address: try #require(Address(run(4, 20))), domainName: "USD Coin", domainVersion: "2")
    let rules = VaultRules(
      try VaultIdentity(key: PrivateKey([UInt8](repeating: 0, count: 31) + [1]), tokens: [token]))
    let claimed = try #require(try rules.receipt(of: record(.claimed)))
    let refunded = try #require(try rules.receipt(of: record(.refunded)))
    #expect(
      claimed.receipt.digest.description == "0x4961f9f9564f3f719ba9ff0740b103187e03facf19d8eb363946954d748e39d2")
    #expect(
      refunded.receipt.digest.description == "0xaa68395db3e3f5a299e9b2770c909a456d857c574e2e53b273d38986e08f4775")
    #expect(
      claimed.signature.description
        == "0xbac47f304324eb00b71429f1fd160b781b2e125539e2428b3aa28917832488bf"
        + "5a1505dd220532fd1ae3795ddd37c2f86de1e3a95605e241f58c7c967bb42cda1c")
  }

  @Test func `a mint is signed as EIP-712 has it`() throws {
    let token = TokenContract(
      token: .usdc, address: try #require(Address(run(4, 20))), domainName: "USD Coin", domainVersion: "2")
    let identity = try VaultIdentity(key: PrivateKey([UInt8](repeating: 0, count: 31) + [1]), tokens: [token])
    let statement = MintStatement(
      try #require(Bytes32(run(1, 32))), try #require(Amount(baseUnits: 1_000_000)), of: token.address,
      to: try #require(Address(run(3, 20))), domain: identity.vault.domain)
    #expect(statement.digest.description == "0xae09333784bac72ff96336a34acfdfb0cda7c4c8d259476a91695ca76c85f752")
  }

  private func record(_ outcome: SettlementOutcome) throws -> ClaimRecord {
    let token = try #require(Address(run(4, 20)))
    let terms = ClaimTerms(
      secretHash: try #require(Bytes32(run(1, 32))), token: token, amount: try #require(Amount(baseUnits: 1_000_000)),
      expiry: Expiry(clamping: 1_800_003_600))
    let deposit = ClaimRecord.Deposit(
      authorization: SenderAuthorization(
        sender: try #require(Address(run(2, 20))), validBefore: Expiry(clamping: 1), bytes: []),
      transaction: try #require(Bytes32(run(8, 32))), time: 1)
    let settlement = ClaimRecord.Settlement(
      outcome: outcome, receiver: try #require(Address(run(3, 20))), transaction: try #require(Bytes32(run(7, 32))),
      time: 1_800_000_000)
    return ClaimRecord(claimID: try ClaimID("a"), terms: terms, state: .settled(deposit, settlement))
  }

  private func run(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  private func entry(_ kind: JournalEntry.Kind, _ evidence: [UInt8]) throws -> JournalEntry {
    JournalEntry(
      kind, at: 1_800_000_000, ledgerID: try #require(Bytes32(run(1, 32))), from: try #require(Address(run(2, 20))),
      to: try #require(Address(run(3, 20))), token: try #require(Address(run(4, 20))),
      amount: try #require(Amount(baseUnits: kind == .mint ? .max : 1_000_000)), evidence: evidence)
  }
}
