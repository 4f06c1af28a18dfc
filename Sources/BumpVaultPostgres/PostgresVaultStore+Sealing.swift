import BumpPostgres
public import BumpVault

extension PostgresVaultStore {
  /// Seals what this process commits, soon, and from time to time what other processes have left behind. Returns when the
  /// task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: how often to look for what others have left behind.
  ///   - pause: between two batches, so that many entries share one.
  ///   - report: receives what failed. It is tried again.
  public func keepSealing(
    every interval: Duration = .seconds(2), pause: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(), report: @escaping @Sendable (VaultStoreError) -> Void = { _ in }
  ) async {
    let rings = bell.rings()
    await withTaskGroup { group in
      group.addTask { [bell] in await ring(bell, every: interval, clock) }
      for await _ in rings {
        do {
          while try await seal(limit: 1000) != nil {}
        } catch {
          report(VaultStoreError(storing: error))
        }
        try? await clock.sleep(for: pause)
      }
      group.cancelAll()
    }
  }

  /// Tells those that watch, in every process, that there is a new batch. This is no part of a transaction that moves money:
  /// NOTIFY takes a lock that the whole server has once. Where it fails, the watchers' cursors make up for it.
  func announce(_ batch: Batch) async {
    _ = try? await ended { try await $0.pool.run(Self.notify, .text(String(batch.number))) }
  }

  static let channel = "bump_vault"
  private static let notify = PostgresStatement("vault_notify", .text, sql: "SELECT pg_notify('bump_vault', $1)")
}

/// Rings at once and then at intervals, until the task is cancelled.
func ring(_ bell: Bell, every interval: Duration, _ clock: any Clock<Duration>) async {
  repeat {
    bell.ring()
    guard (try? await clock.sleep(for: interval)) != nil else { return }
  } while !Task.isCancelled
}
