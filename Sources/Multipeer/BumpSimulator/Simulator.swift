public import BumpFaults
public import Foundation
import Synchronization

#if os(Linux)
  import MultipeerConnectivity
#endif

/// Makes the peers of this process fail on purpose. Nothing is simulated until the program calls this: no environment
/// variable and no data from a peer starts it.
///
///     try Simulator.obeyEnvironment()                              // BUMP_SIMULATE=connecting-stall:1
///     Simulator.simulate(try FaultPlan("connecting-stall:1"))      // on the real network
///     try await Simulator.run(FaultPlan("connecting-stall:1")) { simulation in … }   // without one, at once
public enum Simulator {
  /// The variable that `obeyEnvironment` reads: `PROFILE` or `PROFILE:SEED`.
  public static let variable = "BUMP_SIMULATE"

  private static let current = Mutex<FaultPlan?>(nil)

  /// The plan that `simulate` has set; `nil` for none.
  public static var plan: FaultPlan? { current.withLock(\.self) }

  /// Sets the plan for the MultipeerConnectivity peers that are made from now on, over the real network; `nil` ends the
  /// simulation. Peers that were made before do not change.
  public static func simulate(_ plan: FaultPlan?) {
    current.withLock { $0 = plan }
    #if os(Linux)
      PeerNode.place(
        plan.map { plan in
          let faults = PlannedFaults(plan)
          return PeerNode(FaultyEnvironment(plan, faults), faults: faults)
        })
    #endif
    announce(plan)
  }

  #if os(Linux)
    /// Runs a closure in a simulation. The peers that it makes find each other only in this process, and fail by the
    /// plan.
    ///
    /// - Parameter plan: the plan of the faults; `nil` for none.
    public static func run<Result>(
      _ plan: FaultPlan?, isolation: isolated (any Actor)? = #isolation,
      _ body: (Simulation) async throws -> Result
    ) async rethrows -> Result {
      announce(plan)
      let simulation = Simulation(plan)
      defer { simulation.finish() }
      return try await PeerNode.$local.withValue(simulation.node) { try await body(simulation) }
    }
  #endif

  /// Prints the plan. It must be visible in a test's log, and to a person who runs the program by mistake.
  private static func announce(_ plan: FaultPlan?) {
    if let plan { FileHandle.standardError.write(Data("SIMULATED: \(plan). \(plan.profile.sentence)\n".utf8)) }
  }

  /// Simulates the plan that the environment names, if it names one: for a program that was built to be tested. A
  /// program that does not call this ignores the variable.
  ///
  /// - Throws: `FaultPlanError` if the variable names no plan.
  /// - Returns: the plan; `nil` if the variable is not set or empty.
  @discardableResult
  public static func obeyEnvironment() throws(FaultPlanError) -> FaultPlan? {
    try obey(ProcessInfo.processInfo.environment)
  }

  /// Simulates the plan that this environment names.
  @discardableResult
  package static func obey(_ environment: [String: String]) throws(FaultPlanError) -> FaultPlan? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    let plan: FaultPlan
    do throws(FaultPlanError) {
      plan = try FaultPlan(text)
    } catch {
      throw error.named(variable)
    }
    simulate(plan)
    return plan
  }
}

extension FaultPlanError: LocalizedError {
  public var errorDescription: String? { description }
}
