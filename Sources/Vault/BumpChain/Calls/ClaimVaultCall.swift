public import BumpClaims
public import BumpWallet

/// A call of the contract `ClaimVault`.
public enum ClaimVaultCall: Hashable, Sendable {
  /// Locks a claim's amount by the sender's authorization. Anybody may carry it.
  case depositWithAuthorization(ClaimTerms, from: Address, validBefore: Expiry, authorization: [UInt8])
  /// Locks a claim's amount, which the caller has approved.
  case deposit(ClaimTerms)
  /// Pays a claim to the receiver for whom the proof was made. Anybody may carry it.
  case claim(Bytes32, proof: [UInt8], receiver: Address)
  /// Pays an expired claim back to its sender. Anybody may carry it.
  case refund(Bytes32)
  /// Reads a claim.
  case claims(Bytes32)
  /// Reads how much of a token is locked.
  case locked(Address)

  /// The calldata.
  public var data: [UInt8] { Calldata.encode(signature, arguments) }

  /// The function's name and the types of its arguments.
  var signature: String {
    switch self {
    case .depositWithAuthorization:
      "depositWithAuthorization(address,bytes32,address,uint256,bytes32,uint40,uint256,bytes)"
    case .deposit: "deposit(bytes32,address,uint256,bytes32,uint40)"
    case .claim: "claim(bytes32,bytes,address)"
    case .refund: "refund(bytes32)"
    case .claims: "claims(bytes32)"
    case .locked: "locked(address)"
    }
  }

  private var arguments: [Calldata.Argument] {
    switch self {
    case .depositWithAuthorization(let terms, let sender, let validBefore, let authorization):
      [.word(.word(sender))] + terms.arguments + [.word(.word(validBefore)), .bytes(authorization)]
    case .deposit(let terms): terms.arguments
    case .claim(let id, let proof, let receiver): [.word(id), .bytes(proof), .word(.word(receiver))]
    case .refund(let id), .claims(let id): [.word(id)]
    case .locked(let token): [.word(.word(token))]
    }
  }
}

extension ClaimTerms {
  fileprivate var arguments: [Calldata.Argument] {
    [ledgerID, .word(token), .word(amount), secretHash, .word(expiry)].map { .word($0) }
  }
}
