import BumpChannel
import BumpDiscovery
import BumpWire

/// The code that picks the sender: asked for where a sender wants one, and tried so often and no more.
extension ReceiverBump {
  /// Whether the sessions under way may use up all the guesses that this code has.
  var mayGuessTooOften: Bool {
    guard case .code = credential else { return false }
    let coming = sessions.values.count { $0.session.isOpening && !$0.session.hasGuessed }
    return guesses + coming >= Self.maximumGuesses
  }

  /// Whether a sender may be the one whose code we have. The session decides; this saves guesses.
  func isPossible(_ txt: TXTRecord) -> Bool {
    guard case .code(let code) = credential else { return true }
    return txt["mode"] == Mode.code.description && txt["ch"] == String(code.channel)
  }

  /// Asks our person for a code, and gives up those that are still opening: with a code they will not do.
  mutating func askCode(of sender: SenderSearch.SenderID, at now: Moment) -> [Action] {
    isAskingCode = true
    let name = if case .instance(let name) = sender { InstanceName.shown(name).short } else { "" }
    return [.askCode(name)] + search.stopAll().map(Action.search) + dismiss(.busy, at: now, where: \.isOpening)
  }

  mutating func entered(_ code: OneTimeCode?, at now: Moment) -> [Action] {
    guard isAskingCode else { return [] }
    isAskingCode = false
    guard let code else { return [finish(.codeWanted)] }
    credential = .code(code)
    discoveryEnd = now + Self.timeWithCode
    // From here on the code picks the sender.
    choice.open()
    return (search.release(at: now) + search.restart(at: now)).map(Action.search)
  }
}
