extension ChainConfiguration {
  /// Compares the configuration with what the chain has: its id, the code of contract and tokens, and their domains.
  ///
  /// - Throws: `ChainError.mismatch`, which names the first difference and both values; `ChainError.unreachable`.
  public func check(over nodes: NodePool) async throws {
    try await ChainChecks(configuration: self, nodes: nodes).run()
  }
}
