import BumpClaims
import BumpKit
import BumpText
import Foundation
import Testing

@testable import BumpCLI
@testable import BumpStore
@testable import BumpTerminal

/// The line of a claim in the history.
@Suite struct ClaimLineTests {
  private static let id = "nK2jqA1bCXA8d3TQVbEzeg"
  private static let peer = "Alexandra von und zu Hohenschwangau"

  /// The end of the line of a sent claim: its state, whether a receiver may still take it, and what the vault says.
  static let sent: [(HandoverState, Int64, Bool, Funding.Status?, String)] = [
    (.new, 2000, false, nil, "  new: bump send --again nK2jqA1b"),
    (.new, 999, false, nil, "  new, expired  nK2jqA1b"),
    (.linkShown, 2000, false, nil, "  link shown: bump send --again nK2jqA1b"),
    (.linkShown, 2000, false, .pending, "  link shown, locked  nK2jqA1b"),
    (.lost, 2000, false, nil, "  lost: bump send --again nK2jqA1b"),
    (.lost, 999, false, nil, "  lost, expired  nK2jqA1b"),
    (.linkShown, 999, false, nil, "  link shown, expired  nK2jqA1b"),
    (.delivered, 999, false, nil, "  delivered  nK2jqA1b"),
    (.unknown, 2000, false, nil, "  unknown: bump settle nK2jqA1b"),
    (.unknown, 2000, true, nil, "  unknown  nK2jqA1b"),
    (.unknown, 999, false, nil, "  unknown, expired  nK2jqA1b"),
    (.unknown, 2000, false, .claimed, "  claimed: bump settle nK2jqA1b"),
    (.new, 2000, false, .refused, "  new, not locked  nK2jqA1b"),
    (.new, 2000, false, .asked, "  in doubt: bump send --again nK2jqA1b"),
    (.delivered, 2000, false, .pending, "  delivered, locked  nK2jqA1b"),
    (.delivered, 999, false, .pending, "  locked: bump refund nK2jqA1b"),
    (.new, 999, false, .asked, "  in doubt: bump refund nK2jqA1b"),
    (.delivered, 2000, false, .claimed, "  claimed  nK2jqA1b"),
    (.linkShown, 2000, false, .takingBack, "  taking back: bump refund nK2jqA1b"),
    (.unknown, 999, false, .takingBack, "  taking back: bump refund nK2jqA1b"),
    (.linkShown, 999, false, .refunded, "  refunded  nK2jqA1b"),
  ]

