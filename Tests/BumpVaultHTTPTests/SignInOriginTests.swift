import BumpSignIn
import BumpVaultAPI
import SignInContract
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Who may send the requests of signing in: pages of the vault's own origin, over TLS or on its own machine.
struct SignInOriginTests {
  private static let id = "0x" + String(repeating: "1", count: 64)
  private static let posts = [
    "/api/sign-in", "/api/sign-in/code", "/api/sign-out", "/api/wallet/find", "/api/wallet/devices",
    "/api/wallet/devices/\(id)/use", "/api/wallet/devices/\(id)/remove", "/api/wallet/recovery",
  ]
  private static let own = VaultRequest.Header("Origin", "https://vault.example")
  private static let same = VaultRequest.Header("Sec-Fetch-Site", "same-origin")

  /// The headers by which a request is known to come from elsewhere, or is not known to come from here.
  private static let foreign: [[VaultRequest.Header]] = [
    [], [.init("Origin", "https://thief.example")], [.init("Origin", "null")],
    [.init("Origin", "http://vault.example")],
    [.init("Origin", "https://vault.example:8443")], [.init("Origin", "https://vault.example.thief.example")],
    [.init("Origin", "https://www.vault.example")], [.init("Origin", "")], [.init("Sec-Fetch-Site", "cross-site")],
    [.init("Sec-Fetch-Site", "same-site")], [.init("Sec-Fetch-Site", "none")],
    [own, .init("Sec-Fetch-Site", "same-site")],
    [same, .init("Origin", "https://thief.example")], [own, .init("Origin", "https://thief.example")],
    [same, .init("Sec-Fetch-Site", "cross-site")],
  ]

