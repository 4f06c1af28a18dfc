import Foundation
import Lab
import Testing

@testable import MultipeerConnectivity

/// What is left when nobody holds it any more.
@Suite(.processes(2)) struct LifetimeTests {
  @Test func `objects that nobody holds are gone, and their peers hear it`() async throws {
    let stage = PlayerGroup()
    let bob = stage.player("bob")
    let gone = ObservedValue(0)
    let objects = try await Self.meet(bob, on: stage, gone)
    try await bob.saw("alice notConnected")
    try await bob.saw("loses alice")
    try await withTimeout(.hang, "all of them are gone") { try await gone.wait { $0 == 4 ? () : nil } }
    #expect(objects.allSatisfy { $0.value == nil })
  }

  /// Connects somebody to a player, and lets go.
  private static func meet(_ bob: Player, on stage: PlayerGroup, _ gone: ObservedValue<Int>) async throws
    -> [WeakReference]
  {
    let alice = stage.visitor("alice")
    alice.watch(gone)
    alice.advertiser.startAdvertisingPeer()
    bob.browser.startBrowsingForPeers()
    _ = try await bob.found(alice)
    try await stage.connect(alice, bob)
    let output = try alice.session.startStream(withName: "s", toPeer: bob.id)
    output.open()
    let input = try await bob.stream()
    input.open()
    input.close()
    return [
      WeakReference(alice), WeakReference(alice.session), WeakReference(alice.session.engine),
      WeakReference(alice.advertiser), WeakReference(alice.browser), WeakReference(output), WeakReference(input),
    ]
  }

  @Test func `a hundred sessions leave no descriptor and no session behind`() async throws {
    // A process of its own: other tests open descriptors too.
    await #expect(processExitsWith: .success) {
      let environment = WatchedEnvironment()
      let stage = PlayerGroup(on: PeerNode(environment))
      let gone = ObservedValue(0)
      try await withTimeout(.hang) {
        try await LifetimeTests.once(stage, gone)
        try await environment.settled()
        let before = try LifetimeTests.descriptors()
        for _ in 0..<100 { try await LifetimeTests.once(stage, gone) }
        try await gone.wait { $0 == 101 * 8 ? () : nil }
        try await environment.settled()
        let after = try LifetimeTests.descriptors()
        guard after <= before, environment.counts.value.made == 101 * 2 else {
          throw Left(descriptors: after - before, connections: environment.counts.value.made)
        }
      }
    }
  }

  private static func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  private struct Left: Error {
    let descriptors: Int
    let connections: Int
  }

  private static func once(_ stage: PlayerGroup, _ gone: ObservedValue<Int>) async throws {
    let (alice, bob) = (stage.visitor("alice"), stage.visitor("bob"))
    for player in [alice, bob] { player.watch(gone) }
    try await stage.connect(alice, bob)
    try alice.send("hello", to: bob)
    try await bob.saw("alice says hello")
    bob.advertiser.stopAdvertisingPeer()
    alice.session.disconnect()
    try await bob.saw("alice notConnected")
    withExtendedLifetime(alice) {}
  }
}
