/// Does work to its end, even if the calling task is cancelled. GRDB would roll back a cancelled task's writes.
package func uncancelled<Result: Sendable>(
  _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await Task { try await work() }.value
}