  @Test(arguments: posts) func `no other page changes anything in a browser that is signed in`(
    path: String
  ) async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    try await browser.signIn()
    let (before, jar) = (served.store.everything, browser.jar)
    for headers in Self.foreign {
      let body = #"{"email":"bob@example.org"}"#
      expectProblem(try await browser.ask("POST", path, body, withOnly: headers), .crossSite)
    }
    #expect(served.store.everything == before && browser.jar == jar && served.outbox.count == 1)
  }

  @Test func `a page of the vault is known by either header`() async throws {
    let served = try await SignInServed()
    for headers in [[Self.own], [Self.same], [Self.own, Self.same]] {
      let body = #"{"email":"alice@example.org"}"#
      let response = try await PageBrowser(served).ask("POST", "/api/sign-in", body, withOnly: headers)
      #expect(response.status == 202, "\(headers)")
    }
  }

  @Test func `no other page reads a session`() async throws {
    let browser = PageBrowser(try await SignInServed())
    try await browser.signIn()
    // A browser without Fetch Metadata sends neither header with GET.
    for headers in Self.foreign.dropFirst() {
      expectProblem(try await browser.ask("GET", "/api/session", nil, withOnly: headers), .crossSite)
    }
    for headers in [[], [Self.own], [Self.same]] as [[VaultRequest.Header]] {
      let response = try await browser.ask("GET", "/api/session", nil, withOnly: headers)
      #expect(response.status == 200, "\(headers)")
      #expect(!response.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
    }
  }

  @Test func `a question of a browser before a request from another origin gets no permission`() async throws {
    let headers: [VaultRequest.Header] = [
      .init("Origin", "https://thief.example"), .init("Access-Control-Request-Method", "POST"),
      .init("Access-Control-Request-Headers", "content-type"),
    ]
    let response = try await PageBrowser(SignInServed()).ask("OPTIONS", "/api/sign-in", nil, withOnly: headers)
    #expect(response.status == 204 && response.header("Allow") == "POST, OPTIONS")
    #expect(!response.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
  }

  @Test(arguments: posts) func `a form's body is refused, and one that is no object`(path: String) async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    for type in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
      let response = try await browser.ask(
        "POST", path, #"{"email":"alice@example.org"}"#, withOnly: [Self.own, .init("Content-Type", type)])
      expectProblem(response, .unsupportedMediaType)
    }
    let empty = try await browser.ask(
      "POST", path, nil, withOnly: [Self.own, .init("Content-Type", "application/json")])
    expectProblem(empty, .malformed)
    expectProblem(try await browser.ask("POST", path, "[]", withOnly: [Self.own]), .malformed)
    #expect(served.store.everything == AccountRows())
  }

  @Test func `another method than the path's is refused, and a query too`() async throws {
    let browser = PageBrowser(try await SignInServed())
    for path in Self.posts { expectProblem(try await browser.ask("GET", path), .methodNotAllowed) }
    expectProblem(try await browser.ask("POST", "/api/session", [:]), .methodNotAllowed)
    expectProblem(try await browser.ask("GET", "/api/session?token=x"), .unknownField)
  }

  @Test(arguments: ["x", "0x11", "0x" + String(repeating: "g", count: 64)])
  func `an id of a device that is none is named as the field`(id: String) async throws {
    let response = try await PageBrowser(SignInServed()).ask("POST", "/api/wallet/devices/\(id)/use", [:])
    expectProblem(response, .badField)
    #expect(response.member("field") == "deviceId")
  }

  @Test func `over a network without TLS nobody signs in`() async throws {
    let served = try await SignInServed(at: "http://127.0.0.1:8642")
    let browser = PageBrowser(served, isTLS: false, host: "127.0.0.1:8642")
    for path in Self.posts { expectProblem(try await browser.ask("POST", path, [:]), .insecure) }
    expectProblem(try await browser.ask("GET", "/api/session"), .insecure)
    // A proxy that the options do not name, on this machine.
    let proxied = PageBrowser(served, isTLS: false, from: Served.home, host: "127.0.0.1:8642")
    let response = try await proxied.ask(
      "POST", "/api/sign-in", ["email": "alice@example.org"], [.init("X-Forwarded-For", "192.0.2.9")])
    expectProblem(response, .insecure)
    #expect(served.outbox.count == 0)
  }

  /// Safari takes no `Secure` from http://localhost.
  @Test func `on the vault's own machine cookies have a name that no vault with TLS reads`() async throws {
    let local = try await SignInServed(at: "http://127.0.0.1:8642")
    let browser = PageBrowser(local, isTLS: false, from: Served.home, host: "localhost:8642")
    let begun = try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"])
    let setting = try #require(begun.header("Set-Cookie"))
    #expect(setting.hasPrefix("bump-flow=") && setting.contains("; HttpOnly; SameSite=Strict"))
    #expect(!setting.contains("Secure"))
    #expect(try await browser.enter(try #require(local.outbox.last).code.digits).status == 200)
    #expect(Set(browser.jar.keys) == ["bump-session"])
    #expect(try await browser.session().status == 200)

    let remote = try await SignInServed()
    let victim = PageBrowser(remote)
    try await victim.signIn()
    let session = try #require(victim.jar["__Host-bump-session"])
    // Any host of the same site can plant a cookie without the prefix, and so can anybody on the way over HTTP.
    victim.jar = ["bump-session": session]
    expectProblem(try await victim.session(), .notSignedIn)
    let code = try await victim.begin("mallory@example.org")
    victim.jar = ["bump-flow": try #require(victim.jar["__Host-bump-flow"])]
    expectProblem(try await victim.enter(code.digits), .noCodeRequested)
  }

  @Test func `behind a proxy that ends TLS, cookies are those of TLS`() async throws {
    let served = try await SignInServed { settings in
      settings.proxies = Proxies(["10.0.0.0/8"].compactMap { AddressRange($0) })
    }
    let browser = PageBrowser(served, isTLS: false, from: "10.0.0.1")
    func ask(_ scheme: String) async throws -> VaultResponse {
      try await browser.ask(
        "POST", "/api/sign-in", #"{"email":"alice@example.org"}"#,
        withOnly: [Self.own, .init("X-Forwarded-For", "192.0.2.9"), .init("X-Forwarded-Proto", scheme)])
    }
    expectProblem(try await ask("http"), .insecure)
    let response = try await ask("https")
    #expect(response.status == 202)
    #expect(response.header("Set-Cookie")?.hasPrefix("__Host-bump-flow=") == true)
    #expect(response.header("Set-Cookie")?.contains("; Secure;") == true)
  }

  @Test func `no other name that leads to the vault's address signs anybody in`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served, host: "thief.example")
    expectProblem(try await browser.ask("POST", "/api/sign-in", ["email": "alice@example.org"]), .misdirectedRequest)
  }
}
