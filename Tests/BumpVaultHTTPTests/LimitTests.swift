import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// How often who may ask.
struct LimitTests {
  /// Asks until it is refused, and says how often it was answered.
  private func answered(
    _ served: Served, _ method: String = "GET", _ path: String = "/api/challenge", _ body: String? = nil,
    from peer: String = Served.away, _ headers: [VaultRequest.Header] = []
  ) async throws -> (count: Int, last: VaultResponse) {
    for count in 0..<10_000 {
      let response = try await served.ask(method, path, body, from: peer, headers)
      if response.problem == Problem.Kind.tooManyRequests.name { return (count, response) }
    }
    Issue.record("never refused")
    return (0, try await served.ask(method, path))
  }

  @Test func `an address has so many requests a minute, and is told when the next one is answered`() async throws {
    let served = try await Served { $0.requestsPerMinute = 30 }
    let (count, refused) = try await answered(served)
    #expect(count == 30 && refused.header("Retry-After") == "2")
    #expect(try await answered(served, from: "192.0.2.2").count == 30)
    served.scene.clock.advance(by: 2)
    #expect(try await answered(served).count == 1)
    served.scene.clock.advance(by: 60)
    #expect(try await answered(served).count == 30)
  }

  @Test func `whoever comes when told so is answered: seconds are rounded up`() async throws {
    // One each second and a half.
    let served = try await Served { $0.requestsPerMinute = 40 }
    #expect(try await answered(served).last.header("Retry-After") == "2")
    served.scene.clock.advance(by: 2)
    #expect(try await answered(served).count == 1)
  }

  @Test func `three hundred, unless it is said otherwise`() async throws {
    #expect(try await answered(try await Served()).count == 300)
  }

