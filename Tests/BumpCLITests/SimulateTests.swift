import BumpFaults
import Foundation
import Lab
import Testing

@Suite(.processes(2)) struct SimulateTests {
  @Test func `the list has each profile, with its sentence and its evidence, and says what it is`() async throws {
    let finished = try await Person().run("simulate", "list")
    #expect(finished.status == 0 && finished.standardError.isEmpty, "\(finished)")
    #expect(finished.lines.first?.hasPrefix("SIMULATED") == true, "\(finished)")
    for profile in FaultProfile.all {
      let place = try #require(finished.lines.firstIndex(of: profile.name))
      #expect(finished.lines[place + 1].contains(profile.sentence))
      #expect(finished.lines[place + 2].contains(profile.evidence.rawValue))
    }
  }

  @Test(arguments: ["connecting-stall", "replay"])
  func `one seed shows the same twice, and says in each line of JSON that it is simulated`(profile: String) async throws
  {
    let person = try Person()
    let runs = [
      try await person.run("simulate", profile, "--seed", "3", "--timeline", "--json"),
      try await person.run("simulate", profile, "--seed", "3", "--timeline", "--json"),
    ]
    #expect(runs[0].status == 0 && runs[0].standardOutput == runs[1].standardOutput, "\(runs[0])")
    #expect(!runs[0].lines.isEmpty)
    for line in runs[0].lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["simulated"] as? Bool == true && object["seed"] as? Int == 3, "\(line)")
    }
    let shown = try await person.run("simulate", "\(profile):3", "--timeline")
    #expect(shown.lines.first?.hasPrefix("SIMULATED: \(profile), seed 3.") == true, "\(shown)")
    // Nothing is left behind: neither a store nor its directory.
    #expect(try FileManager.default.contentsOfDirectory(atPath: person.home).isEmpty)
  }

  @Test(arguments: [
    (["simulate"], "name a failure"), (["simulate", "lst"], "Did you mean `bump simulate list`?"),
    (["simulate", "list", "--timeline"], "`bump simulate list`"),
    (["simulate", "replay", "--seed", "-1"], "a seed is a number"),
    (["simulate", "replay:x"], "a seed is a number"), (["simulate", "replay", "--seed", "3"], "--timeline"),
    (["simulate", "list", "--seed", "3"], "a list has no seed. Leave out --seed"),
    (["simulate", "replay:3", "--seed", "2"], "name the seed once"),
  ])
  func `a mistake is one line that says what to try`(arguments: [String], words: String) async throws {
    let finished = try await Person().run(arguments)
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.standardError.contains(words), "\(finished)")
  }

  @Test func `a mistake in the options of a simulation says in JSON that it is one`() async throws {
    let finished = try await Person().run("send", "1.00", "--simulate", "no-such", "--json")
    #expect(finished.status == 64 && finished.standardOutput.contains(#""simulated":true"#), "\(finished)")
  }

  /// A program that was started by one under test inherits its environment, and its payments must not fail by it.
  @Test func `bump does not obey the environment, which says what to simulate`() async throws {
    let person = try Person()
    let sent = try await person.run(
      ["send", "1.00", "--link-only", "--json"], changes: ["BUMP_SIMULATE": "cut-after-claim:7"])
    #expect(sent.status == 0 && !sent.standardOutput.contains("simulated"), "\(sent)")
    #expect(try await person.run("history").standardOutput.contains("1.00 USDC"))
    // No module that it links names the variable.
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
    let naming = try files.filter {
      try String(contentsOf: sources.appending(path: $0), encoding: .utf8).contains("\"BUMP_SIMULATE")
    }
    #expect(naming == ["Multipeer/BumpSimulator/Simulator.swift"])
  }
}
