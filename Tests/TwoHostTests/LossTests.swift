import Lab
import Measures
import Testing

@Suite(.live) struct LossTests {
  /// What the two sides of one bump said, and what their stores hold.
  private struct Pair: Sendable {
    let sent: ProcessResult
    let received: ProcessResult
    let state: String?
    let claims: Int
  }

  @Test func `where a fifth of all packets is lost, every pair ends as it says`() async throws {
    try await withTwoHosts { left, right, link in
      try await link.lose(percent: 20)
      let pairs = try await withThrowingTaskGroup(of: Pair.self) { group in
        for number in 0..<(Measure.isThorough ? 10 : 3) {
          group.addTask { try await bump(number, from: left, to: right) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for pair in pairs { try expectAgreement(pair) }
      #expect(try pairs.count { try $0.sent.result.string("outcome") == "delivered" } >= pairs.count / 2)
      #expect(try await link.lost() > 0)
    }
  }

  private func bump(_ number: Int, from left: Host, to right: Host) async throws -> Pair {
    let type = ["--service-type", "pair-\(number)", "--json"]
    let (alice, bob) = (try BumpCommand("alice\(number)", on: left), try BumpCommand("bob\(number)", on: right))
    let sending = try await alice.start(["send", "--amount", "1.00"] + type)
    let receiving = try await bob.start(["receive"] + type)
    let (sent, received) = (try await sending.finish(), try await receiving.finish())
    return Pair(
      sent: sent, received: received, state: try await alice.states().first ?? nil,
      claims: try await bob.history().count)
  }

  private func expectAgreement(_ pair: Pair) throws {
    let said = try pair.sent.result.string("outcome")
    switch said {
    case "delivered": #expect(pair.state == "delivered" && pair.claims == 1, "\(pair)")
    case "undelivered": #expect(pair.state == "linkShown" && pair.claims == 0, "\(pair)")
    case "unknown": #expect(pair.state == "unknown", "\(pair)")
    default: Issue.record("an end that is none: \(pair)")
    }
    let got = try pair.received.result.string("outcome") == "received"
    #expect(pair.claims == (got ? 1 : 0), "\(pair)")
  }
}
