import BumpFaults
import Testing

@Suite struct PlanTests {
  @Test func `the profiles have the catalogue's names, each once`() {
    #expect(
      FaultProfile.all.map(\.name) == [
        "slow-link", "connecting-stall", "mutual-invite", "wedged-session", "encryption-mismatch",
        "certificate-unanswered", "late-accept", "ninth-peer", "tie-break-deadlock", "duplicate-found", "ghost-peer",
        "self-found", "silent-loss", "lost-for-good", "stale-info", "flapping", "info-too-big", "name-too-long",
        "local-network-denied", "half-open", "false-drop", "early-drop", "background-drop", "bulk-starvation",
        "no-backpressure", "resource-stall", "wifi-contention", "tampered-mac", "replay", "cut-after-claim",
        "slow-receiver", "duplicate-instance", "no-bonjour", "packet-loss",
      ])
  }

  @Test(arguments: FaultProfile.all)
  func `a profile is one sentence, with its evidence`(profile: FaultProfile) {
    #expect(profile.sentence.hasSuffix(".") && !profile.sentence.dropLast().contains(". "))
    #expect(!profile.sources.isEmpty && !profile.remedy.isEmpty && !profile.faults.isEmpty)
  }

  @Test(arguments: FaultProfile.all)
  func `a profile and a seed are one plan, and their text reads as it`(profile: FaultProfile) throws {
    let plan = FaultPlan(profile, seed: 7)
    #expect(try FaultPlan("\(profile.name):7") == plan)
    #expect(try FaultPlan(plan.description) == plan)
    #expect(try FaultPlan(profile.name) == FaultPlan(profile, seed: 1))
  }

  @Test(arguments: ["", "connecting", "Connecting-Stall", "replay:", "replay:-1", "replay:07", "replay:1:2", ":7"])
  func `a text that names no plan is refused, with what to try`(text: String) {
    let error = #expect(throws: FaultPlanError.self) { try FaultPlan(text) }
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func `each of several possibilities comes with some seed`() {
    let profile = FaultProfile.named("local-network-denied")
    let drawn = Set((0..<40).compactMap { seed in profile.map { FaultPlan($0, seed: seed).faults } })
    #expect(drawn.count == 4)
  }

  @Test func `a draw for one peer and purpose changes none of another`() throws {
    let plan = try FaultPlan("packet-loss:3")
    var first = plan.stream("A", "discovery")
    var second = plan.stream("B", "discovery")
    let undisturbed = second.next()
    #expect(first.next() != undisturbed)
    var again = plan.stream("B", "discovery")
    for _ in 0..<100 { _ = first.next() }
    #expect(again.next() == undisturbed)
  }

  @Test(arguments: [
    ("conecting-stall", "Did you mean connecting-stall? "), ("replays", "Did you mean replay? "),
    ("wedged", "Did you mean wedged-session? "), ("zzz", ""), ("", ""),
  ])
  func `a mistyped profile is answered with the one that is meant, if only one is close`(text: String, hint: String) {
    let error = #expect(throws: FaultPlanError.self) { try FaultPlan(text) }
    #expect(error?.description == "no profile has that name. \(hint)`bump simulate list` lists them")
  }
}
