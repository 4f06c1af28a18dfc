import BumpVaultAPI
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// Bodies that are not as they must be.
struct BodyTests {
  private static let posts = ["/api/claims", "/api/claims/x/deposit", "/api/claims/x/claim", "/api/claims/x/refund"]

  @Test(arguments: posts) func `a body is JSON, and says so`(path: String) async throws {
    let served = try await Served()
    for type in ["text/plain", "application/json; charset=latin1", "application/jsonp", "multipart/form-data", ""] {
      let response = try await served.ask("POST", path, "{}", [.init("Content-Type", type)])
      expectProblem(response, .unsupportedMediaType)
      #expect(response.header("Accept") == "application/json")
    }
    // Of two types nobody can say which one is meant.
    for types in [["application/json", "text/plain"], ["application/json", "application/json"]] {
      let response = try await served.ask("POST", path, "{}", types.map { .init("Content-Type", $0) })
      expectProblem(response, .unsupportedMediaType)
    }
    expectProblem(
      try await served.ask("POST", path, "{}", [.init("Content-Encoding", "gzip")]), .unsupportedMediaType)
    for type in ["application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\""] {
      let response = try await served.ask("POST", path, "{}", [.init("Content-Type", type)])
      #expect(response.status != 415)
    }
  }

  @Test(arguments: [
    ("{", Problem.Kind.malformed), ("[]", .malformed), ("{} {}", .malformed), ("{\"a\":[[[[[[]]]]]]}", .malformed),
    (#"{"token":1,"token":1}"#, .duplicateField), (#"{"amount":1.0}"#, .float), (#"{"amount":1e2}"#, .float),
    (#"{"amount":100}"#, .missingField),
  ])
  func `a body that is not as it must be is refused by name`(body: String, kind: Problem.Kind) async throws {
    expectProblem(try await Served().ask("POST", "/api/claims", body), kind)
  }

  @Test(arguments: posts) func `a field that is not known is refused by name`(path: String) async throws {
    let served = try await Served()
    let claim = try served.scene.claim(1)
    let whole =
      switch path {
      case "/api/claims": served.draft(claim)
      case "/api/claims/x/deposit": try served.deposit(claim, from: Person(1))
      case "/api/claims/x/claim": try served.payout(claim, to: Person(1))
      default: #"{"#
      }
    let body = path.hasSuffix("refund") ? #"{"surprise":1}"# : whole.dropLast() + #","surprise":1}"#
    let response = try await served.ask("POST", path, body)
    expectProblem(response, .unknownField)
    #expect(response.member("field") == "surprise")
  }

  @Test func `what is wrong with the way a body came is said, and its connection closed`() async throws {
    let served = try await Served()
    let errors: [(BodyError, Problem.Kind)] = [
      (.tooLarge, .tooLarge), (.timedOut, .requestTimeout), (.incomplete, .malformed),
    ]
    for (error, kind) in errors {
      let request = VaultRequest(
        "POST", "/api/claims",
        headers: [Served.host, .init("Content-Type", "application/json"), .init("Transfer-Encoding", "chunked")],
        from: try #require(ClientAddress(Served.home)), body: { () throws(BodyError) in throw error })
      let response = await served.service.answer(request)
      expectProblem(response, kind)
      #expect(response.closesConnection)
    }
  }

  @Test func `a body is not read where nothing is to be done with it`() async throws {
    let served = try await Served()
    for (method, path) in [
      ("POST", "/nothing"), ("GET", "/api/vault"), ("PUT", "/api/claims"), ("POST", "/api/faucet"),
    ] {
      let request = VaultRequest(
        method, path,
        headers: [Served.host, .init("Content-Length", "9999999"), .init("Content-Type", "application/json")],
        from: try #require(ClientAddress(Served.home)),
        body: { () throws(BodyError) in
          Issue.record("it was read: \(path)")
          return []
        })
      #expect(await served.service.answer(request).closesConnection)
    }
  }

  @Test func `the size that is said matches what the parser takes`() async throws {
    let served = try await Served()
    let blank = String(repeating: " ", count: VaultRequest.maximumBody)
    expectProblem(try await served.ask("POST", "/api/claims", blank), .malformed)
    expectProblem(try await served.ask("POST", "/api/claims", blank + " "), .tooLarge)
  }
}
