import BumpClip
import Foundation
import Testing

/// The life of a hand-over: nothing, App Clip, app.
@Suite struct PhoneTests {
  private let fixture = PhoneFixture()
  private var phone: Phone { fixture.phone }

  @Test func `a URL starts the App Clip, and once the app is installed it opens the app`() throws {
    let product = try PhoneFixture.product("roadflare")
    #expect(try phone.installation(of: product).state == .nothing)
    #expect(try fixture.open(Links.driver) == .clip)
    let installation = try phone.installation(of: product)
    #expect(installation.state == .clip && installation.captured == ["npub": Links.npub])
    #expect(try phone.install(product))
    #expect(try fixture.open(Links.driver) == .app)
    #expect(try phone.installation(of: product).state == .app && phone.install(product) == false)
  }

  @Test func `a URL that is for the app alone starts no App Clip`() throws {
    let rider = "https://roadflare.app/share/r/\(Links.npub)"
    #expect(try fixture.open(rider) == .browser)
    #expect(try phone.installation(of: PhoneFixture.product("roadflare")).state == .nothing)
    // Nor does it change what the App Clip has captured.
    try fixture.open(Links.driver)
    #expect(try fixture.open(rider) == .browser)
    #expect(try phone.installation(of: PhoneFixture.product("roadflare")).captured == ["npub": Links.npub])
  }

  @Test func `a broken URL starts the App Clip, which captures nothing`() throws {
    let route = Experiences.builtIn.router.route("https://roadflare.app/share/d/npub1x")
    guard case .broken(let experience, let product, _) = route else {
      Issue.record("not broken")
      return
    }
    try fixture.open(Links.driver)
    #expect(try phone.open(broken: experience, of: product) == .clip)
    let installation = try phone.installation(of: product)
    #expect(installation.captured == [:] && installation.experience == nil)
    #expect(throws: PhoneError.self) { try phone.handOver(product) }
  }

  @Test func `a driver is one JSON value with its time, and is consumed once`() throws {
    try fixture.handOver(Links.driver, ["name": "Ann \"A\"", "createdAt": "1700000000"])
    let value = #"{"npub":"\#(Links.npub)","name":"Ann \"A\"","createdAt":1700000000,"storedAt":1800000000}"#
    #expect(try fixture.value("pendingDriver", of: "roadflare") == value)
    #expect(try fixture.consume("roadflare") == .stored(key: "pendingDriver", value: value))
    #expect(try fixture.value("pendingDriver", of: "roadflare") == nil)
    #expect(try fixture.consume("roadflare") == .nothing)
    let contents = try #require(try phone.contents(of: PhoneFixture.product("roadflare")))
    #expect(contents.values.map(\.value) == [value] && !contents.hasMigrated)
  }

  @Test func `a starter pack is handed over as the canonical URL`() throws {
    try fixture.handOver("https://BSKY.app:443/start/alice.example/3kabc/?clip=true#x")
    #expect(try fixture.value("starterPackUri", of: "bluesky") == Links.pack)
    #expect(try fixture.consume("bluesky") == .stored(key: "starterPackUri", value: Links.pack))
  }

  @Test func `of a short link nothing is handed over before it is resolved`() throws {
    try fixture.open(Links.short)
    let product = try PhoneFixture.product("bluesky")
    let error = #expect(throws: PhoneError.self) { try phone.handOver(product) }
    #expect(error?.code == .nothing)
    try fixture.open(Links.pack)
    #expect(try phone.handOver(product) == Links.pack)
  }

  @Test func `where nothing was handed over onboarding runs without it`() throws {
    for id in ["irl", "roadflare", "bluesky", "orbiting", "businesscard"] {
      let product = try PhoneFixture.product(id)
      _ = try phone.install(product)
      #expect(try fixture.consume(id) == .nothing)
      #expect(try phone.contents(of: product) == nil)
    }
  }

  @Test func `an app that is not installed consumes nothing`() throws {
    try fixture.open(Links.driver)
    try phone.handOver(PhoneFixture.product("roadflare"))
    let error = #expect(throws: PhoneError.self) { try fixture.consume("roadflare") }
    #expect(error?.code == .state && error?.remedy?.contains("bump-clip install roadflare") == true)
    #expect(try fixture.value("pendingDriver", of: "roadflare") != nil)
  }

  @Test(arguments: [("irl", Links.claim), ("businesscard", Links.card)])
  func `two products hand nothing over`(id: String, url: String) throws {
    try fixture.open(url)
    let error = #expect(throws: PhoneError.self) { try phone.handOver(PhoneFixture.product(id)) }
    #expect(error?.code == .nothing)
  }

  @Test func `without an App Clip nothing is handed over`() throws {
    let product = try PhoneFixture.product("roadflare")
    #expect(#expect(throws: PhoneError.self) { try phone.handOver(product) }?.code == .state)
    _ = try phone.install(product)
    #expect(#expect(throws: PhoneError.self) { try phone.handOver(product) }?.code == .state)
  }

  @Test func `a field that was captured, is not known or is no number is not handed over`() throws {
    let product = try PhoneFixture.product("roadflare")
    try fixture.open(Links.driver)
    for fields in [["npub": "x"], ["photo": "x"], ["storedAt": "1"], ["createdAt": "01"], ["createdAt": "soon"]] {
      #expect(#expect(throws: PhoneError.self) { try phone.handOver(product, fields: fields) }?.code == .input)
    }
    let long = String(repeating: "a", count: 4096)
    #expect(#expect(throws: PhoneError.self) { try phone.handOver(product, fields: ["name": long]) }?.code == .input)
    #expect(try fixture.value("pendingDriver", of: "roadflare") == nil)
  }

