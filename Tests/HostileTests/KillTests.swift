import BumpClaims
import BumpWire
import Foundation
import Glibc
import Lab
import Testing

extension HostileTests {
  /// kill -9 of either side, at every frame and around it.
  @Suite struct KillTests {
    @Test func `no claim is lost or doubled, whoever is killed when`() async throws {
      await Seeds.each(quick: 0..<8, thorough: 100) { seed in
        let killPlan = KillPlan(seed: seed)
        try await withUsers { sender, receiver in
          let outcome = try await InterceptedBump(in: killPlan.kind, sender, receiver).run { killPlan.fate(of: $0, $1) }
          let killed = killPlan.victim == .sender ? outcome.sent : outcome.received
          // Status 0 is who was quicker.
          let isMet = outcome.transcript.came.contains { $0.connection == 0 && $0.place == killPlan.place }
          #expect(isMet && [-SIGKILL, 0].contains(killed.status), "seed \(seed): \(killPlan)\n\(outcome)")
          try await expectWhole(outcome, sender, receiver, "seed \(seed): \(killPlan)")
        }
      }
    }
  }
}

/// What a claim's owner can count on after a crash: it is there, or its link still brings it, and never twice.
func expectWhole(_ outcome: InterceptedBump.Outcome, _ sender: BumpUser, _ receiver: BumpUser, _ what: String)
  async throws
{
  let claim = try #require(outcome.given.first, "\(what)\n\(outcome)")
  let state = claim.string("state")
  #expect(outcome.given.count == 1 && outcome.taken.count <= 1, "\(what)\n\(outcome)")
  if outcome.received.status == 0 { #expect(outcome.taken.count == 1, "\(what)\n\(outcome)") }
  if outcome.sent.status == 0 { #expect(state == "delivered", "\(what)\n\(outcome)") }
  if state == "new" { #expect(outcome.taken.isEmpty, "\(what)\n\(outcome)") }

  let id = claim.string("claimId") ?? ""
  // Whoever was killed, or gave up: its receiver may take it still.
  if state == "released" || state == "unknown" {
    try await sender.putOffDeadline()
    let early = try await sender.run("link", id)
    #expect(early.status == 1 && early.standardOutput.isEmpty, "a link of a claim in flight: \(what)\n\(early)")
    try await sender.passDeadline()
  }
  let shown = try await sender.run("link", id)
  if state == "delivered" {
    #expect(outcome.taken.map(\.payload) == [claim.payload], "delivered, and absent: \(what)\n\(outcome)")
    #expect(shown.status == 1, "\(what)\n\(shown)")
    return
  }
  let link = try #require(shown.lines.first { $0.hasPrefix("https://") }, "\(what)\n\(shown)")
  let received = try await receiver.run("receive", "--link", link)
  #expect(received.status == 0, "\(what)\n\(received)")
  let wasThere = received.standardOutput.hasPrefix("already here: ")
  #expect(wasThere == !outcome.taken.isEmpty, "\(what)\n\(outcome)\n\(received)")
  let brought = try await receiver.claims()
  #expect(brought.map { $0.string("claimId") } == [claim.string("claimId")], "\(what)\n\(outcome)\n\(received)")
  // The secret as a link has it: base64url, unpadded.
  let secret = brought.first?.string("secret")?.trimmingCharacters(in: ["="])
  let linked = secret?.replacing("+", with: "-").replacing("/", with: "_") ?? "none"
  #expect(link.contains("#s=\(linked)&"), "\(what)\n\(received)")
}
