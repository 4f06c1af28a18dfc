import BumpChainVault
import BumpClaims
import BumpVault
import BumpWallet
import ChainContract
import Samples
import Synchronization
import Testing
import VaultContract

@testable import BumpChain

/// A vault on a simulated chain, with nodes that may misbehave, people, and a clock that is set by hand.
struct VaultScene: Sendable {
  let clock = SetClock()
  let chain: SimulatedChain
  let nodes: [SimulatedNode]
  let store: any ChainStore
  var configuration: ChainConfiguration
  let keys: ChainKeys
  let reports = Reports()
  var vault: ChainVault

  final class Reports: Sendable {
    private let all = Mutex<[ChainReport]>([])
    func take(_ report: ChainReport) { all.withLock { $0.append(report) } }
    var texts: [String] { all.withLock { $0.map(\.text) } }
  }

  static let contract = Address.ofContract(madeBy: .zero, nonce: 1)
  static let token = Address.ofContract(madeBy: .zero, nonce: 2)
  static let deployed = DeployedVault(chainID: SimulatedChain.chainID, contract: contract)
  static let code: [UInt8] = [0x60, 0x01]

  static func configured() throws -> ChainConfiguration {
    let token = TokenContract(token: .usdc, address: token, domainName: "USD Coin", domainVersion: "2")
    return ChainConfiguration(
      chainID: SimulatedChain.chainID, contract: contract, codeHash: Keccak256.hash(code),
      tokens: [ChainToken(token, codeHash: Keccak256.hash(code))], startBlock: 101,
      fees: FeePolicy(cap: 1000, priorityCap: 100, leastPriority: 1))
  }

  /// - Parameter store: `nil` for one that keeps nothing.
  init(
    nodes count: Int = 1, on store: (any ChainStore)? = nil, _ change: (inout ChainConfiguration) -> Void = { _ in },
    codes: [Address: [UInt8]]? = nil
  ) async throws {
    var configuration = try Self.configured()
    change(&configuration)
    keys = ChainKeys(relayer: try Person(900).key, receipts: try Person(901).key)
    let tokens = try Self.configured().tokens.map(\.contract)
    let pinned = PinnedVault(
      configured: try VaultDescription(chainID: SimulatedChain.chainID, address: Self.contract, tokens: tokens))
    let chain = SimulatedChain(pinned, at: clock.now)
    let relayer = keys.relayer.address
    let people = try (1...5 as ClosedRange<UInt64>).map { try Person($0).address }
    chain.change { state in
      state.wei[relayer] = 1_000_000_000_000
      for person in people { state.balances[person] = 100_000_000 }
    }
    let separator = Domain(
      name: "USD Coin", version: "2", chainID: SimulatedChain.chainID, verifyingContract: Self.token
    ).separator
    self.chain = chain
    nodes = (0..<count).map { _ in
      SimulatedNode(
        chain, codes: codes ?? [Self.contract: Self.code, Self.token: Self.code], separators: [Self.token: separator])
    }
    let kept: any ChainStore = store ?? InMemoryChainStore(of: Self.deployed, clock: clock)
    self.store = kept
    self.configuration = configuration
    vault = try await Self.open(configuration, keys, nodes, kept, clock, reports)
  }

  private static func open(
    _ configuration: ChainConfiguration, _ keys: ChainKeys, _ nodes: [SimulatedNode], _ store: any ChainStore,
    _ clock: SetClock, _ reports: Reports
  ) async throws -> ChainVault {
    let pool = NodePool(
      nodes.enumerated().map { ("node \($0.offset + 1)", $0.element) }, chainID: configuration.chainID
    ) { clock.now }
    return try await ChainVault.open(
      configuration, keys: keys, nodes: pool, store: store, clock: { clock.now }, report: { reports.take($0) })
  }

