import BumpWire

/// The code that selects the sender: when the person here is asked for it, and how often it is tried.
extension ReceiverBump {
  /// How many senders one code is tried with: each could be an attacker that collects guesses.
  static let maximumGuesses = 3
  /// How many codes the person here may enter: as many wrong ones burn the sender's code.
  static let maximumCodes = OneTimeCode.maximumGuesses
  /// How long to wait for another sender on the channel if nobody can enter another code. The person who knows the code
  /// got it from a sender that is announced already, so only a lost packet can hide that sender. Discovery repeats its
  /// query after one second and after three.
  static let timeAfterWrongCode: Duration = .seconds(5)
  /// How long after a code was entered to ask for another. By then a sender in sight has proved or rejected it.
  static let timeToMeet = Times.handshake

  /// How many senders the code's digits were tried with.
  var guesses: Int { triedSenders.count }

  private var triedSenders: Set<SenderConnector.SenderID> {
    guard case .code(let code) = credential else { return [] }
    return tries.senders(of: code)
  }

  /// Whether the code's digits were tried with a sender.
  func hasTried(_ sender: SenderConnector.SenderID) -> Bool { triedSenders.contains(sender) }

  /// Whether a code was tried with as many senders as allowed: with one if the sender was given or chosen.
  func isSpent(_ code: OneTimeCode) -> Bool {
    let most = policy.isDirect || picker.isMade ? 1 : Self.maximumGuesses
    return tries.senders(of: code).count >= most
  }

  /// Whether the sessions in progress may use up all guesses of this code.
  var mayGuessTooOften: Bool {
    guard case .code = credential else { return false }
    let coming = connections.values.count { $0.session.isOpening && !$0.session.hasGuessed }
    return guesses + coming >= Self.maximumGuesses
  }

  /// Whether a wrong code ends the bump, however much time is left: it was tried with as many senders as allowed, or
  /// the person here has entered as many codes as a sender allows and no sender in sight is left to try the last one
  /// with.
  var areGuessesSpent: Bool {
    guesses >= Self.maximumGuesses || (policy.canEnterCode && tries.count >= Self.maximumCodes && connector.isIdle)
  }

  /// When a wrong code ends the bump, because no sender in sight is left to try and nobody can enter another code.
  var wrongCodeEnd: Moment? {
    guard verdict == .wrongCode, !policy.canEnterCode, connections.isEmpty, connector.isIdle else { return nil }
    return tries.lastRejection + Self.timeAfterWrongCode
  }

  /// Whether a sender may be the one whose code we have. Only the session decides; this check saves guesses.
  func isPossible(_ announcement: Announcement) -> Bool {
    guard case .code(let code) = credential else { return true }
    return announcement.mode == .code && announcement.channel == code.channel
  }

  /// Asks the person here for a code. Ends the sessions that are still opening: they were begun without the code.
  mutating func askCode(of sender: SenderConnector.SenderID, at now: Moment) -> [Action] {
    phase.ask(.first(sender, since: now))
    return [.askCode(shown(sender))] + connector.stopAll().map(Action.connector)
      + dismiss(.busy, at: now, where: \.isOpening)
  }

  /// Notes the sender that a code is tried with: NOISE_1 is about to be sent.
  mutating func guessed(_ credential: Credential, _ sender: SenderConnector.SenderID) {
    if case .code(let code) = credential { tries.add(sender, code) }
  }

  /// Handles a sender that has another code than ours.
  ///
  /// Two senders may have drawn the same channel, and anybody can announce it. So the search continues with this code
  /// as long as it may be tried and there is time. But a person who mistyped the code need not wait for that: they are
  /// asked for another one.
  mutating func wrongCode(_ sender: SenderConnector.SenderID, _ peer: Peer, at now: Moment) -> [Action] {
    let left = max(0, Self.maximumCodes - tries.count)
    tries.lastRejection = now
    let isSpent = if case .code(let code) = credential { isSpent(code) || phase.closing != nil } else { true }
    let event = ReceiveEvent.wrongCode(
      name: sender.instanceName, peer: peer.name, triesLeft: left, isSpent: isSpent)
    return note(.wrongCode) + [.event(event)] + askForAnother(than: sender, at: now)
  }

  /// Handles a session that failed after the code was tried, without a rejection. If no try is left and no other session
  /// may still prove the code, the bump goes on as after a wrong one; its outcome says that no answer came.
  mutating func failedAfterGuess(_ sender: SenderConnector.SenderID, at now: Moment) -> [Action] {
    guard phase.closing == nil, guesses >= Self.maximumGuesses,
      !connections.values.contains(where: \.session.hasGuessed)
    else { return [] }
    tries.lastRejection = now
    return note(.wrongCode) + askForAnother(than: sender, at: now)
  }

