public import BumpClaims

/// The result of inserting a claim that was issued elsewhere.
public enum InsertResult: Hashable, Sendable {
  /// The claim was not in the store. It is stored as new.
  case inserted(OutgoingClaim)
  /// The same claim is in the store already, in this state. Nothing was changed.
  case repeated(OutgoingClaim)
  /// This other claim in the store has the same id, with another secret, token, amount or expiry. Nothing was changed.
  case otherTerms(OutgoingClaim)
}

/// The result of releasing a claim to one receiver.
public enum ReleaseResult: Hashable, Sendable {
  /// The claim is released. Until this deadline, in seconds since 1970, the receiver may take the claim or answer.
  case released(until: Int64)
  /// The claim was not released: its state has changed to this one, or its money is being taken back.
  case changedElsewhere(HandoverState)
  /// The claim was not released: it has expired, or has less time left than it was to have.
  case expired
  /// The store has no such claim.
  case missing
}

/// The result of asking for the link of a claim.
public enum LinkResult: Hashable, Sendable {
  /// The link, by which anybody may take the claim. The claim's state is `linkShown` now; the value is the claim
  /// before.
  case shown(ClaimLink, OutgoingClaim)
  /// The link of an unknown claim, for the receiver that the claim was sent to, which may have the claim already. The
  /// claim did not change.
  case shownToReceiver(ClaimLink, OutgoingClaim)
  /// No link: a receiver has this claim, or may still take it, or its sender takes the money back.
  case withheld(OutgoingClaim)
  /// The store has no such claim.
  case missing

  /// The claim before the call; `nil` if the store does not have it.
  public var claim: OutgoingClaim? {
    switch self {
    case .shown(_, let claim), .shownToReceiver(_, let claim), .withheld(let claim): claim
    case .missing: nil
    }
  }
}

/// The result of beginning to take a claim's money back.
public enum TakeBackResult: Hashable, Sendable {
  /// The claim is not handed over any more. The value is the record of the money in the store now: that its money is being
  /// taken back, or the final one that was there.
  case begun(Funding)
  /// Somebody may have the claim or its link, or may still take it. Nothing was changed.
  case handedOver(OutgoingClaim)
  /// The money is not locked, or another vault holds it, by this record. Nothing was changed.
  case notLocked(Funding?)
  /// The store has no such claim.
  case missing
}

/// The result of settling a claim.
public enum SettleResult: Hashable, Sendable {
  /// The claim is settled. The value is the claim before.
  case settled(OutgoingClaim)
  /// The claim may not be settled in this way, and did not change.
  case refused(OutgoingClaim)
  /// The store has no such claim.
  case missing

  /// The claim before the call; `nil` if the store does not have it.
  public var claim: OutgoingClaim? {
    switch self {
    case .settled(let claim), .refused(let claim): claim
    case .missing: nil
    }
  }
}

/// The result of keeping a key under a name.
public enum RememberResult: Hashable, Sendable {
  /// The key is in the store.
  case kept
  /// The key was not kept: the name has one already.
  case nameTaken
}

/// The result of forgetting a key.
public enum ForgetResult: Hashable, Sendable {
  /// The key is no longer in the store.
  case forgotten
  /// The store has no such key under that name.
  case missing
}
