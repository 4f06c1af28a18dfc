import BumpChain
import BumpWallet

/// Compares what is configured with what the chain has, before anything is signed or sent.
struct ChainChecks {
  let configuration: ChainConfiguration
  let nodes: NodePool

  /// - Throws: `ChainError.mismatch`, which names the first difference and both values; `ChainError.unreachable`.
  func run() async throws {
    // The pool asks no node that names another id. With one node alone, the operator learns which id it names.
    let node = try await nodes.namedChain()
    try compare("the chain's id", String(configuration.chainID), String(node))
    try await checkCode(of: configuration.contract, "the vault's contract", configuration.codeHash)
    for token in configuration.tokens {
      let name = "the token \(token.contract.token)"
      try await checkCode(of: token.contract.address, name, token.codeHash)
      let separator = try await separator(of: token.contract.address, name)
      let domain = Domain(
        name: token.contract.domainName, version: token.contract.domainVersion, chainID: configuration.chainID,
        verifyingContract: token.contract.address)
      try compare("the domain separator of \(name)", domain.separator.description, separator.description)
    }
  }

  private func checkCode(of contract: Address, _ name: String, _ expected: Bytes32) async throws {
    let found = try await nodes.codeHash(of: contract)
    try compare("the code hash of \(name) at \(contract)", expected.description, found?.description ?? "no code")
  }

  private func separator(of token: Address, _ name: String) async throws -> Bytes32 {
    do {
      return try TokenCall.separator(try await nodes.call(TokenCall.domainSeparator.data, to: token))
    } catch let error as NodeError {
      throw ChainError(.mismatch, "\(name) names no domain separator: \(error.reason)")
    }
  }

  private func compare(_ what: String, _ configured: String, _ found: String) throws {
    guard configured != found else { return }
    throw ChainError(
      .mismatch, "\(what) is configured as \(configured), and the chain has \(found)",
      remedy: "Check the configuration and the node's URL")
  }
}