  @Test(arguments: sent.indices)
  func `the line of a sent claim ends in its state and its id, or in the command for what is in doubt`(index: Int)
    throws
  {
    let (state, expiry, isInFlight, status, end) = Self.sent[index]
    let claim = OutgoingClaim(
      claim: try Self.claim("250.00"), expiry: try #require(Expiry(unixSeconds: expiry)), state: state,
      peer: try DisplayName(Self.peer), createdAt: 900, deadline: isInFlight ? 1100 : nil)
    let line = ClaimReport(.sent(claim), status.map { Self.funding($0) }, at: 1000).line
    #expect(line.hasSuffix(end), "\(line)")
    let names = line.contains(#"  250.00 USDC to "Alex"#) && line.contains(#"…"  "#)
    #expect(state == .linkShown ? line.contains("  250.00 USDC made here  ") : names, "\(line)")
    #expect(TextWidth.columns(of: line) <= 80, "\(line)")
  }

  @Test(arguments: [nil, 80, 60, 40])
  func `a terminal that is too narrow for a line breaks it in front of its end`(columns: Int?) throws {
    let claim = OutgoingClaim(
      claim: try Self.claim("12.50"), expiry: try #require(Expiry(unixSeconds: 2000)), state: .linkShown, peer: nil,
      createdAt: 900)
    let lines = ClaimReport(.sent(claim), nil, at: 1000).line(in: columns).split(separator: "\n")
    #expect(lines.count == ((columns ?? 80) < 80 ? 2 : 1), "\(lines)")
    #expect(lines.last?.hasSuffix("link shown: bump send --again nK2jqA1b") == true, "\(lines)")
    if columns == 60 { #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= 60 }, "\(lines)") }
  }

  @Test(arguments: HandoverState.allCases)
  func `the line of a claim that its sender took back says so, whatever became of the claim`(state: HandoverState)
    throws
  {
    let claim = OutgoingClaim(
      claim: try Self.claim("250.00"), expiry: try #require(Expiry(unixSeconds: 2000)), state: state,
      peer: try DisplayName(Self.peer), createdAt: 900, deadline: nil)
    let line = ClaimReport(.sent(claim), Self.funding(.claimed, "0x1", "0x1"), at: 1000).line
    #expect(line.hasSuffix("  taken back  nK2jqA1b"), "\(line)")
  }

  /// The address that this store had the claim paid to, and the one that the receipt names.
  static let received: [(Int64, Funding.Status?, String?, String?, String)] = [
    (2000, nil, nil, nil, "  received  nK2jqA1b"), (999, nil, nil, nil, "  expired  nK2jqA1b"),
    (2000, .refused, nil, nil, "  not funded  nK2jqA1b"), (2000, .pending, nil, nil, "  funded: bump claim nK2jqA1b"),
    (1100, .pending, nil, nil, "  locked: bump claim nK2jqA1b"), (999, .pending, nil, nil, "  locked  nK2jqA1b"),
    (2000, .asked, "0x1", nil, "  in doubt: bump claim nK2jqA1b"),
    (2000, .claimed, "0x1", "0x1", "  claimed  nK2jqA1b"),
    (2000, .claimed, "0x1", "0x2", "  claimed by somebody else  nK2jqA1b"),
    (2000, .claimed, nil, "0x2", "  claimed by somebody else  nK2jqA1b"),
    (999, .refunded, nil, nil, "  refunded  nK2jqA1b"),
  ]

  @Test(arguments: received.indices)
  func `the line of a received claim says whether it was claimed, and whether by somebody else`(index: Int) throws {
    let (expiry, status, account, receiver, end) = Self.received[index]
    let claim = IncomingClaim(
      claim: try Self.claim("1.00"), expiry: try #require(Expiry(unixSeconds: expiry)),
      from: try DisplayName(Self.peer), receivedAt: 900)
    let funding = status.map { Self.funding($0, account, receiver) }
    let line = ClaimReport(.received(claim), funding, at: 1000).line
    #expect(line.hasSuffix(end) && line.contains(#"  1.00 USDC from "Alex"#), "\(line)")
    #expect(TextWidth.columns(of: line) <= 80, "\(line)")
  }

  @Test(arguments: [HandoverState.new, .linkShown])
  func `of a claim that no receiver was sent it is said that it was made, and not that it was sent`(
    state: HandoverState
  ) throws {
    let claim = OutgoingClaim(
      claim: try Self.claim("7.00"), expiry: try #require(Expiry(unixSeconds: 2000)), state: state, peer: nil,
      createdAt: 900, deadline: nil)
    let report = ClaimReport(.sent(claim), at: 1000)
    #expect(report.line.contains("  7.00 USDC made here  ") && !report.line.contains("sent"), "\(report.line)")
    #expect(TextWidth.columns(of: report.line) <= 80, "\(report.line)")
    let lines = report.lines(showSecret: false)
    #expect(lines.contains { $0.hasPrefix("made     1970-") } && !lines.contains { $0.contains("sent") }, "\(lines)")
  }

  @Test func `without a name the states stand in one column`() throws {
    let lines = try ["1.00", "250.00"].map { amount in
      let claim = IncomingClaim(
        claim: try Self.claim(amount), expiry: try #require(Expiry(unixSeconds: 2000)), from: nil, receivedAt: 900)
      return ClaimReport(.received(claim), at: 1000).line
    }
    #expect(Set(lines.map { $0.range(of: "  received  nK2jqA1b")?.lowerBound }).count == 1, "\(lines)")
  }

  @Test func `times are those of the machine's zone`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "XST-5:30", 1)
      // 2026-11-27 20:00 UTC.
      let evening: Int64 = 1_795_809_600
      #expect(LocalTime.text(evening) == "2026-11-28 01:30")
      #expect(LocalTime.short(evening, now: evening + 60) == "01:30")
      #expect(LocalTime.short(evening, now: evening + 86_400) == "2026-11-28 01:30")
      #expect(LocalTime.text(.max) == "after the year 9999")
    }
  }

  private static func claim(_ amount: String) throws -> Claim {
    Claim(
      id: try ClaimID(id), secret: try ClaimSecret([UInt8](repeating: 7, count: 16)), token: .usdc,
      amount: try Amount(amount))
  }

  private static func funding(
    _ status: Funding.Status, _ account: String? = nil, _ receiver: String? = nil
  ) -> Funding {
    Funding(
      vault: "https://vault.example", ledgerID: "0", status: status, account: account, receiver: receiver,
      updatedAt: 950)
  }
}
