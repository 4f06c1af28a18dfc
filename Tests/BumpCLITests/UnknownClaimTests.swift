import BumpClaims
import BumpKit
import BumpTerminal
import BumpText
import BumpVaultAPI
import Testing

@testable import BumpCLI
@testable import BumpStore
@testable import BumpVaultClient

/// What a sender reads of a claim that a receiver, or a holder of its link, may have.
@Suite struct UnknownClaimTests {
  private static let expiry: Int64 = 4_000_000_000

  private static func claim(_ state: HandoverState) throws -> OutgoingClaim {
    try OutgoingClaim.sample(state, id: "nK2jqA1bCXA8d3TQVbEzeg")
  }

  @Test(
    arguments: [
      (56, ", in 56 s at the earliest"), (0, ""), (nil, ", once the store can be read"),
    ] as [(Int64?, String)])
  func `an unknown claim is asked for first, and then settled, which asks for the verdict`(
    seconds: Int64?, time: String
  ) throws {
    let claim = try Self.claim(.new)
    let report = SendReport(
      claim: claim, credential: .none, qr: .auto, console: Console(quiet: true), json: JSONLines(false))
    #expect(
      report.settling(inFlightFor: seconds)
        == "Ask whether the claim is there, and then\(time): bump settle \(claim.claim.id)")
  }

  @Test(arguments: [(125, "In 125 s"), (0, "Then"), (nil, "Later")] as [(Int64?, String)])
  func `below its link stands in one line who may have it, to ask, and when to settle it, whatever the name`(
    seconds: Int64?, moment: String
  ) throws {
    let id = try Self.claim(.unknown).claim.id
    let note = LinkNote.of(id, mayBeWith: try DisplayName("Alexandra von Hohenschwangau"), for: seconds)
    #expect(note == #"Show this only to "Alexandr…", and ask first. \#(moment): bump settle nK2jqA"#)
    #expect(TextWidth.columns(of: note) < 80, "\(note)")
  }

  /// The error has an amount where the request of the deposit was lost with the store.
  @Test(arguments: [
    (
      true,
      "Make another claim: `bump send 1.00 --token EURC --vault https://vault.example`. If this one's money was "
        + "locked, get it back after ",
      " with: bump refund nK2jqA1bCXA8d3TQVbEzeg"
    ),
    (
      false, "The vault may lock them until ", ". Ask it again with: bump send --again nK2jqA1bCXA8d3TQVbEzeg"
    ),
  ])
  func `whose deposit was lost with the store is advised to make another claim, as the library advises`(
    isRestored: Bool, start: String, end: String
  ) throws {
    let claim = try Self.claim(.unknown).claim
    let error = FundingError(
      .perhapsLocked, "the vault may have locked it", remedy: "what a program may do", claim: claim.id,
      amount: isRestored ? claim.amount : nil, token: isRestored ? try Token("EURC") : nil,
      vault: VaultURL("https://vault.example"), time: Self.expiry)
    #expect(error.commandError.status == .unknown)
    #expect(error.commandError.remedy == start + UTCTime.text(Self.expiry) + end)
  }

  private static let deliver = "bump settle nK2jqA1bCXA8d3TQVbEzeg --delivered"

  /// The status of the money at a vault and who was paid, if there is a vault.
  @Test(
    arguments: [
      (
        nil, nil,
        "its link still works until \(UTCTime.text(expiry)). If somebody has it: `\(deliver)`. Otherwise: bump send "
          + "--again nK2jqA1bCXA8d3TQVbEzeg"
      ),
      (
        .pending, nil,
        "its link still works until \(UTCTime.text(expiry)). If somebody has it: `\(deliver)`. Otherwise: bump send "
          + "--again nK2jqA1bCXA8d3TQVbEzeg"
      ),
      (.refunded, nil, "its money went back to you. See: bump show nK2jqA1bCXA8d3TQVbEzeg"),
      (.claimed, "0xb0b", "its money was claimed at its vault. If somebody has it: \(deliver)"),
      (.claimed, "0xa11ce", "its money was taken back. See: bump show nK2jqA1bCXA8d3TQVbEzeg"),
      (.takingBack, nil, "its money is being taken back. See: bump show nK2jqA1bCXA8d3TQVbEzeg"),
    ] as [(Funding.Status?, String?, String)])
  func `a claim whose link was shown is not lost, and it is said why and what can be settled`(
    status: Funding.Status?, receiver: String?, words: String
  ) throws {
    let claim = try Self.claim(.linkShown)
    #expect(!claim.canBeSettled(as: .lost))
    let funding = status.map { status in
      Funding(
        vault: "https://vault.example", ledgerID: "0x01", status: status, account: "0xa11ce", receiver: receiver,
        updatedAt: 900)
    }
    #expect(
      SettleCommand.refusal(claim, funding, at: 1000).message
        == "claim \(claim.claim.id) cannot be settled as lost: \(words)")
  }
}
