import BumpChannel
import BumpWire

/// The code that picks the sender: asked for where a sender wants one, and tried so often and no more.
extension ReceiverBump {
  /// The question to our person for a code.
  enum CodeQuestion {
    /// This sender wants a code. Nobody is tried meanwhile.
    case first(String)
    /// A code was wrong, and our person is asked for another than that of this sender since this moment. Those who come are
    /// tried with the one before meanwhile.
    case again(String, since: Moment)
    /// A code was entered in place of that of this sender, and nobody has proved or rejected it. It is looked for further,
    /// and our person may enter another: with a slip in the channel, nobody would ever say that it is wrong.
    case standing(String)

    var sender: String {
      switch self {
      case .first(let sender), .again(let sender, _), .standing(let sender): sender
      }
    }
  }

  /// A question that follows.
  struct DueCodeQuestion {
    let sender: String
    let end: Moment
    /// Whether a sender has rejected the code. Then it follows as soon as nobody in sight is left to be tried.
    let isAfterWrongCode: Bool
  }

  /// Senders that one code is tried with: each could be somebody who collects guesses.
  static let maximumGuesses = 3
  /// Codes that our person enters: the third wrong one burns the sender's.
  static let maximumCodes = 3
  /// How long another sender of the channel is waited for where nobody can enter another code. Whoever has the code was
  /// shown it by a sender that is announced already, so only a packet that was lost keeps that one out of sight: senders
  /// are asked for once more after one second, and after three.
  static let timeAfterWrongCode: Duration = .seconds(5)
  /// How long after a code was entered another is asked for: by then a sender in sight has proved it, or rejected it.
  static let timeToMeet = Times.handshake

  /// Whether our person is asked for a code: that time does not count.
  var isAskingCode: Bool {
    switch codeQuestion {
    case .first, .again: true
    case .standing, nil: false
    }
  }

  /// How many senders the code's digits were tried with.
  var guesses: Int { triedSenders.count }

  private var triedSenders: Set<SenderSearch.SenderID> {
    guard case .code(let code) = credential else { return [] }
    return tried[code.digits] ?? []
  }

  /// Whether the code's digits were tried with a sender.
  func hasTried(_ sender: SenderSearch.SenderID) -> Bool { triedSenders.contains(sender) }

  /// Whether a code was tried with as many senders as it may be: with one where there is one alone.
  func isSpent(_ code: OneTimeCode) -> Bool {
    let most = policy.isDirect || choice.isMade ? 1 : Self.maximumGuesses
    return tried[code.digits, default: []].count >= most
  }

  /// Whether the sessions under way may use up all the guesses that this code has.
  var mayGuessTooOften: Bool {
    guard case .code = credential else { return false }
    let coming = connections.values.count { $0.session.isOpening && !$0.session.hasGuessed }
    return guesses + coming >= Self.maximumGuesses
  }

  /// Whether a wrong code is the end of it, however much time there is: it was tried with as many senders as it may be, or
  /// our person has entered as many as a sender takes, and nobody in sight is left to be tried with the last.
  var areGuessesSpent: Bool {
    guesses >= Self.maximumGuesses || (policy.canEnterCode && tried.count >= Self.maximumCodes && search.isIdle)
  }

  /// When a wrong code is the end of it, because nobody in sight is left to be tried with it, and nobody can enter another.
  var wrongCodeEnd: Moment? {
    guard verdict == .wrongCode, !policy.canEnterCode, connections.isEmpty, search.isIdle else { return nil }
    return lastWrongCode + Self.timeAfterWrongCode
  }

  /// Whether a sender may be the one whose code we have. The session decides; this saves guesses.
  func isPossible(_ announcement: Announcement) -> Bool {
    guard case .code(let code) = credential else { return true }
    return announcement.mode == .code && announcement.channel == code.channel
  }

  /// Asks our person for a code, and gives up those that are still opening: with a code they will not do.
  mutating func askCode(of sender: SenderSearch.SenderID, at now: Moment) -> [Action] {
    codeQuestion = .first(Self.shown(sender))
    return [.askCode(Self.shown(sender))] + search.stopAll().map(Action.search)
      + dismiss(.busy, at: now, where: \.isOpening)
  }

