import BumpKit
import BumpWire

/// Claims that are unknown, and can still be taken, are mentioned in one line at the next start.
enum Reminder {
  static func show(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    // Enough to tell one from several: a store may hold very many.
    let claims = try await store.undecided(at: now, limit: 2)
    guard let first = claims.first else { return }
    console.say(
      claims.count > 1
        ? "Several claims are unknown; `bump history` lists them. Ask their receivers, then for each: bump settle CLAIMID"
        : "1 claim is unknown: ask \(first.peer?.quoted ?? "its receiver"). "
          + "\(LinkNote.moment(in: (first.deadline ?? now) - now)): bump settle \(first.claim.id)")
  }
}
