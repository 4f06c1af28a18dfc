import BumpClaims
import BumpKit
import BumpWire

/// Reminds the user of earlier claims that somebody may take, in one line each.
enum Reminder {
  /// Names the newest claim before a new one is made, if its link was shown: anybody who has the link can take its
  /// money too.
  static func showLink(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    guard let last = try await store.newestOutgoing(), last.state == .linkShown, !last.expiry.hasPassed(at: now) else {
      return
    }
    console.say(
      "The link of your last claim, \(last.claim.amount) \(last.claim.token), still works. To send that claim instead: "
        + "bump send --again")
  }

  /// Names unknown claims that have not expired.
  static func show(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    // Two are enough to tell one from several: a store may have very many.
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
