public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// How a receive ended.
public enum ReceiveOutcome: Hashable, Sendable {
  /// The claim is stored, and was not in the store before. Credit a payment only for this outcome.
  case received(VerifiedClaim)
  /// The same claim was received before, and is stored once. Crediting it again would pay twice.
  case duplicate(VerifiedClaim)
  /// The claim is stored, but the store has another claim with the same id. At most one of the two is good.
  case conflicting(VerifiedClaim)
  /// No claim was received. The list has the senders that were found, those that got furthest first; it is empty if
  /// none was found, and in a `keepReceiving`.
  case nobody(NobodyReason, [FailedPeer])
  /// The person here declined, and there was no other sender.
  case declinedHere
  /// The person there declined, and no other sender was found.
  case declinedThere
  /// The offer expired while it waited here, and no other sender was found.
  case expired
  /// The offer had expired by the clock here when it arrived, so many seconds before, and no other sender was found.
  /// One of the two clocks is wrong.
  case expiredOnArrival(secondsAgo: Int64)
  /// The sender requires a code, and none was given or entered here, or the person here ended the question for another.
  case codeWanted
  /// The senders that were found on the code's channel have other codes.
  case wrongCode
  /// The code was tried with as many senders as allowed, and at least one of them ended the session without an answer:
  /// whether the code is the sender's is not known. Nothing was received.
  case codeUnanswered
  /// The sender speaks another version of the protocol, and no other sender was found. An attacker can forge this.
  case otherVersion
  /// The sender offered a card or a link, which this receiver does not take, and no other sender was found.
  case documentOffered
  /// The senders that were found have other keys.
  case wrongKey
  /// A sender's data was not authentic, and no other sender was found.
  case unauthenticated
  /// A claim was received but not stored; the store may take the next one. Only `keepReceiving` reports this outcome,
  /// in an event: `receive` throws the error.
  case notStored(StoreError)
  /// A card or a link was saved in a file.
  case saved(SavedDocument)
  /// A card or a link was received but not saved.
  case notSaved(DocumentError)
  /// The task was cancelled. Nothing was received.
  case interrupted
}

extension ReceiveOutcome {
  /// The result of storing the claim; `nil` if no claim was stored.
  public var stored: StoreResult? {
    switch self {
    case .received: .stored
    case .duplicate: .duplicate
    case .conflicting: .storedBesideAnother
    default: nil
    }
  }

  /// The outcome of a receive, from the result of storing a verified claim.
  public init(_ claim: VerifiedClaim, _ result: StoreResult) {
    switch result {
    case .stored: self = .received(claim)
    case .duplicate: self = .duplicate(claim)
    case .storedBesideAnother: self = .conflicting(claim)
    }
  }
}

/// Why no sender was found, or why no more senders are tried.
public enum NobodyReason: Hashable, Sendable {
  /// The time limit has passed.
  case timeout
  /// The time limit has passed, and no sender of the wanted name was found. These senders of other names are nearby.
  case otherNames([SenderCandidate])
  /// The only sender, whose address was given or which was chosen, failed before the time limit.
  case failed
  /// Discovery is not available.
  case discoveryUnavailable
  /// Several senders have the wanted name, and nobody could be asked which one is meant. None was tried.
  case namesakes([SenderCandidate])
  /// Three attempts at the digits were used without a claim. An attacker in the middle may be drawing digits until
  /// those of two screens agree.
  case interference
}

/// What the receiver does with a code that was entered.
public enum EnteredCode: String, Hashable, Sendable, CaseIterable {
  /// The code is new: it is tried with the senders on its channel.
  case new
  /// The code was tried before. The receiver waits for another sender on its channel.
  case triedBefore
  /// The code was tried with as many senders as allowed. The person is asked for another code.
  case spent
}

/// A sender that waits in the queue of a `keepReceiving`. Nothing in it is authenticated.
public struct QueuedSender: Hashable, Sendable {
  /// The sender's instance name: show it through `InstanceName.shown`.
  public let name: String?
  /// The sender's address and port.
  public let peer: String

  /// Makes a queued sender.
  public init(name: String?, peer: String) {
    (self.name, self.peer) = (name, peer)
  }
}

