import BumpChain
import BumpClaims
import BumpDirect
import BumpNode
import BumpStore
import BumpSystem
import BumpText
import BumpWallet
import Glibc
import Lab
import Measures
import Samples
import Testing
import VaultContract

/// The program and a real node, whose EVM has the contract and a token. There is no vault's server anywhere.
@Suite(.needs(.testChain), .thorough, .serialized, .processes(2, isLong: true)) struct DirectLiveTests {
  @Test func `a claim is paid without any server, once, and the store calls nothing final`() async throws {
    try await DirectLive.with { live in
      let (claim, expiry) = (try live.claim(1), try live.expiry(in: 3600))
      try await live.deposit(claim, expiry: expiry)
      let bob = try LocalUser()
      // A stranger's claim of the same id, with nothing behind it.
      let other = try ClaimLink(claim: try live.claim(2), expiry: expiry).text
      try #require(try await bob.run("receive", "--link", "-", input: other + "\n").status == 0)
      let link = try ClaimLink(claim: claim, expiry: expiry).text
      let paid = try await live.run(
        bob, ["claim", "-", "--vault", "https://vault.example", "--yes", "--json"], input: link + "\n")
      #expect(paid.status == 0, "\(paid)")
      #expect(paid.standardError.contains("\nSending the transaction 0x"), "\(paid)")
      let result = try paid.result
      #expect(result.string("outcome") == "carried" && result.string("status") == "claimed", "\(result)")
      #expect(result.values["isSigned"] == .bool(false), "\(result)")
      #expect(result.string("receiver") == live.wallet.address.description, "\(result)")
      #expect(try await live.balance(live.wallet.address) == 1_000_000)
      let store = try await ClaimStore.open(at: bob.store)
      let funding = try #require(try await store.funding(of: claim, .incoming))
      #expect(funding.status == .asked && funding.receipt == nil, "\(funding)")
      #expect(funding.transaction == result.string("txHash"), "\(funding)")

      let again = try await live.run(bob, ["claim", claim.id.description, "--yes", "--json"])
      #expect(try again.status == 8 && again.result.string("outcome") == "alreadyCarried", "\(again)")
      #expect(try again.result.string("txHash") == result.string("txHash"), "\(again)")
      // One transaction was made.
      #expect(try await live.transactions() == "0x1")
    }
  }

  @Test func `a transaction that waits when the command is interrupted is found by the next one`() async throws {
    try await DirectLive.with { live in
      let (claim, expiry) = (try live.claim(1), try live.expiry(in: 3600))
      try await live.deposit(claim, expiry: expiry)
      try await live.chain.call("test_mining", #"["manual"]"#)
      let bob = try LocalUser()
      let link = try ClaimLink(claim: claim, expiry: expiry).text
      let first = try await live.start(
        bob, ["claim", "-", "--vault", "https://vault.example", "--yes", "--json"], input: link + "\n")
      while try await live.transactions("pending") == "0x0" {}
      first.signal(SIGINT)
      let interrupted = try await first.finish()
      #expect(interrupted.status == 5, "\(interrupted)")
      let hash = try #require(try interrupted.result.string("txHash"), "\(interrupted)")
      try await live.chain.call("test_mine")
      let second = try await live.run(bob, ["claim", claim.id.description, "--yes", "--json"])
      #expect(try second.status == 8 && second.result.string("txHash") == hash, "\(second)")
      #expect(try await live.transactions() == "0x1")
    }
  }

  @Test func `a claim that has not expired is taken back without any server`() async throws {
    try await DirectLive.with { live in
      let alice = try LocalUser()
      let store = try await ClaimStore.open(at: alice.store)
      let expiry = try live.expiry(in: 3600)
      let made = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: expiry) { claim in
        Funding(
          vault: "https://vault.example", ledgerID: try live.terms(claim, expiry).ledgerID.description,
          status: .pending, account: live.sender.address.description, updatedAt: UnixTime.now())
      }
      try await live.deposit(made.claim, expiry: expiry)
      let back = try await live.run(alice, ["refund", made.claim.id.description, "--yes", "--json"])
      #expect(back.status == 0, "\(back)")
      let result = try back.result
      #expect(result.string("outcome") == "carried" && result.string("status") == "claimed", "\(result)")
      #expect(result.string("receiver") == live.sender.address.description, "\(result)")
      #expect(try await live.balance(live.sender.address) == 1_000_000)
      #expect(try await store.funding(of: made.claim, .outgoing)?.status == .takingBack)
    }
  }

  @Test func `an expired claim is refunded without any server, and not before`() async throws {
    try await DirectLive.with { live in
      let (claim, expiry) = (try live.claim(1), try live.expiry(in: 3600))
      try await live.deposit(claim, expiry: expiry)
      let terms = try live.terms(claim, expiry)
      let session = DirectSession(
        DirectCall(refunding: terms, at: try live.pinned), by: live.wallet.key,
        FeePolicy(cap: 5_000_000_000, priorityCap: 5_000_000_000, leastPriority: 1_000_000), node: "node",
        rounds: 1000)
      let run = DirectRun(over: HTTPNodeTransport(url: live.chain.url)) {}
      let early = await #expect(throws: DirectFailure.self) {
        try await run.carry(session, agree: { _ in }, record: { _ in {} })
      }
      #expect(early?.code == .notExpired)
      try await live.chain.call("test_time", #"{"advance": 7200}"#)
      // The state of a call is that of the latest block, whose time has to be later.
      try await live.chain.call("test_mine")
      let payment = try await run.carry(session, agree: { _ in }, record: { _ in {} })
      #expect(payment.status == .refunded && payment.isNew)
      #expect(try await live.balance(live.sender.address) == 1_000_000)
    }
  }
}

