import BumpClaims
import BumpText
import BumpVaultAPI
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Drafts that pay with work.
struct ChallengeTests {
  @Test func `on this machine none is asked for, elsewhere one`() async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1)
    #expect(try await served.ask("GET", "/api/vault").member("challenge") == "false")
    #expect(try await served.ask("GET", "/api/vault", from: Served.away).member("challenge") == "true")
    let refused = try await served.ask("POST", "/api/claims", served.draft(claim), from: Served.away)
    expectProblem(refused, .challengeRequired)
    #expect(refused.member("field") == "altcha")
    for payload in ["?", Base64.encoded(Array("{}".utf8)), Base64.encoded(Array("[".utf8))] {
      let body = "\(served.draft(claim).dropLast()),\"altcha\":\"\(payload)\"}"
      let wrong = try await served.ask("POST", "/api/claims", body, from: Served.away)
      #expect(wrong.status == 400 && wrong.member("field") == "altcha", "\(wrong.text)")
    }
    let paid = try await served.draft(claim, altcha: served.solved())
    #expect(try await served.ask("POST", "/api/claims", paid, from: Served.away).status == 201)
    #expect(try await served.ask("POST", "/api/claims", served.draft(served.scene.claim(2))).status == 201)
  }

  /// 127.0.0.0/8 and ::1 (RFC 6890 §2.2): what comes from there has not left this machine.
  @Test(arguments: [
    ("127.0.0.1", true), ("127.0.0.2", true), ("127.255.255.254", true), ("::1", true), ("::ffff:127.0.0.1", true),
    ("126.255.255.255", false), ("128.0.0.1", false), ("0.0.0.0", false), ("192.0.2.127", false), ("::", false),
    ("::2", false), ("1::1", false), ("::127.0.0.1", false), ("::ffff:192.0.2.1", false), ("fe80::1", false),
  ])
  func `this machine is where loopback addresses are`(address: String, isHere: Bool) async throws {
    let served = try await Served()
    let draft = try served.draft(served.scene.claim(1))
    #expect(try await served.ask("POST", "/api/claims", draft, from: address).status == (isHere ? 201 : 403))
  }

  @Test func `a used challenge is remembered until it expires, however many others are`() async throws {
    let log = ProcessChallengeLog()
    let served = try await Served(challenges: log)
    let solved = try await served.solved()
    let first = served.draft(try served.scene.claim(1), altcha: solved)
    #expect(try await served.ask("POST", "/api/claims", first, from: Served.away).status == 201)
    served.scene.clock.advance(by: 299)
    // Now and then all that have expired are forgotten.
    for number in 0..<5000 {
      #expect(await log.use("other \(number)", until: .max, at: served.scene.clock.now))
    }
    let second = served.draft(try served.scene.claim(2), altcha: solved)
    expectProblem(try await served.ask("POST", "/api/claims", second, from: Served.away), .badChallenge)
  }

  @Test func `a challenge is used once, at whichever server of the vault`() async throws {
    let log = ProcessChallengeLog()
    let served = try await Served(challenges: log)
    let other = served.other(challenges: log)
    let solved = try await served.solved(at: other)
    let first = served.draft(try served.scene.claim(1), altcha: solved)
    #expect(try await served.ask("POST", "/api/claims", first, from: Served.away).status == 201)
    let second = served.draft(try served.scene.claim(2), altcha: solved)
    for service in [served.service, other] {
      expectProblem(
        try await served.ask("POST", "/api/claims", second, from: "192.0.2.2", at: service), .badChallenge)
      // The repeat of the first is recognised before that.
      #expect(try await served.ask("POST", "/api/claims", first, from: Served.away, at: service).status == 201)
    }
  }

  @Test func `of many drafts with one challenge at once, one is taken`() async throws {
    let served = try await Served()
    let solved = try await served.solved()
    let bodies = try (1...100 as ClosedRange<UInt64>).map { served.draft(try served.scene.claim($0), altcha: solved) }
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for body in bodies {
        group.addTask { try await served.ask("POST", "/api/claims", body, from: Served.away).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 201 } == 1 && statuses.count { $0 == 403 } == 99)
  }

  @Test func `a challenge lasts five minutes`() async throws {
    let served = try await Served()
    let inTime = try await served.draft(served.scene.claim(1), altcha: served.solved())
    let late = try await served.draft(served.scene.claim(2), altcha: served.solved())
    served.scene.clock.advance(by: 299)
    #expect(try await served.ask("POST", "/api/claims", inTime, from: Served.away).status == 201)
    served.scene.clock.advance(by: 1)
    expectProblem(try await served.ask("POST", "/api/claims", late, from: Served.away), .badChallenge)
  }

  @Test func `a challenge of another vault is worth nothing`() async throws {
    let served = try await Served()
    let foreign = try await VaultContract.Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }, seed: 2)
    let service = VaultService(
      foreign.vault, on: foreign.store, served.service.settings, challenges: ProcessChallengeLog(),
      clock: { [clock = served.scene.clock] in clock.now * 1000 })
    let body = try await served.draft(served.scene.claim(1), altcha: served.solved(at: service))
    expectProblem(try await served.ask("POST", "/api/claims", body, from: Served.away), .badChallenge)
  }

  @Test func `challenges that have expired are forgotten`() async {
    let log = ProcessChallengeLog()
    for number in 0..<5000 as Range<Int64> {
      #expect(await log.use(String(number), until: number + 10, at: number))
    }
    #expect(log.count < 1100)
  }
}
