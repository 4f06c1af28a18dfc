import BumpMultipeer
import Foundation
import Lab
import Synchronization
import Testing

@testable import MultipeerConnectivity

/// Advertising, browsing, invitations, and what both ends are told.
@Suite(.processes(2)) struct InvitationTests {
  private let stage = PlayerGroup()

  @Test func `a browser finds a peer once, with its name and discovery info`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob", info: ["color": "red", "level": ""]))
    bob.advertiser.startAdvertisingPeer()
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.browser.startBrowsingForPeers()
    let found = try await alice.found(bob)
    #expect(found == bob.id && found.hash == bob.id.hash && found.displayName == "bob")
    bob.advertiser.stopAdvertisingPeer()
    try await alice.saw("loses bob")
    #expect(alice.told == ["finds bob with color=red,level=", "loses bob"])
  }

  @Test func `a browser does not find its own peer, but another one of the same program`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    alice.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    bob.advertiser.startAdvertisingPeer()
    _ = try await alice.found(bob)
    #expect(alice.told == ["finds bob with nothing"])
  }

  @Test func `stop and start, one after the other, end in being found`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    alice.browser.startBrowsingForPeers()
    for _ in 0..<10 {
      bob.advertiser.startAdvertisingPeer()
      bob.advertiser.stopAdvertisingPeer()
      bob.advertiser.startAdvertisingPeer()
      _ = try await alice.found(bob)
      bob.advertiser.stopAdvertisingPeer()
    }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.stopBrowsingForPeers()
    alice.note("again")
    alice.browser.startBrowsingForPeers()
    let count = alice.told.count { $0 == "finds bob with nothing" }
    try await alice.saw("finds bob with nothing", times: count + 1)
    #expect(!bob.told.contains { $0.contains("fails") })
  }

  @Test func `what cannot start is told to the delegate, and may be started again`() async throws {
    let player = Player("alice", LoopbackDiscovery.broken, .required, nil, nil)
    for time in 1...2 {
      player.advertiser.startAdvertisingPeer()
      player.browser.startBrowsingForPeers()
      try await player.saw("advertising fails with NSNetServicesErrorDomain -72001", times: time)
      try await player.saw("browsing fails with NSNetServicesErrorDomain -72000", times: time)
    }
  }

  @Test func `names and records that are no peer's are passed over`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    alice.browser.startBrowsingForPeers()
    let discovery = LoopbackDiscovery.shared
    let name = Array("mpc.n=forged".utf8)
    discovery.forge(stage.type, "bob", txt: [UInt8(name.count)] + name)
    discovery.forge(stage.type, String(repeating: "A", count: 32), txt: [UInt8(name.count)] + name)
    discovery.forge(stage.type, String(repeating: "a", count: 32), txt: [])
    discovery.forge(stage.type, String(repeating: "b", count: 32), txt: [200, 1, 2])
    let long = Array("mpc.n=\(String(repeating: "x", count: 64))".utf8)
    discovery.forge(stage.type, String(repeating: "c", count: 32), txt: [UInt8(long.count)] + long)
    bob.advertiser.startAdvertisingPeer()
    _ = try await alice.found(bob)
    #expect(alice.told == ["finds bob with nothing"])
  }

  @Test func `two peers of one name are found as two`() async throws {
    let alice = stage.player("alice")
    let bobs = ["1", "2"].map { stage.player("bob", info: ["number": $0]) }
    for bob in bobs { bob.advertiser.startAdvertisingPeer() }
    alice.browser.startBrowsingForPeers()
    for number in 1...2 { try await alice.saw("finds bob with number=\(number)") }
    bobs[0].advertiser.stopAdvertisingPeer()
    try await alice.saw("loses bob")
    #expect(alice.told.count == 3)
  }

  @Test func `a peer is found once over several interfaces, and lost with the last of them`() async throws {
    let (alice, bob, carol) = (stage.player("alice"), stage.player("bob"), stage.player("carol"))
    let discovery = LoopbackDiscovery.shared
    let name = PeerInfo.instanceName(of: bob.id.peer.id)
    alice.browser.startBrowsingForPeers()
    bob.advertiser.startAdvertisingPeer()
    _ = try await alice.found(bob)
    for isFound in [true, false, true] { discovery.report(stage.type, name, on: 4000, isFound: isFound) }
    // Gone from the first interface: what comes behind that is told, and no loss before it.
    bob.advertiser.stopAdvertisingPeer()
    carol.advertiser.startAdvertisingPeer()
    _ = try await alice.found(carol)
    discovery.report(stage.type, name, on: 4000, isFound: false)
    try await alice.saw("loses bob")
    #expect(alice.told == ["finds bob with nothing", "finds carol with nothing", "loses bob"])
  }

  @Test func `keys that are the module's own reach no program, and change no name`() async throws {
    let alice = stage.player("alice")
    let bob = stage.player("bob", info: ["mpc.n": "mallory", "mpc.x": "1", "color": "red"])
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    _ = try await alice.found(bob)
    #expect(alice.told == ["finds bob with color=red"])
  }

  @Test func `an accepted invitation connects both, in the order that Apple documents`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob), context: "a game")
    try await alice.saw("bob connected")
    try await bob.saw("alice connected")
    #expect(alice.told == ["finds bob with nothing", "bob connecting", "bob shows nothing", "bob connected"])
    #expect(bob.told == ["alice invites with a game", "alice connecting", "alice shows nothing", "alice connected"])
    #expect(alice.session.connectedPeers == [bob.id] && bob.session.connectedPeers == [alice.id])
  }

  @Test func `a context is optional, and may be 32 KiB of anything`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = .decline }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    alice.invite(peer)
    try await bob.saw("alice invites with nothing")
    let context = String(repeating: "x", count: 32 * 1024)
    alice.invite(peer, context: context)
    try await bob.saw("alice invites with \(context)")
  }

  @Test(arguments: [Player.Answer.decline, .acceptWithoutSession])
  func `a declined invitation is told as not connected, and the other end is told nothing`(
    answer: Player.Answer
  ) async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = answer }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob notConnected")
    #expect(alice.states == ["bob notConnected"])
    #expect(bob.told == ["alice invites with nothing"])
  }

  @Test func `an invitation that nobody answers times out, and an answer that comes late connects nobody`() async throws
  {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = .keep }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    // Where a busy machine has an invitation time out before it is there, the next one has twice the time.
    var times = 0
    while !bob.hasKept, times < 10 {
      alice.invite(peer, timeout: 0.1 * Double(1 << times))
      times += 1
      try await alice.saw("bob notConnected", times: times)
    }
    try await bob.handler()(true, bob.session)
    try await bob.saw("alice notConnected")
    #expect(alice.states == Array(repeating: "bob notConnected", count: times))
    #expect(bob.states == ["alice connecting", "alice notConnected"])
  }

  @Test func `an answer may come later, from another thread`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = .keep }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob), timeout: 0)
    let handler = UncheckedSendable(try await bob.handler())
    let session = UncheckedSendable(bob.session)
    await Task.detached { handler.value(true, session.value) }.value
    try await alice.saw("bob connected")
  }

  @Test func `a session that is disconnected as soon as it has accepted stays disconnected`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = .keep }
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    alice.invite(peer)
    let answer = try await bob.handler()
    // Both calls come before the connection's event loop, which waits for the lock, has passed the answer on. On a machine
    // that is busy the peers would be connected in between otherwise.
    bob.session.engine.lock.withLock {
      answer(true, bob.session)
      bob.session.disconnect()
    }
    try await alice.saw("bob notConnected")
    #expect(alice.session.connectedPeers.isEmpty && bob.session.connectedPeers.isEmpty)
    #expect(!alice.states.contains("bob connected"))
  }

  @Test func `a second call of the handler is ignored`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.settings.withLock { $0.answer = .twice }
    try await stage.connect(alice, bob)
    #expect(alice.states == ["bob connecting", "bob connected"])
  }

  @Test func `a peer that was not found cannot be invited`() async throws {
    let alice = stage.player("alice")
    alice.browser.startBrowsingForPeers()
    alice.invite(MCPeerID(displayName: "bob"))
    try await alice.saw("bob notConnected")
    #expect(alice.states == ["bob notConnected"])
  }

  @Test func `a peer that is at the address no longer is not taken for the one that was invited`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    // Found still, but nobody here is of that identity.
    PeerNode.shared.remove(bob.engineOfAdvertiser)
    alice.invite(peer)
    try await alice.saw("bob notConnected")
    #expect(bob.told.isEmpty)
  }

  @Test func `both may invite each other at once, and are connected once`() async throws {
    for _ in 0..<10 {
      let stage = PlayerGroup()
      let (alice, bob) = (stage.player("alice"), stage.player("bob"))
      for player in [alice, bob] {
        player.advertiser.startAdvertisingPeer()
        player.browser.startBrowsingForPeers()
      }
      let (peer, other) = (try await alice.found(bob), try await bob.found(alice))
      alice.invite(peer)
      bob.invite(other)
      try await alice.saw("bob connected")
      try await bob.saw("alice connected")
      try alice.send("hello", to: bob)
      try bob.send("hello", to: alice)
      try await bob.saw("alice says hello")
      try await alice.saw("bob says hello")
      #expect(alice.states == ["bob connecting", "bob connected"])
      #expect(bob.states == ["alice connecting", "alice connected"])
      withExtendedLifetime(stage) {}
    }
  }

  @Test func `an assistant answers by its handler, and declines without one`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    let assistant = MCAdvertiserAssistant(serviceType: stage.type, discoveryInfo: ["a": "b"], session: bob.session)
    assistant.start()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    alice.invite(peer)
    try await alice.saw("bob notConnected")
    let delegate = Assisting()
    assistant.delegate = delegate
    assistant.invitationHandler = { _, _, answer in
      answer(true)
      answer(false)
    }
    alice.invite(peer)
    try await alice.saw("bob connected")
    #expect(delegate.seen == ["presents", "dismisses"])
    #expect(alice.told.first == "finds bob with a=b")
    assistant.stop()
    try await alice.saw("loses bob")
  }

  @Test func `without a delegate invitations and certificates are judged as Apple's framework does`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    bob.session.delegate = nil
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    let peer = try await alice.found(bob)
    alice.invite(peer)
    try await alice.saw("bob connected")
    bob.advertiser.delegate = nil
    let carol = stage.player("carol")
    carol.browser.startBrowsingForPeers()
    carol.invite(try await carol.found(bob), timeout: 0.1)
    try await carol.saw("bob notConnected")
  }
}

/// What an assistant says that it does.
private final class Assisting: NSObject, MCAdvertiserAssistantDelegate, Sendable {
  private let told = ObservedValue<[String]>([])

  var seen: [String] { told.value }

  func advertiserAssistantWillPresentInvitation(_ assistant: MCAdvertiserAssistant) {
    told.change { $0.append("presents") }
  }
  func advertiserAssistantDidDismissInvitation(_ assistant: MCAdvertiserAssistant) {
    told.change { $0.append("dismisses") }
  }
}

extension Player {
  /// What the node knows the player's advertiser by.
  fileprivate var engineOfAdvertiser: Advertiser { advertiser.advertiser }
}
