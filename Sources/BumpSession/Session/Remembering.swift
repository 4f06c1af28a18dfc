import BumpWire

/// What became of the wish to remember the other end of a bump with a code.
public enum Remembering: Hashable, Sendable {
  /// Both ends keep the key.
  case remembered
  /// Neither end keeps a key.
  case notRemembered(NotRemembered)
  /// At the sender alone: the receiver's answer was lost. The key is kept here, unconfirmed; the receiver may have it.
  case unknown
}

/// Why neither end of a bump keeps a key. More may come: keep a `default` case.
public enum NotRemembered: String, Hashable, Sendable, CaseIterable {
  /// No claim was handed over.
  case noClaim
  /// The bump was without a code, so nothing proves who the other end was.
  case noCode
  /// The other end did not ask to remember, or its bump is older than version 2 of the protocol.
  case notAskedThere
  /// The name has a key already, here.
  case nameTakenHere
  /// The name has a key already, at the other end.
  case nameTakenThere
  /// The store here cannot keep the key.
  case cannotKeepHere
  /// The store of the other end cannot keep the key, or that end said nothing more of it.
  case cannotKeepThere
}

extension Remembering {
  /// - Parameter why: why neither end keeps a key; `nil` where both do.
  init(_ why: NotRemembered?) {
    self = why.map(Self.notRemembered) ?? .remembered
  }
}

extension NotRemembered {
  /// Why this end's answer means no; `nil` for a yes.
  init?(here answer: RememberAnswer?) {
    switch answer {
    case .yes: return nil
    case .nameTaken: self = .nameTakenHere
    case .notAsked, .cannotKeep, nil: self = .cannotKeepHere
    }
  }

  /// Why the other end's answer means no; `nil` for a yes.
  init?(there answer: RememberAnswer?) {
    switch answer {
    case .yes: return nil
    case .nameTaken: self = .nameTakenThere
    case .cannotKeep: self = .cannotKeepThere
    case .notAsked, nil: self = .notAskedThere
    }
  }
}
