import BumpSignIn
import BumpText
import BumpVault
import BumpVaultAPI
import BumpWallet
import SignInContract
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// A vault at `https://vault.example` that signs people in, and what it has sent.
struct SignInServed {
  let served: Served
  let store: InMemoryAccountStore
  let outbox: Outbox
  let domain: Domain

  /// - Parameter phone: how codes are sent to phones; `nil` if none are.
  init(
    phone: SignInDesk.Way? = .maildir, over accounts: (any AccountStore)? = nil,
    at url: String = "https://vault.example", _ change: (inout VaultSettings) -> Void = { _ in }
  ) async throws {
    let scene = try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    let (domain, store, outbox) = (scene.identity.vault.domain, InMemoryAccountStore(), Outbox())
    (self.domain, self.store, self.outbox) = (domain, store, outbox)
    let rules = SignIn(accounts ?? store, keys: SignInScene.keys, domain: domain)
    let desk = SignInDesk(rules, mail: .smtp, phone: phone) { outbox.add($0, $1) }
    served = Served(scene, signIn: desk) { settings in
      settings.origin.set(VaultURL(url))
      change(&settings)
    }
  }

  var now: Int64 { served.scene.clock.now }
  func advance(by seconds: Int64) { served.scene.clock.advance(by: seconds) }

  /// Returns the bodies of a change that a wallet has signed.
  func signed(
    _ change: WalletChange, of account: String, by wallet: PrivateKey, validFor seconds: Int64 = 300
  ) throws -> [String: JSONValue] {
    let id = AccountID(try Bytes32(account))
    let statement = WalletStatement(account: id, change: change, validBefore: now + seconds, domain: domain)
    return [
      "wallet": .string(wallet.address.description), "validBefore": .integer(now + seconds),
      "signature": .string(wallet.sign(statement.digest).description),
    ]
  }
}

/// The codes that were sent, and the languages of their messages.
final class Outbox: Sendable {
  private let messages = Mutex<[(message: CodeMessage, language: PageLanguage)]>([])
  func add(_ message: CodeMessage, _ language: PageLanguage) { messages.withLock { $0.append((message, language)) } }
  var count: Int { messages.withLock(\.count) }
  var last: CodeMessage? { messages.withLock { $0.last?.message } }
  var lastLanguage: PageLanguage? { messages.withLock { $0.last?.language } }
}

/// A browser with its cookies, on a page of the vault.
final class PageBrowser: Sendable {
  let served: SignInServed
  private let cookies = Mutex<[String: String]>([:])
  private let isTLS: Bool
  private let peer: String
  private let host: String

  init(
    _ served: SignInServed, isTLS: Bool = true, from peer: String = Served.away, host: String = "vault.example"
  ) {
    (self.served, self.isTLS, self.peer, self.host) = (served, isTLS, peer, host)
  }

  /// The values of the cookies by their names.
  var jar: [String: String] {
    get { cookies.withLock(\.self) }
    set { cookies.withLock { $0 = newValue } }
  }

  private var origin: String { "\(isTLS ? "https" : "http")://\(host)" }

  /// Asks as a script of the vault's page does.
  @discardableResult func ask(
    _ method: String, _ path: String, _ body: JSONValue? = nil, _ more: [VaultRequest.Header] = []
  ) async throws -> VaultResponse {
    var headers: [VaultRequest.Header] = [.init("Sec-Fetch-Site", "same-origin")]
    if method == "POST" { headers.append(.init("Origin", origin)) }
    return try await ask(method, path, body?.text, withOnly: headers + more)
  }

  /// Asks with the cookies and with these headers.
  func ask(
    _ method: String, _ path: String, _ body: String?, withOnly headers: [VaultRequest.Header]
  ) async throws -> VaultResponse {
    let pairs = jar.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let cookie = pairs.isEmpty ? [] : [VaultRequest.Header("Cookie", pairs.joined(separator: "; "))]
    let response = try await served.served.ask(
      method, path, body, from: peer, isTLS: isTLS, headers + cookie, host: .init("Host", host))
    keep(response)
    return response
  }

  /// Keeps the cookies of an answer as a browser does.
  private func keep(_ response: VaultResponse) {
    for header in response.headers where header.name == "Set-Cookie" {
      guard let match = header.value.prefixMatch(of: /([^=]+)=([^;]*)/) else { continue }
      let (name, value) = (String(match.1), String(match.2))
      let isGone = header.value.hasSuffix("Max-Age=0")
      cookies.withLock { $0[name] = isGone ? nil : value }
    }
  }

  /// Asks for a code, and returns the one that was sent.
  func begin(_ email: String = "alice@example.org") async throws -> OneTimeCode {
    let before = served.outbox.count
    let response = try await ask("POST", "/api/sign-in", ["email": .string(email)])
    #expect(response.status == 202, "\(response.text)")
    #expect(served.outbox.count == before + 1)
    return try #require(served.outbox.last).code
  }

  @discardableResult func enter(_ code: String) async throws -> VaultResponse {
    try await ask("POST", "/api/sign-in/code", ["code": .string(code)])
  }

  /// Signs in, and returns the account's id.
  @discardableResult func signIn(_ email: String = "alice@example.org") async throws -> String {
    let response = try await enter(try await begin(email).digits)
    #expect(response.status == 200, "\(response.text)")
    return try #require(response.member("account"))
  }

  func session() async throws -> VaultResponse { try await ask("GET", "/api/session") }

  /// Adds the device of a number to the account that is signed in.
  @discardableResult func add(
    _ number: UInt8, to account: String, by wallet: PrivateKey, _ change: (inout [String: JSONValue]) -> Void = { _ in }
  ) async throws -> VaultResponse {
    let (credential, name, wrapped) = try device(number)
    var fields = try served.signed(.add(credential, name, wrapped), of: account, by: wallet)
    fields["credential"] = .base64URL(credential.bytes)
    fields["name"] = .string(name.text)
    fields["wrapped"] = .base64URL(wrapped.bytes)
    change(&fields)
    return try await ask("POST", "/api/wallet/devices", .members(fields))
  }

  /// Sends another change that a wallet has signed.
  @discardableResult func send(
    _ change: WalletChange, _ path: String, of account: String, by wallet: PrivateKey,
    _ more: [String: JSONValue] = [:]
  ) async throws -> VaultResponse {
    let fields = try served.signed(change, of: account, by: wallet).merging(more) { first, _ in first }
    return try await ask("POST", path, .members(fields))
  }
}

extension JSONValue {
  static func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64.urlEncoded(bytes)) }

  static func members(_ fields: [String: JSONValue]) -> JSONValue {
    .object(fields.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }
}
