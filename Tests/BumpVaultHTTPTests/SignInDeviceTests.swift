import BumpSignIn
import BumpVaultAPI
import BumpWallet
import SignInContract
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// The devices of an account, and what opens its wallet, over HTTP.
struct SignInDeviceTests {
  @Test func `an account takes five devices, and no sixth until one is removed`() async throws {
    let (browser, wallet) = (PageBrowser(try await SignInServed()), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    for number in 1...5 as ClosedRange<UInt8> {
      let response = try await browser.add(number, to: account, by: wallet)
      #expect(response.status == 200 && response.member("wallet") == wallet.address.description, "\(response.text)")
    }
    expectProblem(try await browser.add(6, to: account, by: wallet), .tooManyDevices)
    let second = DeviceID(try device(2).0)
    let removed = try await browser.send(
      .remove(second), "/api/wallet/devices/\(second.value)/remove", of: account, by: wallet)
    #expect(removed.status == 200 && !removed.text.contains(second.value.description))
    #expect(try await browser.add(6, to: account, by: wallet).status == 200)
  }

  @Test func `a session shows its account's devices with their wrapped keys`() async throws {
    let served = try await SignInServed()
    let (browser, wallet) = (PageBrowser(served), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    let (credential, name, wrapped) = try device(1)
    let id = DeviceID(credential)
    let added = served.now
    served.advance(by: 100)
    let path = "/api/wallet/devices/\(id.value)/use"
    #expect(try await browser.send(.use(id), path, of: account, by: wallet).status == 200)
    let session = try await browser.session()
    let row: JSONValue = [
      "id": .text(id.value), "credential": .base64URL(credential.bytes), "name": .string(name.text),
      "wrapped": .base64URL(wrapped.bytes), "added": .integer(added), "used": .integer(served.now),
    ]
    #expect(session.text.contains(#""devices":[\#(row.text)]"#), "\(session.text)")
    #expect(session.member("device") == id.value.description)
  }

  @Test func `each change needs the signature of the account's wallet, for this change and this account`() async throws
  {
    let served = try await SignInServed()
    let (browser, wallet, other) = (PageBrowser(served), try SignInScene.wallet(1), try SignInScene.wallet(2))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    let before = served.store.everything
    let (first, second) = (DeviceID(try device(1).0), try device(2))
    let foreign = "0x" + String(repeating: "7", count: 64)
    var answers = [
      try await browser.add(2, to: account, by: other), try await browser.add(2, to: foreign, by: wallet),
      // The operator, or somebody on the way, puts another blob, name or passkey in its place.
      try await browser.add(2, to: account, by: wallet) {
        $0["wrapped"] = .base64URL([UInt8](repeating: 9, count: 60))
      },
      try await browser.add(2, to: account, by: wallet) { $0["name"] = "Laptop" },
      try await browser.add(2, to: account, by: wallet) {
        $0["credential"] = .base64URL([UInt8](repeating: 9, count: 20))
      },
      // A signature by one wallet in the name of another.
      try await browser.add(2, to: account, by: other) { $0["wallet"] = .string(wallet.address.description) },
      try await browser.add(2, to: account, by: wallet) { $0["validBefore"] = .integer(served.now + 301) },
      try await browser.send(
        .use(first), "/api/wallet/devices/\(first.value)/remove", of: account, by: wallet),
      try await browser.send(
        .remove(first), "/api/wallet/recovery", of: account, by: wallet),
      try await browser.send(
        .recovery(second.2), "/api/wallet/recovery", of: account, by: wallet),
    ]
    for seconds in [0, -1, 901] as [Int64] {
      let fields = try served.signed(.remove(first), of: account, by: wallet, validFor: seconds)
      answers.append(
        try await browser.ask("POST", "/api/wallet/devices/\(first.value)/remove", .members(fields)))
    }
    for answer in answers { expectProblem(answer, .walletNotSigned) }
    #expect(served.store.everything.devices == before.devices && served.store.everything.accounts == before.accounts)
  }

  @Test func `a change needs a session too`() async throws {
    let served = try await SignInServed()
    let (browser, wallet) = (PageBrowser(served), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    browser.jar = [:]
    expectProblem(try await browser.add(2, to: account, by: wallet), .notSignedIn)
    #expect(served.store.everything.devices.count == 1)
  }

  @Test func `a passkey belongs to one device of one account`() async throws {
    let served = try await SignInServed()
    let (alice, mallory) = (PageBrowser(served), PageBrowser(served))
    let (hers, his) = (try await alice.signIn(), try await mallory.signIn("mallory@example.org"))
    try await alice.add(1, to: hers, by: SignInScene.wallet(1))
    expectProblem(try await mallory.add(1, to: his, by: SignInScene.wallet(2)), .deviceTaken)
    let id = DeviceID(try device(1).0)
    let removal = try await mallory.send(
      .remove(id), "/api/wallet/devices/\(id.value)/remove", of: his, by: SignInScene.wallet(2))
    expectProblem(removal, .unknownDevice)
    #expect(served.store.everything.devices.count == 1)
  }

  @Test func `a passkey finds its wrapped key without mail and without a session`() async throws {
    let served = try await SignInServed()
    let (browser, wallet) = (PageBrowser(served), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    let (credential, _, wrapped) = try device(1)
    let stranger = PageBrowser(served)
    let found = try await stranger.ask("POST", "/api/wallet/find", ["credential": .base64URL(credential.bytes)])
    #expect(found.status == 200 && found.member("account") == account)
    #expect(found.member("wallet") == wallet.address.description)
    guard case .string(let text) = JSONValue.base64URL(wrapped.bytes) else { throw NoText() }
    #expect(found.member("wrapped") == text && stranger.jar.isEmpty)
    let (other, _, _) = try device(2)
    expectProblem(
      try await stranger.ask("POST", "/api/wallet/find", ["credential": .base64URL(other.bytes)]), .unknownDevice)
  }

  private struct NoText: Error {}

  @Test func `removing a device ends its sessions, and its wrapped key is gone`() async throws {
    let served = try await SignInServed()
    let (phone, laptop, wallet) = (PageBrowser(served), PageBrowser(served), try SignInScene.wallet(1))
    let account = try await phone.signIn()
    try await laptop.signIn()
    try await phone.add(1, to: account, by: wallet)
    try await laptop.add(2, to: account, by: wallet)
    let (credential, _, _) = try device(1)
    let id = DeviceID(credential)
    let removed = try await laptop.send(
      .remove(id), "/api/wallet/devices/\(id.value)/remove", of: account, by: wallet)
    #expect(removed.status == 200)
    expectProblem(try await phone.session(), .notSignedIn)
    #expect(try await laptop.session().status == 200)
    let find: JSONValue = ["credential": .base64URL(credential.bytes)]
    expectProblem(try await laptop.ask("POST", "/api/wallet/find", find), .unknownDevice)
  }

  @Test func `the key under the recovery code is kept, replaced and removed`() async throws {
    let (browser, wallet) = (PageBrowser(try await SignInServed()), try SignInScene.wallet(1))
    let account = try await browser.signIn()
    try await browser.add(1, to: account, by: wallet)
    for number in [7, 8] as [UInt8] {
      let wrapped = try device(number).2
      let set = try await browser.send(
        .recovery(wrapped), "/api/wallet/recovery", of: account, by: wallet, ["wrapped": .base64URL(wrapped.bytes)])
      let expected: JSONValue = ["recovery": .base64URL(wrapped.bytes)]
      #expect(set.status == 200 && set.text.contains(expected.text.dropFirst().dropLast()), "\(set.text)")
    }
    let removed = try await browser.send(.recovery(nil), "/api/wallet/recovery", of: account, by: wallet)
    #expect(removed.status == 200 && removed.member("recovery") == nil)
  }

  @Test(arguments: [
    ("wrapped", 32), ("wrapped", 59), ("wrapped", 61), ("credential", 15), ("credential", 1024),
  ])
  func `a value of another length is named as the field`(field: String, count: Int) async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    let account = try await browser.signIn()
    let response = try await browser.add(1, to: account, by: SignInScene.wallet(1)) {
      $0[field] = .base64URL([UInt8](repeating: 1, count: count))
    }
    expectProblem(response, .badField)
    #expect(response.member("field") == field && served.store.everything.devices.isEmpty)
  }

  @Test(arguments: [
    ("wrapped", "AAAA+AAA"), ("credential", String(repeating: "A", count: 27) + "="), ("name", ""),
    ("name", "a\u{202E}b"), ("name", "a\r\nb"), ("name", String(repeating: "ü", count: 33)), ("signature", "0x"),
    ("wallet", "0x52908400098527886e0F7030069857D2E4169EE7"),
  ])
  func `a value of another form is named as the field`(field: String, text: String) async throws {
    let browser = PageBrowser(try await SignInServed())
    let account = try await browser.signIn()
    let response = try await browser.add(1, to: account, by: SignInScene.wallet(1)) { $0[field] = .string(text) }
    expectProblem(response, .badField)
    #expect(response.member("field") == field)
  }

  /// The account that a code opens is a wallet's account like any other: its owner reads it with a signed request.
  @Test func `the wallet reads its balance and history by its own signature, and a session does not`() async throws {
    let served = try await SignInServed()
    let browser = PageBrowser(served)
    let (account, person) = (try await browser.signIn(), try Person(1))
    try await browser.add(1, to: account, by: person.key)
    for path in ["/api/accounts/\(person.address)", "/api/accounts/\(person.address)/history"] {
      expectProblem(try await browser.ask("GET", path), .notSigned)
      let signed = try await browser.ask("GET", path, nil, [served.served.authorization(of: person)])
      #expect(signed.status == 200)
    }
  }
}
