import BumpVaultAPI
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Which paths there are, and which methods they take.
struct RouteTests {
  private static let gets = [
    "/api/claims/x", "/api/claims/x/events", "/api/vault", "/api/challenge", "/healthz", "/readyz", "/openapi.json",
    "/api/accounts/0x52908400098527886E0F7030069857D2E4169EE7",
    "/api/accounts/0x52908400098527886E0F7030069857D2E4169EE7/history",
  ]
  private static let posts = [
    "/api/claims", "/api/claims/x/deposit", "/api/claims/x/claim", "/api/claims/x/refund", "/api/faucet",
  ]

  @Test(arguments: gets) func `a path that is read takes GET, HEAD and OPTIONS alone`(path: String) async throws {
    let served = try await Served()
    for method in ["POST", "PUT", "DELETE", "PATCH", "get", "TRACE", "CONNECT", ""] {
      let response = try await served.ask(method, path)
      expectProblem(response, .methodNotAllowed)
      #expect(response.header("Allow") == "GET, HEAD, OPTIONS")
    }
    let options = try await served.ask("OPTIONS", path)
    #expect(options.status == 204 && options.header("Allow") == "GET, HEAD, OPTIONS" && options.bytes.isEmpty)
  }

  @Test(arguments: posts) func `a path that is written takes POST and OPTIONS alone`(path: String) async throws {
    let served = try await Served { $0.hasFaucet = true }
    for method in ["GET", "HEAD", "PUT", "DELETE", "post"] {
      let response = try await served.ask(method, path)
      #expect(response.status == 405 && response.header("Allow") == "POST, OPTIONS")
    }
    let options = try await served.ask("OPTIONS", path)
    #expect(options.status == 204 && options.header("Allow") == "POST, OPTIONS")
  }

  @Test(arguments: [
    "", "/", "*", "/api", "/api/", "/api/claims/", "/api/claims/x/", "/api/claims/x/pay", "/api/claims/x/claim/y",
    "//api/claims", "/API/claims", "/api/vault/", "/api%2Fvault", "/api/../api/vault", "http://a/api/vault",
    "/api/accounts/0x52908400098527886E0F7030069857D2E4169EE7/other", "/problems/float", "/metrics",
  ])
  func `any other path is not found`(path: String) async throws {
    let served = try await Served()
    expectProblem(
      try await served.ask("GET", path),
      path == "/api/claims/" ? .badField : .notFound)
  }

  @Test(arguments: [
    "/api/claims/a%41", "/api/claims/a.b", "/api/claims/-h", "/api/claims/\(String(repeating: "a", count: 65))",
  ])
  func `an id that is none is named as the field`(path: String) async throws {
    let response = try await Served().ask("GET", path)
    expectProblem(response, .badField)
    #expect(response.member("field") == "claimId")
  }

  @Test func `an address with a mistake in it is named as the field`() async throws {
    let response = try await Served().ask("GET", "/api/accounts/0x52908400098527886e0F7030069857D2E4169EE7")
    expectProblem(response, .badField)
    #expect(response.member("field") == "address")
  }

  @Test func `HEAD answers as GET does, without the body`() async throws {
    let served = try await Served()
    for path in ["/api/vault", "/healthz", "/openapi.json", "/api/claims/x"] {
      let (get, head) = (try await served.ask("GET", path), try await served.ask("HEAD", path))
      #expect(
        head.status == get.status && head.bytes.isEmpty && head.header("Content-Length") == String(get.bytes.count))
      #expect(head.header("Content-Type") == get.header("Content-Type"))
    }
  }

  @Test(arguments: ["/api/vault?x=1", "/api/vault?before=1", "/healthz?x"])
  func `a parameter that is not known is refused`(target: String) async throws {
    expectProblem(try await Served().ask("GET", target), .unknownField)
  }

  @Test(arguments: ["limit=0", "limit=-1", "limit=x", "limit=1.0", "before=", "before=01", "before=+1", "limit=1%30"])
  func `a parameter that is no number is refused by name`(query: String) async throws {
    let path = "/api/accounts/0x52908400098527886E0F7030069857D2E4169EE7/history?\(query)"
    let response = try await Served().ask("GET", path)
    expectProblem(response, .badField)
    #expect(response.member("field") == query.split(separator: "=").first.map(String.init))
  }

  @Test func `a parameter that occurs twice is refused`() async throws {
    let path = "/api/accounts/0x52908400098527886E0F7030069857D2E4169EE7/history?limit=1&limit=1"
    expectProblem(try await Served().ask("GET", path), .duplicateField)
  }

  @Test func `no answer is to be cached, or read as another type`() async throws {
    let served = try await Served()
    for path in ["/api/vault", "/api/claims/x", "/api/challenge", "/nothing"] {
      let response = try await served.ask("GET", path)
      #expect(response.header("Cache-Control") == "no-store" && response.header("X-Content-Type-Options") == "nosniff")
    }
  }

  @Test func `there is no faucet unless it is asked for`() async throws {
    let body =
      #"{"address":"0x52908400098527886E0F7030069857D2E4169EE7","amount":"1.00","id":"0x\#(String(repeating: "1", count: 64))"}"#
    let without = try await Served()
    expectProblem(try await without.ask("POST", "/api/faucet", body), .notFound)
    expectProblem(try await without.ask("OPTIONS", "/api/faucet"), .notFound)
    #expect(try await without.ask("GET", "/api/vault").member("faucet") == "false")
    let with = try await Served { $0.hasFaucet = true }
    #expect(try await with.ask("POST", "/api/faucet", body).status == 200)
    #expect(try await with.ask("GET", "/api/vault").member("faucet") == "true")
    let tooMuch = body.replacing("1.00", with: "1000.000001")
    expectProblem(try await with.ask("POST", "/api/faucet", tooMuch), .overCap)
  }

  @Test func `the faucet gives once for an id, and each time without one`() async throws {
    let served = try await Served { $0.hasFaucet = true }
    let address = "0x52908400098527886E0F7030069857D2E4169EE7"
    func ask(_ more: String) async throws -> String? {
      let response = try await served.ask("POST", "/api/faucet", #"{"address":"\#(address)","amount":"1.00"\#(more)}"#)
      #expect(response.status == 200)
      return response.member("txHash")
    }
    let id = #","id":"0x\#(String(repeating: "1", count: 64))""#
    #expect(try await ask(id) == ask(id))
    #expect(try await ask("") != ask(""))
  }
}
