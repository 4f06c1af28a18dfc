import BumpVault
public import BumpVaultAPI
public import BumpWallet

/// Watches a claim at a vault until it is final: which stream to listen to next, and what an event says. No I/O.
///
/// What the vault says here is not signed: it is compared with the claim's terms, and is the vault's word.
public struct ClaimWatch: Sendable {
  /// What the driver is told to do.
  public enum Step: Hashable, Sendable {
    /// Listen to the claim's events, after a while.
    case listen(after: Duration)
    /// Tell where the claim stands, and go on listening.
    case tell(ClaimAnswer)
    /// Tell where the claim stands: nothing can follow.
    case finish(ClaimAnswer)
    /// Go on listening: the event says nothing new.
    case none
    /// Close the stream: what it says is not about this claim.
    case drop(VaultFailure)
  }

  private let terms: ClaimTerms
  private var last: ClaimAnswer?
  private var failures = 0

  public init(_ terms: ClaimTerms) {
    self.terms = terms
  }

  public var request: VaultRequest { .events(terms.ledgerID) }

  /// An event came.
  public mutating func received(_ event: EventParser.Event) -> Step {
    guard let answer = try? ClaimAnswer(event.data), answer.terms == terms else {
      return .drop(.untrusted("its events are not about this claim"))
    }
    failures = 0
    // A later state is never followed by an earlier one, whoever serves the stream.
    guard answer.status.rank >= last?.status.rank ?? 0 else { return .none }
    if [.claimed, .refunded].contains(answer.status) { return .finish(answer) }
    defer { last = answer }
    return answer == last ? .none : .tell(answer)
  }

  /// The stream ended, or could not be opened: it is opened again after 1 s, then after twice as long each time, 30 s at
  /// most.
  public mutating func ended() -> Step {
    defer { failures += 1 }
    return .listen(after: .seconds(min(30, 1 << min(failures, 5))))
  }
}

extension ClaimStatus {
  fileprivate var rank: Int {
    switch self {
    case .none: 0
    case .pending: 1
    case .claimed, .refunded: 2
    }
  }
}