  /// A code goes out with NOISE_1.
  mutating func guessed(_ credential: Credential, _ sender: SenderSearch.SenderID) {
    if case .code(let code) = credential { tried[code.digits, default: []].insert(sender) }
  }

  /// A sender has another code than ours.
  ///
  /// Two senders may have drawn one channel, and anybody can announce it: the search goes on with this code, as long as it
  /// may be tried and there is time. But who mistyped it need not wait for that, and is asked for another.
  mutating func wrongCode(_ sender: SenderSearch.SenderID, _ peer: Peer, at now: Moment) -> [Action] {
    let name: String? = if case .instance(let name) = sender { name } else { nil }
    let left = max(0, Self.maximumCodes - tried.count)
    lastWrongCode = now
    let isSpent = if case .code(let code) = credential { isSpent(code) || closing != nil } else { true }
    let told =
      note(.wrongCode) + [.event(.wrongCode(name: name, peer: peer.name, triesLeft: left, isSpent: isSpent))]
    // Nobody else may be tried with it.
    let stopped = guesses < Self.maximumGuesses ? [] : search.stopAll().map(Action.search)
    // With the last code wrong there is no other to be entered.
    guard left > 0 else { return told + stopped + withdrawCode(at: now) }
    if !isAskingCode, policy.canEnterCode, !policy.keeps, closing == nil {
      codeQuestionDue = DueCodeQuestion(
        sender: Self.shown(sender), end: now + SenderChoice.gathering, isAfterWrongCode: true)
    }
    return told + stopped
  }

  /// Asks for another code where that is due.
  mutating func askCodeAgain(at now: Moment) -> [Action] {
    guard let due = codeQuestionDue, closing == nil, !isFinished else { return [] }
    guard now >= due.end || (due.isAfterWrongCode && search.isIdle && connections.isEmpty) else { return [] }
    codeQuestionDue = nil
    codeQuestion = due.isAfterWrongCode ? .again(due.sender, since: now) : .standing(due.sender)
    return [.askCode(due.sender)]
  }

  /// A sender's channel is established: it has our code.
  mutating func proved(at now: Moment) -> [Action] {
    if verdict == .wrongCode { verdict = nil }
    return withdrawCode(at: now)
  }

  /// Asks for no code any more. The time that our person was asked is given back.
  mutating func withdrawCode(at now: Moment) -> [Action] {
    defer { (codeQuestion, codeQuestionDue) = (nil, nil) }
    guard let codeQuestion else { return [] }
    if case .again(_, let since) = codeQuestion { discoveryEnd += now - since }
    return [.withdrawCode]
  }

  /// Our person has answered. Until a sender has proved a code, another question follows, or the bump ends: none that is
  /// typed goes unheard.
  mutating func entered(_ code: OneTimeCode?, at now: Moment) -> [Action] {
    guard let question = codeQuestion else { return [] }
    let isFirst = if case .first = question { true } else { false }
    if let code, !isFirst, closing == nil, isSpent(code) {
      return [.event(.codeEntered(.spent)), .askCode(question.sender)]
    }
    codeQuestion = nil
    guard let code else {
      if isFirst { return [finish(.codeWanted)] }
      return stopSearching(.timeout, at: now) + dismiss(.busy, at: now, where: \.isOpening)
    }
    var told: [Action] = []
    if closing == nil {
      told = [.event(.codeEntered(tried[code.digits] == nil ? .new : .triedBefore))]
      codeQuestionDue = DueCodeQuestion(
        sender: question.sender, end: now + Self.timeToMeet, isAfterWrongCode: false)
    }
    if credential == .code(code) {
      // Whoever is sure of it waits for the sender that has it.
      if case .again(_, let since) = question { discoveryEnd += now - since }
      return told
    }
    // One that knows the code before already may be about to say that it was right.
    let dismissed = dismiss(.busy, at: now) { $0.isOpening && !$0.hasGuessed }
    credential = .code(code)
    discoveryEnd =
      now
      + (policy.credential.mode == .code
        ? policy.discoveryTimeout : max(Times.withCode, policy.discoveryTimeout))
    // From here on the code picks the sender.
    choice.open()
    return told + dismissed + (search.release(at: now) + search.restart(at: now)).map(Action.search)
  }

  private static func shown(_ sender: SenderSearch.SenderID) -> String {
    if case .instance(let name) = sender { InstanceName.shown(name).short } else { "" }
  }
}
