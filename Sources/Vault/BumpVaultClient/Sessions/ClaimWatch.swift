public import BumpVaultAPI
public import BumpWallet

/// Watches a claim at a vault until it is final: says when to open a stream, and what an event means. No I/O.
///
/// The events are not signed. They are compared with the claim's terms, and otherwise taken as the vault's word.
public struct ClaimWatch: Sendable {
  /// The next step of the driver.
  public enum Step: Hashable, Sendable {
    /// Open the stream of the claim's events, after this time.
    case listen(after: Duration)
    /// Report the claim's state, and go on reading.
    case tell(ClaimResponse)
    /// Report the claim's state: it is final.
    case finish(ClaimResponse)
    /// Go on reading: the event is nothing new.
    case none
    /// Close the stream: it is not about this claim.
    case drop(VaultFailure)
  }

  private let terms: ClaimTerms
  private var last: ClaimResponse?
  private var failures = 0

  /// Makes a watch of the claim with these terms. A stream with other terms is closed.
  public init(_ terms: ClaimTerms) {
    self.terms = terms
  }

  /// The request that opens the stream of the claim's events.
  public var request: VaultRequest { .events(terms.ledgerID) }

  /// Takes an event of the stream.
  public mutating func received(_ event: EventParser.Event) -> Step {
    guard let answer = try? ClaimResponse(event.data), answer.terms == terms else {
      return .drop(.untrusted("its events are not about this claim"))
    }
    failures = 0
    // A reorganization of the chain took back what was said before. The event has the state that holds now.
    if event.name == "unsettled" { last = nil }
    // An earlier state after a later one is ignored, whoever serves the stream.
    guard answer.status.rank >= last?.status.rank ?? 0 else { return .none }
    if [.claimed, .refunded].contains(answer.status) { return .finish(answer) }
    defer { last = answer }
    return answer.status == last?.status ? .none : .tell(answer)
  }

  /// Takes the end of the stream, or the failure to open it. The next one is opened after 1 s, then after twice as long
  /// each time, at most 30 s.
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
