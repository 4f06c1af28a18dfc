import BumpClaims
import BumpKit
import BumpTerminal
import Foundation
import Lab
import Testing

@testable import BumpCLI
@testable import BumpStore

/// What a send says at its end. After a simulated one no command finds its claim, and its keys are gone.
@Suite struct SimulatedReportTests {
  private static func report(isSimulated: Bool) throws -> SendReport {
    SendReport(
      claim: try OutgoingClaim.sample(token: "TEST"), credential: .none, qr: .auto, console: Console(quiet: false),
      json: JSONLines(false, isSimulated: isSimulated))
  }

  /// The ends that name what to do with the claim. The claim has a link in two of them.
  private static func outcomes(_ link: ClaimLink) -> [SendOutcome] {
    [
      .unknown(.somebody, link: link), .unknown(.somebody, link: nil), .undelivered(.discoveryTimeout, link: link, []),
      .undelivered(.discoveryTimeout, link: nil, []), .codeBurnt, .declinedHere(.somebody),
      .changedElsewhere(.linkShown), .interrupted(.new), .interrupted(.linkShown), .interrupted(.unknown),
    ]
  }

  @Test(arguments: [true, false])
  func `no end of a simulated send names a command for its claim, and each of a real one does`(isSimulated: Bool)
    async throws
  {
    let said = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [isSimulated = isSimulated as Bool] in
      let report = try Self.report(isSimulated: isSimulated)
      let link = try ClaimLink(claim: report.claim.claim, expiry: report.claim.expiry)
      for outcome in Self.outcomes(link) {
        let conclusion = report.conclude(outcome, in: .new, inFlightFor: 9)
        if let error = conclusion.error { Console.standardError(error) }
      }
      report.remembering.remembered(.somebody)
      report.remembering.unknown(.somebody)
      Foundation.exit(0)
    }
    let text = try #require(String(validating: said.standardErrorContent, as: UTF8.self))
    let output = try #require(String(validating: said.standardOutputContent, as: UTF8.self))
    #expect(output.split(separator: "\n").count == 2, "\(output)")
    let commands = text.matches(of: /bump [a-z]+ (--[a-z]+ )?ours/).count
    // Three of the ends name two commands, and where the link is shown below it none is needed.
    #expect(commands == (isSimulated ? 0 : 12), "\(text)")
    let unknown = #"No valid answer from "somebody", who may already have the claim."#
    let outside = "Outside a simulation you would ask whether the claim is there, and then: bump settle ID\n"
    #expect(text.ranges(of: unknown + " " + outside).count == (isSimulated ? 2 : 0), "\(text)")
    #expect(text.contains("\(unknown) Show the link to nobody else. Ask whether") == !isSimulated, "\(text)")
    #expect(text.contains("Both ends remember each other.\n") == isSimulated, "\(text)")
    #expect(text.contains("The key is kept as \"somebody\", unconfirmed.\n") == isSimulated, "\(text)")
  }
}
