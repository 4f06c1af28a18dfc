import ArgumentParser
import BumpFaults
import BumpSimulation
import BumpTerminal
import BumpText

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Show what a known failure does to two emulated peers.",
    usage: "bump simulate list [--json]\nbump simulate <profile>[:<seed>] [--seed <number>] [--timeline] [--json]",
    discussion: """
      Nothing is real: no network, no store, no claim, and a clock that jumps from event to event. The same seed shows \
      the same on every machine. Profiles of sessions are about programs written for Apple's MultipeerConnectivity, \
      those of bump about bump itself.
      """)

  @Argument(
    help: ArgumentHelp("A profile, such as connecting-stall, or `list` for all of them.", valueName: "profile"),
    completion: .list(["list"] + FaultProfile.all.map(\.name)))
  var what: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Which of the profile's runs: a number (default: 1).", valueName: "number"),
    transform: Arguments.seed)
  var seed: UInt64?

  @Flag(help: "Run two emulated peers, and print what each of them sees, and when, in seconds.")
  var timeline = false

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  func validate() throws {
    if what == "list", timeline { throw ValidationError("--timeline needs a profile: `bump simulate list` lists them") }
    if what == "list", seed != nil { throw ValidationError("a list has no seed. Leave out --seed") }
    _ = try plan
    if seed != nil, !timeline { throw ValidationError("--seed needs --timeline") }
  }

  /// The plan that is named; `nil` for the list.
  private var plan: FaultPlan? {
    get throws {
      guard what != "list" else { return nil }
      if seed != nil, what.contains(":") { throw ValidationError("name the seed once: PROFILE:SEED, or --seed") }
      do {
        return try FaultPlan(seed.map { "\(what):\($0)" } ?? what)
      } catch {
        if NearestWord.of(what, among: ["list"] + FaultProfile.all.map(\.name)) == "list" {
          throw ValidationError("no profile has that name. Did you mean `bump simulate list`?")
        }
        throw ValidationError("\(error)")
      }
    }
  }

  func run() async throws {
    for line in lines(try plan) { Console.result(line) }
    try Console.checkList()
  }

  private func lines(_ plan: FaultPlan?) -> [String] {
    guard let plan else {
      if json { return FaultProfile.all.map(\.json) }
      return ["SIMULATED: the profiles that `bump simulate PROFILE --timeline` runs."]
        + FaultProfile.all.flatMap { [""] + $0.summary }
    }
    let profile = plan.profile
    guard timeline else {
      return json ? [profile.json] : ["SIMULATED: `--timeline` shows a run of it.", ""] + profile.description
    }
    let timeline = SimulatedTimeline.of(plan)
    return json ? timeline.json : timeline.columns
  }
}

extension Arguments {
  /// Reads the seed of a plan.
  static func seed(_ text: String) throws -> UInt64 {
    guard let seed = UInt64(text), String(seed) == text else {
      throw ValidationError("a seed is a number from 0 to \(UInt64.max)")
    }
    return seed
  }
}
