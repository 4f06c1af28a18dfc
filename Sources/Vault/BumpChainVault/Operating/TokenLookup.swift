import BumpChain
public import BumpWallet

extension NodePool {
  /// Returns which of some names and versions a token's contract uses in its domain: those whose separator is the
  /// contract's own. A contract's word for its name would prove nothing.
  ///
  /// - Returns: `nil` if it is none of them.
  /// - Throws: `ChainError.unreachable`; `NodeError` if the contract has no domain separator.
  public func domain(
    of token: Address, amongNames names: [String], versions: [String]
  ) async throws -> Domain? {
    let separator = try TokenCall.separator(try await call(TokenCall.domainSeparator.data, to: token))
    for name in names {
      for version in versions {
        let domain = Domain(name: name, version: version, chainID: chainID, verifyingContract: token)
        if domain.separator == separator { return domain }
      }
    }
    return nil
  }
}
