import BumpClaims
import BumpDiscovery
import BumpSession
import BumpTesting
import BumpWire
import Samples
import Synchronization
import Testing

@testable import BumpKit

/// What is to be new on every connection of one bump, as it is seen from the other end.
@Suite(.timeLimit(.minutes(30))) struct FreshKeysTests {
  private let network = InMemoryNetwork()
  private let discovery = InMemoryDiscovery()
  private let code: Credential

  init() throws { code = .code(try OneTimeCode("27-482915")) }

  @Test func `no two connections to a sender have a nonce, a key or a scalar in common`() async throws {
    let store = try ClaimStore.inMemory()
    let claim = try await store.create(amount: Amount("1.00"), token: .usdc, expiry: Fixture.expiry(), at: 0)
    var configuration = Sender.Configuration(name: try DisplayName("alice"))
    configuration.credential = code
    let sender = Sender(
      store: store, discovery: nil, transport: network, configuration: configuration, clock: ManualClock(),
      clocks: { ClockReading(unix: 0) })
    let (ports, tell) = AsyncStream.makeStream(of: UInt16.self)
    let sending = Task {
      try await sender.send(claim, onEvent: { if case .advertising(_, let port, _) = $0 { tell.yield(port) } })
    }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())

    var (nonces, commitments, shares): (Set<[UInt8]>, Set<[UInt8]>, Set<[UInt8]>) = ([], [], [])
    for _ in 1...2 {
      let wire = Wire(try await network.connect(to: .address(InMemoryNetwork.address(port: port))))
      var peer = ScriptedPeer(.receiver, credential: code)
      wire.connection.send(peer.hello())
      let answer = try await wire.next(.welcome, heardBy: &peer)
      guard case .success(let welcome) = Welcome.parse(answer) else { throw WireError(.frame, "no WELCOME") }
      nonces.insert(welcome.nonce)
      commitments.insert(welcome.commit)
      wire.connection.send(try peer.pake())
      shares.insert(Array(try await wire.next(.pakeS, heardBy: &peer).body))
      wire.connection.close()
    }
    #expect(nonces.count == 2 && commitments.count == 2 && shares.count == 2)
    sending.cancel()
    _ = try await sending.value
  }

  @Test func `no two connections of a receiver have a nonce, a key or a scalar in common`() async throws {
    let met = Met()
    let (both, tell) = AsyncStream.makeStream(of: Void.self)
    let txt = try Announcement(code, expiry: Expiry(clamping: 2_000_000_000)).record()
    var tasks: [Task<Void, any Error>] = []
    for number in 1...2 {
      let listener = try await network.listen(port: 0)
      let name = "alice-000000000000000\(number)"
      let advertisement = Advertisement(
        name: name, type: .irlBump, subtypes: [.ofChannel(27)], port: listener.port, txt: txt)
      tasks.append(Task { [discovery] in for try await _ in discovery.advertise(advertisement) {} })
      tasks.append(
        Task { [code] in
          await listener.accept { connection in
            await met.serve(connection, code)
            if met.connections.withLock({ $0.count == 2 }) { tell.yield() }
          }
        })
    }
    var configuration = Receiver.Configuration(name: try DisplayName(Fixture.bob))
    configuration.credential = code
    let receiver = Receiver(
      store: try ClaimStore.inMemory(), discovery: discovery, transport: network, configuration: configuration,
      clock: ManualClock(), unixTime: { 0 })
    let receiving = Task { try await receiver.receive() }
    for await _ in both { break }
    let connections = met.connections.withLock(\.self)
    #expect(Set(connections.map(\.hello)).count == 2)
    #expect(Set(connections.map(\.share)).count == 2)
    #expect(Set(connections.map(\.key)).count == 2)
    receiving.cancel()
    _ = try await receiving.value
    for task in tasks { task.cancel() }
  }
}

/// What a receiver showed to the senders that it came to.
private final class Met: Sendable {
  let connections = Mutex<[(hello: [UInt8], share: [UInt8], key: [UInt8])]>([])

  /// A sender that ends its session at NOISE_1, so that the receiver goes on to the other.
  func serve(_ connection: any Connection, _ code: Credential) async {
    let wire = Wire(connection)
    var peer = ScriptedPeer(.sender, credential: code)
    do {
      let hello = try await wire.next(.hello, heardBy: &peer)
      connection.send(peer.welcome())
      let share = try await wire.next(.pakeR, heardBy: &peer)
      connection.send(try peer.pake())
      // The ephemeral key is not encrypted (Noise §7.4).
      let key = try await wire.next(.noise1, heardBy: &peer).body.prefix(32)
      connections.withLock { $0.append((Array(hello.body), Array(share.body), Array(key))) }
    } catch {
      Issue.record(error)
    }
    connection.close()
  }
}

/// What comes over a connection, to be awaited.
private struct Wire {
  let connection: any Connection
  private let incoming: AsyncStream<[UInt8]>

  init(_ connection: any Connection) {
    self.connection = connection
    let (incoming, feed) = AsyncStream.makeStream(of: [UInt8].self)
    self.incoming = incoming
    Task {
      await connection.receive { feed.yield($0) }
      feed.finish()
    }
  }

  /// The next frame, which must be of that type.
  func next(_ type: FrameType, heardBy peer: inout ScriptedPeer) async throws -> Frame {
    for await bytes in incoming {
      for case .frame(let frame) in try peer.read(bytes) {
        guard frame.type == type else { break }
        return frame
      }
    }
    throw WireError(.frame, "no \(type)")
  }
}
