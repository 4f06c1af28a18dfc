import BumpFaults
import BumpSimulator
import MultipeerConnectivity
import Testing

@testable import NearbyPlayers

@Test func `a peer that hangs in connecting plays in the end`() async throws {
  try await Simulator.run(FaultPlan("connecting-stall:1")) { simulation in
    let timer: PlayerTable.Timer = { seconds, body in simulation.after(.seconds(seconds), body) }
    let (alice, bob) = (PlayerTable(name: "alice", after: timer), PlayerTable(name: "bob", after: timer))
    bob.host()
    alice.look()
    await simulation.advance(by: .seconds(1))
    alice.invite("bob")
    await simulation.advance(by: .seconds(300))
    #expect(alice.rows.map(\.status) == [.playing])
  }
}
