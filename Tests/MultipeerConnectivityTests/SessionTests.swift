import BumpMultipeer
import Foundation
import Lab
import Synchronization
import Testing

@testable import MultipeerConnectivity

/// Messages, certificates, encryption, and the end.
@Suite(.processes(2)) struct SessionTests {
  private let stage = PlayerGroup()

  @Test func `messages arrive whole and in order, of every size`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let sizes = [0, 1, 32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 1_000_000]
    for size in sizes { try alice.send(String(repeating: "x", count: size), to: bob) }
    try alice.send("end", to: bob)
    try await bob.saw("alice says end")
    let said = bob.told.filter { $0.hasPrefix("alice says") }
    #expect(
      said == [
        "alice says ", "alice says x", "alice says 32767 bytes", "alice says 32768 bytes", "alice says 32769 bytes",
        "alice says 1000000 bytes", "alice says end",
      ])
  }

  @Test func `ten thousand messages arrive in order`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    for number in 0..<10_000 { try alice.send("\(number)", to: bob) }
    try await bob.saw("alice says 9999")
    #expect(bob.told.filter { $0.hasPrefix("alice says") } == (0..<10_000).map { "alice says \($0)" })
  }

  @Test func `an unreliable message arrives on an idle connection`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try alice.send("quick", to: bob, mode: .unreliable)
    try await bob.saw("alice says quick")
  }

  @Test func `unreliable messages are dropped while the connection takes no more, and reliable ones wait`() async throws
  {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let gate = DispatchSemaphore(value: 0)
    bob.settings.withLock { $0.slow = gate }
    // More than both ends and the kernel keep for a program that is busy.
    let big = Data(count: 16 * 1024 * 1024)
    for _ in 0..<2 { try alice.session.send(big, toPeers: [bob.id], with: .reliable) }
    for number in 0..<200 { try alice.send("unreliable \(number)", to: bob, mode: .unreliable) }
    try alice.send("end", to: bob)
    bob.settings.withLock { $0.slow = nil }
    for _ in 0..<300 { gate.signal() }
    try await bob.saw("alice says end")
    let unreliable = bob.told.count { $0.hasPrefix("alice says unreliable") }
    #expect(unreliable < 200)
    #expect(bob.told.count { $0 == "alice says \(big.count) bytes" } == 2)
  }

  @Test func `a message for nobody, and one of more than 32 MiB, is an invalid parameter`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    #expect(throws: MCError(.invalidParameter, "There is no peer to send to.")) {
      try alice.session.send(Data(), toPeers: [], with: .reliable)
    }
    do {
      try alice.session.send(Data(count: 32 * 1024 * 1024 + 1), toPeers: [bob.id], with: .reliable)
      Issue.record("sent")
    } catch MCError.invalidParameter {}
  }

  @Test func `where one of the peers is not connected, nothing is sent to the others`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let carol = MCPeerID(displayName: "carol")
    do {
      try alice.session.send(Data("both".utf8), toPeers: [bob.id, carol], with: .reliable)
      Issue.record("sent")
    } catch MCError.notConnected {
    }
    #expect(throws: MCError(.notConnected, "Peers (carol) not connected")) {
      try alice.session.send(Data("both".utf8), toPeers: [bob.id, carol], with: .reliable)
    }
    try alice.send("alone", to: bob)
    try await bob.saw("alice says alone")
    #expect(!bob.told.contains("alice says both"))
  }

  @Test func `a peer that is listed twice gets a message once`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try alice.send("once", to: bob, bob)
    try alice.send("end", to: bob)
    try await bob.saw("alice says end")
    #expect(bob.told.filter { $0.hasPrefix("alice says") } == ["alice says once", "alice says end"])
  }

  @Test func `certificates are shown leaf first between connecting and connected, and nothing checks them`()
    async throws
  {
    let chain = [Data("leaf".utf8), Data("root".utf8)]
    let (alice, bob) = (stage.player("alice", identity: chain), stage.player("bob"))
    try await stage.connect(alice, bob)
    #expect(bob.told.suffix(3) == ["alice connecting", "alice shows leaf+root", "alice connected"])
    #expect(alice.told.contains("bob shows nothing"))
  }

  @Test(arguments: [true, false])
  func `refused certificates are told as not connected on both sides`(isInvited: Bool) async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    (isInvited ? bob : alice).settings.withLock { $0.judges = false }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob notConnected")
    try await bob.saw("alice notConnected")
    #expect(alice.states == ["bob connecting", "bob notConnected"])
    #expect(bob.states == ["alice connecting", "alice notConnected"])
  }

  @Test(arguments: [
    (MCEncryptionPreference.required, MCEncryptionPreference.required, true), (.required, .optional, true),
    (.optional, .required, true), (.optional, .optional, true), (.optional, .none, true), (.none, .optional, true),
    (.none, .none, true), (.required, .none, false), (.none, .required, false),
  ])
  func `encryption preferences connect unless one requires what the other refuses`(
    _ first: MCEncryptionPreference, _ second: MCEncryptionPreference, _ connects: Bool
  ) async throws {
    let (alice, bob) = (stage.player("alice", first), stage.player("bob", second))
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob \(connects ? "connected" : "notConnected")")
    try await bob.saw("alice \(connects ? "connected" : "notConnected")")
    guard connects else { return }
    try alice.send("hello", to: bob)
    try await bob.saw("alice says hello")
  }

  @Test func `whoever disconnects is told so for each peer, and so is each other member`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    bob.session.disconnect()
    try await alice.saw("bob notConnected")
    try await bob.saw("alice notConnected")
    #expect(alice.session.connectedPeers.isEmpty && bob.session.connectedPeers.isEmpty)
    #expect(throws: MCError.self) { try alice.send("late", to: bob) }
    // Advertising and browsing go on, and a session can be used again.
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob connected", times: 2)
  }

  @Test func `a peer that begins a new session is connected in it`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let watcher = Watcher()
    let other = MCSession(peer: alice.id)
    other.delegate = watcher
    alice.browser.invitePeer(try await alice.found(bob), to: other, withContext: nil, timeout: 60)
    try await bob.saw("alice connected", times: 2)
    try await alice.saw("bob notConnected")
    #expect(
      bob.states == [
        "alice connecting", "alice connected", "alice notConnected", "alice connecting", "alice connected",
      ])
    other.disconnect()
  }

  @Test func `a program that takes nothing is sent no more than it can keep, and gets all of it later`() async throws {
    let environment = WatchedEnvironment()
    let stage = PlayerGroup(on: PeerNode(environment))
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let gate = DispatchSemaphore(value: 0)
    bob.settings.withLock { $0.slow = gate }
    let part = Data(count: 1024 * 1024)
    for _ in 0..<64 { try alice.session.send(part, toPeers: [bob.id], with: .reliable) }
    // One message is with the program; what waits for it is not all of the rest.
    try await withTimeout(.hang, "bob's connection is not read") {
      try await environment.counts.wait { $0.pauses > 0 ? () : nil }
    }
    #expect(bob.told.count { $0.hasPrefix("alice says") } == 0)
    bob.settings.withLock { $0.slow = nil }
    for _ in 0..<64 { gate.signal() }
    try await bob.saw("alice says \(part.count) bytes", times: 64)
  }

  @Test func `a program that reads a stream on its own queue gets its bytes, though messages wait`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    let reader = Reader()
    bob.session.delegate = reader
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob connected")
    let stream = try alice.session.startStream(withName: "s", toPeer: bob.id)
    stream.open()
    for _ in 0..<16 { try alice.session.send(Data(count: 1024 * 1024), toPeers: [bob.id], with: .reliable) }
    let bytes = Array("the bytes".utf8)
    _ = stream.write(bytes, maxLength: bytes.count)
    stream.close()
    #expect(try await reader.text() == "the bytes")
  }

  @Test func `a peer whose connection breaks off is looked for again by whoever has found it`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    bob.session.disconnect()
    try await alice.saw("bob notConnected")
    try await LoopbackDiscovery.shared.doubted(PeerInfo.instanceName(of: bob.id.peer.id))
  }
}

/// A program that reads a stream within the call in which it gets it.
private final class Reader: NSObject, MCSessionDelegate, @unchecked Sendable {
  private let result = AsyncStream<String>.makeStream()

  func text() async throws -> String? {
    for await text in result.stream { return text }
    return nil
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {
    stream.open()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    result.continuation.yield(String(decoding: bytes, as: UTF8.self))
  }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
