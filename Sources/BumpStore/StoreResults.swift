public import BumpClaims

/// What became of inserting a claim that was issued elsewhere.
public enum InsertResult: Hashable, Sendable {
  /// The claim was not in the store. It is durable, and new.
  case inserted(OutgoingClaim)
  /// The very claim is here already, in the state that is given here. Nothing was changed.
  case repeated(OutgoingClaim)
  /// Another claim of ours has this id: this one, with another secret, token, amount or expiry. Nothing was changed.
  case otherTerms(OutgoingClaim)
}

/// What became of releasing a claim to one receiver.
public enum ReleaseResult: Hashable, Sendable {
  /// The claim is released. Until this deadline, in seconds since 1970, the receiver may take it, and its answer may come.
  case released(until: Int64)
  /// The claim was not released: it is in this state by now.
  case changedElsewhere(HandoverState)
  /// The store has no such claim.
  case missing
}

/// What became of asking for the link of a claim.
public enum LinkResult: Hashable, Sendable {
  /// The link, which whoever has it may take. The claim is marked as `linkShown`; it was as given here before.
  case shown(ClaimLink, OutgoingClaim)
  /// The link of an unknown claim, for the receiver that the claim was sent to: it may have the claim already. The claim
  /// stays as it is given here.
  case shownToReceiver(ClaimLink, OutgoingClaim)
  /// No link: a receiver has the claim given here, or may still take it.
  case withheld(OutgoingClaim)
  /// The store has no such claim.
  case missing

  /// The claim as it was before; `nil` where there is none.
  public var claim: OutgoingClaim? {
    switch self {
    case .shown(_, let claim), .shownToReceiver(_, let claim), .withheld(let claim): claim
    case .missing: nil
    }
  }
}

/// What became of settling a claim.
public enum SettleResult: Hashable, Sendable {
  /// The claim is settled. It was as given here before.
  case settled(OutgoingClaim)
  /// The claim may not be settled so, and stays as it is given here.
  case refused(OutgoingClaim)
  /// The store has no such claim.
  case missing

  /// The claim as it was before; `nil` where there is none.
  public var claim: OutgoingClaim? {
    switch self {
    case .settled(let claim), .refused(let claim): claim
    case .missing: nil
    }
  }
}

/// What became of keeping a key under a name.
public enum RememberResult: Hashable, Sendable {
  case kept
  /// The key was not kept: the name has one already.
  case nameTaken
}

/// What became of forgetting a key.
public enum ForgetResult: Hashable, Sendable {
  case forgotten
  /// The store has no such key under that name.
  case missing
}

/// What became of taking the draws that are reserved for a claim.
package enum ReservationResult: Hashable, Sendable {
  /// The draws are those of the bump that asked.
  case taken
  /// Another bump has taken them, or they were reserved anew.
  case gone
}