  @Test func `a driver of 30 days is taken, and an older one is dropped`() throws {
    try fixture.handOver(Links.driver)
    fixture.advance(by: 30 * 86_400)
    guard case .stored = try fixture.consume("roadflare") else {
      Issue.record("not taken")
      return
    }
    let later = PhoneFixture()
    try later.handOver(Links.driver)
    later.advance(by: 30 * 86_400 + 1)
    #expect(try later.consume("roadflare") == .expired(key: "pendingDriver"))
    #expect(try later.value("pendingDriver", of: "roadflare") == nil)
    #expect(try later.phone.contents(of: PhoneFixture.product("roadflare")) == nil)
  }

  @Test func `a driver of a clock that was set back is taken`() throws {
    try fixture.handOver(Links.driver)
    fixture.advance(by: -86_400)
    guard case .stored = try fixture.consume("roadflare") else {
      Issue.record("not taken")
      return
    }
  }

  @Test(arguments: [
    ("roadflare", "pendingDriver", "npub1x"), ("roadflare", "pendingDriver", #"{"npub":"npub1x","storedAt":1}"#),
    ("roadflare", "pendingDriver", #"{"npub":"\#(Links.npub)"}"#), ("roadflare", "pendingDriver", #"{"storedAt":1}"#),
    ("roadflare", "pendingDriver", #"{"npub":"\#(Links.npub)","storedAt":"1"}"#),
    ("roadflare", "pendingDriver", #"{"npub":"\#(Links.npub)","storedAt":1,"x":1}"#),
    ("bluesky", "starterPackUri", Links.short), ("bluesky", "starterPackUri", "\(Links.pack)?clip=true"),
    ("bluesky", "starterPackUri", "\(Links.pack)/"), ("bluesky", "starterPackUri", Links.driver),
    ("bluesky", "starterPackUri", String(repeating: "a", count: 5000)), ("bluesky", "starterPackUri", ""),
  ]) func `what no App Clip of the product writes is dropped, and does not come back`(
    id: String, key: String, value: String
  ) throws {
    try fixture.write(value, key, of: id)
    _ = try phone.install(PhoneFixture.product(id))
    #expect(try fixture.consume(id) == .invalid(key: key))
    // A value that was cut in reading is not the one that was read.
    if value.utf8.count <= 4096 { #expect(try fixture.consume(id) == .nothing) }
    #expect(try phone.contents(of: PhoneFixture.product(id)) == nil)
  }

  @Test func `eviction empties the App Group, and installation keeps it`() throws {
    let product = try PhoneFixture.product("roadflare")
    try fixture.open(Links.driver)
    try phone.handOver(product)
    #expect(try phone.evict(product))
    #expect(try phone.installation(of: product).state == .nothing)
    #expect(try fixture.value("pendingDriver", of: "roadflare") == nil)
    #expect(try phone.evict(product) == false)
    try fixture.handOver(Links.driver)
    #expect(#expect(throws: PhoneError.self) { try phone.evict(product) }?.code == .state)
    #expect(try fixture.value("pendingDriver", of: "roadflare") != nil)
  }

  @Test func `eviction takes the messages too`() throws {
    let product = try PhoneFixture.product("orbiting")
    try fixture.open(Links.message)
    try phone.handOver(product)
    #expect(try phone.left(by: product).hasMessages && phone.evict(product))
    #expect(!phone.left(by: product).hasMessages)
    _ = try phone.install(product)
    #expect(try fixture.consume("orbiting") == .nothing)
  }

  @Test func `a value that was written meanwhile stays for the next start`() throws {
    try fixture.handOver(Links.pack)
    let other = "https://bsky.app/start/bob.example/2"
    let fixture = fixture
    let interrupted = fixture.phone { step in
      if step == .valueStored { try? fixture.write(other, "starterPackUri", of: "bluesky") }
    }
    #expect(try fixture.consume("bluesky", on: interrupted) == .stored(key: "starterPackUri", value: Links.pack))
    #expect(try fixture.consume("bluesky") == .stored(key: "starterPackUri", value: other))
  }

  @Test func `what is made has mode 0700, and its files 0600`() throws {
    try fixture.handOver(Links.driver)
    _ = try fixture.consume("roadflare")
    try fixture.open(Links.message)
    try phone.handOver(PhoneFixture.product("orbiting"))
    let all = try #require(FileManager.default.enumerator(atPath: fixture.directory)).compactMap { $0 as? String }
    #expect(all.count > 8)
    for path in all {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(fixture.directory)/\(path)")
      let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
      #expect(attributes[.posixPermissions] as? Int == (isDirectory ? 0o700 : 0o600), "\(path)")
    }
  }

  @Test func `a captured text with quotes, lines and tabs comes back as it was`() throws {
    let url = "https://orbiting.app/clip?text=%22a%5C%0A%09%C3%A9%F0%9F%98%80"
    try fixture.open(url)
    #expect(try phone.installation(of: PhoneFixture.product("orbiting")).captured == ["text": "\"a\\\n\té😀"])
  }

  @Test func `a state file that is damaged is said to be, and nothing is changed`() throws {
    try fixture.open(Links.driver)
    let file = "\(fixture.directory)/clips/roadflare/state.json"
    try Data("{}".utf8).write(to: URL(filePath: file))
    #expect(#expect(throws: PhoneError.self) { try fixture.open(Links.driver) }?.code == .storage)
  }
}
