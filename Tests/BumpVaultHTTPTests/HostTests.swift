import BumpVaultAPI
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// For which hosts the vault answers. A page whose name leads to the vault's address is not one of them.
struct HostTests {
  private func answer(
    _ hosts: [String], _ method: String = "GET", _ path: String = "/api/vault",
    origin: String? = "https://vault.example",
    from peer: String = Served.away, at local: String? = nil, proxy: String? = nil
  ) async throws -> VaultResponse {
    let served = try await Served {
      $0.origin.set(origin.flatMap { VaultURL($0) })
      $0.proxies = Proxies(proxy.flatMap { AddressRange($0) }.map { [$0] } ?? [])
    }
    return await served.service.answer(
      VaultRequest(
        method, path, headers: hosts.map { .init("hOst", $0) }, from: try #require(ClientAddress(peer)),
        at: local.flatMap { ClientAddress($0) }))
  }

  @Test(arguments: [
    ("https://vault.example", "vault.example"), ("https://vault.example", "Vault.Example"),
    ("https://vault.example", "vault.example:443"), ("https://vault.example", "vault.example:"),
    ("https://vault.example:8443", "vault.example:8443"), ("http://192.0.2.7:8642", "192.0.2.7:8642"),
    ("http://192.0.2.7", "192.0.2.7:80"), ("https://[2001:db8::1]:8642", "[2001:DB8:0::1]:8642"),
  ])
  func `a request for the vault's own URL is answered`(origin: String, host: String) async throws {
    #expect(try await answer([host], origin: origin).status == 200)
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:8642", "localhost:1", "127.0.0.1", "127.0.0.1:65535", "127.255.0.3:80", "[::1]",
    "[::1]:443",
    "[::ffff:127.0.0.1]:8642",
  ])
  func `a request for this machine is answered, by whichever port`(host: String) async throws {
    for origin in ["https://vault.example", "http://127.0.0.1:8642", nil] {
      #expect(try await answer([host], origin: origin).status == 200, "\(origin ?? "none")")
    }
  }

  @Test(arguments: [
    ("10.0.0.5", "10.0.0.5"), ("10.0.0.5:8642", "10.0.0.5"), ("10.0.0.5", "::ffff:10.0.0.5"),
    ("[2001:db8::5]:8642", "2001:db8::5"),
  ])
  func `a request for the address at which it arrived is answered`(host: String, local: String) async throws {
    for origin in ["http://10.0.0.5:8642", "https://vault.example", nil] {
      #expect(try await answer([host], origin: origin, at: local).status == 200, "\(origin ?? "none")")
    }
  }

  @Test(arguments: [
    "thief.example", "thief.example:8642", "vault.example.thief.example", "vault.example:8443", "vault.example:80",
    "vault.example.", "localhost.thief.example", "localhost.", "127.0.0.1.thief.example", "127.1", "2130706433", "0",
    "0.0.0.0", "[::]", "10.0.0.6", "[::ffff:10.0.0.6]", "a_b", "-",
  ])
  func `a request for any other host is refused, and the option that mends it is named`(host: String) async throws {
    for method in ["GET", "POST", "OPTIONS", "DELETE"] {
      for path in ["/api/vault", "/api/claims", "/healthz", "/nothing"] {
        let response = try await answer([host], method, path, at: "10.0.0.5")
        expectProblem(response, .misdirectedRequest)
        #expect(response.status == 421 && response.member("remedy")?.contains("bump-vault serve --public-url") == true)
        #expect(!response.text.contains(host) || host.count < 3)
      }
    }
    #expect(try await answer([host], "HEAD").status == 421)
  }

  @Test func `a name of this machine is refused where it is not yet known at which URL the vault is`() async throws {
    expectProblem(try await answer(["vault.example"], origin: nil), .misdirectedRequest)
  }

  @Test func `from a named proxy only requests for the vault's URL come`() async throws {
    for host in ["vault.example", "vault.example:443"] {
      #expect(try await answer([host], from: "10.0.0.1", proxy: "10.0.0.0/8").status == 200)
    }
    for host in ["localhost", "127.0.0.1:8642", "[::1]", "10.0.0.5", "thief.example"] {
      expectProblem(
        try await answer([host], from: "10.0.0.1", at: "10.0.0.5", proxy: "10.0.0.0/8"), .misdirectedRequest)
    }
    // What does not come through it may be for this machine.
    #expect(try await answer(["localhost"], from: Served.home, proxy: "10.0.0.0/8").status == 200)
  }

  @Test(
    arguments: [
      [], ["vault.example", "vault.example"], ["vault.example", "thief.example"], ["thief.example", "vault.example"],
      [""], [" "], [":443"], ["vault.example:443x"], ["vault.example:123456"], ["vault.example:+43"],
      ["vault.example, a"],
      ["vault.example/"], ["user@vault.example"], ["https://vault.example"], ["[::1"], ["::1"], ["[::1]x"], ["[::1]]"],
      ["[127.0.0.1]"], ["[vault.example]"], ["[fe80::1%25eth0]"], ["vault\u{E9}.example"], ["va ult.example"],
    ] as [[String]])
  func `a request that does not name its host once is refused`(hosts: [String]) async throws {
    expectProblem(try await answer(hosts), .badHost)
    expectProblem(try await answer(hosts, "POST", "/api/claims"), .badHost)
  }

  @Test func `before anything else is done`() async throws {
    let served = try await Served { $0.requestsPerMinute = 1 }
    let thief = VaultRequest.Header("Host", "thief.example")
    for _ in 0..<100 {
      let response = try await served.ask("POST", "/api/claims", "{}", from: Served.away, host: thief)
      expectProblem(response, .misdirectedRequest)
      #expect(response.closesConnection && response.route == nil)
    }
    // Nothing was counted.
    #expect(try await served.ask("GET", "/api/challenge", from: Served.away).status == 200)
  }
}
