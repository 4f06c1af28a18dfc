import BumpFaults
import BumpSimulation
import Foundation
import Testing

/// What each profile does with four seeds, byte for byte. A timeline that changes is a change that somebody must mean:
/// `BUMP_GOLDEN=write swift test --filter GoldenTests` writes them anew, and `git diff` shows what became of them.
@Suite struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  private static let writes = ProcessInfo.processInfo.environment["BUMP_GOLDEN"] == "write"
  /// Between them they draw the first and the last of each list of variants.
  private static let seeds: [UInt64] = [1, 2, 5, 9]

  @Test(arguments: FaultProfile.all)
  func `a timeline is the one of before, byte for byte`(profile: FaultProfile) throws {
    for seed in Self.seeds {
      let plan = FaultPlan(profile, seed: seed)
      let text = SimulatedTimeline.of(plan).columns.map { $0 + "\n" }.joined()
      let file = Self.folder.appending(path: "\(profile.name)-\(seed).txt")
      if Self.writes {
        try Data(text.utf8).write(to: file)
        Issue.record("\(file.lastPathComponent) was written, not compared")
      } else {
        #expect(try Data(contentsOf: file) == Data(text.utf8), "\(plan) is another timeline")
      }
    }
  }

  @Test func `there is no timeline of a profile that there is not`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    let wanted = FaultProfile.all.flatMap { profile in Self.seeds.map { "\(profile.name)-\($0).txt" } }
    #expect(names.sorted() == wanted.sorted())
  }

  @Test(arguments: FaultProfile.all)
  func `a timeline says that it is simulated, in its first line and in each of JSON`(profile: FaultProfile) throws {
    let timeline = SimulatedTimeline.of(FaultPlan(profile, seed: 4))
    #expect(timeline.columns.first?.hasPrefix("SIMULATED: \(profile.name), seed 4.") == true)
    #expect(!timeline.lines.isEmpty && timeline.json.count == timeline.lines.count)
    for (line, json) in zip(timeline.lines, timeline.json) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      #expect(object["simulated"] as? Bool == true)
      #expect(object["profile"] as? String == profile.name && object["seed"] as? Int == 4)
      #expect(object["ms"] as? Int == line.milliseconds && object["text"] as? String == line.text)
    }
  }
}
