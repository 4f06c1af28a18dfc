import BumpSignIn
import BumpVaultAPI
import SignInContract
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Guesses and floods, over HTTP and with a clock that is set by hand.
struct SignInGuessTests {
  private static let day: Int64 = 86_400

  /// The guesser sees 202 for each request, and guesses in each flow until it is refused.
  @Test func `in four days of guessing over HTTP without a pause, no day has more than fifty guesses`() async throws {
    let served = try await SignInServed { settings in
      (settings.requestsPerMinute, settings.signInsPerMinute) = (1_000_000, 1_000_000)
    }
    let end = served.now + 4 * Self.day
    var times: [Int64] = []
    while served.now < end {
      let before = served.outbox.count
      let browser = PageBrowser(served)
      let asked = try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"])
      #expect(asked.status == 202)
      let isSent = served.outbox.count > before
      let wrong = isSent ? try #require(served.outbox.last).code.wrong : "000000"
      for _ in 0..<5 {
        let guess = try await browser.enter(wrong)
        #expect(guess.problem == "wrong-code")
        // Where no code was sent there is nothing that a guess could be compared with.
        if isSent { times.append(served.now) }
      }
      expectProblem(try await browser.enter(wrong), .noCodeRequested)
      served.advance(by: 1800)
    }
    let most = times.indices.map { first in times[first...].prefix { $0 < times[first] + Self.day }.count }.max()
    #expect(most == 50 && times.count >= 3 * 45)
    #expect(served.store.everything.accounts.isEmpty)
  }

  @Test func `a right guess opens no wallet`() async throws {
    let served = try await SignInServed()
    let (owner, wallet) = (PageBrowser(served), try SignInScene.wallet(1))
    let account = try await owner.signIn()
    #expect(try await owner.add(1, to: account, by: wallet).status == 200)
    let guesser = PageBrowser(served)
    #expect(try await guesser.signIn() == account)
    // What it sees is wrapped. What it sends needs the wallet.
    let thief = try SignInScene.wallet(2)
    let (credential, _, _) = try device(1)
    let id = DeviceID(credential)
    let removal = try await guesser.send(
      .remove(id), "/api/wallet/devices/\(id.value)/remove", of: account, by: thief)
    expectProblem(removal, .walletNotSigned)
    expectProblem(try await guesser.add(2, to: account, by: thief), .walletNotSigned)
  }

  @Test func `one network asks for thirty codes a minute, and its neighbours for theirs`() async throws {
    let served = try await SignInServed()
    func ask(_ number: Int, from peer: String) async throws -> VaultResponse {
      try await PageBrowser(served, from: peer).ask(
        "POST", "/api/sign-in", ["email": .string("a\(number)@example.org")])
    }
    for number in 0..<30 { #expect(try await ask(number, from: Served.away).status == 202) }
    let refused = try await ask(30, from: Served.away)
    expectProblem(refused, .tooManyRequests)
    #expect(refused.header("Retry-After") == "2" && served.outbox.count == 30)
    #expect(try await ask(31, from: "192.0.2.2").status == 202)
    // What others of the network do besides is not counted with it.
    #expect(try await PageBrowser(served).ask("GET", "/api/vault").status == 200)
    served.advance(by: 2)
    #expect(try await ask(32, from: Served.away).status == 202)
  }

  @Test func `an IPv6 household has one count`() async throws {
    let served = try await SignInServed { $0.signInsPerMinute = 1 }
    let body: JSONValue = ["email": "alice@example.org"]
    let first = try await PageBrowser(served, from: "2001:db8::1").ask("POST", "/api/sign-in", body)
    let second = try await PageBrowser(served, from: "2001:db8::ffff:2").ask("POST", "/api/sign-in", body)
    #expect(first.status == 202)
    expectProblem(second, .tooManyRequests)
  }

  @Test func `guesses and look-ups of passkeys count as requests`() async throws {
    let served = try await SignInServed { $0.requestsPerMinute = 3 }
    let browser = PageBrowser(served)
    for _ in 0..<3 { expectProblem(try await browser.enter("123456"), .noCodeRequested) }
    expectProblem(try await browser.enter("123456"), .tooManyRequests)
    let (credential, _, _) = try device(1)
    let find: JSONValue = ["credential": .base64URL(credential.bytes)]
    expectProblem(try await browser.ask("POST", "/api/wallet/find", find), .tooManyRequests)
  }

  @Test func `many browsers that ask for one address send it five messages an hour`() async throws {
    let served = try await SignInServed { $0.signInsPerMinute = 1000 }
    for number in 0..<100 {
      let browser = PageBrowser(served, from: "198.51.100.\(number)")
      let response = try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"])
      #expect(response.status == 202)
    }
    #expect(served.outbox.count == 5)
  }
}
