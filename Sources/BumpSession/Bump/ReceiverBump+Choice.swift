import BumpChannel
import BumpClaims
import BumpDiscovery
import BumpWire

/// Which senders are tried: those that are wanted, and of several the one that is chosen.
extension ReceiverBump {
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Action] {
    guard closing == nil, isWanted(instance.name) else { return [] }
    let (isNew, outputs) = search.found(instance, at: now)
    return (isNew ? [.event(.found(name: instance.name))] : []) + outputs.map(Action.search)
  }

  /// A sender's record has come. One that cannot be the sender whose code we have is passed over, which saves guesses, and
  /// that is told at once; but senders are looked for further: theirs may start yet, as long as there is time.
  mutating func described(
    _ sender: SenderSearch.SenderID, _ announcement: Announcement, at now: Moment
  ) -> [Action] {
    choice.described(sender, announcement)
    search.described(sender, announcement)
    guard !isPossible(announcement) else { return [] }
    let (isNew, outputs) = search.passOver(sender, at: now)
    guard isNew, case .instance(let name) = sender else { return outputs.map(Action.search) }
    let event = ReceiveEvent.passedOver(name: name, mode: announcement.mode, channel: announcement.channel)
    return [.event(event)] + outputs.map(Action.search)
  }

  func isWanted(_ instanceName: String) -> Bool {
    guard let from = policy.from, policy.choice == .anybody else { return true }
    let shown = InstanceName.shown(instanceName)
    // A long display name is cut in the instance name; the offer holds it whole.
    let wanted = wantedName(from)
    return wanted.matches(shown.distinct) || wanted.mayBegin(with: shown.short)
  }

  func wants(from sender: SenderSearch.SenderID) -> @Sendable (DisplayName) -> Bool {
    guard let from = policy.from else { return { _ in true } }
    let wanted = wantedName(from)
    if case .instance(let name) = sender, wanted.matches(InstanceName.shown(name).distinct) { return { _ in true } }
    return { wanted.matches($0.visible) }
  }

  /// A receive that goes on could not ask which of several is meant.
  private func wantedName(_ from: String) -> WantedName { WantedName(from, mayBeCut: !policy.keeps) }

  /// Goes on where enough is known of who is near.
  mutating func choose(at now: Moment) -> [Action] {
    guard closing == nil, search.isHeld, !isFinished else { return [] }
    let wasAsking = choice.isAsking
    let step = choice.step(reachable: search.reachable, isNear: search.isNear, fits: fits, at: now)
    defer { if wasAsking, !choice.isAsking { discoveryEnd += now - choosingSince } }
    switch step {
    case nil:
      return []
    case .ask(let candidates):
      if !wasAsking { choosingSince = now }
      return [.choose(candidates)]
    case .withdraw:
      return [.withdrawChoice] + (choice.isOpen ? search.release(at: now).map(Action.search) : [])
    case .tryAnybody:
      return search.release(at: now).map(Action.search)
    case .tryOnly(let senders):
      return search.release(only: senders, at: now).map(Action.search)
    case .refuse(let candidates):
      return [finish(.ambiguous(candidates))]
    }
  }

  /// Whether a sender of this mode, if it is known, would do.
  func fits(_ mode: Mode?) -> Bool {
    guard let mode else { return true }
    return mode == credential.mode || (mode == .code && policy.canEnterCode)
  }

  mutating func chose(_ sender: SenderSearch.SenderID?, at now: Moment) -> [Action] {
    guard choice.isAsking else { return [] }
    guard let sender, choice.chose(sender) else { return [finish(.declinedHere)] }
    discoveryEnd += now - choosingSince
    return search.release(only: [sender], at: now).map(Action.search)
  }

  /// Where the sender that our person chose is gone, there will be another choice; in place of a number there is none.
  mutating func goneAfterChoice(_ sender: SenderSearch.SenderID, at now: Moment) -> [Action] {
    guard case .instance(let name) = sender, !search.isNear(sender) else { return [] }
    choice.lost(sender)
    guard choice.isMade(sender), closing == nil, !isAskingCode else { return [] }
    let dismissed = search.dismiss(sender, at: now).map(Action.search)
    if case .position = policy.choice { return dismissed }
    choice.forget()
    return [.event(.lost(name: name))] + dismissed + search.hold(at: now).map(Action.search)
  }
}