/// A chain with the contract, people on it, and the files with which `bump` carries calls there.
private struct DirectLive: Sendable {
  let chain: TestChain
  let (wallet, sender, relayer): (Person, Person, Person)
  let files: TemporaryDirectory
  let tokenCode: Bytes32
  let token: Address
  let vault: Address

  static func with(_ body: @Sendable (DirectLive) async throws -> Void) async throws {
    let (wallet, sender, relayer) = (try Person(1), try Person(2), try Person(3))
    let options = ["--fund", wallet.address.description, "--fund", relayer.address.description]
    try await TestChain.with(["--token", "--vault"] + options) { chain in
      let (token, vault) = (try Address(#require(chain.token)), try Address(#require(chain.vault)))
      let code = try #require(Hex.decode(prefixed: try await chain.call("eth_getCode", #"["\#(token)", "latest"]"#)))
      let live = DirectLive(
        chain: chain, wallet: wallet, sender: sender, relayer: relayer, files: try TemporaryDirectory(),
        tokenCode: Keccak256.hash(code), token: token, vault: vault)
      try live.write()
      try await body(live)
    }
  }

  private init(
    chain: TestChain, wallet: Person, sender: Person, relayer: Person, files: TemporaryDirectory, tokenCode: Bytes32,
    token: Address, vault: Address
  ) {
    (self.chain, self.wallet, self.sender, self.relayer) = (chain, wallet, sender, relayer)
    (self.files, self.tokenCode, self.token, self.vault) = (files, tokenCode, token, vault)
  }

  private func write() throws {
    try WalletFile.create("\(files.directory)/wallet.key", key: wallet.key)
    let contracts = """
      {"contracts": [{"chainId": 31337, "address": "\(vault)", "codeHash": "\(ClaimVaultContract.codeHash)", "tokens": [
        {"symbol": "USDC", "address": "\(token)", "codeHash": "\(tokenCode)",
         "domain": {"name": "USD Coin", "version": "2"}}]}]}
      """
    try PrivateFile.create("\(files.directory)/contracts.json", Array(contracts.utf8))
  }

  var pinned: PinnedVault {
    get throws {
      let contract = TokenContract(
        token: .usdc, address: token, domainName: "USD Coin", domainVersion: "2", codeHash: tokenCode)
      return PinnedVault(
        configured: try VaultDescription(
          chainID: 31337, address: vault, tokens: [contract], codeHash: ClaimVaultContract.codeHash))
    }
  }

  func claim(_ number: UInt8) throws -> Claim {
    Claim(
      id: try ClaimID("claim"), secret: try ClaimSecret([UInt8](repeating: number, count: 16)), token: .usdc,
      amount: try Amount("1.00"))
  }

  func expiry(in seconds: Int64) throws -> Expiry { try #require(Expiry(unixSeconds: UnixTime.now() + seconds)) }

  func terms(_ claim: Claim, _ expiry: Expiry) throws -> ClaimTerms {
    ClaimTerms(
      secretHash: ClaimKey(secret: claim.secret, claimID: claim.id).secretHash, token: token, amount: claim.amount,
      expiry: expiry)
  }

  /// Locks a claim's amount, which the sender has signed for and the relayer carries.
  func deposit(_ claim: Claim, expiry: Expiry) async throws {
    try await chain.call("test_issuer", #"["mint(address,uint256)", "\#(sender.address)", "1000000"]"#)
    let terms = try terms(claim, expiry)
    let message = try pinned.deposit(of: terms, from: sender.address, validBefore: expiry)
    let call = ClaimVaultCall.depositWithAuthorization(
      terms, from: sender.address, validBefore: expiry, authorization: sender.key.sign(message.digest).bytes)
    let transaction = ChainTransaction(
      chainID: 31337, nonce: 0, fees: Fees(maximum: 10_000_000_000, priority: 1_000_000_000), gasLimit: 400_000,
      to: vault, data: call.data
    ).signed(by: relayer.key)
    try await chain.call("eth_sendRawTransaction", #"["\#(Hex.prefixed(transaction.bytes))"]"#)
    let claims = ClaimVaultCall.claims(terms.ledgerID).data
    let found = try await chain.call(
      "eth_call", #"[{"to": "\#(vault)", "data": "\#(Hex.prefixed(claims))"}, "latest"]"#)
    try #require(try ChainClaim(#require(Hex.decode(prefixed: found))).status == .pending)
  }

  func balance(_ account: Address) async throws -> UInt128 {
    let data = Hex.prefixed(TokenCall.balance(of: account).data)
    let found = try await chain.call("eth_call", #"[{"to": "\#(token)", "data": "\#(data)"}, "latest"]"#)
    return try TokenCall.balance(#require(Hex.decode(prefixed: found)))
  }

  /// How many transactions the wallet has made, in hex.
  func transactions(_ block: String = "latest") async throws -> String {
    try await chain.call("eth_getTransactionCount", #"["\#(wallet.address)", "\#(block)"]"#)
  }

  private var settings: [String: String] {
    ["BUMP_WALLET": "\(files.directory)/wallet.key", "BUMP_CONTRACTS": "\(files.directory)/contracts.json"]
  }

  func run(_ person: LocalUser, _ arguments: [String], input: String = "") async throws -> ProcessResult {
    try await person.run(arguments + ["--direct", chain.url], input: input, changes: settings)
  }

  func start(_ person: LocalUser, _ arguments: [String], input: String) async throws -> RunningProcess {
    let process = try await RunningProcess.start(
      [BumpCommand.binary] + arguments + ["--direct", chain.url],
      environment: person.environment.merging(settings) { $1 })
    process.type(input)
    process.closeInput()
    return process
  }
}
