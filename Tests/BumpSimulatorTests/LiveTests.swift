#if os(Linux)
  import BumpFaults
  import BumpSimulator
  import Foundation
  import MultipeerConnectivity
  import Testing

  extension SimulatorTests {
    /// Two sessions that know of each other without discovery, over real connections of this host.
    private final class Pair: NSObject, StatesDelegate, @unchecked Sendable {
      let (alice, bob): (MCSession, MCSession)
      let states: AsyncStream<MCSessionState>
      private let told: AsyncStream<MCSessionState>.Continuation

      override init() {
        (alice, bob) = (
          MCSession(peer: MCPeerID(displayName: "alice")), MCSession(peer: MCPeerID(displayName: "bob"))
        )
        (states, told) = AsyncStream.makeStream()
        super.init()
        (alice.delegate, bob.delegate) = (self, self)
      }

      func connect() async throws {
        let (forAlice, forBob) = (
          try await bob.nearbyConnectionData(forPeer: alice.myPeerID),
          try await alice.nearbyConnectionData(forPeer: bob.myPeerID)
        )
        alice.connectPeer(bob.myPeerID, withNearbyConnectionData: forAlice)
        bob.connectPeer(alice.myPeerID, withNearbyConnectionData: forBob)
      }

      func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
        if state == .connected { try? session.send(Data("hello".utf8), toPeers: [peerID], with: .reliable) }
        told.yield(state)
      }
    }

    /// A plan that cuts each connection within two seconds.
    private static let cutting = (1...20 as ClosedRange<UInt64>).lazy.compactMap { seed -> FaultPlan? in
      let plan = try? FaultPlan("mutual-invite:\(seed)")
      let cuts = plan?.bytes.contains { if case .cut(_, ends: .both) = $0.effect { true } else { false } }
      return cuts == true ? plan : nil
    }.first

    @Test func `a real connection of peers that are made under a plan ends by the plan`()
      async throws
    {
      let plan: FaultPlan = try #require(Self.cutting)
      Simulator.simulate(plan)
      let pair = Pair()
      Simulator.simulate(nil)
      try await pair.connect()
      var seen: [MCSessionState] = []
      // Without the plan nobody would be told of an end.
      for await state in pair.states {
        seen.append(state)
        if seen.count(where: { $0 == .notConnected }) == 2 { break }
      }
      #expect(seen.count(where: { $0 == .connected }) == 2)
    }
  }
#endif
