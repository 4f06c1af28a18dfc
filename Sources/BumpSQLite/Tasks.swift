/// Does work to its end, whatever becomes of the calling task: GRDB rolls back what a cancelled task writes.
package func uncancelled<Result: Sendable>(
  _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await Task { try await work() }.value
}
