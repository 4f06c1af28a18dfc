import BumpClaims
import BumpDiscovery
import BumpWire

/// The choice of senders to try: those that are wanted, and of several the one that is chosen, or none.
extension ReceiverBump {
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Action] {
    guard phase.closing == nil else { return [] }
    guard isWanted(instance.name) else {
      // With a code or a key discovery tells only of some of the senders.
      if credential == .none { otherNames.found(instance, at: now) }
      return []
    }
    otherNames.foundWanted()
    let (isNew, outputs) = connector.found(instance, at: now)
    return (isNew ? [.event(.found(name: instance.name))] : []) + outputs.map(Action.connector)
  }

  /// Handles a sender's TXT record. A sender that cannot be the one whose code we have is passed over, which saves
  /// guesses, and reported at once. Browsing continues, since the right sender may start later.
  mutating func described(
    _ sender: SenderConnector.SenderID, _ announcement: Announcement, at now: Moment
  ) -> [Action] {
    picker.described(sender, announcement)
    connector.described(sender, announcement)
    guard !isPossible(announcement) else { return [] }
    let (isNew, outputs) = connector.passOver(sender, at: now)
    guard isNew, case .instance(let name) = sender else { return outputs.map(Action.connector) }
    let event = ReceiveEvent.passedOver(name: name, mode: announcement.mode, channel: announcement.channel)
    return [.event(event)] + outputs.map(Action.connector)
  }

  func isWanted(_ instanceName: String) -> Bool {
    guard let wanted = policy.from else { return true }
    // If the instance name has only the beginning of the name, the offer has the whole name.
    return wanted.whole(of: instanceName) != nil || wanted.isWanted(InstanceName.shown(instanceName).short)
  }

  /// Reports the senders of other names, if none of the wanted name was found.
  mutating func tellOtherNames(at now: Moment) -> [Action] {
    otherNames.report(at: now).map { [.event(.otherNames($0))] } ?? []
  }

  func wants(from sender: SenderConnector.SenderID) -> @Sendable (DisplayName) -> Bool {
    guard let wanted = policy.from else { return { _ in true } }
    return { wanted.takes($0, of: sender.instanceName) }
  }

  /// Asks the person here, or tries every sender, once enough is known about the senders nearby.
  mutating func gatherSenders(at now: Moment) -> [Action] {
    guard connector.isHeld else { return [] }
    switch picker.step(reachable: connector.reachable, fits: fits, at: now) {
    case nil:
      return []
    case .ask(let candidates):
      phase = .choosing(candidates, since: now)
      listed = candidates
      return [.choose(candidates)]
    case .refuse(let candidates):
      let found = candidates.map { FailedPeer(name: $0.name, mode: $0.mode, reason: .notTried) }
      return [finish(.nobody(.namesakes(candidates), found))]
    case .tryAnybody:
      return connector.release(at: now).map(Action.connector)
    }
  }

  /// Removes the senders that have gone from the list that the person here chooses from. A sender that was not in the
  /// list is not added: otherwise senders that come and go could keep the person from choosing.
  mutating func shortenChoice(_ listed: [SenderCandidate], since: Moment, at now: Moment) -> [Action] {
    let left = listed.filter { connector.isNear($0.id) }
    guard left.count < listed.count else { return [] }
    guard left.count < 2 else {
      phase = .choosing(left, since: since)
      return [.choose(left)]
    }
    endChoosing(since: since, at: now)
    if left.isEmpty { return [.withdrawChoice] }
    picker.open()
    return [.withdrawChoice] + connector.release(at: now).map(Action.connector)
  }

  /// Continues the search. The time in which the person here was choosing does not count.
  private mutating func endChoosing(since: Moment, at now: Moment) {
    discoveryEnd += now - since
    phase = .searching(.init())
  }

  /// Returns whether a sender of this mode would do. An unknown mode would, and mode key where the sender may be one that
  /// is remembered: its announcement does not say whose key it has.
  func fits(_ mode: Mode?) -> Bool {
    guard let mode else { return true }
    let mayBeRemembered = mode == .key && credential == .none && !policy.session.remembered.isEmpty
    return mode == credential.mode || (mode == .code && policy.canEnterCode) || mayBeRemembered
  }

  mutating func chose(_ sender: SenderConnector.SenderID?, at now: Moment) -> [Action] {
    guard case .choosing(let listed, let since) = phase else { return [] }
    guard let sender, listed.contains(where: { $0.id == sender }) else { return [finish(.declinedHere)] }
    picker.make(sender)
    endChoosing(since: since, at: now)
    return connector.release(only: sender, at: now).map(Action.connector)
  }

  /// If the sender that the person here chose has gone, offers another choice.
  mutating func goneAfterChoice(_ sender: SenderConnector.SenderID, at now: Moment) -> [Action] {
    guard case .instance(let name) = sender, !connector.isNear(sender) else { return [] }
    picker.lost(sender)
    guard picker.isMade(sender), phase.searching != nil else { return [] }
    let dismissed = connector.dismiss(sender, at: now).map(Action.connector)
    picker.forget()
    return [.event(.lost(name: name))] + dismissed + connector.hold(at: now).map(Action.connector)
  }
}
