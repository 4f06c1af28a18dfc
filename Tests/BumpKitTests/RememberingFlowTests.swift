import BumpClaims
import BumpDiscovery
import BumpTesting
import BumpWire
import GRDB
import Samples
import Synchronization
import Testing

@testable import BumpKit
@testable import BumpStore

/// Remembering through `Sender`, `Receiver` and their stores, over the twins in memory.
@Suite(.timeLimit(.minutes(30))) final class RememberingFlowTests: Sendable {
  private let scene: FlowScene
  private var network: InMemoryNetwork { scene.network }
  private var clock: ManualClock { scene.clock }
  private var aliceStore: ClaimStore { scene.aliceStore }
  private var bobStore: ClaimStore { scene.bobStore }
  private var alice: DisplayName { scene.alice }
  private var bob: DisplayName { scene.bob }
  private let code: Credential
  private let sent = Mutex<[SendEvent]>([])
  private let received = Mutex<[ReceiveEvent]>([])

  init() throws {
    scene = try FlowScene()
    code = .code(try OneTimeCode("27-482915"))
  }

  /// One bump with a code, at both ends at once.
  ///
  /// - Parameters:
  ///   - aliceWants: whether the sender was told to remember, and so with `bobWants`.
  ///   - words: after how many writes the receiver's are lost.
  private func bump(
    aliceWants: Bool = true, bobWants: Bool = true, words: Int = .max
  ) async throws -> (SendOutcome, ReceiveOutcome) {
    let claim = try await scene.newClaim()
    let sender = scene.sender(code, rememberAs: aliceWants ? bob : nil)
    let receiver = scene.receiver(
      code, rememberAs: bobWants ? alice : nil, transport: LossyNetwork(network: network, words: words))
    async let outcome = receiver.receive(onEvent: { event in self.received.withLock { $0.append(event) } })
    let send = try await sender.send(claim, onEvent: { event in self.sent.withLock { $0.append(event) } })
    return (send, try await outcome)
  }

  private func keys() async throws -> (SharedKey?, SharedKey?) {
    (try await aliceStore.agreedKey(of: bob), try await bobStore.agreedKey(of: alice))
  }

  @Test func `both stores keep the same key, confirmed, and both ends say so`() async throws {
    let (send, receive) = try await bump()
    #expect(send == .delivered(to: bob, .stored))
    guard case .received = receive else { throw Unexpected() }
    let (there, here) = try await keys()
    #expect(there != nil && there == here)
    #expect(try await aliceStore.isConfirmed(bob) == true)
    #expect(try await bobStore.isConfirmed(alice) == true)
    #expect(sent.withLock { $0.contains(.remembered(bob)) })
    #expect(received.withLock { $0.contains(.remembered(alice)) })
  }

  @Test(arguments: [(true, false), (false, true)])
  func `where one end alone wants it neither keeps a key, and who wanted it is told`(
    aliceWants: Bool, bobWants: Bool
  ) async throws {
    let (send, _) = try await bump(aliceWants: aliceWants, bobWants: bobWants)
    #expect(send == .delivered(to: bob, .stored))
    #expect(try await keys() == (nil, nil))
    #expect(sent.withLock { $0.contains(.notRemembered(bob, .notAskedThere)) } == aliceWants)
    #expect(received.withLock { $0.contains(.notRemembered(alice, .notAskedThere)) } == bobWants)
  }

  @Test(arguments: [true, false])
  func `a name that is taken stays whose it was, and neither end keeps a new key`(isAtSender: Bool) async throws {
    let old = try #require(SharedKey([UInt8](repeating: 7, count: 32)))
    _ = try await isAtSender ? aliceStore.remember(old, as: bob, at: 0) : bobStore.remember(old, as: alice, at: 0)
    let (send, _) = try await bump()
    #expect(send == .delivered(to: bob, .stored))
    #expect(try await keys() == (isAtSender ? old : nil, isAtSender ? nil : old))
    let (here, there) = (NotRemembered.nameTakenHere, NotRemembered.nameTakenThere)
    #expect(sent.withLock { $0.contains(.notRemembered(bob, isAtSender ? here : there)) })
    #expect(received.withLock { $0.contains(.notRemembered(alice, isAtSender ? there : here)) })
  }

  @Test(arguments: [true, false])
  func `a store that cannot keep the key takes the claim all the same`(isAtSender: Bool) async throws {
    try await (isAtSender ? aliceStore : bobStore).write { try $0.execute(sql: "DROP TABLE keys") }
    let (send, receive) = try await bump()
    #expect(send == .delivered(to: bob, .stored))
    guard case .received = receive else { throw Unexpected() }
    #expect(try await (isAtSender ? bobStore : aliceStore).rememberedNames() == [])
    let (here, there) = (NotRemembered.cannotKeepHere, NotRemembered.cannotKeepThere)
    #expect(sent.withLock { $0.contains(.notRemembered(bob, isAtSender ? here : there)) })
    #expect(received.withLock { $0.contains(.notRemembered(alice, isAtSender ? there : here)) })
  }

  @Test func `where the answer is lost the sender keeps the key unconfirmed, and the receiver says the truth`()
    async throws
  {
    // REMEMBER and STORED are the sixth and the seventh.
    let (send, receive) = try await bump(words: 5)
    #expect(send == .unknown(bob, link: try send.link()))
    guard case .received = receive else { throw Unexpected() }
    let (there, here) = try await keys()
    #expect(there != nil && there == here)
    #expect(try await aliceStore.isConfirmed(bob) == false)
    #expect(sent.withLock { $0.contains(.rememberingUnknown(bob)) })
    #expect(received.withLock { $0.contains(.remembered(alice)) })
  }

  @Test func `where STORED alone is lost both are sure of each other, and not of the claim`() async throws {
    let (send, _) = try await bump(words: 6)
    #expect(send == .unknown(bob, link: try send.link()))
    #expect(try await aliceStore.isConfirmed(bob) == true)
    #expect(sent.withLock { $0.contains(.remembered(bob)) })
  }

  @Test func `a remembered sender is recognized by its key though it was not named, and is confirmed`() async throws {
    let (ally, dora) = (try DisplayName("ally"), try DisplayName("dora"))
    let (key, other) = (try SharedKey.repeating(7), try SharedKey.repeating(8))
    for (name, key) in [(ally, key), (dora, other)] {
      _ = try await bobStore.remember(key, as: name, isConfirmed: false, at: 0)
    }
    let remembered = try await bobStore.rememberedSenders(limit: 9).map { RememberedSender(name: $0.name, key: $0.key) }
    let claim = try await scene.newClaim()
    async let outcome = scene.receiver(remembered: remembered).receive(
      onEvent: { event in self.received.withLock { $0.append(event) } }, decide: { $0.remembered == ally })
    #expect(try await scene.sender(.key(key)).send(claim) == .delivered(to: bob, .stored))
    guard case .received = try await outcome else { throw Unexpected() }
    let recognized = received.withLock { $0.compactMap { if case .recognized(let name, _) = $0 { name } else { nil } } }
    #expect(recognized == [ally], "it calls itself alice")
    #expect(try await bobStore.isConfirmed(ally) == true)
    #expect(try await bobStore.isConfirmed(dora) == false)
  }

  @Test func `where no claim is handed over that is why nobody is remembered`() async throws {
    let claim = try await scene.newClaim()
    let sender = scene.sender(code, rememberAs: bob)
    let sending = Task { try await sender.send(claim, onEvent: { event in self.sent.withLock { $0.append(event) } }) }
    await clock.hasSleeper(until: .seconds(10))
    sending.cancel()
    #expect(try await sending.value == .interrupted(.new))
    #expect(sent.withLock { $0.last } == .notRemembered(bob, .noClaim))
  }

  @Test func `a receiver tells a sender of another version from one with another code`() async throws {
    let listener = try await network.listen(port: 0)
    let greetings = Mutex<[[UInt8]]>([])
    let answering = Task {
      await listener.accept { connection in
        await connection.receive { bytes in
          greetings.withLock { $0.append(bytes) }
          connection.send(AbortReason.version.frame.bytes)
          connection.close()
        }
      }
    }
    let receiver = scene.receiver(
      code, rememberAs: alice, peer: .address(try InMemoryNetwork.address(port: listener.port)))
    #expect(try await receiver.receive() == .otherVersion)
    listener.close()
    answering.cancel()
    // Nobody may make an end forget what its person asked: ABORT is not authenticated.
    #expect(greetings.withLock { $0.map { $0[7] } } == [1], "and it is not tried again in another")
  }
}

