import ArgumentParser
import BumpFaults
import BumpSimulation

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Show what a known failure does to two emulated peers.",
    usage: "bump simulate list [--json]\nbump simulate <profile> [--seed <number>] [--timeline] [--json]",
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
  var seed: UInt64 = 1

  @Flag(help: "Run two emulated peers, and print what each of them sees, and when, in seconds.")
  var timeline = false

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  func validate() throws {
    if what == "list", timeline { throw ValidationError("--timeline needs a profile: `bump simulate list` lists them") }
    if what != "list", FaultProfile.named(what) == nil {
      throw ValidationError("there is no profile of that name. `bump simulate list` lists them")
    }
  }

  func run() async throws {
    for line in lines { Console.result(line) }
    try Console.checkList()
  }

  private var lines: [String] {
    guard let profile = FaultProfile.named(what) else {
      if json { return FaultProfile.all.map(\.json) }
      return ["SIMULATED: the profiles that `bump simulate PROFILE --timeline` runs."]
        + FaultProfile.all.flatMap { [""] + $0.summary }
    }
    guard timeline else {
      return json ? [profile.json] : ["SIMULATED: `--timeline` shows a run of it.", ""] + profile.description
    }
    let timeline = SimulatedTimeline.of(FaultPlan(profile, seed: seed))
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