/// An event of a receive. Events are reported in order.
public enum ReceiveEvent: Hashable, Sendable {
  /// Discovery is not available, or has stopped working, for this reason.
  case discoveryLost(DiscoveryError)
  /// Browsing for senders began. The backend is discovery's, or `none`.
  case browsing(backend: String)
  /// A sender's instance name appeared. The sender chose the name: show it through `InstanceName.shown`.
  case found(name: String)
  /// A sender's TXT record was resolved, and later an address of it. Nothing here is authenticated.
  case resolved(name: String, mode: Mode?, channel: Int?, address: String?)
  /// A sender was found and not tried: its TXT record, which is not authenticated, names another mode or channel than
  /// that of the code. Browsing continues, since the right sender may start later.
  case passedOver(name: String, mode: Mode?, channel: Int?)
  /// No sender of the wanted name was found, although these senders are nearby: the name may be mistyped. The search
  /// continues. Reported once, three seconds after the first of them was found, or after half of the discovery time-out
  /// if that is less. At most 16 are named.
  case otherNames([SenderCandidate])
  /// A sender on the channel of the code has another code. Either a code was mistyped, or another sender uses the same
  /// channel; the search for the right one continues. `name` is the instance name, if the sender was found by one: show
  /// it through `InstanceName.shown`. `triesLeft` is how many other codes may be entered: the third wrong one burns the
  /// sender's code. A code that `isSpent` is not tried with any other sender.
  case wrongCode(name: String?, peer: String, triesLeft: Int, isSpent: Bool)
  /// The person here entered a code.
  case codeEntered(EnteredCode)
  /// The sender that was chosen, or for whose code the person here was asked, has gone, and the search continues. Show
  /// the name through `InstanceName.shown`.
  case lost(name: String)
  /// An encrypted channel is established with the other end at this address.
  case connected(peer: String)
  /// The sender at this address has proved that it has the key of this remembered name, although no name was given.
  case recognized(DisplayName, peer: String)
  /// The digits of the session with the sender at this address, whose screen shows the same digits, unless somebody is
  /// in the middle. Show them at most until `.sessionEnded` for that address.
  case digits(VerificationDigits, peer: String)
  /// A claim is offered.
  case offer(Offer)
  /// A card or a link is offered.
  case documentOffer(DocumentOffer)
  /// This many bytes of the accepted document were received.
  case progress(bytes: Int, of: Int)
  /// The person at this address is deciding whether to send, and may take this many seconds, at most 60. That person
  /// may be deciding about us, or about a receiver that accepted before us: the sender does not say which.
  case deciding(peer: String, seconds: Int)
  /// The session with the sender at this address failed, and the search continues.
  case sessionFailed(SessionFailure, peer: String)
  /// The offer of the sender at this address had expired by the clock here when it arrived, so many seconds before, and
  /// the search continues. One of the two clocks is wrong. `keepReceiving` reports the outcome in its place.
  case expiredOnArrival(peer: String, secondsAgo: Int64)
  /// The session with the sender at this address is over. Its result, if it has one, is the next event. Reported for
  /// sessions whose digits were reported: from now on they must not be compared.
  case sessionEnded(peer: String)
  /// All attempts at the digits are in use, and the receive pauses for this many seconds. Of the sessions without a
  /// claim, `declined` ended because a person declined, here or there, and `failed` ended otherwise. With many
  /// failures, an attacker in the middle may be drawing digits until those of two screens agree.
  case paused(declined: Int, failed: Int, seconds: Int)
  /// The sender at this address is here, but it has had its attempts at the digits, and the last one is reserved for a
  /// sender that has had none. It is tried again after this many seconds. The name is not authenticated: show it
  /// through `InstanceName.shown`.
  case deferred(name: String?, peer: String, seconds: Int)
  /// This sender waits while others are served, and was told its place. With it, so many senders wait. Only
  /// `keepReceiving` reports this.
  case queued(QueuedSender, waiting: Int)
  /// This sender waits no longer, because it has its turn or its session is over. So many senders still wait.
  case unqueued(QueuedSender, waiting: Int, hasTurn: Bool)
  /// The person there declined, and the search continues.
  case declined
  /// Both ends remember each other: here the sender has this name.
  case remembered(DisplayName)
  /// The sender was to be remembered under this name, but neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// The result of storing the claim or saving the document.
  case stored(StoredStatus)
  /// One bump of several ended with this outcome, and the receive continues.
  case concluded(ReceiveOutcome)
}
