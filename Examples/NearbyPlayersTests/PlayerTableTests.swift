import BumpFaults
import BumpSimulator
import Foundation
import MultipeerConnectivity
import Testing

@testable import NearbyPlayers

/// Five failures that others have reported, and the effect of each on a table of players: without the measure against
/// it, and with it. Minutes pass in milliseconds, and each run is the same.
@Suite(.timeLimit(.minutes(30))) struct PlayerTableTests {
  /// Runs a plan in which Alice looks for players, and Bob can be found.
  private func play<Result>(
    _ plan: String, _ habits: PlayerTable.Habits, _ body: (Simulation, PlayerTable, PlayerTable) async throws -> Result
  ) async throws -> Result {
    try await Simulator.run(FaultPlan(plan)) { simulation in
      let timer: PlayerTable.Timer = { seconds, body in simulation.after(.seconds(seconds), body) }
      let alice = PlayerTable(name: "alice", habits: habits, after: timer)
      let bob = PlayerTable(name: "bob", habits: habits, after: timer)
      bob.host()
      alice.look()
      await simulation.advance(by: .seconds(1))
      return try await body(simulation, alice, bob)
    }
  }

  @Test func `a peer that hangs in connecting is invited again`() async throws {
    func status(_ habits: PlayerTable.Habits) async throws -> PlayerTable.Row.Status? {
      try await play("connecting-stall:1", habits) { simulation, alice, _ in
        alice.invite("bob")
        await simulation.advance(by: .seconds(5))
        #expect(alice.rows.map(\.status) == [.invited])
        await simulation.advance(by: .seconds(300))
        return alice.rows.first?.status
      }
    }
    var once = PlayerTable.Habits()
    once.attempts = 1
    #expect(try await status(once) == .gone)
    #expect(try await status(PlayerTable.Habits()) == .playing)
  }

  @Test func `a peer that is found several times has one row`() async throws {
    func names(_ habits: PlayerTable.Habits) async throws -> [String] {
      try await play("duplicate-found:1", habits) { simulation, alice, _ in
        await simulation.advance(by: .seconds(30))
        return alice.rows.map(\.name)
      }
    }
    var anyNumber = PlayerTable.Habits()
    anyNumber.hasOneRowEach = false
    #expect(try await names(anyNumber).count > 1)
    #expect(try await names(PlayerTable.Habits()) == ["bob"])
  }

  @Test func `a second game has a session of its own`() async throws {
    func status(_ habits: PlayerTable.Habits) async throws -> PlayerTable.Row.Status? {
      try await play("wedged-session:1", habits) { simulation, alice, _ in
        alice.invite("bob")
        await simulation.advance(by: .seconds(1))
        #expect(alice.rows.map(\.status) == [.playing])
        alice.leave()
        await simulation.advance(by: .seconds(1))
        alice.invite("bob")
        await simulation.advance(by: .seconds(60))
        return alice.rows.first?.status
      }
    }
    var oneSession = PlayerTable.Habits()
    oneSession.renewsSessions = false
    #expect(try await status(oneSession) != .playing)
    #expect(try await status(PlayerTable.Habits()) == .playing)
  }

  @Test func `a peer that comes and goes stays on the table`() async throws {
    func sightings(_ habits: PlayerTable.Habits) async throws -> Set<Int> {
      try await play("flapping:1", habits) { simulation, alice, _ in
        var counts: Set<Int> = []
        for _ in 0..<30 {
          await simulation.advance(by: .seconds(1))
          counts.insert(alice.rows.count)
        }
        return counts
      }
    }
    var atOnce = PlayerTable.Habits()
    atOnce.patience = 0
    #expect(try await sightings(atOnce) == [0, 1])
    #expect(try await sightings(PlayerTable.Habits()) == [1])
  }

  @Test func `a peer that is said to be gone, and plays on, is there`() async throws {
    func row(_ habits: PlayerTable.Habits) async throws -> PlayerTable.Row? {
      try await play("false-drop:1", habits) { simulation, alice, bob in
        alice.invite("bob")
        await simulation.advance(by: .seconds(12))
        #expect(alice.rows.map(\.status) == [.gone])
        try bob.play("e4")
        await simulation.advance(by: .seconds(1))
        return alice.rows.first
      }
    }
    var trusting = PlayerTable.Habits()
    trusting.takesMovesForLife = false
    #expect(try await row(trusting) == .init(name: "bob", status: .gone, moves: ["e4"]))
    #expect(try await row(PlayerTable.Habits()) == .init(name: "bob", status: .playing, moves: ["e4"]))
  }

  @Test func `where nothing fails, two play`() async throws {
    try await Simulator.run(nil) { simulation in
      let timer: PlayerTable.Timer = { seconds, body in simulation.after(.seconds(seconds), body) }
      let (alice, bob) = (PlayerTable(name: "alice", after: timer), PlayerTable(name: "bob", after: timer))
      bob.host()
      alice.look()
      await simulation.advance(by: .seconds(1))
      alice.invite("bob")
      await simulation.advance(by: .seconds(1))
      try alice.play("e4")
      await simulation.advance(by: .seconds(1))
      #expect(bob.rows == [.init(name: "alice", status: .playing, moves: ["e4"])])
    }
  }
}
