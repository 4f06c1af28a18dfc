import BumpClaims
import BumpTesting
import Foundation
import Measures
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// Whole bumps with documents, through `DocumentSender` and `Receiver`, over the twins in memory.
@Suite(.timeLimit(.minutes(30))) struct DocumentFlowTests {
  private let scene: FlowScene
  private let place: TemporaryDirectory

  init() throws {
    scene = try FlowScene()
    place = try TemporaryDirectory()
  }

  private func sender(_ credential: Credential = .none) -> DocumentSender {
    var configuration = Sender.Configuration(name: scene.alice)
    configuration.credential = credential
    return DocumentSender(
      discovery: scene.discovery, transport: scene.network, configuration: configuration, clock: scene.clock)
  }

  private func receiver(_ credential: Credential = .none, rememberAs name: DisplayName? = nil) throws -> Receiver {
    var configuration = Receiver.Configuration(name: scene.bob)
    configuration.credential = credential
    configuration.rememberAs = name
    configuration.folder = try DocumentFolder(place.directory)
    return Receiver(
      store: scene.bobStore, discovery: scene.discovery, transport: scene.network, configuration: configuration,
      clock: scene.clock, unixTime: { 0 })
  }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place.directory) }

  @Test func `a card goes into a file, and into no store`() async throws {
    let card = try SampleDocument.card(of: 262_144)
    async let received = try receiver().receive()
    #expect(try await sender().send(card) == .delivered(to: scene.bob, wasThere: false))
    guard case .saved(let saved) = try await received else { return #expect(Bool(false), "not saved") }
    #expect(saved.verified.document == card && saved.verified.from == scene.alice)
    #expect(try Array(Data(contentsOf: URL(filePath: saved.path))) == card.bytes)
    #expect(try await scene.bobStore.history(limit: 10).isEmpty)
  }

  @Test func `a card that comes again is there, and is one file`() async throws {
    for wasThere in [false, true] {
      async let received = try receiver().receive()
      #expect(try await sender().send(SampleDocument.link()) == .delivered(to: scene.bob, wasThere: wasThere))
      guard case .saved(let saved) = try await received else { return #expect(Bool(false), "not saved") }
      #expect(saved.isDuplicate == wasThere)
    }
    #expect(try files().count == 1)
  }

  @Test func `both persons are asked, and see the same digits`() async throws {
    let digits = Mutex<[String]>([])
    let see: @Sendable (String) -> Bool = { seen in
      digits.withLock { $0.append(seen) }
      return true
    }
    async let received = try receiver().receive(
      decide: { _ in false }, decideDocument: { see($0.digits.description) })
    let outcome = try await sender().send(SampleDocument.link(), approve: { see($0.digits.description) })
    #expect(outcome == .delivered(to: scene.bob, wasThere: false))
    _ = try await received
    #expect(digits.withLock { $0.count == 2 && Set($0).count == 1 })
  }

  @Test func `whoever is asked about claims alone accepts no document`() async throws {
    async let sent = sender().send(SampleDocument.link())
    #expect(try await receiver().receive(decide: { _ in true }) == .declinedHere)
    await scene.clock.hasSleeper(until: .seconds(10))
    scene.clock.advance(by: .seconds(10))
    guard case .undelivered(.declined, _) = try await sent else { return #expect(Bool(false)) }
    #expect(try files().isEmpty)
  }

  @Test func `whoever is asked about documents alone is asked about them, and takes claims unasked`() async throws {
    async let sent = sender().send(SampleDocument.link())
    try #require(await receiver().receive(decideDocument: { _ in false }) == .declinedHere)
    await scene.clock.hasSleeper(until: .seconds(10))
    scene.clock.advance(by: .seconds(10))
    guard case .undelivered(.declined, _) = try await sent else { return #expect(Bool(false)) }
    #expect(try files().isEmpty)

    let claim = try await scene.newClaim()
    async let received = try receiver().receive(decideDocument: { _ in false })
    #expect(try await scene.sender().send(claim) == .delivered(to: scene.bob, .stored))
    guard case .received = try await received else { return #expect(Bool(false)) }
  }

  @Test func `a receiver that keeps documents takes a claim too, and remembers its sender`() async throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    let claim = try await scene.newClaim()
    async let received = try receiver(code, rememberAs: scene.alice).receive()
    let sent = try await scene.sender(code, rememberAs: scene.bob).send(claim)
    #expect(sent == .delivered(to: scene.bob, .stored))
    guard case .received = try await received else { return #expect(Bool(false)) }
    #expect(try await scene.bobStore.rememberedNames() == [scene.alice])
    #expect(try files().isEmpty)
  }

  @Test func `a receiver that takes no documents is told, and nothing is handed over`() async throws {
    let events = Mutex<[SendEvent]>([])
    let (failures, told) = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await sender().send(
        SampleDocument.link(),
        onEvent: { event in
          events.withLock { $0.append(event) }
          if case .sessionFailed = event { told.yield() }
        })
    }
    let receiving = Task { try await scene.receiver().receive() }
    for await _ in failures { break }
    receiving.cancel()
    sending.cancel()
    _ = try await receiving.value
    #expect(try await sending.value == .interrupted(mayBeThere: false))
    #expect(
      events.withLock { $0.contains { if case .sessionFailed(.aborted(.documents), _) = $0 { true } else { false } } })
  }

  /// Sends one more document, until it is refused or taken.
  private func isRefused() async throws -> Bool {
    let (failures, told) = AsyncStream.makeStream(of: Void.self)
    let more = Task {
      defer { told.finish() }
      return try await sender().send(
        SampleDocument.link(), onEvent: { if case .sessionFailed(.aborted(.documents), _) = $0 { told.yield() } })
    }
    var isRefused = false
    for await _ in failures {
      isRefused = true
      break
    }
    more.cancel()
    _ = try await more.value
    return isRefused
  }

  @Test func `a receive that goes on takes documents one after the other, up to its limit`() async throws {
    let receiver = try receiver()
    let keeping = Task { try await receiver.keepReceiving() }
    for number in 0..<100 {
      let link = try Document(.link, Array("https://example.org/\(number)".utf8))
      #expect(try await sender().send(link) == .delivered(to: scene.bob, wasThere: false))
    }
    #expect(try await isRefused())
    keeping.cancel()
    _ = try await keeping.value
    #expect(try files().count == 100)
  }

  @Test(.thorough) func `a receive that goes on takes 16 MiB, and no more`() async throws {
    let receiver = try receiver()
    let keeping = Task { try await receiver.keepReceiving() }
    let card = try SampleDocument.card(of: 262_144)
    for number in 0..<64 {
      #expect(try await sender().send(card) == .delivered(to: scene.bob, wasThere: number > 0))
    }
    #expect(try await isRefused())
    keeping.cancel()
    _ = try await keeping.value
  }

  @Test func `a folder that is gone is said to be, and the sender knows that it was not taken`() async throws {
    let receiver = try receiver()
    try FileManager.default.removeItem(atPath: place.directory)
    let (failures, told) = AsyncStream.makeStream(of: Void.self)
    let sending = Task {
      try await sender().send(
        SampleDocument.link(), onEvent: { if case .sessionFailed(.notTaken, _) = $0 { told.yield() } })
    }
    guard case .notSaved(let error) = try await receiver.receive() else { return #expect(Bool(false)) }
    #expect(error.code == .notSaved)
    for await _ in failures { break }
    sending.cancel()
    #expect(try await sending.value == .interrupted(mayBeThere: false))
  }
}
