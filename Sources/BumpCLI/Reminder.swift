import BumpClaims
import BumpKit
import BumpWire

/// Reminds of unknown claims that have not expired, in one line at the start of a send.
enum Reminder {
  static func show(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    // Two are enough to tell one from several: a store may have very many.
    let claims = try await store.undecided(limit: 2)
    guard let first = claims.first else { return }
    console.say(
      claims.count > 1
        ? "Several claims are unknown. `bump history` lists them. Ask their receivers, then for each: bump settle CLAIMID"
        : "1 claim is unknown: ask \(first.peer?.quoted ?? "its receiver"). "
          + "\(LinkNote.moment(in: (first.deadline ?? now) - now)): bump settle \(first.claim.id)")
  }
}
