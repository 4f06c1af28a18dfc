import BumpSignIn
import Crypto
import SignInContract
import Synchronization
import Testing

@Suite struct SecrecyTests {
  @Test func `addresses, codes, tokens, keys and wrapped keys print as nothing`() throws {
    let begun = try #require(OneTimeCode("123456", count: 6))
    let token = try #require(SignInToken("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
    let wrapped = try #require(WrappedKey([UInt8](repeating: 65, count: 60)))
    for value in [begun, token, wrapped, SignInAddress.alice, SignInScene.keys] as [any Sendable] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(text.contains("<redacted>"))
        for secret in ["123456", "AAAA", "65", "alice", "example"] { #expect(!text.contains(secret)) }
      }
    }
  }

  @Test func `other keys hash everything otherwise`() async throws {
    let other = AccountKeys(secret: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
    #expect(other.fingerprint != SignInScene.keys.fingerprint)
    let (store, domain) = (InMemoryAccountStore(), try await SignInScene().domain)
    var accounts: Set<AccountID> = []
    for keys in [SignInScene.keys, other, SignInScene.keys] {
      let signIn = SignIn(store, keys: keys, domain: domain)
      let begun = try await signIn.begin(at: .alice, replacing: nil, at: 0)
      let code = try #require(begun.message).code
      accounts.insert(try await signIn.enter(code.digits, in: begun.flow, replacing: nil, at: 0).account.id)
    }
    #expect(accounts.count == 2)
  }

  @Test func `equal codes of two flows have different hashes`() async throws {
    let store = InMemoryAccountStore()
    let domain = try await SignInScene().domain
    let drawn = Counter()
    // Tokens differ, and each code is 000000.
    let signIn = SignIn(
      store, keys: SignInScene.keys, domain: domain,
      random: { count in count == 4 ? [0, 0, 0, 0] : [UInt8](repeating: drawn.next(), count: count) })
    let flows = [
      try await signIn.begin(at: .alice, replacing: nil, at: 0),
      try await signIn.begin(at: .alice, replacing: nil, at: 0),
    ]
    #expect(flows.allSatisfy { $0.message?.code.digits == "000000" })
    // A database's reader who knows a code of its own learns nothing about another one.
    #expect(Set(store.everything.flows.values.map(\.code)).count == 2)
  }
}

@Suite struct CookieTests {
  @Test func `a cookie is for this host alone, over TLS, and hidden from scripts and other sites`() async throws {
    let token = try await SignInScene().signIn.begin(at: .alice, replacing: nil, at: 0).flow
    let setting = SignInCookie.session.setting(token, for: 600, over: .tls)
    #expect(setting.hasPrefix("__Host-bump-session=\(token.cookieValue); "))
    let attributes = Set(setting.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } })
    #expect(attributes == ["Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=600"])
    let removal = SignInCookie.flow.removal(over: .tls)
    #expect(removal.hasPrefix("__Host-bump-flow=; ") && removal.contains("; Secure;"))
    #expect(removal.hasSuffix("; Max-Age=0"))
  }

  /// Safari takes no `Secure` from http://localhost, and no browser takes the prefix without it.
  @Test func `over HTTP on this machine a cookie has another name, which is never read over TLS`() async throws {
    let token = try await SignInScene().signIn.begin(at: .alice, replacing: nil, at: 0).flow
    let setting = SignInCookie.session.setting(token, for: 600, over: .loopback)
    #expect(
      setting == "bump-session=\(token.cookieValue); Path=/; HttpOnly; SameSite=Strict; Max-Age=600", "\(setting)")
    let pair = "bump-session=\(token.cookieValue)"
    #expect(SignInCookie.session.token(in: [pair], over: .loopback) == token)
    #expect(SignInCookie.session.token(in: [pair], over: .tls) == nil)
    #expect(SignInCookie.session.token(in: ["__Host-\(pair)"], over: .loopback) == nil)
  }

  @Test func `a cookie is read, and two of one name are none`() async throws {
    let scene = try await SignInScene()
    let first = try await scene.signIn.begin(at: .alice, replacing: nil, at: 0).flow
    let second = try await scene.signIn.begin(at: .alice, replacing: nil, at: 0).flow
    let (one, other) = ("__Host-bump-flow=\(first.cookieValue)", "__Host-bump-flow=\(second.cookieValue)")
    #expect(SignInCookie.flow.token(in: ["a=b; \(one); c=d"], over: .tls) == first)
    #expect(SignInCookie.flow.token(in: ["a=b", one], over: .tls) == first)
    for headers in [
      [], [""], ["\(one); \(other)"], [one, other], ["\(one); \(one)"], ["__host-bump-flow=\(first.cookieValue)"],
      ["x\(one)"], ["\(one)="], ["__Host-bump-flow=\(first.cookieValue.dropLast())"], ["__Host-bump-flow="],
      ["__Host-bump-flow=\(first.cookieValue.dropLast())\u{301}"],
    ] {
      #expect(SignInCookie.flow.token(in: headers, over: .tls) == nil, "\(headers)")
    }
    #expect(SignInCookie.session.token(in: [one], over: .tls) == nil)
  }

  @Test func `a token has one text`() {
    let text = String(repeating: "A", count: 43)
    #expect(SignInToken(text)?.cookieValue == text)
    // The last character has two bits that belong to no byte.
    #expect(SignInToken("\(text.dropLast())B") == nil)
    #expect(SignInToken("\(text)=") == nil && SignInToken("\(text)A") == nil)
  }
}

@Suite struct DeviceValueTests {
  @Test func `a bare key is no wrapped key`() {
    #expect(WrappedKey([UInt8](repeating: 1, count: 32)) == nil)
    #expect(WrappedKey([UInt8](repeating: 1, count: 60)) != nil)
    for count in [0, 16, 59, 61, 1000] { #expect(WrappedKey([UInt8](repeating: 1, count: count)) == nil) }
  }

  @Test func `a credential's id is as long as that of a passkey`() {
    #expect(CredentialID([UInt8](repeating: 1, count: 15)) == nil)
    #expect(CredentialID([UInt8](repeating: 1, count: 16)) != nil)
    #expect(CredentialID([UInt8](repeating: 1, count: 1024)) == nil)
  }

  @Test(arguments: ["", "  ", "a\u{202E}b", "a\nb", "\u{200B}", String(repeating: "ü", count: 33)])
  func `a name that would not be shown as it is, is refused`(name: String) { #expect(DeviceName(name) == nil) }

  @Test func `names of people's phones are taken`() {
    for name in ["Alice's iPhone", "Pixel 9", "Büro", "携帯"] { #expect(DeviceName(name)?.text == name) }
  }
}

/// Counts up, for draws that differ.
private final class Counter: Sendable {
  private let value = Atomic<UInt8>(0)
  func next() -> UInt8 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
