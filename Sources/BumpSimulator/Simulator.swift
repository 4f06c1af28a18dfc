public import BumpFaults
import Foundation
import Synchronization

#if os(Linux)
  import MultipeerConnectivity
#endif

/// Lets the peers of this process fail on purpose. Nothing is simulated until the program says so here: neither a variable of
/// the environment nor anything that a peer sends does it.
///
///     try Simulator.obeyEnvironment()                              // BUMP_SIMULATE=connecting-stall:7
///     Simulator.simulate(try FaultPlan("connecting-stall:7"))      // on the real network
///     try await Simulator.run(FaultPlan("connecting-stall:7")) { simulation in … }   // without one, at once
public enum Simulator {
  /// The variable that `obeyEnvironment` reads: `PROFILE` or `PROFILE:SEED`.
  public static let variable = "BUMP_SIMULATE"

  private static let current = Mutex<FaultPlan?>(nil)

  /// What goes wrong at the moment; `nil` for nothing.
  public static var plan: FaultPlan? { current.withLock(\.self) }

  /// Simulates a plan from now on, or nothing any more: for the peers of MultipeerConnectivity that are made from now on, over
  /// the real network. Those that were made before go on as they were.
  public static func simulate(_ plan: FaultPlan?) {
    current.withLock { $0 = plan }
    #if os(Linux)
      PeerNode.place(
        plan.map { plan in
          let faults = PlannedFaults(plan)
          return PeerNode(FaultySurroundings(plan, faults), faults: faults)
        })
    #endif
    announce(plan)
  }

  #if os(Linux)
    /// Runs something in a simulation: the peers that it makes find each other in this process alone, and fail by the plan.
    ///
    /// - Parameter plan: what goes wrong; `nil` for nothing.
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

  /// A test's log, and whoever runs the program by mistake, must see it.
  private static func announce(_ plan: FaultPlan?) {
    if let plan { FileHandle.standardError.write(Data("SIMULATED: \(plan). \(plan.profile.sentence)\n".utf8)) }
  }

  /// Simulates what the environment names, where it names anything: for a program that was built to be tested. No program
  /// that does not call this obeys the variable.
  ///
  /// - Throws: `FaultPlanError` for a variable that names no plan.
  /// - Returns: the plan; `nil` where the variable is not set, or empty.
  @discardableResult
  public static func obeyEnvironment() throws(FaultPlanError) -> FaultPlan? {
    try obey(ProcessInfo.processInfo.environment)
  }

  /// Does so with this environment.
  @discardableResult
  package static func obey(_ environment: [String: String]) throws(FaultPlanError) -> FaultPlan? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    let plan = try FaultPlan(text)
    simulate(plan)
    return plan
  }
}
