import BumpChain
import BumpNode
import BumpWallet

/// What the user has pinned, and what the node has.
extension DirectSession {
  /// What is pinned of the contract and of the claim's token: the hashes of their code, and the token's domain.
  struct Pins {
    let (code, tokenCode, domain): (Bytes32, Bytes32, Bytes32)
  }

  /// - Throws: `DirectFailure.mismatch` where something is not pinned. Nothing can be compared with it then.
  func pins() throws(DirectFailure) -> Pins {
    let vault = call.pinned.vault
    guard let code = vault.codeHash else {
      throw DirectFailure(.mismatch, "nothing was sent: the vault is not a contract on a chain")
    }
    guard let token = vault.tokens.first(where: { $0.address == call.terms.token }), let tokenCode = token.codeHash
    else {
      throw DirectFailure(
        .mismatch, "nothing was sent: the token \(call.terms.token) is not pinned with the contract \(call.contract)",
        remedy: "Name the token, its code hash and its domain with that contract in your file of contracts "
          + "(BUMP_CONTRACTS)")
    }
    let domain = Domain(
      name: token.domainName, version: token.domainVersion, chainID: call.chainID, verifyingContract: token.address)
    return Pins(code: code, tokenCode: tokenCode, domain: domain.separator)
  }

  /// Compares the node's chain with what is pinned, thing by thing.
  mutating func compared(_ reply: NodeReply) throws(DirectFailure) -> Step {
    let (pins, code) = (try pins(), NodeCall.code(of: call.contract))
    switch phase {
    case .chain:
      try compare("the chain", call.chainID, try value(.chainID, reply))
      return ask(code, .code)
    case .code:
      try compare("the code of the contract \(call.contract)", pins.code, Keccak256.hash(try value(code, reply)))
      return ask(.code(of: call.terms.token), .tokenCode)
    case .tokenCode:
      try compare("the code of the token \(call.terms.token)", pins.tokenCode, Keccak256.hash(try value(code, reply)))
      return ask(.call(TokenCall.domainSeparator.data, to: call.terms.token), .domain)
    default:
      let data = try value(.call([], to: call.terms.token), reply)
      let found: Bytes32
      do { found = try TokenCall.separator(data) } catch { throw useless(error.reason) }
      try compare("the domain of the token \(call.terms.token)", pins.domain, found)
      return askForReceipts()
    }
  }

  private func compare<Value: Equatable & CustomStringConvertible>(
    _ what: String, _ pinned: Value, _ found: Value
  ) throws(DirectFailure) {
    guard pinned == found else {
      throw DirectFailure(
        .mismatch, "nothing was sent: \(what) is pinned as \(pinned), and the node \(node) has \(found)",
        remedy: "Name a node of the chain \(call.chainID)")
    }
  }
}
