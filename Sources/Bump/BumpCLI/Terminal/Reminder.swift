import BumpClaims
import BumpKit
import BumpTerminal
import BumpText

/// Reminds the user of earlier claims that somebody may take, in one line of 80 columns.
enum Reminder {
  /// - Parameter links: whether to name claims whose links may still be used, before a new claim is made: anybody who
  ///   has a link can take its money too.
  static func show(_ store: ClaimStore, links: Bool, at now: Int64, _ console: Console) async throws {
    // Two are enough to tell one from several: a store may have very many.
    let undecided = try await store.undecided(limit: 2)
    let linked = links ? try await store.claimsWithLinks(limit: 2) : []
    if let line = line(undecided, linked, at: now) { console.say(line) }
  }

  /// Returns the reminder; `nil` without such claims.
  ///
  /// - Parameters:
  ///   - undecided: unknown claims that have not expired.
  ///   - linked: claims whose links may still be used.
  static func line(_ undecided: [OutgoingClaim], _ linked: [OutgoingClaim], at now: Int64) -> String? {
    switch (undecided.count, linked.count) {
    case (0, 0): nil
    case (1, 0): ofUndecided(undecided[0], at: now)
    case (0, 1): ofLinked(linked[0])
    case (_, 0): "Several claims got no answer: see `bump history`, ask there, and settle each."
    case (0, _): "Earlier links may still work: `bump history`. To send one: bump send --again ID"
    default: "Earlier claims may still be taken: `bump history` lists them and what to do."
    }
  }

  private static func ofUndecided(_ claim: OutgoingClaim, at now: Int64) -> String {
    let name = claim.peer.map { QuotedName.of($0.text, columns: 10) } ?? "a receiver"
    let moment = LinkNote.moment(in: (claim.deadline ?? now) - now)
    return "No answer came to \(money(claim)) for \(name). Ask. \(moment): bump settle \(claim.claim.id.beginning)"
  }

  private static func ofLinked(_ claim: OutgoingClaim) -> String {
    // If the link of a claim that was settled as lost was shown, it still works.
    let verb = claim.state == .lost ? "may still work" : "still works"
    return "A link of \(money(claim)) \(verb). To send that: bump send --again \(claim.claim.id.beginning)"
  }

  private static func money(_ claim: OutgoingClaim) -> String { "\(claim.claim.amount) \(claim.claim.token)" }
}
