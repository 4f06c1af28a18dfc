#if os(Linux)
  import BumpFaults
  import BumpSimulator
  import Lab
  import MultipeerConnectivity
  import Testing

  @testable import BumpSimulation

  /// Profiles through MultipeerConnectivity: its delegates are called as the emulated programs are, which run on the state
  /// machines alone.
  @Suite(.processes(2)) struct FacadeTests {
    /// What a program is told before it is there cannot be shown by one that runs: both end their process.
    private static func isSeen(_ plan: FaultPlan) -> Bool {
      !plan.programs(of: .advertiser).contains { $0 == .nameTooLong || $0 == .infoTooBig }
    }

    static let plans = FaultProfile.all.filter { $0.wire == .multipeer }.flatMap { profile in
      [1, 2, 5, 9].map { FaultPlan(profile, seed: $0) }
    }.filter(isSeen)

    /// What each delegate of a timeline's programs is told.
    private static func golden(_ timeline: SimulatedTimeline, _ name: String, _ delegate: FacadeProgram.Delegate)
      -> [String]
    {
      timeline.lines.filter { line in
        guard line.kind == .callback, line.peer == name else { return false }
        let isResource = line.name == "sendResource completionHandler"
        return line.name.hasPrefix("\(delegate.rawValue)(") || delegate == .session && isResource
      }.map(\.text)
    }

    @Test(arguments: plans)
    func `each delegate is called in the order of the golden timeline`(plan: FaultPlan) async throws {
      let timeline = SimulatedTimeline.of(plan)
      var scene = EmulatedScene.of(plan)
      // A person who takes long is a program's own, too: what counts is the session of the answer, not of the question.
      var chances = plan.stream("programs", "times")
      for case .slow(let span) in plan.programs(of: .both) {
        (scene.a.answersAfter, scene.b.answersAfter) = (chances.draw(span), chances.draw(span))
      }
      await Simulator.run(plan) { [scene] simulation in
        let cast = FacadeProgram.ProgramRegistry()
        var programs = [("A", scene.a), ("B", scene.b)].map { FacadeProgram($0, $1, in: simulation, cast) }
        for program in programs { program.start() }
        if let (third, from) = scene.c {
          await simulation.advance(by: from)
          programs.append(FacadeProgram("C", third, in: simulation, cast))
          programs[2].start()
        }
        await simulation.advance(by: scene.length - simulation.elapsed)
        for program in programs {
          for delegate in FacadeProgram.Delegate.allCases {
            let (told, golden) = (program.told(delegate), Self.golden(timeline, program.name, delegate))
            #expect(told == golden, "\(plan): \(program.name)'s \(delegate)")
          }
        }
      }
    }

    @Test func `what is simulated twice is the same twice`() async throws {
      let plan = try FaultPlan("connecting-stall:2")
      var runs: [[String]] = []
      for _ in 0..<2 {
        runs.append(
          await Simulator.run(plan) { simulation in
            let cast = FacadeProgram.ProgramRegistry()
            let scene = EmulatedScene.of(plan)
            let programs = [("A", scene.a), ("B", scene.b)].map { FacadeProgram($0, $1, in: simulation, cast) }
            for program in programs { program.start() }
            await simulation.advance(by: scene.length)
            return programs.flatMap { $0.told(.session) }
          })
      }
      #expect(!runs[0].isEmpty && runs[0] == runs[1])
    }

    @Test func `peers of a simulation find nobody outside of it`() async throws {
      let outside = MCPeerID(displayName: "outside")
      await Simulator.run(nil) { simulation in
        let inside = MCPeerID(displayName: "inside")
        #expect(inside != outside)
        let cast = FacadeProgram.ProgramRegistry()
        let alone = FacadeProgram("A", .inviter, in: simulation, cast)
        alone.start()
        await simulation.advance(by: .seconds(5))
        #expect(alone.told(.browser).isEmpty)
      }
    }
  }
#endif