  /// Stops the search if the code may not be tried with any other sender, and asks the person here for another code.
  private mutating func askForAnother(than sender: SenderConnector.SenderID, at now: Moment) -> [Action] {
    let stopped = guesses < Self.maximumGuesses ? [] : connector.stopAll().map(Action.connector)
    let left = max(0, Self.maximumCodes - tries.count)
    // After the last wrong code no other may be entered.
    guard left > 0 else { return stopped + withdrawCode(at: now) }
    if policy.canEnterCode, !policy.keeps {
      phase.searching?.nextQuestion = NextCodeQuestion(
        sender: sender, end: now + SenderPicker.gathering, isAfterWrongCode: true)
    }
    return stopped
  }

  /// Asks for another code if that is due.
  mutating func askCodeAgain(_ searching: Searching, at now: Moment) -> [Action] {
    guard let next = searching.nextQuestion else { return [] }
    guard now >= next.end || (next.isAfterWrongCode && connector.isIdle && connections.isEmpty) else { return [] }
    phase =
      next.isAfterWrongCode
      ? .enteringCode(.again(next.sender, since: now)) : .searching(.init(openQuestion: next.sender))
    return [.askCode(shown(next.sender))]
  }

  /// Handles a sender that has our code: its channel is established.
  mutating func proved(at now: Moment) -> [Action] {
    if verdict == .wrongCode { verdict = nil }
    return withdrawCode(at: now)
  }

  /// Cancels the question for a code. The time that the person here was asked does not count.
  mutating func withdrawCode(at now: Moment) -> [Action] {
    let isAsked = phase.senderAskedAbout != nil
    if let question = phase.codeQuestion { discoveryEnd += now - question.since }
    phase.endCodeQuestion()
    phase.searching?.nextQuestion = nil
    return isAsked ? [.withdrawCode] : []
  }

  /// Cancels the question for the code of a sender that is gone, and goes on with the search.
  mutating func goneWhileAsked(_ sender: SenderConnector.SenderID, at now: Moment) -> [Action] {
    guard case .instance(let name) = sender, !connector.isNear(sender), phase.senderAskedAbout == sender else {
      return []
    }
    let isFirst = phase.codeQuestion?.isFirst == true
    let lost = Action.event(.lost(name: name))
    let withdrawn = [lost] + withdrawCode(at: now)
    guard isFirst, phase.closing == nil else { return withdrawn }
    // No sender was tried meanwhile. Where several are near, another one may be chosen.
    let choice = goneAfterChoice(sender, at: now).filter { $0 != lost }
    return withdrawn + choice + connector.restart(at: now).map(Action.connector)
  }

  /// Handles the answer of the person here. Until a sender has proved a code, another question follows or the bump
  /// ends, so that no code that is typed is ignored.
  mutating func entered(_ code: OneTimeCode?, at now: Moment) -> [Action] {
    guard let sender = phase.senderAskedAbout else { return [] }
    let question = phase.codeQuestion
    let isFirst = question?.isFirst == true
    if let code, !isFirst, phase.closing == nil, isSpent(code) {
      return [.event(.codeEntered(.spent)), .askCode(shown(sender))]
    }
    phase.endCodeQuestion()
    guard let code else {
      if isFirst { return [finish(.codeWanted)] }
      return stopSearching(.noCode, at: now) + dismiss(.busy, at: now, where: \.isOpening)
    }
    var told: [Action] = []
    if phase.closing == nil {
      told = [.event(.codeEntered(tries.contains(code) ? .triedBefore : .new))]
      phase.searching?.nextQuestion = NextCodeQuestion(
        sender: sender, end: now + Self.timeToMeet, isAfterWrongCode: false)
    }
    if credential == .code(code) {
      // The person is sure of the code: wait for the sender that has it.
      if let question, !isFirst { discoveryEnd += now - question.since }
      return told
    }
    // A session that used the code before may be about to prove that it was right.
    let dismissed = dismiss(.busy, at: now) { $0.isOpening && !$0.hasGuessed }
    credential = .code(code)
    tries.hasUnanswered = false
    discoveryEnd =
      now
      + (policy.credential.mode == .code
        ? policy.discoveryTimeout : max(Times.withCode, policy.discoveryTimeout))
    // From now on the code selects the sender.
    picker.open()
    return told + dismissed + (connector.release(at: now) + connector.restart(at: now)).map(Action.connector)
  }

  /// Returns the name of a sender to ask the person here about; empty if its address was given.
  private func shown(_ sender: SenderConnector.SenderID) -> String {
    guard let name = sender.instanceName else { return "" }
    return SenderNames(policy.from, listed).shown(name)
  }
}
