import Foundation
import Lab
import Synchronization
import Testing

@testable import MultipeerConnectivity

/// On which queue each object calls its delegate.
@Suite(.processes(2)) struct QueueTests {
  private let stage = PlayerGroup()

  @Test func `a session calls its delegate one call at a time, never on the main thread`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    let watcher = Watcher()
    bob.session.delegate = watcher
    bob.advertiser.startAdvertisingPeer()
    alice.browser.startBrowsingForPeers()
    alice.invite(try await alice.found(bob))
    try await alice.saw("bob connected")
    for number in 0..<100 { try alice.send("\(number)", to: bob) }
    // Its states come before them.
    try await watcher.sawAll(102)
    #expect(watcher.overlaps == 0 && watcher.onMain == 0)
  }

  @Test func `a browser calls its delegate one call at a time, never on the main thread`() async throws {
    let alice = stage.player("alice")
    let others = (0..<20).map { stage.player("\($0)") }
    let watcher = Watcher()
    alice.browser.delegate = watcher
    for other in others { other.advertiser.startAdvertisingPeer() }
    alice.browser.startBrowsingForPeers()
    try await watcher.sawAll(others.count)
    for other in others { other.advertiser.stopAdvertisingPeer() }
    try await watcher.sawAll(2 * others.count)
    #expect(watcher.overlaps == 0 && watcher.onMain == 0)
  }

  @Test func `an advertiser calls its delegate one call at a time, never on the main thread`() async throws {
    let alice = stage.player("alice")
    let others = (0..<10).map { stage.player("\($0)") }
    let watcher = Watcher()
    alice.advertiser.delegate = watcher
    alice.advertiser.startAdvertisingPeer()
    for other in others { other.browser.startBrowsingForPeers() }
    for other in others { other.invite(try await other.found(alice)) }
    try await watcher.sawAll(others.count)
    for other in others { try await other.saw("alice notConnected") }
    #expect(watcher.overlaps == 0 && watcher.onMain == 0)
  }

  @Test func `a delegate that does not return keeps the calls of no other object waiting`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let watcher = Watcher()
    let gate = DispatchSemaphore(value: 0)
    watcher.gate.withLock { $0 = gate }
    let carol = stage.player("carol")
    (alice.browser.delegate, alice.advertiser.delegate) = (watcher, watcher)
    // Both wait for the gate: one in a call of alice's browser, one in a call of her advertiser.
    carol.advertiser.startAdvertisingPeer()
    alice.advertiser.startAdvertisingPeer()
    carol.browser.startBrowsingForPeers()
    carol.invite(try await carol.found(alice))
    try await watcher.isWaiting(2)
    try bob.send("hello", to: alice)
    try await alice.saw("bob says hello")
    watcher.gate.withLock { $0 = nil }
    for _ in 0..<2 { gate.signal() }
    try await carol.saw("alice notConnected")
  }
}
