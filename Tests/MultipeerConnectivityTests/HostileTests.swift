import BumpDiscovery
import BumpMultipeer
import Foundation
import Lab
import NIOCore
import NIOPosix
import Testing

@testable import MultipeerConnectivity

/// Peers that do not mean well.
@Suite(.processes(2)) struct HostilePeersTests {
  private let stage = PlayerGroup()

  private func guarded() async throws -> (bob: Player, mallory: HostilePeer) {
    let bob = stage.player("bob")
    bob.advertiser.startAdvertisingPeer()
    let mallory = try await HostilePeer("mallory", invites: bob)
    try await mallory.saw("connected")
    try await bob.saw("mallory connected")
    return (bob, mallory)
  }

  @Test func `a stranger under a member's identity takes nothing from it, though the program accepts everybody`()
    async throws
  {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let stranger = try await HostilePeer("stranger", invites: bob, as: alice.id.identity)
    try await stranger.saw("crossed")
    try alice.send("still here", to: bob)
    try await bob.saw("alice says still here")
    #expect(bob.states == ["alice connecting", "alice connected"])
  }

  @Test func `300 connections that say nothing keep nobody out, and the oldest of them make room`() async throws {
    var silent: [LinkConnection] = []
    let closed = ObservedValue<[Int]>([])
    for number in 0..<300 {
      let connection = try await HostilePeer.connect()
      connection.execute {
        connection.deliver { event in if case .closed = event { closed.change { $0.append(number) } } }
      }
      silent.append(connection)
    }
    // Those that wait for something, of all tests at once, are so many at most.
    let first = 0..<300 - PeerNode.mostAwaited
    let gone = try await withTimeout(.hang) { try await closed.wait { Set($0).isSuperset(of: first) ? $0 : nil } }
    // Other tests take room too, and of those that are closed at once the second may be heard of first.
    #expect(gone.allSatisfy { $0 < 300 - first.count }, "\(gone)")
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    for connection in silent { connection.close() }
  }

  @Test(arguments: [
    [], [0, 0], [0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 4] + Array("BMPC".utf8),
    [0, 38] + Array("BMPC".utf8) + [2, 1] + [UInt8](repeating: 0, count: 32),
    // A key of order one (RFC 7748 §6.1), with which anybody could read.
    [0, 38] + Array("BMPC".utf8) + [1, 1] + [UInt8](repeating: 0, count: 32),
    [0, 70] + Array("BMPC".utf8) + [1, 2] + [UInt8](repeating: 7, count: 64),
  ])
  func `another protocol is hung up on, and nobody is told`(bytes: [UInt8]) async throws {
    let bob = stage.player("bob")
    bob.advertiser.startAdvertisingPeer()
    let connection = try await HostilePeer.connect()
    let isClosed = ObservedValue(false)
    connection.execute {
      connection.deliver { event in if case .closed = event { isClosed.change { $0 = true } } }
    }
    connection.send(bytes)
    // What may still be a beginning, or a ticket to come, is waited for: five seconds.
    if bytes.count == 72 { connection.close() }
    if bytes.isEmpty { connection.close() }
    try await withTimeout(.hang) { try await isClosed.wait { $0 ? () : nil } }
    #expect(bob.told.isEmpty)
  }

  @Test(arguments: [
    LinkFrame.answer(true), .verdict(true), .transfer(5, .part([1])), .transfer(0, .end),
    .transfer(7, .stream(name: "x")),
    .message(isLast: false, isReliable: true, part: []),
  ])
  func `a member that sends what is not its turn is out, and the session goes on`(frame: LinkFrame) async throws {
    let (bob, mallory) = try await guarded()
    mallory.send(frame)
    try await bob.saw("mallory notConnected")
    try await mallory.saw("protocolError")
    let carol = stage.player("carol")
    try await stage.connect(carol, bob)
  }

  @Test func `a ping that comes behind the end of a resource is answered before the receipt, in the order of sealing`()
    async throws
  {
    let (bob, mallory) = try await guarded()
    mallory.send(
      .transfer(0, .resource(name: "r", size: 1)), .transfer(0, .part([1])), .transfer(0, .end), .ping,
      .message(isLast: true, isReliable: true, part: Array("end".utf8)))
    try await mallory.saw("received")
    try await bob.saw("mallory says end")
    #expect(bob.session.connectedPeers.map(\.displayName) == ["mallory"])
    _ = try await bob.file()
  }

  @Test func `a list of members that comes behind the end of a resource is answered in the order of sealing`()
    async throws
  {
    let (bob, carol) = (stage.player("bob"), stage.player("carol"))
    try await stage.connect(carol, bob)
    let mallory = try await HostilePeer("mallory", invites: bob)
    try await mallory.saw("connected")
    mallory.send(
      .transfer(0, .resource(name: "r", size: 1)), .transfer(0, .part([1])), .transfer(0, .end), .roster([]))
    try await mallory.saw("received")
    try await mallory.saw("introduce")
    mallory.send(.message(isLast: true, isReliable: true, part: Array("end".utf8)))
    try await bob.saw("mallory says end")
    _ = try await bob.file()
  }

  /// Sends on a connection whose other end reads nothing, and waits until it is closed.
  private func fill(mebibytes: Int, closing: Bool) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let listener = try await ServerBootstrap(group: group).childChannelOption(.autoRead, value: false)
      .serverChannelOption(.socketOption(.so_rcvbuf), value: 65_536)
      .bind(host: "127.0.0.1", port: 0).get()
    let connection = LinkConnection(lastWrites: .milliseconds(200))
    let isClosed = ObservedValue(false)
    _ = try await ClientBootstrap(group: group).channelOption(.socketOption(.so_sndbuf), value: 65_536)
      .channelInitializer { channel in
        channel.pipeline.addHandler(connection).map {
          connection.deliver { event in if case .closed = event { isClosed.change { $0 = true } } }
        }
      }.connect(to: try #require(listener.localAddress)).get()
    for _ in 0..<mebibytes { connection.send([UInt8](repeating: 0, count: 1 << 20)) }
    if closing { connection.close() }
    try await withTimeout(.hang) { try await isClosed.wait { $0 ? () : nil } }
    try await listener.close()
  }

  @Test func `a connection whose other end reads nothing is closed all the same`() async throws {
    try await fill(mebibytes: 3, closing: true)
  }

  @Test func `a connection is closed once its other end has left four mebibytes unread`() async throws {
    try await fill(mebibytes: 6, closing: false)
  }

  @Test func `bytes that are no record of the link end it`() async throws {
    let (bob, mallory) = try await guarded()
    mallory.send(raw: [0, 40] + [UInt8](repeating: 0, count: 40))
    try await bob.saw("mallory notConnected")
  }

  @Test func `a member that announces a small resource cannot send a large one`() async throws {
    let (bob, mallory) = try await guarded()
    mallory.send(.transfer(0, .resource(name: "../../x", size: 2)), .transfer(0, .part([1, 2, 3])))
    try await bob.saw("mallory notConnected")
    try await bob.saw("mallory's ../../x fails with 1")
    let file = try await bob.file()
    #expect(file.path == nil)
  }

  @Test func `a member that lists and introduces peers that are not there connects nobody to them`() async throws {
    let (bob, mallory) = try await guarded()
    var generator = PeerNode.shared.environment.random
    let nobody = try #require(Peer(id: PeerID([UInt8](repeating: 0xFF, count: 16))!, name: "nobody"))
    let elsewhere = try #require(HostAddress(address: [192, 0, 2, 1], port: 80))
    mallory.send(
      .roster([nobody.id, bob.id.peer.id]),
      .introduce(Introduction(peer: nobody, host: elsewhere, ticket: Ticket(using: &generator))),
      .message(isLast: true, isReliable: true, part: Array("end".utf8)))
    try await bob.saw("mallory says end")
    #expect(bob.session.connectedPeers.map(\.displayName) == ["mallory"])
    #expect(!bob.told.contains { $0.hasPrefix("nobody") })
  }

  @Test(
    arguments: [
      ([192, 0, 2, 1], false), ([8, 8, 8, 8], false), ([224, 0, 0, 1], false), ([0, 0, 0, 0], false),
      ([127, 0, 0, 1], true),
      ([0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1], false),
      ([10, 1, 0, 7], true), ([10, 1, 1, 7], false), ([10, 1, 0, 255], false),
    ] as [([UInt8], Bool)])
  func `an introduction leads to a host on one of the local networks only`(address: [UInt8], isNear: Bool) throws {
    let networks = LocalNetworks(entries: [
      .init(address: [127, 0, 0, 1], prefix: 8, interface: 1), .init(address: [10, 1, 0, 1], prefix: 24, interface: 2),
    ])
    let host = try #require(HostAddress(address: address, port: 7000))
    #expect(host.places(on: networks).isEmpty != isNear)
  }

  @Test func `a link-local address is tried on each interface but the loopback one`() throws {
    let prefix: [UInt8] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let networks = LocalNetworks(entries: [
      .init(address: [127, 0, 0, 1], prefix: 8, interface: 1), .init(address: prefix + [1], prefix: 64, interface: 2),
      .init(address: [10, 1, 0, 1], prefix: 24, interface: 3),
    ])
    let places = try #require(HostAddress(address: prefix + [9], port: 7000)).places(on: networks)
    #expect(places.map(\.scope) == [2, 3])
  }
}
