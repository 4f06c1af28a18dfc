import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

/// Reminds the user of earlier claims that somebody may take, in one line each.
enum Reminder {
  /// Names earlier claims before a new one is made, if their links may still be used: anybody who has a link can take its
  /// money too.
  static func showLink(_ store: ClaimStore, _ console: Console) async throws {
    // Two are enough to tell one from several: a store may have very many.
    let claims = try await store.claimsWithLinks(limit: 2)
    guard let claim = claims.first else { return }
    guard claims.count == 1 else {
      return console.say(
        "The links of several earlier claims may still be used: `bump history` shows them as link shown or lost. "
          + "To send one instead: bump send --again CLAIMID")
    }
    let money = "\(claim.claim.amount) \(claim.claim.token)"
    let state =
      claim.state == .lost
      ? "An earlier claim, \(money), was settled as lost: if its link was shown, that still works."
      : "The link of an earlier claim, \(money), still works."
    console.say("\(state) To send that claim instead: bump send --again \(claim.claim.id)")
  }

  /// Names unknown claims that have not expired.
  static func show(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    let claims = try await store.undecided(limit: 2)
    guard let first = claims.first else { return }
    console.say(
      claims.count > 1
        ? "You sent several claims and got no answer: `bump history` calls them unknown. Ask whether they arrived, then for "
          + "each: bump settle CLAIMID"
        : "You sent \(first.peer?.quoted ?? "a receiver") \(first.claim.amount) \(first.claim.token) and got no answer. Ask "
          + "whether it arrived. \(LinkNote.moment(in: (first.deadline ?? now) - now)): bump settle \(first.claim.id)")
  }
}
