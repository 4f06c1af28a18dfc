package import BumpChain
package import BumpClaims
package import BumpWallet
package import VaultContract

/// Makes stores that share their rows, and returns one more of them each time.
package struct ChainStoreMaker: Sendable {
  let make: @Sendable (DeployedVault, SetClock) async throws -> any ChainStore

  package init(_ make: @escaping @Sendable (DeployedVault, SetClock) async throws -> any ChainStore) {
    self.make = make
  }
}

/// A store, a relayer's key, and a chain to index.
package struct ChainScene: Sendable {
  package static let vault = DeployedVault(chainID: 31_337, contract: address(0xcc))
  package static let token = address(0xdd)
  package static let (alice, bob) = (address(0xa1), address(0xb0))

  /// What two processes draw.
  package static let (first, second) = (hash("first process"), hash("second process"))
  package static let time: Int64 = 1_800_000_000

  package let clock = SetClock(ChainScene.time)
  package let store: any ChainStore
  package let key: PrivateKey
  package let lease: ChainLease

  package init(_ maker: ChainStoreMaker) async throws {
    store = try await maker.make(Self.vault, clock)
    key = try PrivateKey([UInt8](repeating: 7, count: 32))
    guard case .held(let lease) = try await store.takeLease(of: key.address, holder: Self.first, seconds: 60) else {
      throw ChainStoreError(.leaseLost, "a new store has a lease")
    }
    self.lease = lease
    try await store.begin(behind: Self.header(0), lease)
  }

  package static func hash(_ text: String) -> Bytes32 { Keccak256.hash(text.utf8) }

  package static func address(_ byte: UInt8) -> Address {
    guard let address = Address([UInt8](repeating: byte, count: 20)) else { preconditionFailure("20 bytes") }
    return address
  }

  /// Returns the header of a block of a branch. All branches have the blocks up to 10 in common.
  package static func header(_ number: UInt64, _ branch: String = "a") -> BlockHeader {
    func name(_ number: UInt64) -> Bytes32 { hash("block \(number) \(number <= 10 ? "a" : branch)") }
    return BlockHeader(
      number: number, hash: name(number), parent: name(number &- 1), time: UInt64(time) + 2 * number, bloom: .empty)
  }

  package static func claimID(_ number: Int) throws -> ClaimID { try ClaimID("claim-\(number)") }

  package static func terms(_ number: Int) -> ClaimTerms {
    guard let amount = Amount(baseUnits: 1000 + Int64(number)) else { preconditionFailure("an amount") }
    return ClaimTerms(
      secretHash: hash("secret \(number)"), token: token, amount: amount, expiry: Expiry(clamping: time + 86_400))
  }

  package static func draft(_ number: Int, since: Int64 = time) throws -> ChainDraft {
    ChainDraft(claimID: try claimID(number), terms: terms(number), since: since)
  }

  package static func created(_ number: Int) -> PlacedEvent {
    let terms = terms(number)
    return PlacedEvent(
      .created(
        terms.ledgerID, sender: alice, token: token, amount: UInt128(terms.amount.baseUnits),
        expiry: UInt64(terms.expiry.unixSeconds)),
      transaction: hash("deposit \(number)"))
  }

  package static func claimed(_ number: Int) -> PlacedEvent {
    PlacedEvent(.claimed(terms(number).ledgerID, receiver: bob), transaction: hash("claim \(number)"))
  }

  package static func refunded(_ number: Int) -> PlacedEvent {
    PlacedEvent(.refunded(terms(number).ledgerID), transaction: hash("refund \(number)"))
  }

  package static func deposit(_ number: Int, validBefore: Int64 = time + 600) -> ChainRequest {
    .deposit(
      terms(number), from: alice, validBefore: Expiry(clamping: validBefore),
      authorization: [UInt8](repeating: 1, count: 65))
  }

  /// Takes blocks up to a number, the events of each by its number.
  package func advance(
    from parent: UInt64, to tip: UInt64, _ events: [UInt64: [PlacedEvent]] = [:], on branch: String = "a",
    takingBack: Int = 0, keepingFrom oldest: UInt64 = 0
  ) async throws {
    let blocks = (parent + 1...tip).map { number in
      ChainStep.Block(header: Self.header(number, branch), events: events[number] ?? [])
    }
    let step = ChainStep(
      parent: Self.header(parent, branch), takesBack: takingBack, blocks: blocks, keepsFrom: oldest)
    try await store.advance(step, lease)
  }

  /// Returns the entry of a request's call, signed for a nonce.
  package func entry(
    _ request: ChainRequest, nonce: UInt64, _ fees: Fees = Fees(maximum: 10, priority: 1)
  ) throws -> OutboxEntry {
    let call = RelayedCall(request.kind, of: Self.vault.contract, data: request.call.data, gasLimit: 200_000)
    let transaction = ChainTransaction(
      chainID: Self.vault.chainID, nonce: nonce, fees: fees, gasLimit: call.gasLimit, to: call.contract, data: call.data
    ).signed(by: key)
    let attempt = OutboxEntry.Attempt(fees: fees, transaction: transaction)
    guard let entry = OutboxEntry(nonce: nonce, call: call, attempts: [attempt]) else {
      preconditionFailure("there is an attempt")
    }
    return entry
  }

  package func receipt(_ entry: OutboxEntry, block: UInt64, isSuccessful: Bool = true) -> TransactionReceipt {
    TransactionReceipt(
      transaction: entry.latest.transaction.hash, blockHash: Self.header(block).hash, blockNumber: block,
      isSuccessful: isSuccessful, gasUsed: 150_000, gasPrice: 5)
  }
}
