import BumpClaims
import BumpKit
import BumpWire

/// Reminds the user of earlier claims that somebody may take, in one line each.
enum Reminder {
  /// Names earlier claims before a new one is made, if their links were shown: anybody who has a link can take its money
  /// too.
  static func showLink(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    let newest = try await store.newestOutgoing(limit: recent)
    let shown = newest.filter { $0.state == .linkShown && !$0.expiry.hasPassed(at: now) }
    guard let claim = shown.first else { return }
    let money = "\(claim.claim.amount) \(claim.claim.token)"
    console.say(
      shown.count > 1
        ? "The links of \(shown.count) earlier claims still work: `bump history` shows them as link shown. To send one "
          + "instead: bump send --again CLAIMID"
        : "The link of an earlier claim, \(money), still works. To send that claim instead: bump send --again "
          + "\(claim.claim.id)")
  }

  /// How many of the newest claims are looked at for links: a store may have very many.
  private static let recent = 100

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
