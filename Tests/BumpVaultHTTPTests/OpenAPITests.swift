import BumpClaims
import BumpSignIn
import BumpVault
import BumpVaultAPI
import BumpWallet
import Foundation
import SignInContract
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// The document that the server gives away, held against what it does.
struct OpenAPITests {
  private func document(_ served: Served) async throws -> [String: Any] {
    let response = try await served.ask("GET", "/openapi.json")
    #expect(response.status == 200 && response.header("Content-Type") == "application/json")
    return try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
  }

  @Test(arguments: [true, false]) func `it has the paths and methods that there are`(hasFaucet: Bool) async throws {
    let served = try await Served { $0.hasFaucet = hasFaucet }
    let document = try await document(served)
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    let address = "0x52908400098527886E0F7030069857D2E4169EE7"
    let routes = try [
      "/api/claims", "/api/claims/x", "/api/claims/x/events", "/api/claims/x/deposit", "/api/claims/x/claim",
      "/api/claims/x/refund", "/api/accounts/\(address)", "/api/accounts/\(address)/history", "/api/vault",
      "/api/challenge", "/healthz", "/readyz", "/openapi.json", "/api/faucet",
    ].map { try Route(path: $0) }.filter { hasFaucet || $0 != .faucet }
    #expect(Set(paths.keys) == Set(routes.map(\.name)) && paths.count == routes.count)
    for route in routes {
      let methods = Set(try #require(paths[route.name]).keys).subtracting(["parameters"])
      #expect(methods == [route.method.rawValue.lowercased()], "\(route.name)")
    }
  }

  @Test func `each reference leads somewhere`() async throws {
    let served = try await Served { $0.hasFaucet = true }
    let text = try await served.ask("GET", "/openapi.json").text
    let document = try await document(served)
    let people = try await SignInServed().served.ask("GET", "/openapi.json", host: .init("Host", "vault.example"))
    let schemas = try #require(people.text.firstRange(of: "\"schemas\""))
    let named = people.text[schemas.lowerBound...]
    for match in people.text.matches(of: /"#\/components\/schemas\/([a-zA-Z0-9]+)"/) {
      #expect(named.contains("\"\(match.1)\": {"), "\(match.0)")
    }
    for match in text.matches(of: /"\$ref": "#\/components\/([a-zA-Z]+)\/([a-zA-Z0-9]+)"/) {
      let components = try #require(document["components"] as? [String: [String: Any]])
      #expect(components[String(match.1)]?[String(match.2)] != nil, "\(match.0)")
    }
  }

  @Test func `an amount is what the server takes, and so above zero; a balance may be zero`() async throws {
    let document = try await document(try await Served())
    let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    let amount = try Regex(try #require(schemas["Amount"]?["pattern"] as? String))
    let texts = [
      "0", "0.0", "0.000000", "0.000001", "0.1", "0.10", "0.010000", "0.0000001", "1", "10.5", "1.000000", "01", "1.",
      ".5", "-1", "1e3", "", "1.0000000", "9223372036854.775807",
    ]
    for text in texts {
      #expect((try amount.wholeMatch(in: text) != nil) == ((try? Amount(text)) != nil), "\(text)")
    }
    let sum = try Regex(try #require(schemas["Sum"]?["pattern"] as? String))
    #expect(try sum.wholeMatch(in: "0.00") != nil && amount.wholeMatch(in: "0.00") == nil)
    let account = try #require(schemas["Account"]?["properties"] as? [String: Any])
    #expect("\(account)".contains("schemas/Sum"))
  }

  @Test func `each body has the fields that its schema has`() async throws {
    let served = try await Served()
    let document = try await document(served)
    let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    // An embedded vault's answers have none of these.
    let ofChains: Set<String> = ["kind", "codeHash", "confirmations", "level", "block"]
    func names(_ json: String) throws -> Set<String> {
      Set(try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]).keys)
    }
    func expect(_ schema: String, _ json: String, isWhole: Bool = true) throws {
      let properties = Set(try #require(schemas[schema]?["properties"] as? [String: Any]).keys)
      let required = Set(try #require(schemas[schema]?["required"] as? [String]))
      let names = try names(json)
      #expect(names.isSubset(of: properties) && required.isSubset(of: names), "\(schema): \(names)")
      if isWhole { #expect(names == properties.subtracting(ofChains), "\(schema)") }
    }
    try await served.scene.mint(1_000_000, to: Person(1))
    let claim = try served.scene.claim(1)
    let path = "/api/claims/\(claim.id)"
    try expect("DraftRequest", try await served.draft(claim, altcha: served.solved()))
    try expect("Draft", try await served.ask("POST", "/api/claims", served.draft(claim)).text, isWhole: false)
    try expect("DepositRequest", served.deposit(claim, from: Person(1)))
    try expect("Deposit", try await served.ask("POST", path + "/deposit", served.deposit(claim, from: Person(1))).text)
    try expect("PayoutRequest", served.payout(claim, to: Person(2)), isWhole: false)
    try expect("Payout", try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(2))).text)
    let receipt = Answer.receipt(try await served.scene.take(claim, for: Person(2)))
    try expect("Receipt", receipt.body.text)
    try expect("Claim", try await served.ask("GET", path).text)
    try expect("Vault", try await served.ask("GET", "/api/vault").text, isWhole: false)
    let proven = try await SignInServed().served.ask(
      "GET", "/api/vault?nonce=\(String(repeating: "0a", count: 32))", host: .init("Host", "vault.example"))
    try expect("Vault", proven.text)
    try expect("Challenge", try await served.ask("GET", "/api/challenge").text)
    let problem = try await served.ask("POST", path + "/claim", served.payout(claim, to: Person(3))).text
    try expect("Problem", problem, isWhole: false)
    let signed = [served.authorization(of: try Person(1))]
    let account = "/api/accounts/\(try Person(1).address)"
    try expect("Account", try await served.ask("GET", account, signed).text)
    try expect("History", try await served.ask("GET", account + "/history?limit=1", signed).text)
  }

  @Test("What a vault on a chain answers has every field of its schema, and a stream ends only with what is final")
  func ofAChain() async throws {
    let served = try await Served()
    let document = try await document(served)
    let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    func expect(_ schema: String, _ answer: JSONValue, without missing: Set<String> = []) throws {
      let properties = Set(try #require(schemas[schema]?["properties"] as? [String: Any]).keys)
      let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
      #expect(Set(try #require(object).keys) == properties.subtracting(missing), "\(schema)")
    }
    let claim = try served.scene.claim(1)
    let receiver = try Person(2).address
    func view(_ level: Inclusion.Level) -> ClaimView {
      ClaimView(
        claimID: claim.id, terms: claim.terms, status: .claimed, isSubmitted: false, transaction: .word(1 as UInt64),
        settled: (7, receiver), in: Inclusion(blockNumber: 9, blockHash: .word(2 as UInt64), level: level), at: 8)
    }
    try expect("Claim", view(.confirmed).json)
    #expect(!ServerSentEvents.isLast(view(.confirmed)) && ServerSentEvents.isLast(view(.finalized)))
    let hash = Bytes32.word(3 as UInt64)
    let token = TokenContract(
      token: .usdc, address: try served.scene.token, domainName: "USD Coin", domainVersion: "2", codeHash: hash)
    let vault = try VaultDescription(
      chainID: 31337, address: Person(3).address, tokens: [token], receiptKey: Person(4).address, codeHash: hash)
    let answer = Answer.vault(
      vault, VaultLimits(), chain: ChainTerms(confirmations: 3, authorizationSeconds: 600), version: "1",
      asksForChallenge: false, hasFaucet: false)
    try expect("Vault", answer.body, without: ["origin", "nonce", "signature", "signIn"])
    let call = ContractCall(to: receiver, data: [1, 2])
    let problem = Problem(.sponsoringExhausted, "why", remedy: "what", notBefore: 7, calldata: call)
    try expect("Problem", problem.answer.body, without: ["field", "receipt", "triesLeft"])
    #expect(problem.answer.status == 503 && !problem.kind.isRefusal)
  }
}

/// The part of the document that is about signing in.
struct SignInOpenAPITests {
  private func document(_ served: Served) async throws -> [String: Any] {
    let response = try await served.ask("GET", "/openapi.json", host: .init("Host", "vault.example"))
    return try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
  }

  @Test func `it has the paths of signing in where people sign in`() async throws {
    let paths = try #require(try await document(SignInServed().served)["paths"] as? [String: [String: Any]])
    let id = "0x" + String(repeating: "1", count: 64)
    let routes = try [
      "/api/sign-in", "/api/sign-in/code", "/api/session", "/api/sign-out", "/api/wallet/find", "/api/wallet/devices",
      "/api/wallet/devices/\(id)/use", "/api/wallet/devices/\(id)/remove", "/api/wallet/recovery",
    ].map { try Route(path: $0) }
    #expect(Set(routes.map(\.name)).isSubset(of: paths.keys) && routes.count == Set(routes.map(\.name)).count)
    for route in routes {
      let methods = Set(try #require(paths[route.name]).keys).subtracting(["parameters"])
      #expect(methods == [route.method.rawValue.lowercased()], "\(route.name)")
    }
  }

  @Test func `each answer has the fields that its schema has`() async throws {
    let served = try await SignInServed()
    let document = try await document(served.served)
    let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
    func expect(_ schema: String, _ response: VaultResponse) throws {
      let properties = Set(try #require(schemas[schema]?["properties"] as? [String: Any]).keys)
      let body = try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any]
      #expect(Set(try #require(body).keys) == properties, "\(schema): \(response.text)")
    }
    let (browser, wallet) = (PageBrowser(served), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    let (credential, _, wrapped) = try device(1)
    let changed = try await browser.send(
      .recovery(wrapped), "/api/wallet/recovery", of: account, by: wallet, ["wrapped": .base64URL(wrapped.bytes)])
    try expect("SignInAccount", changed)
    try expect("SignedInAccount", try await browser.session())
    try expect(
      "FoundWallet",
      try await browser.ask("POST", "/api/wallet/find", ["credential": .base64URL(credential.bytes)]))
    try expect("CodeAnswer", try await browser.ask("POST", "/api/sign-in", ["email": "bob@example.org"]))
  }
}
