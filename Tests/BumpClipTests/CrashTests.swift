import Foundation
import GRDB
import Measures
import Testing

@testable import BumpClip

/// A process that is killed at each step of a consumption, a migration, an eviction.
@Suite struct CrashTests {
  /// Runs a consumption that is killed at a step.
  private func crash(_ fixture: PhoneFixture, _ id: String, at step: Phone.Step) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [directory = fixture.directory as String, id = id as String, step = step.rawValue as String] in
      let phone = Phone(at: directory, now: { 1_800_000_000 }) { passed in
        if passed.rawValue == step { kill(getpid(), SIGKILL) }
      }
      let product = try #require(Experiences.builtIn.product(id))
      if step == Phone.Step.groupEmptied.rawValue {
        _ = try phone.evict(product)
      } else {
        _ = try phone.consume(product, in: Experiences.builtIn.router)
      }
    }
  }

  /// A value, and a record.
  private static let left = [
    (link: Links.pack, id: "bluesky", key: "starterPackUri"), (Links.driver, "roadflare", "pendingDriver"),
  ]

  @Test(arguments: left, [Phone.Step.valueRead, .valueStored, .valueDeleted])
  func `a value is taken once, wherever the app was killed, twice`(
    left: (link: String, id: String, key: String), step: Phone.Step
  ) async throws {
    let fixture = PhoneFixture()
    try fixture.handOver(left.link)
    let value = try #require(try fixture.value(left.key, of: left.id))
    await crash(fixture, left.id, at: step)
    if step != .valueDeleted { await crash(fixture, left.id, at: step) }
    let again = try fixture.consume(left.id)
    switch step {
    case .valueRead: #expect(again == .stored(key: left.key, value: value))
    case .valueStored: #expect(again == .alreadyHere(key: left.key, value: value))
    default: #expect(again == .nothing)
    }
    let contents = try #require(try fixture.phone.contents(of: PhoneFixture.product(left.id)))
    #expect(contents.values == [.init(key: left.key, value: value)])
    #expect(try fixture.value(left.key, of: left.id) == nil)
  }

  @Test(arguments: left, Array(stride(from: 0, through: 49_152, by: Measure.isThorough ? 4096 : 16_384)))
  func `a value is taken once, at whichever page the disk became full`(
    left: (link: String, id: String, key: String), limit: Int
  ) async throws {
    let fixture = PhoneFixture()
    try fixture.handOver(left.link)
    let value = try #require(try fixture.value(left.key, of: left.id))
    await #expect(processExitsWith: .success) {
      [directory = fixture.directory as String, id = left.id as String, limit = limit as Int] in
      try limitFiles(to: limit)
      let phone = Phone(at: directory, now: { 1_800_000_000 })
      let product = try #require(Experiences.builtIn.product(id))
      do {
        let taken = try phone.consume(product, in: Experiences.builtIn.router)
        #expect(taken != .nothing)
      } catch let error as PhoneError {
        #expect(error.code == .storage)
      }
    }
    let isLeft = try fixture.value(left.key, of: left.id) != nil
    #expect(try fixture.consume(left.id) == (isLeft ? .stored(key: left.key, value: value) : .nothing))
    let contents = try #require(try fixture.phone.contents(of: PhoneFixture.product(left.id)))
    #expect(contents.values == [.init(key: left.key, value: value)])
  }

  @Test func `an eviction that was killed is made again`() async throws {
    let fixture = PhoneFixture()
    try fixture.open(Links.driver)
    let product = try PhoneFixture.product("roadflare")
    try fixture.phone.handOver(product)
    await crash(fixture, "roadflare", at: .groupEmptied)
    #expect(try fixture.phone.installation(of: product).state == .clip)
    #expect(try fixture.phone.evict(product))
    #expect(try fixture.phone.installation(of: product).state == .nothing)
  }

  @Test(
    arguments: [Phone.Step.messagesRead, .messagesStored, .storeDeleted], [0, 1, Measure.isThorough ? 10_000 : 100])
  func `messages are copied once, wherever the app was killed, twice`(step: Phone.Step, count: Int) async throws {
    let fixture = PhoneFixture()
    try fixture.makeMessages(count)
    let product = try PhoneFixture.product("orbiting")
    await crash(fixture, "orbiting", at: step)
    if step != .storeDeleted { await crash(fixture, "orbiting", at: step) }
    let isDone = step != .messagesRead
    #expect(try fixture.phone.contents(of: product)?.hasMigrated ?? false == isDone)
    #expect(try fixture.consume("orbiting") == (step == .storeDeleted ? .nothing : .messages(isDone ? 0 : count)))
    let contents = try #require(try fixture.phone.contents(of: product))
    #expect(contents.hasMigrated && contents.messages.count == count)
    #expect(contents.messages.map(\.timestamp) == contents.messages.map(\.timestamp).sorted(by: >))
    #expect(try fixture.consume("orbiting") == .nothing)
  }

  /// What is written beyond so many bytes of a file is refused, as on a full disk.
  @Test(
    arguments: [(0, 0), (1, 4096), (10_000, 20_000)]
      + (Measure.isThorough ? [(0, 4096), (1, 0), (10_000, 0), (10_000, 4096), (10_000, 200_000)] : []))
  func `a disk that becomes full while messages are copied changes nothing, twice`(count: Int, limit: Int) async throws
  {
    let fixture = PhoneFixture()
    try fixture.makeMessages(count)
    for _ in 1...2 { await failToMigrate(fixture, limit) }
    let contents = try fixture.phone.contents(of: PhoneFixture.product("orbiting"))
    #expect(contents?.hasMigrated ?? false == false && contents?.messages.isEmpty ?? true)
    #expect(try fixture.consume("orbiting") == .messages(count))
  }

  private func failToMigrate(_ fixture: PhoneFixture, _ limit: Int) async {
    await #expect(processExitsWith: .success) { [directory = fixture.directory as String, limit = limit as Int] in
      try limitFiles(to: limit)
      let product = try #require(Experiences.builtIn.product("orbiting"))
      let phone = Phone(at: directory, now: { 1_800_000_000 })
      let error = #expect(throws: PhoneError.self) {
        try phone.consume(product, in: Experiences.builtIn.router)
      }
      #expect(error?.code == .storage)
    }
  }

  @Test func `on a full disk the value that was left before stays whole, and is not taken`() async throws {
    let fixture = PhoneFixture()
    try fixture.open(Links.pack)
    try fixture.phone.handOver(PhoneFixture.product("bluesky"))
    await #expect(processExitsWith: .success) { [directory = fixture.directory as String] in
      let product = try #require(Experiences.builtIn.product("bluesky"))
      let phone = Phone(at: directory, now: { 1_800_000_000 })
      let other = try Links.match("https://bsky.app/start/bob.example/2")
      _ = try phone.open(other)
      try limitFiles(to: 0)
      let error = #expect(throws: PhoneError.self) { try phone.handOver(product) }
      #expect(error?.code == .storage)
    }
    #expect(try fixture.value("starterPackUri", of: "bluesky") == Links.pack)
    _ = try fixture.phone.install(PhoneFixture.product("bluesky"))
    for _ in 1...2 {
      await #expect(processExitsWith: .success) { [directory = fixture.directory as String] in
        let product = try #require(Experiences.builtIn.product("bluesky"))
        try limitFiles(to: 0)
        let phone = Phone(at: directory, now: { 1_800_000_000 })
        #expect(throws: PhoneError.self) { try phone.consume(product, in: Experiences.builtIn.router) }
      }
    }
    #expect(try fixture.consume("bluesky") == .stored(key: "starterPackUri", value: Links.pack))
  }

  @Test func `a message has what its URL captured, and an id of its own`() throws {
    let fixture = PhoneFixture()
    try fixture.open(Links.message)
    let product = try PhoneFixture.product("orbiting")
    for _ in 0..<2 { try fixture.phone.handOver(product) }
    _ = try fixture.phone.install(product)
    #expect(try fixture.consume("orbiting") == .messages(2))
    let messages = try #require(try fixture.phone.contents(of: product)).messages
    #expect(Set(messages.map(\.id)).count == 2)
    for message in messages {
      #expect(message.text == "hello" && message.theme == "mono" && !message.isFavorite)
      #expect(message.timestamp == fixture.now && UUID(uuidString: message.id)?.uuidString == message.id)
    }
  }

  @Test func `messages of one second keep their order`() throws {
    let fixture = PhoneFixture()
    let product = try PhoneFixture.product("orbiting")
    try fixture.open(Links.message)
    let store = try #require(fixture.phone.group(of: product)).store("clip.store")
    try MessageStore.open(store).write { database in
      for id in ["b", "a", "c"] {
        try MessageStore.insert(
          ClipMessage(id: id, text: id, theme: nil, isFavorite: false, timestamp: 7), in: database)
      }
    }
    _ = try fixture.phone.install(product)
    #expect(try fixture.consume("orbiting") == .messages(3))
    #expect(try #require(try fixture.phone.contents(of: product)).messages.map(\.id) == ["c", "a", "b"])
  }

  @Test func `no store is not an empty one: the flag stays unset`() throws {
    let fixture = PhoneFixture()
    let product = try PhoneFixture.product("orbiting")
    _ = try fixture.phone.install(product)
    #expect(try fixture.consume("orbiting") == .nothing)
    #expect(try fixture.phone.contents(of: product)?.hasMigrated ?? false == false)
  }

  @Test func `a store of another build is refused, with what to do, and left as it is`() throws {
    let fixture = PhoneFixture()
    try fixture.makeMessages(3)
    let store = "\(fixture.directory)/groups/\(try #require(PhoneFixture.product("orbiting").group))/clip.store"
    try DatabaseQueue(path: store).inDatabase { try $0.execute(sql: "PRAGMA user_version = 2") }
    let before = try Data(contentsOf: URL(filePath: store))
    let error = #expect(throws: PhoneError.self) { try fixture.consume("orbiting") }
    #expect(error?.reason.hasSuffix("it was made by another build of bump-clip") == true)
    #expect(error?.remedy == "Use that build, or remove it")
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
  }

  @Test func `a store that cannot be read changes nothing, and is tried again`() throws {
    let fixture = PhoneFixture()
    try fixture.makeMessages(3)
    let product = try PhoneFixture.product("orbiting")
    let store = "\(fixture.directory)/groups/\(try #require(product.group))/clip.store"
    let whole = try Data(contentsOf: URL(filePath: store))
    try Data(repeating: 7, count: whole.count).write(to: URL(filePath: store))
    #expect(#expect(throws: PhoneError.self) { try fixture.consume("orbiting") }?.code == .storage)
    #expect(try fixture.phone.contents(of: product) == nil)
    try whole.write(to: URL(filePath: store))
    #expect(try fixture.consume("orbiting") == .messages(3))
  }
}

/// Lets this process write no file beyond so many bytes.
private func limitFiles(to count: Int) throws {
  signal(SIGXFSZ, SIG_IGN)
  var limits = rlimit(rlim_cur: rlim_t(count), rlim_max: rlim_t(count))
  try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
}

extension PhoneFixture {
  /// Has the App Clip make messages, and installs the app. Without any, the store is there and empty.
  func makeMessages(_ count: Int) throws {
    let product = try Self.product("orbiting")
    try open(Links.message)
    let group = try #require(phone.group(of: product))
    try MessageStore.open(group.store("clip.store")).write { database in
      for number in 0..<count {
        let message = ClipMessage(
          id: "\(number)", text: "message \(number)", theme: nil, isFavorite: false, timestamp: Int64(number))
        try MessageStore.insert(message, in: database)
      }
    }
    _ = try phone.install(product)
  }
}
