extension Vault {
  /// Audits the store while it is in use. Sealed batches never change, so only the last read must be of one moment.
  ///
  /// - Throws: `VaultStoreError`.
  public func audit() async throws -> AuditReport { try await store.auditing(Self.report) }

  private static func report(on source: any AuditSource) async throws -> AuditReport {
    var snapshot = try await source.snapshot()
    var audit = Audit(vaults: snapshot.vaults)
    var number: Int64 = 1
    while true {
      while number <= snapshot.batches {
        guard let batch = try await source.batch(number) else {
          throw VaultStoreError(.damaged, "batch \(number) of the vault's journal is missing")
        }
        audit.take(batch)
        number += 1
      }
      let latest = try await source.snapshot()
      if latest.batches == snapshot.batches { return audit.finish(latest) }
      snapshot = latest
    }
  }
}