  /// Opens a second vault on the same store and chain: another server, or this one after its death.
  ///
  /// - Parameter relayer: the key that pays from now on; `nil` for the same as before.
  func opened(relayer: PrivateKey? = nil) async throws -> ChainVault {
    let keys = ChainKeys(relayer: relayer ?? keys.relayer, receipts: keys.receipts)
    return try await Self.open(configuration, keys, nodes, store, clock, reports)
  }

  /// Lets the vault begin its index and outbox.
  func start() async {
    for _ in 0..<2 { await tick() }
  }

  /// One second passes.
  func tick(_ seconds: Int64 = 1) async {
    clock.advance(by: seconds)
    await vault.tick()
    await vault.idle()
  }

  /// Blocks are made, and the vault sees them.
  func mine(_ blocks: Int = 1) async {
    for _ in 0..<blocks {
      chain.mine()
      await tick(2)
    }
    for _ in 0..<2 { await tick(2) }
  }

  func claim(_ number: UInt64, _ units: Int64 = 1_000_000, lasting seconds: Int64 = 3600) throws -> MadeClaim {
    var generator = SplitMix64(seed: number)
    let id = ClaimID(drawing: { generator.bytes(16) })
    let key = ClaimKey(secret: try ClaimSecret(Scene.secret(number)), claimID: id)
    let expiry = clock.now + seconds
    return MadeClaim(
      id: id, key: key,
      terms: ClaimTerms(
        secretHash: key.secretHash, token: Self.token, amount: try #require(Amount(baseUnits: units)),
        expiry: try #require(Expiry(unixSeconds: expiry + (60 - expiry % 60) % 60))))
  }

  func authorization(
    _ claim: MadeClaim, from person: UInt64 = 1, for seconds: Int64 = 600
  ) throws -> SenderAuthorization {
    let sender = try Person(person)
    let end = try #require(Expiry(unixSeconds: clock.now + seconds))
    let message = try vault.pinned.deposit(of: claim.terms, from: sender.address, validBefore: end)
    return SenderAuthorization(
      sender: sender.address, validBefore: end, bytes: sender.key.sign(message.digest).bytes)
  }

  func proof(_ claim: MadeClaim, to person: UInt64) throws -> [UInt8] {
    claim.key.proof(of: try vault.pinned.payout(of: claim.terms, to: try Person(person).address)).bytes
  }

  /// Drafts and deposits a claim, up to the confirmation.
  func deposited(_ number: UInt64, lasting seconds: Int64 = 3600) async throws -> MadeClaim {
    let claim = try claim(number, lasting: seconds)
    _ = try await vault.draft(claim.id, claim.terms)
    _ = try await vault.deposit(claim.id, authorization(claim))
    await mine(3)
    #expect(try await view(claim).status == .pending)
    return claim
  }

  func view(_ claim: MadeClaim) async throws -> ClaimView {
    try await vault.view(claim.id, askedBy: .claimID(claim.id))
  }

  /// The contract has what is pending, and nobody's money was made or lost.
  func expectConserved() {
    let state = chain.state
    let pending = state.claims.values.filter { $0.status == 1 }.reduce(0) { $0 + UInt64($1.terms.amount.baseUnits) }
    #expect(state.balances[Self.contract, default: 0] == pending)
    #expect(state.balances.values.reduce(0, +) == 500_000_000)
  }
}

/// Expects that a request is on its way, and returns its transaction.
@discardableResult func expectSubmitted<Value: Sendable>(
  _ outcome: VaultOutcome<Value>, at location: SourceLocation = #_sourceLocation
) -> Bytes32? {
  if case .submitted(let hash) = outcome { return hash }
  Issue.record("it was not submitted", sourceLocation: location)
  return nil
}

/// Expects that a request was carried out, and returns the result.
@discardableResult func expectDone<Value: Sendable>(
  _ outcome: VaultOutcome<Value>, at location: SourceLocation = #_sourceLocation
) -> Value? {
  if case .done(let value) = outcome { return value }
  Issue.record("it was not carried out", sourceLocation: location)
  return nil
}
