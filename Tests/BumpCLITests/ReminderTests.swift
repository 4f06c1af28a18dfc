import BumpClaims
import BumpKit
import BumpText
import Testing

@testable import BumpCLI
@testable import BumpStore

/// What a send says of earlier claims.
@Suite struct ReminderTests {
  static let lines: [([HandoverState], [HandoverState], String?)] = [
    ([], [], nil),
    ([.unknown], [], #"No answer came to 1.00 USDC for "Alexandra…". Ask. In 60 s: bump settle nK2jqA1b"#),
    ([], [.linkShown], "A link of 1.00 USDC still works. To send that: bump send --again nK2jqA1b"),
    ([], [.lost], "A link of 1.00 USDC may still work. To send that: bump send --again nK2jqA1b"),
    ([.unknown, .unknown], [], "Several claims got no answer: see `bump history`, ask there, and settle each."),
    ([], [.lost, .linkShown], "Earlier links may still work: `bump history`. To send one: bump send --again ID"),
    ([.unknown], [.linkShown], "Earlier claims may still be taken: `bump history` lists them and what to do."),
  ]

  @Test(arguments: lines.indices) func `earlier claims are one line, however many kinds there are`(index: Int) throws {
    let (undecided, linked, line) = Self.lines[index]
    let said = try Reminder.line(undecided.map(Self.claim), linked.map(Self.claim), at: 1000)
    #expect(said == line)
    #expect(TextWidth.columns(of: said ?? "") <= 84)
  }

  private static func claim(_ state: HandoverState) throws -> OutgoingClaim {
    let claim = Claim(
      id: try ClaimID("nK2jqA1bCXA8d3TQVbEzeg"), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)),
      token: .usdc, amount: try Amount("1.00"))
    return OutgoingClaim(
      claim: claim, expiry: try #require(Expiry(unixSeconds: 4_000_000_000)), state: state,
      peer: try DisplayName("Alexandra von und zu Hohenschwangau"), createdAt: 900,
      deadline: state == .unknown ? 1060 : nil)
  }
}
