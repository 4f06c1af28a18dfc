import BumpSignIn
import BumpVault
import BumpVaultAPI
import BumpWallet
import SignInContract
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Signing in by a code, over HTTP.
struct SignInTests {
  @Test func `who enters the code that was sent for this browser is signed in for seven days`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    let code = try await browser.begin(" Alice@Example.ORG ")
    #expect(served.outbox.last?.address == .alice)
    let flow = try #require(browser.jar["__Host-bump-flow"])
    let response = try await browser.enter(code.digits)
    #expect(response.status == 200 && response.member("expiresIn") == "604800", "\(response.text)")
    #expect(response.header("Cache-Control") == "no-store")
    // The flow has ended with its code, and its token is no session.
    #expect(Set(browser.jar.keys) == ["__Host-bump-session"] && browser.jar["__Host-bump-session"] != flow)
    let session = try await browser.session()
    #expect(session.status == 200 && session.member("account") == response.member("account"))
    served.advance(by: 604_800)
    expectProblem(try await browser.session(), .notSignedIn)
  }

  @Test func `each cookie is for this host alone, over TLS, and hidden from scripts and other sites`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    let begun = try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"])
    let entered = try await browser.enter(try #require(served.outbox.last).code.digits)
    let settings = (begun.headers + entered.headers).filter { $0.name == "Set-Cookie" }.map(\.value)
    #expect(settings.count == 3)
    for setting in settings {
      #expect(setting.hasPrefix("__Host-bump-"))
      let attributes = Set(setting.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } })
      #expect(attributes.isSuperset(of: ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"]), "\(setting)")
      #expect(attributes.count == 5)
    }
  }

  @Test func `nobody signs in where the operator has not asked for it`() async throws {
    let served = try await Served()
    let id = "0x" + String(repeating: "1", count: 64)
    for path in [
      "/api/sign-in", "/api/sign-in/code", "/api/sign-out", "/api/wallet/find", "/api/wallet/devices",
      "/api/wallet/devices/\(id)/use", "/api/wallet/devices/\(id)/remove", "/api/wallet/recovery",
    ] {
      expectProblem(try await served.ask("POST", path, "{}"), .notFound)
    }
    expectProblem(try await served.ask("GET", "/api/session"), .notFound)
    let (known, document) = (try await served.ask("GET", "/api/vault"), try await served.ask("GET", "/openapi.json"))
    #expect(!known.text.contains("signIn") && !document.text.contains("sign-in"))
  }

  @Test func `the vault says how codes are sent`() async throws {
    for (phone, text) in [
      (SignInDesk.Way.maildir, #""signIn":{"mail":"smtp","phone":"maildir"}"#), (nil, #""signIn":{"mail":"smtp"}"#),
    ] as [(SignInDesk.Way?, String)] {
      let response = try await PageBrowser(SignInServed(phone: phone)).ask("GET", "/api/vault")
      #expect(response.text.contains(text), "\(response.text)")
    }
  }

  /// Everything of an answer but the value of the cookie.
  private func shape(_ response: VaultResponse) -> [String] {
    let headers = response.headers.map { header in
      header.name == "Set-Cookie" ? String(header.value.replacing(/=[A-Za-z0-9_-]{43};/, with: "=;")) : header.value
    }
    return ["\(response.status)", response.text] + headers
  }

  @Test func `no answer tells whether an address has an account, or whether a code was sent`() async throws {
    let served = try await SignInServed()
    try await PageBrowser(served).signIn()
    var shapes: Set<[String]> = []
    var sent: [Int] = []
    // Alice has had one code already. No more than five are sent in an hour.
    for address in ["bob@example.org"] + Array(repeating: "alice@example.org", count: 6) {
      let browser = PageBrowser(served)
      shapes.insert(shape(try await browser.ask("POST", "/api/sign-in", ["email": .string(address)])))
      sent.append(served.outbox.count)
      let guess = try await browser.enter("12345")
      shapes.insert(["guess", "\(guess.status)", guess.text])
    }
    #expect(shapes.count == 2, "\(shapes)")
    #expect(sent == [2, 3, 4, 5, 6, 6, 6])
  }

  @Test(arguments: [
    "alice@example.org\r\nRCPT TO:<eve@example.org>", "alice@example.org\n", "alice\r@example.org",
    "alice@example.org\u{0}", "a<b>@example.org", "alice@example.org,eve@example.org", "\"a b\"@example.org",
    "аlice@example.org", "alice@exam\u{212A}le.org", "alice@exa\u{300}mple.org", "alice@[192.0.2.1]", "alice@localhost",
    "", "@", String(repeating: "a", count: 2000) + "@example.org",
  ])
  func `what is no address, or has a second spelling, is refused and never repeated`(address: String) async throws {
    let served = try await SignInServed()
    let response = try await PageBrowser(served).ask("POST", "/api/sign-in", ["email": .string(address)])
    expectProblem(response, .badField)
    #expect(response.member("field") == "email" && served.outbox.count == 0)
    #expect(!response.text.contains("eve@") && !response.text.contains("aaaa"), "\(response.text)")
    #expect(response.header("Set-Cookie") == nil && served.store.everything.flows.isEmpty)
  }

  @Test func `a domain of Unicode that has one spelling gets its code in ASCII`() async throws {
    let served = try await SignInServed()
    _ = try await PageBrowser(served).begin("alice@bücher.example")
    guard case .mail(let address) = try #require(served.outbox.last).address else { throw NoMail() }
    #expect(address.text == "alice@xn--bcher-kva.example")
  }

  private struct NoMail: Error {}

  @Test func `a phone gets a code of five minutes, where codes are sent to phones`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    let response = try await browser.ask("POST", "/api/sign-in", ["phone": "+49 30 1234567"])
    #expect(response.status == 202 && response.member("expiresIn") == "300")
    #expect(try await browser.enter(try #require(served.outbox.last).code.digits).status == 200)
    let without = try await SignInServed(phone: nil)
    let refused = try await PageBrowser(without).ask("POST", "/api/sign-in", ["phone": "+49 30 1234567"])
    expectProblem(refused, .badField)
    #expect(refused.member("field") == "phone" && without.outbox.count == 0)
  }

  @Test func `a request names one address`() async throws {
    let browser = PageBrowser(try await SignInServed())
    expectProblem(try await browser.ask("POST", "/api/sign-in", [:]), .missingField)
    let both: JSONValue = ["email": "alice@example.org", "phone": "+49301234567"]
    expectProblem(try await browser.ask("POST", "/api/sign-in", both), .badField)
    let more: JSONValue = ["email": "alice@example.org", "name": "Alice"]
    expectProblem(try await browser.ask("POST", "/api/sign-in", more), .unknownField)
  }

  @Test(arguments: [("de-CH, en;q=0.5", PageLanguage.german), ("fr", .english)])
  func `the message is in the language of the page`(header: String, language: PageLanguage) async throws {
    let served = try await SignInServed()
    let response = try await PageBrowser(served).ask(
      "POST", "/api/sign-in", ["email": "alice@example.org"], [.init("Accept-Language", header)])
    #expect(response.status == 202 && served.outbox.lastLanguage == language)
  }

  @Test func `a code is of no use in another browser`() async throws {
    let served = try await SignInServed()
    let (hers, thief) = (PageBrowser(served), PageBrowser(served))
    let code = try await hers.begin()
    expectProblem(try await thief.enter(code.digits), .noCodeRequested)
    let other = try await thief.begin()
    try #require(other != code)
    let wrong = try await thief.enter(code.digits)
    expectProblem(wrong, .wrongCode)
    #expect(wrong.member("triesLeft") == "4")
    #expect(try await hers.enter(code.digits).status == 200)
  }

  @Test func `of two flows at once for one address, each has its own code and its own guesses`() async throws {
    let served = try await SignInServed()
    let (first, second) = (PageBrowser(served), PageBrowser(served))
    let (one, other) = (try await first.begin(), try await second.begin())
    for left in (0..<5).reversed() {
      let response = try await second.enter(other.wrong)
      #expect(response.member("triesLeft") == "\(left)")
    }
    expectProblem(try await second.enter(other.digits), .noCodeRequested)
    #expect(try await first.enter(one.digits).status == 200)
    expectProblem(try await first.enter(one.digits), .noCodeRequested)
  }

  @Test func `a token that somebody has planted becomes no session`() async throws {
    let served = try await SignInServed()
    let planted = String(repeating: "A", count: 43)
    let browser = PageBrowser(served)
    browser.jar = ["__Host-bump-flow": planted, "__Host-bump-session": planted]
    expectProblem(try await browser.session(), .notSignedIn)
    try await browser.signIn()
    #expect(!browser.jar.values.contains(planted))
    let thief = PageBrowser(served)
    thief.jar = ["__Host-bump-flow": planted, "__Host-bump-session": planted]
    expectProblem(try await thief.session(), .notSignedIn)
  }

  @Test func `signing in again ends the session that the browser had`() async throws {
    let served = try await SignInServed()
    let (browser, old) = (PageBrowser(served), PageBrowser(served))
    try await browser.signIn("mallory@example.org")
    old.jar = browser.jar
    try await browser.signIn()
    expectProblem(try await old.session(), .notSignedIn)
    #expect(try await browser.session().status == 200)
  }

  @Test func `two cookies of one name are none`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    try await browser.signIn()
    let own = try #require(browser.jar["__Host-bump-session"])
    browser.jar = [:]
    let both = "__Host-bump-session=\(own); __Host-bump-session=\(own)"
    expectProblem(try await browser.ask("GET", "/api/session", nil, [.init("Cookie", both)]), .notSignedIn)
    let once = try await browser.ask("GET", "/api/session", nil, [.init("Cookie", "__Host-bump-session=\(own)")])
    #expect(once.status == 200)
  }

  @Test func `an old token is replaced, and a copy of it ends the session for both`() async throws {
    let served = try await SignInServed()
    let (browser, copy) = (PageBrowser(served), PageBrowser(served))
    try await browser.signIn()
    copy.jar = browser.jar
    served.advance(by: 3600)
    #expect(try await browser.session().status == 200)
    #expect(browser.jar != copy.jar)
    #expect(try await browser.session().header("Set-Cookie") == nil)
    served.advance(by: 60)
    expectProblem(try await copy.session(), .notSignedIn)
    expectProblem(try await browser.session(), .notSignedIn)
  }

  @Test func `signing out ends this session, or all of them`() async throws {
    let served = try await SignInServed()
    let (here, there) = (PageBrowser(served), PageBrowser(served))
    try await here.signIn()
    try await there.signIn()
    let cookies = here.jar
    #expect(try await here.ask("POST", "/api/sign-out", [:]).status == 204)
    #expect(here.jar.isEmpty)
    here.jar = cookies
    expectProblem(try await here.session(), .notSignedIn)
    #expect(try await here.ask("POST", "/api/sign-out", [:]).status == 204)
    try await here.signIn()
    #expect(try await here.ask("POST", "/api/sign-out", ["everywhere": true]).status == 204)
    expectProblem(try await there.session(), .notSignedIn)
    expectProblem(try await there.ask("POST", "/api/sign-out", ["everywhere": true]), .notSignedIn)
  }

  @Test func `an answer of somebody who is not signed in says so as HTTP has it`() async throws {
    let response = try await PageBrowser(SignInServed()).session()
    expectProblem(response, .notSignedIn)
    #expect(response.header("WWW-Authenticate") == "Cookie")
  }

  @Test func `a failure of the store is told without an address, and reported`() async throws {
    let served = try await SignInServed(over: FailingAccountStore())
    let response = try await PageBrowser(served).ask("POST", "/api/sign-in", ["email": "alice@example.org"])
    expectProblem(response, .unavailable)
    #expect(response.header("Set-Cookie") == nil && served.outbox.count == 0)
    #expect(!response.text.contains("disk"))
    let reports = served.served.failures.all.map(\.description)
    #expect(reports == ["the disk of accounts is full"])
  }
}

/// A store that has failed.
private struct FailingAccountStore: AccountStore {
  private static let failure = AccountStoreError(.failed, "the disk of accounts is full")

  func change<Answer: Sendable>(
    _ selection: AccountSelection, _ operation: @escaping @Sendable (inout AccountRows) -> Answer
  ) async throws -> Answer { throw Self.failure }

  func rows(_ selection: AccountSelection) async throws -> AccountRows { throw Self.failure }

  func removeLapsed(at now: Int64, _ limits: SignInLimits) async throws -> Int { throw Self.failure }
}
