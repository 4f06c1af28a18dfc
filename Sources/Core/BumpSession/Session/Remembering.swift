import BumpWire

/// Whether the two ends of a bump with a code remember each other.
public enum Remembering: Hashable, Sendable {
  /// Both ends keep the key.
  case remembered
  /// Neither end keeps a key.
  case notRemembered(NotRemembered)
  /// The receiver's answer was lost. This sender keeps the key, unconfirmed; the receiver may have it. Only a sender
  /// reports this.
  case unknown
}

/// Why neither end of a bump keeps a key. More reasons may be added: keep a `default` case.
public enum NotRemembered: String, Hashable, Sendable, CaseIterable {
  /// No claim was handed over.
  case noClaim
  /// The bump had no code, so the other end was not authenticated.
  case noCode
  /// The other end did not ask to remember.
  case notAskedThere
  /// The name has a key already in the store here.
  case nameTakenHere
  /// The name has a key already in the store of the other end.
  case nameTakenThere
  /// The store here cannot keep the key.
  case cannotKeepHere
  /// The store of the other end cannot keep the key, or that end sent no answer about it.
  case cannotKeepThere
}

extension Remembering {
  /// - Parameter why: the reason why neither end keeps a key; `nil` if both do.
  init(_ why: NotRemembered?) {
    self = why.map(Self.notRemembered) ?? .remembered
  }
}

extension NotRemembered {
  /// The reason for a no in this end's answer; `nil` for a yes.
  init?(here answer: RememberAnswer?) {
    switch answer {
    case .yes: return nil
    case .nameTaken: self = .nameTakenHere
    case .notAsked, .cannotKeep, nil: self = .cannotKeepHere
    }
  }

  /// The reason for a no in the other end's answer; `nil` for a yes.
  init?(there answer: RememberAnswer?) {
    switch answer {
    case .yes: return nil
    case .nameTaken: self = .nameTakenThere
    case .cannotKeep: self = .cannotKeepThere
    case .notAsked, nil: self = .notAskedThere
    }
  }
}
