public import BumpClaims
public import BumpWallet

/// A request to a vault on a chain: everything that its transaction needs, so that it can be carried by anybody, and
/// carried again.
public enum ChainRequest: Hashable, Sendable {
  /// Lock a claim's amount, by its sender's authorization. The signature may be a contract's, or malformed.
  case deposit(ClaimTerms, from: Address, validBefore: Expiry, authorization: [UInt8])
  /// Pay the claim of a ledger id to the receiver for whom the proof was made.
  case claim(Bytes32, proof: [UInt8], receiver: Address)
  /// Pay the claim of a ledger id back to its sender.
  case refund(Bytes32)

  /// What the request does.
  public var kind: SponsoredKind {
    switch self {
    case .deposit: .deposit
    case .claim: .claim
    case .refund: .refund
    }
  }

  /// The ledger id of the claim.
  public var ledgerID: Bytes32 {
    switch self {
    case .deposit(let terms, _, _, _): terms.ledgerID
    case .claim(let id, _, _), .refund(let id): id
    }
  }

  /// The contract's function, with its arguments.
  public var call: ClaimVaultCall {
    switch self {
    case .deposit(let terms, let sender, let validBefore, let authorization):
      .depositWithAuthorization(terms, from: sender, validBefore: validBefore, authorization: authorization)
    case .claim(let id, let proof, let receiver): .claim(id, proof: proof, receiver: receiver)
    case .refund(let id): .refund(id)
    }
  }

  /// Returns the id of the call that carries the request: `RelayedCall.id`.
  public func callID(at contract: Address) -> Bytes32 {
    RelayedCall(kind, of: contract, data: call.data, gasLimit: 0).id
  }
}

/// A request as the store has it. A claim has at most one of each kind.
public struct ChainRequestRow: Hashable, Sendable {
  /// How far the request has come.
  public enum State: Hashable, Sendable {
    /// It is stored, and the outbox does not have it yet.
    case waiting
    /// The outbox has it. The hash is of the latest transaction.
    case submitted(Bytes32)
    /// A block contains its transaction, which took effect, or was reverted. Until the block is final, a reorganization
    /// may take it back.
    case mined(Bytes32, block: UInt64, isSuccessful: Bool)
    /// It is not carried, and nothing of it will ever be in a block.
    case dropped
  }

  /// The request.
  public let request: ChainRequest
  /// How far it has come.
  public let state: State
  /// When it was made, in seconds since 1970.
  public let asked: Int64

  /// Makes a row of its stored values.
  public init(request: ChainRequest, state: State, asked: Int64) {
    (self.request, self.state, self.asked) = (request, state, asked)
  }
}

/// What became of a request that was to be stored.
public enum AskAnswer: Hashable, Sendable {
  /// The request that the claim has now: this one, or another one that was made before. It is durable.
  case standing(ChainRequestRow)
  /// Its cost is not paid for. Nothing was stored.
  case refused(SponsoringRefusal)
}

/// What an operation may cost at most, and under which policy it is paid for.
public struct Sponsorship: Hashable, Sendable {
  /// The greatest cost, in wei.
  public let amount: UInt128
  /// Who benefits: a deposit's sender, a claim's receiver, a refund's sender.
  public let person: Address
  /// The policy.
  public let policy: SponsoringPolicy
  /// The time, in seconds since 1970.
  public let time: Int64

  /// Makes a sponsorship.
  public init(_ amount: UInt128, of person: Address, under policy: SponsoringPolicy, at time: Int64) {
    (self.amount, self.person, self.policy, self.time) = (amount, person, policy, time)
  }
}
