import BumpKit
import BumpWire

/// Claims that were left released or unknown are mentioned, in one line, at the next start.
enum Reminder {
  static func show(_ store: ClaimStore, at now: Int64, _ console: Console) async throws {
    let claims = try await store.undecided(at: now).map(\.claim.id)
    guard let newest = claims.first else { return }
    console.say(
      claims.count == 1
        ? "1 claim unknown: bump link \(newest)"
        : "\(claims.count) claims unknown: bump link \(newest), and more in bump history")
  }
}
