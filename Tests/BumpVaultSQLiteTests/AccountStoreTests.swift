import BumpSignIn
import Crypto
import Foundation
import GRDB
import Samples
import SignInContract
import Testing

@testable import BumpVaultSQLite

@Suite struct SQLiteAccountStoreTests {
  private func open(
    _ place: TemporaryDirectory, keys: AccountKeys = SignInScene.keys
  ) async throws -> SQLiteAccountStore {
    try await SQLiteAccountStore.open(at: place.path("accounts.sqlite"), keys: keys)
  }

  @Test(arguments: SignInRule.all)
  func `accounts in a file keep the contract of signing in`(rule: SignInRule) async throws {
    let place = try TemporaryDirectory.inMemory()
    try await rule.check(on: AccountStoreMaker { try await self.open(place, keys: $0) })
  }

  /// A scene with all kinds of rows.
  private func filled(_ place: TemporaryDirectory) async throws -> (
    scene: SignInScene, codes: [OneTimeCode], browser: Browser
  ) {
    let scene = try await SignInScene(AccountStoreMaker { try await self.open(place, keys: $0) })
    let (browser, waiting, wallet) = (Browser(), Browser(), try SignInScene.wallet(1))
    let first = try #require(try await scene.begin(browser, .alice))
    let account = try await scene.enter(first.digits, browser)
    let (credential, name, wrapped) = try device(1)
    try await scene.change(.add(credential, name, wrapped), of: account.id, by: wallet, in: browser)
    try await scene.change(.recovery(wrapped), of: account.id, by: wallet, in: browser)
    let second = try #require(try await scene.begin(waiting, .alice))
    return (scene, [first, second], browser)
  }

  @Test func `neither the file nor its journal has an address, a code, a token or a key`() async throws {
    let place = try TemporaryDirectory()
    let (scene, codes, browser) = try await filled(place)
    let token = try #require(browser.session)
    let secrets =
      [Data("alice".utf8), Data("example.org".utf8), Data(token.cookieValue.utf8)] + codes.map { Data($0.digits.utf8) }
      + [Data([UInt8](repeating: 7, count: 32))]
    let tokenBytes = try #require(
      Data(base64Encoded: token.cookieValue.replacing("-", with: "+").replacing("_", with: "/") + "="))
    let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
    #expect(names.count >= 2)
    for name in names {
      #expect(try place.mode(name) == 0o600)
      let bytes = try Data(contentsOf: URL(filePath: place.path(name)))
      for secret in secrets + [tokenBytes] { #expect(bytes.firstRange(of: secret) == nil, "\(name)") }
      // What is searched for could be found.
      #expect(name != "accounts.sqlite" || bytes.firstRange(of: Data("Phone".utf8)) != nil)
    }
    _ = scene
  }

  @Test func `what was written is there for the next process`() async throws {
    let place = try TemporaryDirectory()
    let (scene, codes, browser) = try await filled(place)
    let again = SignIn(try await open(place), keys: SignInScene.keys, domain: scene.domain)
    let resumed = try await again.resume(browser.session, at: scene.now)
    #expect(resumed.account.devices.map(\.name.text) == ["Phone"] && resumed.account.recovery != nil)
    await scene.expectRefusal(.noFlow) {
      _ = try await again.enter(codes[0].digits, in: browser.flow, replacing: nil, at: scene.now)
    }
  }

  /// As two servers do: each has a connection of its own.
  @Test func `two servers on one file count codes together`() async throws {
    let place = try TemporaryDirectory.inMemory()
    let scene = try await SignInScene(AccountStoreMaker { try await self.open(place, keys: $0) })
    let other = SignIn(try await open(place), keys: SignInScene.keys, domain: scene.domain)
    let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        let signIn = number.isMultiple(of: 2) ? scene.signIn : other
        group.addTask { try await signIn.begin(at: .alice, replacing: nil, at: scene.now).message != nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(sent == 5)
  }

  @Test func `a store that was made with another key is refused, and left as it is`() async throws {
    let place = try TemporaryDirectory()
    _ = try await open(place)
    let before = try Data(contentsOf: URL(filePath: place.path("accounts.sqlite")))
    let other = AccountKeys(secret: SymmetricKey(data: [UInt8](repeating: 9, count: 32)))
    await #expect(throws: AccountStoreError(.otherKeys, "")) { try await open(place, keys: other) }
    #expect(try Data(contentsOf: URL(filePath: place.path("accounts.sqlite"))) == before)
    _ = try await open(place)
  }

  @Test(arguments: [
    "CREATE TRIGGER more AFTER UPDATE ON flows BEGIN UPDATE flows SET tries = 0; END", "CREATE TABLE more (a)",
    "CREATE VIEW more AS SELECT * FROM flows", "DROP INDEX flowsByExpiry", "PRAGMA user_version = 2",
  ])
  func `a store in which somebody made something is refused`(sql: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await open(place)
    try place.tamper(sql, "accounts.sqlite")
    await #expect(throws: AccountStoreError(.unusable, "")) { try await open(place) }
  }

  @Test func `a vault's store is no store of accounts, and the other way round`() async throws {
    let place = try TemporaryDirectory()
    _ = try await place.open("accounts.sqlite")
    await #expect(throws: AccountStoreError(.unusable, "")) { try await open(place) }
    let other = try TemporaryDirectory()
    _ = try await open(other)
    await #expect(throws: (any Error).self) { try await other.open("accounts.sqlite") }
  }

  @Test func `a store that others may read is refused`() async throws {
    let place = try TemporaryDirectory()
    _ = try await open(place)
    #expect(chmod(place.path("accounts.sqlite"), 0o644) == 0)
    await #expect(throws: AccountStoreError(.unusable, "")) { try await open(place) }
  }

  @Test(arguments: [("synchronous", "2"), ("journal_mode", "persist"), ("secure_delete", "1"), ("trusted_schema", "0")])
  func `a change is on the disk when its call returns, and what is deleted is overwritten`(
    pragma: String, value: String
  ) async throws {
    let place = try TemporaryDirectory()
    let store = try await open(place)
    #expect(try await store.queue.read { try String.fetchOne($0, sql: "PRAGMA \(pragma)") } == value)
  }

  @Test(arguments: [
    "UPDATE flows SET tries = -1", "UPDATE flows SET code = x'00'", "UPDATE addresses SET codes = x'00'",
    "UPDATE addresses SET account = randomblob(32)", "UPDATE devices SET wrapped = zeroblob(32)",
    "UPDATE accounts SET recovery = zeroblob(32)", "UPDATE accounts SET wallet = NULL",
    "UPDATE sessions SET token = x''",
    "DELETE FROM accounts", "UPDATE devices SET credential = zeroblob(15)",
  ])
  func `the database itself refuses what cannot be`(sql: String) async throws {
    let place = try TemporaryDirectory()
    _ = try await filled(place)
    #expect(throws: (any Error).self) {
      try DatabaseQueue(path: place.path("accounts.sqlite")).inDatabase { try $0.execute(sql: sql) }
    }
  }

  @Test(arguments: [
    "UPDATE devices SET credential = randomblob(20)", "UPDATE devices SET name = ''",
    "UPDATE sessions SET device = NULL, confirmed = NULL, token = randomblob(32)",
  ])
  func `a row that this program has not written opens nothing`(sql: String) async throws {
    let place = try TemporaryDirectory()
    let (scene, _, browser) = try await filled(place)
    #expect(try place.tamper(sql, "accounts.sqlite") > 0)
    await #expect(throws: (any Error).self) { try await scene.resume(browser) }
  }
}
