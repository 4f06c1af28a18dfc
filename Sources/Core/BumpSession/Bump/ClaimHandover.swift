package import BumpClaims
import BumpWire

/// The handover of a claim. The store releases the claim before its secret leaves this machine. If no receiver takes
/// the claim, it may be released for its link.
package struct ClaimHandover: Handover {
  package enum Request: Hashable, Sendable {
    /// Keep this key durably, unconfirmed, if there is one; `.kept` of that connection's session is the answer. Then
    /// release the claim durably to the receiver on this connection, which may take the claim, or answer, for this long
    /// at most; `.released` of that connection's session, or `.notReleased`, is the answer.
    case release(ConnectionID, DisplayName, within: Duration, keeping: SharedKey?)
    /// Undo the release, durably: the claim was not sent. `.takenBack` or `.notTakenBack` of that connection's session
    /// is the answer.
    case takeBack(ConnectionID)
    /// Release the claim durably for its link; `.releasedForLink` or `.notReleasedForLink` is the answer.
    case releaseForLink
  }

  package enum Answer: Hashable, Sendable {
    /// The claim was not released to the receiver on this connection.
    case notReleased(ConnectionID, ReleaseFailure)
    /// The claim was released for its link, durably.
    case releasedForLink
    /// The claim was not released for its link.
    case notReleasedForLink(ReleaseFailure)
  }

  package let subject: SenderSession.Subject
  private let link: ClaimLink
  /// The state of the claim's handover at the start.
  private let state: HandoverState
  /// How long the claim is valid, from the start of the bump.
  private let lifetime: Duration
  private let fallsBack: Bool
  package let remembers: Bool

  package private(set) var conclusion: Result<SendOutcome, StoreError>?
  /// Whether both ends remember each other, as the session with the claim ended.
  package private(set) var remembering = Remembering.notRemembered(.noClaim)
  /// The key to keep with the next release.
  private var keyToKeep: SharedKey?
  /// The outcome once the claim is released for its link; `nil` while that was not requested.
  private var outcomeWithLink: SendOutcome?

  /// - Parameters:
  ///   - link: the claim's link.
  ///   - name: the name that the receivers' screens show.
  ///   - state: the state of the claim's handover at the start, in which it may be offered.
  ///   - lifetime: how long the claim is valid, from the start of the bump.
  ///   - fallsBack: whether the claim is released for its link if no receiver takes it.
  ///   - remembers: whether the person here wants to remember the receiver.
  package init(
    link: ClaimLink, from name: DisplayName, in state: HandoverState = .new, lifetime: Duration, fallsBack: Bool,
    remembers: Bool = false
  ) {
    (self.link, self.state, self.lifetime) = (link, state, lifetime)
    (self.fallsBack, self.remembers) = (fallsBack, remembers)
    let offer = Offer(
      claimID: link.claim.id, token: link.claim.token, amount: link.claim.amount, expiry: link.expiry, from: name)
    subject = .claim(link.claim, offer)
  }

  package var expiry: Expiry? { link.expiry }
  package var end: Moment? { Moment(lifetime) }

  package mutating func request(_ output: SenderSession.Output, on id: ConnectionID) -> Request? {
    switch output {
    case .release(let name, let limit):
      defer { keyToKeep = nil }
      return .release(id, name, within: limit, keeping: keyToKeep)
    case .takeBack:
      return .takeBack(id)
    case .keep(let key):
      keyToKeep = key
    case .remembering(let outcome):
      remembering = outcome
    case .send, .secured, .held, .placed, .guessed, .accepted, .ask, .progress, .ended:
      break
    }
    return nil
  }

  package mutating func handle(
    _ answer: Answer, isInterrupted: Bool
  ) -> (id: ConnectionID, input: SenderSession.Input)? {
    switch answer {
    case .notReleased(let id, let failure):
      conclusion = failure.conclusion
      return (id, .notReleased)
    case .releasedForLink:
      conclusion = outcomeWithLink.map { .success(isInterrupted ? .interrupted(.linkShown) : $0) }
    case .notReleasedForLink(let failure):
      conclusion = failure.conclusion
    }
    return nil
  }

  package mutating func fallBack(_ reason: FallbackReason, _ failed: [FailedPeer]) -> Request? {
    guard fallsBack else { return nil }
    outcomeWithLink = .undelivered(reason, link: link, failed)
    return .releaseForLink
  }

  package func delivered(to name: DisplayName, _ result: StoreResult) -> SendOutcome { .delivered(to: name, result) }

  package func unknown(_ name: DisplayName, isInterrupted: Bool) -> SendOutcome {
    isInterrupted ? .interrupted(.unknown) : .unknown(name, link: fallsBack ? link : nil)
  }

  package func undelivered(_ reason: FallbackReason, _ failed: [FailedPeer]) -> SendOutcome {
    .undelivered(reason, link: nil, failed)
  }

  package var interrupted: SendOutcome { .interrupted(state) }

  package func expired(at now: Moment) -> SendOutcome? { now >= Moment(lifetime) ? .expired : nil }
}

extension ReleaseFailure {
  /// How the bump ends: nothing was sent.
  fileprivate var conclusion: Result<SendOutcome, StoreError> {
    switch self {
    case .changedElsewhere(let state): .success(.changedElsewhere(state))
    case .expired: .success(.expired)
    case .storeFailed(let error): .failure(error)
    }
  }
}

extension SendOutcome {
  /// The state to record for the release to a receiver; `nil` if the claim was not released to one, or if the release
  /// was undone.
  package var stateAfterRelease: HandoverState? {
    switch self {
    case .delivered: .delivered
    case .unknown, .interrupted(.unknown): .unknown
    case .undelivered, .codeBurnt, .declinedHere, .expired, .changedElsewhere, .interrupted: nil
    }
  }
}
