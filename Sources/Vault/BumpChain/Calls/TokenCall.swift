public import BumpWallet

/// A call that reads a token's contract.
public enum TokenCall: Hashable, Sendable {
  /// The balance of an account, in base units.
  case balance(of: Address)
  /// Whether an authorization of an account was used or cancelled (EIP-3009).
  case authorizationState(Address, nonce: Bytes32)
  /// The separator of the domain in which authorizations are signed (EIP-712).
  case domainSeparator

  /// The calldata.
  public var data: [UInt8] {
    switch self {
    case .balance(let account): Calldata.encode(signature, [.word(.word(account))])
    case .authorizationState(let account, let nonce):
      Calldata.encode(signature, [.word(.word(account)), .word(nonce)])
    case .domainSeparator: Calldata.encode(signature, [])
    }
  }

  /// The function's name and the types of its arguments.
  var signature: String {
    switch self {
    case .balance: "balanceOf(address)"
    case .authorizationState: "authorizationState(address,bytes32)"
    case .domainSeparator: "DOMAIN_SEPARATOR()"
    }
  }
}
