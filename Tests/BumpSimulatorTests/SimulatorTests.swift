import BumpFaults
import BumpSimulator
import Foundation
import Lab
import Testing

/// The plan is the process's, so one test after the other.
@Suite(.serialized, .processes(2, isLong: true)) struct SimulatorTests {
  init() { Simulator.simulate(nil) }

  @Test func `nothing is simulated until the program says so`() {
    setenv(Simulator.variable, "connecting-stall:7", 1)
    defer { unsetenv(Simulator.variable) }
    #expect(Simulator.plan == nil)
  }

  @Test func `after one call the environment is obeyed`() throws {
    setenv(Simulator.variable, "connecting-stall:7", 1)
    defer { unsetenv(Simulator.variable) }
    let plan = try FaultPlan("connecting-stall:7")
    #expect(try Simulator.obeyEnvironment() == plan)
    #expect(Simulator.plan == plan)
    Simulator.simulate(nil)
    #expect(Simulator.plan == nil)
  }

  @Test func `a variable that is not set, or empty, simulates nothing`() throws {
    #expect(try Simulator.obey([:]) == nil)
    #expect(try Simulator.obey([Simulator.variable: ""]) == nil)
    #expect(Simulator.plan == nil)
  }

  @Test func `a variable that names no plan is an error, not nothing`() {
    let error = #expect(throws: FaultPlanError.self) {
      try Simulator.obey([Simulator.variable: "conecting-stall"])
    }
    #expect(error?.localizedDescription.hasPrefix("BUMP_SIMULATE: no profile has that name") == true)
    #expect(Simulator.plan == nil)
  }
}