extension SendOutcome {
  /// The link of an outcome that is unknown.
  fileprivate func link() throws -> ClaimLink? {
    guard case .unknown(_, let link) = self else { throw Unexpected() }
    return link
  }
}

/// A network that loses what an end writes after so many writes, and closes with the rest unsaid.
private struct LossyNetwork: Transport {
  let network: InMemoryNetwork
  let words: Int

  func listen(port: UInt16) async throws -> any Listener { try await network.listen(port: port) }

  func localNetworks() -> LocalNetworks { network.localNetworks() }

  func connect(to endpoint: Endpoint) async throws -> any Connection {
    LossyConnection(connection: try await network.connect(to: endpoint), words: words)
  }
}

private final class LossyConnection: Connection {
  private let connection: any Connection
  private let left: Mutex<Int>

  init(connection: any Connection, words: Int) {
    self.connection = connection
    left = Mutex(words)
  }

  var peer: String { connection.peer }

  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async { await connection.receive(body) }

  func send(_ bytes: [UInt8]) {
    let isLost = left.withLock { left in
      left -= 1
      return left < 0
    }
    if !isLost { connection.send(bytes) }
  }

  func close() { connection.close() }
}

extension SharedKey {
  fileprivate static func repeating(_ byte: UInt8) throws -> SharedKey {
    try #require(SharedKey([UInt8](repeating: byte, count: SharedKey.length)))
  }
}
