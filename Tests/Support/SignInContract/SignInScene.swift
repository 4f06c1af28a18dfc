package import BumpSignIn
package import BumpWallet
import Crypto
import Samples
import Synchronization
package import Testing

/// Makes an empty store of accounts for keys.
package struct AccountStoreMaker: Sendable {
  package typealias Make = @Sendable (AccountKeys) async throws -> any AccountStore
  let make: Make

  package init(_ make: @escaping Make) { self.make = make }

  package static let inMemory = AccountStoreMaker { _ in InMemoryAccountStore() }
}

/// A server of sign-in on a fresh store, with a clock that is set by hand and chance from a seed.
package final class SignInScene: Sendable {
  package static let keys = AccountKeys(secret: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
  package let store: any AccountStore
  package let signIn: SignIn
  package let limits: SignInLimits
  package let domain: Domain
  private let clock = Mutex(1_800_000_000 as Int64)

  package init(_ make: AccountStoreMaker = .inMemory, limits: SignInLimits = SignInLimits(), seed: UInt64 = 1)
    async throws
  {
    store = try await make.make(Self.keys)
    self.limits = limits
    domain = Domain(name: "ClaimVault", version: "1", chainID: 31_337, verifyingContract: try Self.wallet(99).address)
    let chance = Chance(seed: seed)
    signIn = SignIn(store, keys: Self.keys, limits: limits, domain: domain, random: { chance.bytes($0) })
  }

  private final class Chance: Sendable {
    private let generator: Mutex<SplitMix64>
    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] {
      generator.withLock { generator in (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
    }
  }

  package var now: Int64 { clock.withLock(\.self) }
  package func advance(by seconds: Int64) { clock.withLock { $0 += seconds } }

  package static func wallet(_ number: UInt8) throws -> PrivateKey {
    try PrivateKey([UInt8](repeating: 0, count: 31) + [number])
  }

  package func begin(_ browser: Browser, _ address: SignInAddress) async throws -> OneTimeCode? {
    let begun = try await signIn.begin(at: address, replacing: browser.flow, at: now)
    browser.set(flow: begun.flow)
    return begun.message?.code
  }

  /// Asks for a code, and expects that one is sent.
  package func expectCode(
    for address: SignInAddress, in browser: Browser = Browser(), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let code = try await begin(browser, address)
    #expect(code != nil, sourceLocation: sourceLocation)
  }

  /// Asks for a code, and expects that none is sent.
  package func expectNoCode(
    for address: SignInAddress, in browser: Browser = Browser(), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let code = try await begin(browser, address)
    #expect(code == nil, sourceLocation: sourceLocation)
  }

  @discardableResult
  package func enter(_ code: String, _ browser: Browser) async throws -> AccountView {
    let signedIn = try await signIn.enter(code, in: browser.flow, replacing: browser.session, at: now)
    browser.set(session: signedIn.session)
    return signedIn.account
  }

  /// Asks for a code, and enters it.
  @discardableResult
  package func signIn(_ browser: Browser, _ address: SignInAddress = .alice) async throws -> AccountView {
    let code = try #require(try await begin(browser, address))
    return try await enter(code.digits, browser)
  }

  @discardableResult
  package func resume(_ browser: Browser) async throws -> AccountView {
    let resumed = try await signIn.resume(browser.session, at: now)
    if let replacement = resumed.replacement { browser.set(session: replacement) }
    return resumed.account
  }

  package func signed(
    _ change: WalletChange, of account: AccountID, by wallet: PrivateKey, validFor seconds: Int64 = 300
  ) -> SignedWalletChange {
    let statement = WalletStatement(account: account, change: change, validBefore: now + seconds, domain: domain)
    return SignedWalletChange(
      change, wallet: wallet.address, validBefore: now + seconds, signature: wallet.sign(statement.digest))
  }

  @discardableResult
  package func change(
    _ change: WalletChange, of account: AccountID, by wallet: PrivateKey, in browser: Browser
  ) async throws -> AccountView {
    try await signIn.change(signed(change, of: account, by: wallet), in: browser.session, at: now)
  }

  package func expectRefusal(
    _ code: SignInRefusal.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: SignInRefusal.self, comment, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, comment, sourceLocation: sourceLocation)
  }
}

/// The cookies of a browser.
package final class Browser: Sendable {
  private let cookies = Mutex<(flow: SignInToken?, session: SignInToken?)>((nil, nil))

  package init() {}

  package var flow: SignInToken? { cookies.withLock(\.flow) }
  package var session: SignInToken? { cookies.withLock(\.session) }
  package func set(flow: SignInToken?) { cookies.withLock { $0.flow = flow } }
  package func set(session: SignInToken?) { cookies.withLock { $0.session = session } }
}

extension SignInAddress {
  package static var alice: SignInAddress { named("alice") }

  package static func named(_ name: String) -> SignInAddress {
    guard let address = try? MailAddress("\(name)@example.org") else { preconditionFailure("it is an address") }
    return .mail(address)
  }
}

extension OneTimeCode {
  /// Another code of the same length.
  package var wrong: String { String(digits.dropLast()) + (digits.last == "0" ? "1" : "0") }
}

/// A device with a number, as a page adds it.
package func device(_ number: UInt8, _ name: String = "Phone") throws -> (CredentialID, DeviceName, WrappedKey) {
  (
    try #require(CredentialID([UInt8](repeating: number, count: 20))), try #require(DeviceName(name)),
    try #require(WrappedKey([UInt8](repeating: number, count: 60)))
  )
}
