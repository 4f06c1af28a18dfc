import BumpFaults
import BumpKit
import Testing

@testable import BumpSimulation

/// What must hold of a claim, whatever goes wrong: it is never there twice, and never said to be delivered where it is not.
@Suite struct BumpInvariantTests {
  @Test(arguments: FaultProfile.all.filter { $0.wire == .bump })
  func `a claim is there once at most, and where it is said to be`(profile: FaultProfile) throws {
    for seed in 1...25 as ClosedRange<UInt64> {
      let emulation = try BumpEmulation(FaultPlan(profile, seed: seed))
      _ = emulation.run()
      #expect(emulation.stored.count <= 1)
      let outcome = try #require(emulation.sendOutcome)
      switch outcome {
      case .delivered: #expect(emulation.stored.count == 1, "\(profile.name):\(seed)")
      case .undelivered: #expect(emulation.stored.isEmpty, "\(profile.name):\(seed)")
      case .unknown: break
      default: Issue.record("\(profile.name):\(seed) ends as \(outcome)")
      }
      if case .received = emulation.receiveOutcome { #expect(emulation.stored.count == 1, "\(profile.name):\(seed)") }
    }
  }

  @Test func `a claim whose tag was changed is not taken, and is unknown to its sender`() throws {
    let emulation = try BumpEmulation(try FaultPlan("tampered-mac:1"))
    _ = emulation.run()
    #expect(emulation.stored.isEmpty)
    guard case .unknown = emulation.sendOutcome else {
      Issue.record("\(String(describing: emulation.sendOutcome))")
      return
    }
  }

  @Test func `a claim is stored where the connection ends before its receipt`() throws {
    let emulation = try BumpEmulation(try FaultPlan("cut-after-claim:1"))
    _ = emulation.run()
    #expect(emulation.stored.count == 1)
    guard case .unknown = emulation.sendOutcome, case .received = emulation.receiveOutcome else {
      Issue.record("\(String(describing: emulation.sendOutcome))")
      return
    }
  }
}