  @Test func `an IPv6 network counts as one, and a mapped IPv4 address as itself`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served, from: "2001:db8:1:2::1").count == 10)
    #expect(try await answered(served, from: "2001:db8:1:2:ffff::1").count == 0)
    #expect(try await answered(served, from: "2001:db8:1:3::1").count == 10)
    #expect(try await answered(served, from: "192.0.2.9").count == 10)
    #expect(try await answered(served, from: "::ffff:192.0.2.9").count == 0)
  }

  @Test func `paths and methods that are none count too`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served, "GET", "/nothing").count == 10)
    #expect(try await answered(served, "PUT", "/api/vault", from: "192.0.2.2").count == 10)
    #expect(try await answered(served, "OPTIONS", "/api/vault", from: "192.0.2.3").count == 10)
  }

  @Test func `whoever watches over the vault is not turned away, unless the store is asked too often`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    for _ in 0..<100 {
      #expect(try await served.ask("GET", "/healthz", from: Served.away).status == 200)
      #expect(try await served.ask("GET", "/readyz", from: Served.away).status == 200)
    }
    expectProblem(try await served.ask("GET", "/readyz", from: Served.away), .tooManyRequests)
    #expect(try await served.ask("GET", "/healthz", from: Served.away).status == 200)
  }

  @Test func `claims that are in the vault are paid past the limit, up to ten times as many`() async throws {
    let served = try await Served(limits: VaultLimits(pending: 200, depositsPerDay: 200)) { $0.requestsPerMinute = 10 }
    try await served.scene.mint(200_000_000, to: Person(1))
    var claims: [MadeClaim] = []
    for number in 1...120 as ClosedRange<UInt64> {
      claims.append(try served.scene.claim(number))
      try await served.scene.lock(claims[Int(number) - 1], from: Person(1))
    }
    _ = try await answered(served)
    // 10 of the ceiling's hundred are used up.
    var paid = 0
    for claim in claims {
      let path = "/api/claims/\(claim.id)/claim"
      let response = try await served.ask("POST", path, served.payout(claim, to: Person(2)), from: Served.away)
      if response.status == 200 { paid += 1 } else { expectProblem(response, .tooManyRequests) }
    }
    #expect(paid == 90)
  }

  @Test(arguments: [
    ("GET", "/api/challenge"), ("GET", "/openapi.json"), ("GET", "/api/claims/nothing/events"),
    ("GET", "/api/accounts/0x\(String(repeating: "1", count: 40))"),
    ("GET", "/api/accounts/0x\(String(repeating: "1", count: 40))/history"), ("POST", "/api/faucet"),
    ("POST", "/api/sign-in"), ("GET", "/nothing"), ("PUT", "/api/vault"), ("OPTIONS", "/api/vault"),
  ])
  func `a request that the limit refuses takes no place of what a payout needs`(
    method: String, path: String
  ) async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served, method, path).count == 10)
    for _ in 0..<200 { expectProblem(try await served.ask(method, path, from: Served.away), .tooManyRequests) }
    #expect(try await answered(served, "GET", "/api/vault").count == 90)
  }

  @Test func `a request that the ceiling refuses takes no place of the limit's`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served, "GET", "/api/vault").count == 100)
    for _ in 0..<50 { expectProblem(try await served.ask("GET", "/openapi.json", from: Served.away), .tooManyRequests) }
    // The ceiling has room for ten again, of which one would have leaked out of the limit.
    served.scene.clock.advance(by: 6)
    #expect(try await answered(served).count == 10)
  }

  /// What a payout needs: the vault's description, with a nonce or without, the claim, and the payout itself. The limit is
  /// 10 × 300 requests a minute of a network, 50 a second; 40 are the stranger's, and 4 the receiver's.
  @Test func `a stranger behind the receiver's NAT who asks forty times a second keeps no payout from it`() async throws
  {
    let served = try await Served(limits: VaultLimits(pending: 200, depositsPerDay: 200))
    try await served.scene.mint(200_000_000, to: Person(1))
    let strangers = ["/api/challenge", "/api/vault", "/api/claims/nothing", "/openapi.json", "/nothing"]
    for second in 1...180 as ClosedRange<UInt64> {
      for number in 0..<40 { try await served.ask("GET", strangers[number % strangers.count], from: Served.away) }
      // A whole minute, whatever the second.
      let claim = try served.scene.claim(second, lasting: 7200 - Int64((second - 1) % 60))
      try await served.scene.lock(claim, from: Person(1))
      let path = "/api/claims/\(claim.terms.ledgerID)"
      for target in ["/api/vault", path, "/api/claims/\(claim.id)"] {
        #expect(try await served.ask("GET", target, from: Served.away).status == 200, "second \(second)")
      }
      let paid = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2)), from: Served.away)
      #expect(paid.status == 200, "second \(second)")
      served.scene.clock.advance(by: 1)
    }
    #expect(try await served.scene.balance(Person(2)) == 180_000_000)
    // The stranger's own requests are refused, but for those of the last second.
    for _ in 0..<10 { try await served.ask("GET", "/api/challenge", from: Served.away) }
    expectProblem(try await served.ask("GET", "/api/challenge", from: Served.away), .tooManyRequests)
  }

  @Test func `reads of a claim are uncounted once its money is in the vault, and drafts and guesses are counted`()
    async throws
  {
    let served = try await Served { $0.requestsPerMinute = 10 }
    try await served.scene.payOneOfTwo()
    let (pending, draft) = (try served.scene.claim(1), try served.scene.claim(3))
    _ = try await served.scene.vault.draft(draft.id, draft.terms)
    #expect(try await answered(served, "GET", "/api/claims/\(pending.id)").count == 100, "the ceiling")
    #expect(try await answered(served, "GET", "/api/vault", from: "192.0.2.4").count == 100, "the ceiling")
    #expect(try await answered(served, "GET", "/api/claims/\(draft.id)", from: "192.0.2.2").count == 10)
    #expect(try await answered(served, "GET", "/api/claims/nothing", from: "192.0.2.3").count == 10)
  }

  /// At most requestsPerMinute × (draftLifetime / 60 + 1) drafts of a network stand at once: each takes a request, and
  /// lapses.
  @Test func `a network's drafts stay within its requests of a draft's lifetime, however long it goes on`() async throws
  {
    let served = try await Served(limits: VaultLimits(draftLifetime: 120)) {
      $0.requestsPerMinute = 10
      $0.challengeNumber = 1
    }
    // Whoever solves challenges asks for them from elsewhere.
    var drafts: [ClaimID] = []
    for number in 0..<600 as Range<UInt64> {
      // A whole minute, whatever the second.
      let claim = try served.scene.claim(number, lasting: 7200 - Int64(number % 60))
      let solved = try await served.solved(from: "198.51.100.\(number % 250)")
      let reply = try await served.ask("POST", "/api/claims", served.draft(claim, altcha: solved), from: Served.away)
      if reply.status == 201 { drafts.append(claim.id) } else { expectProblem(reply, .tooManyRequests) }
      served.scene.clock.advance(by: 1)
      try await served.scene.store.removeDrafts(lifetime: 120)
      var standing = 0
      for id in drafts.suffix(40) where try await served.scene.store.rows(of: id).claim != nil { standing += 1 }
      #expect(standing <= 10 * (120 / 60 + 1))
    }
    #expect(drafts.count <= 10 + 600 / 6 + 1 && drafts.count > 100)
  }

  @Test func `a network's connections leave room for others, and proxies have no share`() throws {
    let share = ConnectionShare(
      perNetwork: 3, proxies: Proxies(AddressRange("10.0.0.0/8").map { [$0] } ?? []))
    func enters(_ address: String) throws -> Bool { share.enter(try #require(ClientAddress(address))) }
    #expect(try (0..<5).map { _ in try enters("192.0.2.1") } == [true, true, true, false, false])
    #expect(try (1...5).map { try enters("2001:db8:1:2::\($0)") } == [true, true, true, false, false])
    #expect(try enters("2001:db8:1:3::1") && enters("192.0.2.2"))
    #expect(try (0..<100).allSatisfy { _ in try enters("10.1.2.3") })
    share.leave(try #require(ClientAddress("192.0.2.1")))
    #expect(try enters("192.0.2.1") && !enters("192.0.2.1"))
    for _ in 0..<3 { share.leave(try #require(ClientAddress("192.0.2.1"))) }
    #expect(share.networks == 3)
    #expect(ConnectionShare.usual(of: 12_000) == 1200 && ConnectionShare.usual(of: 2) == 100)
  }

  @Test func `guesses at claims that are not in the vault are counted`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    let body = try served.payout(served.scene.claim(1), to: Person(2))
    #expect(try await answered(served, "POST", "/api/claims/nothing/claim", body).count == 10)
    #expect(try await answered(served, "POST", "/api/claims/nothing/refund", from: "192.0.2.2").count == 10)
  }

  @Test func `an equal repeat is answered past the limit`() async throws {
    let served = try await Served { $0.requestsPerMinute = 5 }
    try await served.scene.mint(2_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    let deposit = try served.deposit(claim, from: Person(1))
    let path = "/api/claims/\(claim.id)/deposit"
    let solved = try await served.solved()
    let draft = served.draft(claim, altcha: solved)
    #expect(try await served.ask("POST", "/api/claims", draft, from: Served.away).status == 201)
    #expect(try await served.ask("POST", path, deposit, from: Served.away).status == 200)
    _ = try await served.scene.vault.draft(ClaimID("another"), claim.terms)
    _ = try await answered(served)
    #expect(try await served.ask("POST", "/api/claims", draft, from: Served.away).status == 201)
    for path in [path, "/api/claims/another/deposit"] {
      #expect(try await served.ask("POST", path, deposit, from: Served.away).status == 200)
    }
    let other = try served.scene.claim(2)
    expectProblem(try await served.ask("POST", "/api/claims", served.draft(other), from: Served.away), .tooManyRequests)
    let foreign = try served.deposit(claim, from: Person(2))
    expectProblem(try await served.ask("POST", path, foreign, from: Served.away), .tooManyRequests)
  }

  @Test func `a sender's limits are told with the time when they end`() async throws {
    let served = try await Served(limits: VaultLimits(depositsPerDay: 1))
    try await served.scene.mint(2_000_000, to: Person(1))
    try await served.scene.lock(served.scene.claim(1), from: Person(1))
    let claim = try served.scene.claim(2)
    _ = try await served.ask("POST", "/api/claims", served.draft(claim))
    let body = try served.deposit(claim, from: Person(1))
    let response = try await served.ask("POST", "/api/claims/\(claim.id)/deposit", body)
    expectProblem(response, .tooManyDeposits)
    // The scene begins eight hours after midnight.
    #expect(response.header("Retry-After") == String(16 * 3600))
  }

  @Test func `who forges the header of a proxy is counted by the connection`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served).count == 10)
    for header in ["X-Forwarded-For", "Forwarded"] {
      let forged = [VaultRequest.Header(header, header == "Forwarded" ? "for=198.51.100.1" : "198.51.100.1")]
      #expect(try await answered(served, headers: forged).count == 0)
    }
  }

  @Test func `behind a proxy each client is counted by itself`() async throws {
    let served = try await Served {
      $0.requestsPerMinute = 10
      $0.proxies = Proxies(AddressRange("10.0.0.0/8").map { [$0] } ?? [])
    }
    for client in ["198.51.100.1", "198.51.100.2"] {
      let headers = [VaultRequest.Header("X-Forwarded-For", client)]
      #expect(try await answered(served, from: "10.1.2.3", headers).count == 10)
      // What the client itself wrote stands before what the proxy adds.
      let forged = [VaultRequest.Header("X-Forwarded-For", "203.0.113.7, \(client)")]
      #expect(try await answered(served, from: "10.1.2.3", forged).count == 0)
    }
  }

  private func answered(
    _ served: Served, headers: [VaultRequest.Header]
  ) async throws -> (count: Int, last: VaultResponse) {
    try await answered(served, "GET", "/api/challenge", nil, headers)
  }

  @Test func `many addresses cost no more memory than there is for them`() {
    let limiter = RequestLimiter(perMinute: 2, capacity: 100)
    for number in 0..<100 {
      #expect(limiter.wait(ClientAddress("10.0.0.\(number)") ?? .some, at: 0) == nil)
    }
    // Further ones share two requests; the first have their own.
    let later = (100..<200).filter { limiter.wait(ClientAddress("10.0.0.\($0)") ?? .some, at: 0) == nil }
    #expect(later.count == 2)
    #expect(limiter.wait(ClientAddress("10.0.0.5") ?? .some, at: 0) == nil)
    // After a minute all of them are forgotten.
    #expect(limiter.wait(ClientAddress("10.0.1.1") ?? .some, at: 61_000) == nil)
    #expect(limiter.wait(ClientAddress("10.0.1.2") ?? .some, at: 61_000) == nil)
  }

  @Test(arguments: [
    "/api/claims/nothing", "/api/claims/nothing/events", "/api/accounts/0x\(String(repeating: "1", count: 40))",
    "/api/accounts/0x\(String(repeating: "1", count: 40))/history", "/api/challenge", "/openapi.json",
  ])
  func `whatever is read that no payout needs is counted`(path: String) async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    #expect(try await answered(served, "GET", path).count == 10)
  }

  @Test func `secrets that the vault draws are counted, and test money`() async throws {
    let served = try await Served {
      $0.requestsPerMinute = 10
      $0.hasFaucet = true
    }
    let terms = try served.scene.claim(1).terms
    let draft = DraftRequest(nil, token: terms.token, amount: terms.amount, expiry: terms.expiry).json.text
    #expect(try await answered(served, "POST", "/api/claims", draft, from: Served.home).count == 10)
    let mint = FaucetRequest(address: try Person(1).address, amount: terms.amount, id: terms.ledgerID).json.text
    #expect(try await answered(served, "POST", "/api/faucet", mint).count == 10)
  }

  @Test func `a full table is gone through once a second at most`() {
    let limiter = RequestLimiter(perMinute: 2, capacity: 100)
    func passes(_ address: String, at now: Int64) -> Bool {
      limiter.wait(ClientAddress(address) ?? .some, at: now) == nil
    }
    for number in 0..<100 { #expect(passes("10.0.0.\(number)", at: 0)) }
    #expect([1, 2, 3].map { passes("10.0.1.\($0)", at: 29_500) } == [true, true, false])
    // The first hundred could be forgotten after half a minute, but it is not looked for yet.
    #expect(!passes("10.0.1.4", at: 30_400))
    #expect(passes("10.0.1.5", at: 30_500))
  }

  @Test func `a clock that is set back turns nobody away`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    let service = served.other(challenges: ProcessChallengeLog())
    for _ in 0..<9 {
      #expect(try await served.ask("GET", "/api/challenge", from: Served.away, at: service).status == 200)
    }
    served.scene.clock.advance(by: -86_400)
    #expect(try await served.ask("GET", "/api/challenge", from: Served.away, at: service).status == 200)
    expectProblem(try await served.ask("GET", "/api/challenge", from: Served.away, at: service), .tooManyRequests)
  }
}

extension ClientAddress {
  /// Where a literal is no address.
  fileprivate static var some: ClientAddress { preconditionFailure("a literal is no address") }
}
