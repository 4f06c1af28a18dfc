import BumpClaims
import BumpWire

/// The phases of a receiver's bump: what the receiver does now, and what it does next.
extension ReceiverBump {
  /// What the receiver does now. A phase has the values that exist only in it.
  ///
  ///     searching    → choosing      several senders were found, and the person here is asked which one to try
  ///     choosing     → searching     the person chose, or fewer than two of the listed senders are left
  ///     searching    → enteringCode  a sender requires a code, or rejected one
  ///     enteringCode → searching     a code was entered, a sender proved the one entered before, or the sender is gone
  ///     any of these → closing       time is up, the outcome is certain, or no more senders may be tried
  ///     any          → finished      the outcome is reported
  ///
  /// Sessions are open in all phases but the last, and have states of their own (`ReceiverSession`). The search
  /// continues while one of them is asked about: `chosen` is the session whose offer is being decided, and `queue` has
  /// those that come after it.
  enum Phase: Sendable {
    /// Senders are looked for and tried. Only in this phase does the time limit for finding them run.
    case searching(Searching)
    /// The person here chooses one of these senders, and has been choosing since this moment. No sender is tried.
    case choosing([SenderCandidate], since: Moment)
    /// The person here enters a code.
    case enteringCode(CodeQuestion)
    /// No more senders are tried. The sessions that have received WELCOME continue.
    case closing(Closing)
    /// The bump is over.
    case finished
  }

  /// The questions for another code than the one that senders are being tried with.
  struct Searching: Sendable {
    /// The sender for which the person here may enter another code now. A code was entered for it, and no sender has
    /// proved or rejected that code: if its channel was mistyped, no sender ever would.
    var openQuestion: SenderConnector.SenderID?
    /// The next question. It replaces one that is still being asked.
    var nextQuestion: NextCodeQuestion?
  }

  /// A question for the code of a sender, and since when the person here is asked. The time for the answer does not
  /// count.
  enum CodeQuestion: Sendable {
    /// This sender requires a code. No sender is tried meanwhile.
    case first(SenderConnector.SenderID, since: Moment)
    /// A code was wrong, and the person here is asked for another one than that of this sender. Senders that appear
    /// meanwhile are tried with the code entered before.
    case again(SenderConnector.SenderID, since: Moment)

    var sender: SenderConnector.SenderID {
      switch self {
      case .first(let sender, _), .again(let sender, _): sender
      }
    }

    var since: Moment {
      switch self {
      case .first(_, let since), .again(_, let since): since
      }
    }

    var isFirst: Bool { if case .first = self { true } else { false } }
  }

  /// A question for a code that is asked later.
  struct NextCodeQuestion: Sendable {
    let sender: SenderConnector.SenderID
    let end: Moment
    /// Whether a sender has rejected the code. Then the question is asked as soon as no sender in sight is left to try.
    let isAfterWrongCode: Bool
  }

  /// The end of the search.
  struct Closing: Sendable {
    var reason: ClosingReason
    /// The question for a code that was open when the search ended. It may still be answered.
    var question: CodeQuestion?
    /// The outcome of the claim or document that was received, while another one is being stored.
    var received: ReceiveOutcome?
    /// Why a received claim could not be stored.
    var storeError: StoreError?
  }

  /// Decides what the receiver does next. Every input comes here after it was noted.
  mutating func advance(at now: Moment) -> [Action] {
    var actions: [Action] = []
    switch phase {
    case .searching:
      actions += gatherSenders(at: now)
      if case .finished = phase { return actions }
      actions += readmit(at: now) + tellOtherNames(at: now)
    case .choosing(let listed, let since): actions += shortenChoice(listed, since: since, at: now) + readmit(at: now)
    case .enteringCode: actions += readmit(at: now)
    case .closing: break
    case .finished: return []
    }
    // The open sessions: others stop waiting for a slow one, the next one shows digits, the next offer is decided. Each
    // step may end the search.
    actions += yieldTurn(at: now) + beginAttempt(at: now)
    if case .searching(let searching) = phase { actions += askCodeAgain(searching, at: now) }
    actions += decideNextOffer(at: now)
    guard connections.isEmpty else { return actions }
    switch phase {
    case .searching: if let outcome = outcomeOfSearch(at: now) { actions.append(finish(outcome)) }
    case .choosing, .enteringCode, .finished: break
    case .closing(let closing): actions += finish(closing)
    }
    return actions
  }

  /// Asks about the offer of the next session in the queue, unless another one is being decided.
  private mutating func decideNextOffer(at now: Moment) -> [Action] {
    guard chosen == nil, let next = nextInQueue else { return [] }
    queue.removeAll { $0 == next }
    chosen = next
    return forward(.chosen, to: next, at: now)
  }
}

extension ReceiverBump.Phase {
  /// The state of the search. In another phase it is `nil`, and is not set.
  var searching: ReceiverBump.Searching? {
    get { if case .searching(let searching) = self { searching } else { nil } }
    set { if case .searching = self, let newValue { self = .searching(newValue) } }
  }

  /// The end of the search. In another phase it is `nil`, and is not set.
  var closing: ReceiverBump.Closing? {
    get { if case .closing(let closing) = self { closing } else { nil } }
    set { if case .closing = self, let newValue { self = .closing(newValue) } }
  }

  /// The question for a code that stops the time; `nil` if there is none.
  var codeQuestion: ReceiverBump.CodeQuestion? {
    switch self {
    case .enteringCode(let question): question
    case .closing(let closing): closing.question
    case .searching, .choosing, .finished: nil
    }
  }

  /// The sender of the question for a code that the person here is asked now.
  var senderAskedAbout: SenderConnector.SenderID? { codeQuestion?.sender ?? searching?.openQuestion }

  /// Notes that the person here is asked for a code.
  mutating func ask(_ question: ReceiverBump.CodeQuestion) {
    if closing == nil { self = .enteringCode(question) } else { closing?.question = question }
  }

  /// Notes that the person here is asked for a code no longer.
  mutating func endCodeQuestion() {
    switch self {
    case .searching: searching?.openQuestion = nil
    case .enteringCode: self = .searching(.init())
    case .closing: closing?.question = nil
    case .choosing, .finished: break
    }
  }
}
