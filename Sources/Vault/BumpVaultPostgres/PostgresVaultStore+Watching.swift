public import BumpClaims
import BumpPostgres
public import BumpVault

extension PostgresVaultStore {
  /// Reports which claims have changed, in whichever process, once the changes are in a sealed batch. Returns when the
  /// task is cancelled.
  ///
  /// Notifications only wake it, and may be lost. It reads the changes by its cursor, the number of the last batch that
  /// it has read. Batches have numbers without gaps and are sealed one after the other, so no batch is missed or read
  /// twice.
  ///
  /// - Parameters:
  ///   - cursor: the batch after which to begin; `nil` for the latest one.
  ///   - interval: how often to look without a notification.
  ///   - clock: the clock for the intervals.
  ///   - report: receives failures. The watch goes on.
  ///   - body: called with the claims' ids, in the journal's order.
  /// - Throws: `VaultStoreError` if the latest batch cannot be read.
  public func watch(
    after cursor: Int64? = nil, every interval: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (VaultStoreError) -> Void = { _ in },
    _ body: @escaping @Sendable ([ClaimID]) async -> Void
  ) async throws {
    var cursor = if let cursor { cursor } else { try await lastBatch() }
    let bell = WakeSignal()
    let rings = bell.rings()
    await withTaskGroup { group in
      group.addTask { await ring(bell, every: interval, clock) }
      group.addTask { [self] in
        while !Task.isCancelled {
          do {
            for try await _ in notifications(clock, report) { bell.ring() }
          } catch {
            report(VaultStoreError(storing: error))
          }
          try? await clock.sleep(for: interval)
        }
      }
      for await _ in rings {
        do {
          while let (next, claims) = try await changes(after: cursor) {
            cursor = next
            if !claims.isEmpty { await body(claims) }
          }
        } catch {
          report(VaultStoreError(storing: error))
        }
      }
      group.cancelAll()
    }
  }

  /// Returns the number of the last batch; 0 before the first.
  public func lastBatch() async throws -> Int64 {
    try await ended { try await $0.pool.run(VaultReading.lastBatch).first?.value("number") ?? 0 }
  }

  private func notifications(
    _ clock: any Clock<Duration>, _ report: @escaping @Sendable (VaultStoreError) -> Void
  ) -> PostgresNotifications {
    PostgresNotifications(
      pool.configuration, channels: [Self.channel], clock: clock, report: { report(VaultStoreError(storing: $0)) })
  }

  /// Reads a few batches after a cursor.
  ///
  /// - Returns: the next cursor, and the claims in those batches; `nil` if there are no such batches.
  private func changes(after cursor: Int64) async throws -> (cursor: Int64, claims: [ClaimID])? {
    try await ended { store in
      let rows = try await store.pool.run(Self.changes, .int8(cursor))
      guard let last = rows.last else { return nil }
      let claims = try rows.compactMap { try $0.optional("claim_id", as: String.self).map(ClaimID.init) }
      return (try last.value("number"), claims)
    }
  }

  /// Reads at most four batches. Each entry has lookups of its own, one after the other: a join could begin with all of
  /// the claims.
  static let changes = PostgresStatement(
    "vault_changes", .int8,
    sql: """
      SELECT batches.number, (
          SELECT claim_id FROM bump_vault.claims WHERE claims.ledger_id = moved.ledger_id AND status <> 'none'
        ) AS claim_id
      FROM (SELECT number, entries FROM bump_vault.batches WHERE number > $1 ORDER BY number LIMIT 4) AS batches
        CROSS JOIN generate_series(1, length(entries) / 32) AS place
        LEFT JOIN LATERAL (
          SELECT ledger_id FROM bump_vault.journal
          WHERE journal.hash = substr(entries, place * 32 - 31, 32) AND kind <> 1
          LIMIT 1) AS moved ON true
      ORDER BY batches.number, place
      """)
}
