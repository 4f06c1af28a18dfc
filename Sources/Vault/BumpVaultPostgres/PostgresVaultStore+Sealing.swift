import BumpPostgres
public import BumpVault

extension PostgresVaultStore {
  /// Seals the entries that this process commits, at once, and at intervals those that other processes have left
  /// unsealed. Returns when the task is cancelled.
  ///
  /// - Parameters:
  ///   - interval: how often to look for entries of other processes.
  ///   - pause: the wait between two batches, so that many entries share one.
  ///   - clock: the clock for both.
  ///   - report: receives failures. Sealing is tried again.
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

  /// Notifies the watchers in every process of a new batch. This is not part of a transaction that moves money, since
  /// NOTIFY takes a lock that exists once in the whole server. If it fails, the watchers still find the batch by their
  /// cursors.
  func announce(_ batch: Batch) async {
    _ = try? await ended { try await $0.pool.run(Self.notify, .text(String(batch.number))) }
  }

  static let channel = "bump_vault"
  private static let notify = PostgresStatement("vault_notify", .text, sql: "SELECT pg_notify('bump_vault', $1)")
}

/// Rings at once and then at intervals, until the task is cancelled.
func ring(_ bell: WakeSignal, every interval: Duration, _ clock: any Clock<Duration>) async {
  repeat {
    bell.ring()
    guard (try? await clock.sleep(for: interval)) != nil else { return }
  } while !Task.isCancelled
}
