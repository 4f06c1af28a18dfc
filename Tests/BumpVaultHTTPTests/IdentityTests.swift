import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// What the vault signs of itself, and whom it takes for somebody on its own machine.
struct IdentityTests {
  private static let nonce = String(repeating: "0f", count: 32)
  private static let signs = [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via",
  ]

  @Test func `a nonce is answered with a proof by the vault's key, and nothing else is signed`() async throws {
    let served = try await Served { $0.hasFaucet = true }
    let body = try await served.ask("GET", "/api/vault?nonce=\(Self.nonce)").bytes
    let statement = try VaultStatement(body)
    let proof = try #require(statement.proof)
    #expect(try proof.nonce == Bytes32("0x\(Self.nonce)") && proof.origin == VaultURL("http://127.0.0.1:8642"))
    #expect(statement.vault == served.scene.identity.vault.vault)
    #expect(proof.isMade(by: statement.vault, hasFaucet: true) && !proof.isMade(by: statement.vault, hasFaucet: false))
    let plain = try await served.ask("GET", "/api/vault")
    #expect(try VaultStatement(plain.bytes).proof == nil)
    #expect(["origin", "nonce", "signature"].allSatisfy { plain.member($0) == nil })
  }

  @Test(arguments: [
    "", "0f", String(repeating: "0f", count: 31), String(repeating: "0f", count: 33),
    "0x" + String(repeating: "0f", count: 32), String(repeating: "g", count: 64),
    String(repeating: "0f", count: 31) + "é",
  ])
  func `a nonce that is not 32 bytes in hex is malformed`(nonce: String) async throws {
    let response = try await Served().ask("GET", "/api/vault?nonce=\(nonce)")
    expectProblem(response, .malformed)
    #expect(response.member("field") == "nonce")
  }

  @Test func `the origin is the vault's own, whatever the request says`() async throws {
    let served = try await Served { $0.origin.set(VaultURL("https://vault.example")) }
    for name in Self.signs + ["Origin"] {
      for value in ["thief.example", "host=thief.example;proto=https"] {
        let response = try await served.ask(
          "GET", "/api/vault?nonce=\(Self.nonce)", [.init(name, value)])
        #expect(response.member("origin") == "https://vault.example")
      }
    }
  }

  @Test func `a vault that does not know yet where it is to be found signs nothing, and says to ask again`()
    async throws
  {
    let served = try await Served { $0.origin.set(nil) }
    let response = try await served.ask("GET", "/api/vault?nonce=\(Self.nonce)")
    expectProblem(response, .unavailable)
    #expect(response.header("Retry-After") == "1" && response.member("signature") == nil)
  }

  /// A proxy that is not named, and writes no header, connects from this machine too.
  @Test(arguments: ["https://vault.example", "http://vault.example", "http://192.0.2.7:8642"])
  func `a vault that is to be found elsewhere takes and gives no secret on loopback without TLS`(
    origin: String
  ) async throws {
    let served = try await Served { $0.origin.set(VaultURL(origin)) }
    let claim = try served.scene.claim(1)
    let body =
      #"{"token":"\#(claim.terms.token)","amount":"1.00","expiry":\#(claim.terms.expiry.unixSeconds)}"#
    for peer in ["127.0.0.1", "::1"] {
      expectProblem(try await served.ask("POST", "/api/claims", body, from: peer), .insecure)
      let payout = PayoutRequest(
        receiver: try Person(2).address, .secret(try ClaimSecret(Scene.secret(1)), of: claim.id)
      ).json.text
      expectProblem(try await served.ask("POST", "/api/claims/\(claim.id)/claim", payout, from: peer), .insecure)
      // Nor is such a request spared the challenge.
      expectProblem(try await served.ask("POST", "/api/claims", served.draft(claim), from: peer), .challengeRequired)
      #expect(try await served.ask("GET", "/api/vault", from: peer).member("challenge") == "true")
    }
    // Over its own TLS it does.
    expectProblem(try await served.ask("POST", "/api/claims", body, isTLS: true), .challengeRequired)
  }

  @Test(arguments: ["http://127.0.0.1:1", "http://[::1]:1", "https://localhost:1"])
  func `a vault that is to be found on loopback takes a secret there, unless a proxy's header is there`(
    origin: String
  ) async throws {
    let served = try await Served { $0.origin.set(VaultURL(origin)) }
    let claim = try served.scene.claim(1)
    let body =
      #"{"token":"\#(claim.terms.token)","amount":"1.00","expiry":\#(claim.terms.expiry.unixSeconds)}"#
    #expect(try await served.ask("POST", "/api/claims", body).status == 201)
    for name in Self.signs {
      expectProblem(try await served.ask("POST", "/api/claims", body, [.init(name, "x")]), .insecure)
    }
    expectProblem(try await served.ask("POST", "/api/claims", body, from: Served.away), .insecure)
  }
}
