import BumpClaims
import BumpKit
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpWire
import Glibc

/// Reports a send: messages on stderr, the link or JSON events on stdout.
struct SendReport: Sendable {
  let claim: OutgoingClaim
  let credential: Credential
  /// The path of the key file; `nil` for another credential.
  var keyFile: String?
  /// The remembered name of the receiver; `nil` for another credential.
  var to: DisplayName?
  let qr: LinkDisplay.QR
  var qrFile: QRFile?
  var interface: NetworkInterface?
  /// How receivers find the sender.
  var discovery = DiscoveryOptions.Backend.auto
  /// Whether both ends are to remember each other.
  var remembers = false
  /// The vault that holds the claim's money; `nil` for none.
  var vault: VaultURL?
  /// Whether another process takes the claim's money back, or has.
  var isTakenBack = false
  /// The display name of this end.
  var name = DisplayName.somebody
  let console: Console
  let json: JSONLines

  /// The shared key that makes the link's MAC; `nil` in other modes.
  private var key: SharedKey? { if case .key(let key) = credential { key } else { nil } }
  private var id: ClaimID { claim.claim.id }
  /// Returns the state of a claim that was not handed over, and what to do with the claim.
  ///
  /// - Parameter state: the claim's state in the store; `nil` if the store cannot be read.
  private func remains(_ state: HandoverState?) -> String {
    guard let state else { return advice(after: "The store cannot be read", "Once it can: bump show \(id)") }
    guard state == claim.state else { return advice(after: "Besides, \(changed(to: state))", "See: bump show \(id)") }
    let sentence = state == .linkShown ? "The link of claim \(id) still works" : "Claim \(id) is still \(state)"
    return advice(after: sentence, remedies)
  }
  /// Returns a sentence and what to do next with the claim, which is left out in a simulation: no command finds its
  /// claim afterwards.
  private func advice(after sentence: String, _ next: String) -> String {
    json.isSimulated ? sentence : "\(sentence). \(next)"
  }
  /// The options that send the claim again in the same mode: another could be weaker.
  private var mode: [String] {
    switch credential {
    case .none: []
    case .code: ["--code"]
    case .key: to.map { ShellCommand.option("--to", $0.text) } ?? keyFile.map { ShellCommand.option("--key", $0) } ?? []
    }
  }
  /// Returns the command that sends the claim again.
  private func again(_ options: [String]) -> String {
    ShellCommand.text(["bump", "send", "--again", id.description] + options)
  }
  /// What to do with a claim that was sent to no receiver.
  private var remedies: String { remedies(mode) }
  private func remedies(_ options: [String]) -> String {
    "Try `\(again(options))` for another receiver, or `bump link \(id)` for its link"
  }
  /// Returns the note below the link of a claim that was sent to no receiver.
  private func note(_ options: [String]) -> String {
    if json.isSimulated { return "Not delivered. \(LinkNote.ofASimulation)" }
    return key == nil ? LinkNote.ofNobodys(id, again: options) : LinkNote.of(id, forHolderOf: to)
  }
  var money: String { "\(claim.claim.amount) \(claim.claim.token)" }

  var remembering: RememberReport {
    RememberReport(
      other: "receiver", command: ["bump", "send", "\(claim.claim.amount)"], option: "--to",
      counterpart: ["bump", "receive", "--with"], console: console, json: json)
  }

  func began() {
    console.say("Sending \(money) as \(name.visible).")
    events.tellCode(of: credential)
  }

  /// Warns that somebody else may take a claim that is offered again.
  func warnOfLink() {
    switch claim.state {
    case .linkShown: console.insist("The link of claim \(id) still works: anybody with it may be quicker.")
    case .lost: console.insist("Claim \(id) was settled as lost. If its link was shown, that still works.")
    default: break
    }
  }

  /// The fields of the claim, for a program that decides.
  var pairs: [String: JSONLines.Value?] {
    ["claimId": .init(id), "amount": .init(claim.claim.amount), "token": .init(claim.claim.token)]
  }

  /// The reports that do not depend on what is sent.
  var events: SendEvents {
    SendEvents(
      mode: credential.mode, keyFile: keyFile, interface: interface, remembers: remembers, name: name,
      console: console, json: json)
  }

  func event(_ event: SendEvent, _ progress: Progress) {
    switch event {
    case .notRecorded(let state):
      Console.standardError(notRecorded(state))
    case .answeredLate(let state, let other):
      json.write("stoodOtherwise", ["state": .string(state.rawValue), "peerName": other.map { .string($0.text) }])
      console.insist(overruled(state, other))
    case .remembered(let name):
      remembering.remembered(name)
    case .notRemembered(let name, let why):
      remembering.notRemembered(name, why)
    case .rememberingUnknown(let name):
      remembering.unknown(name)
    default:
      events.tell(event, progress)
    }
  }

  /// Returns the error for a claim whose state could not be recorded. In the store the claim is released, and becomes
  /// unknown once the receiver's time is up.
  private func notRecorded(_ state: HandoverState) -> String {
    let reason = "\(state.clause(of: id)), but the store cannot be written"
    return state == .delivered
      ? "\(reason), and will call it unknown. Once it can be written: bump settle \(id) --delivered"
      : "\(reason), and calls it released until its receiver's time is up"
  }

  /// Returns the warning for a late answer: the claim had another state when the answer was read.
  private func overruled(_ state: HandoverState, _ other: DisplayName?) -> String {
    if let other {
      return
        "The answer came late, and claim \(id) was sent to \(other.quoted) meanwhile: if both have it, the first to "
        + "redeem it has the money."
    }
    return switch state {
    case .linkShown:
      "The answer came late, and the link of claim \(id) was shown meanwhile: anybody with it may redeem the claim first."
    case .lost:
      "The answer came late: claim \(id) was settled as lost, and is not. If its link was shown, give it to nobody else."
    default:
      "The answer came late. If the link of claim \(id) was shown meanwhile, give it to nobody else."
    }
  }

  /// Reports the outcome of a bump, and shows the link if there is one.
  ///
  /// - Parameters:
  ///   - state: the claim's state in the store after a send that was declined here, or whose code is burnt; `nil` if
  ///     the store cannot be read.
  ///   - seconds: how long a receiver may still take the claim, before it can be settled; `nil` if the store cannot be
  ///     read.
  ///   - senders: the other senders that were seen, if no receiver came.
  func conclude(
    _ outcome: SendOutcome, in state: HandoverState? = nil, inFlightFor seconds: Int64? = nil,
    besides senders: OtherSenders.Seen = .init()
  ) -> Conclusion {
    switch outcome {
    case .delivered(let name, _):
      console.say("Delivered \(money) to \(name.quoted) (\(id)).")
      return Conclusion("delivered", .success)
    case .undelivered(let reason, let link, let found):
      let error = fallback(reason.rawValue, why(reason, found, besides: senders), link, besides: senders)
      // Status 3 means that the link was printed, or that there is none to print.
      return Conclusion(
        "undelivered", link != nil && Console.hasLostResult ? .failure : .nobody, error, found, besides: senders)
    case .unknown(let name, let link):
      return Conclusion("unknown", .unknown, unknown(at: name, link, inFlightFor: seconds))
    case .codeBurnt:
      return Conclusion(
        "unauthenticated", .unauthenticated,
        "three wrong tries: this code no longer works. \(remains(state))")
    case .declinedHere(let name):
      return Conclusion("declined", .declined, "not sent to \(name.quoted). \(remains(state))")
    case .expired:
      return Conclusion(
        "expired", .expired,
        vault == nil || claim.expiry.hasPassed(at: UnixTime.now())
          ? "claim \(id) has expired before it was handed over. Send again, with more --expires"
          : "claim \(id) expires at \(UTCTime.text(claim.expiry.unixSeconds)), too soon for a receiver to claim it. After "
            + "that: bump refund \(id)")
    case .changedElsewhere(let state):
      return Conclusion(
        "failed", .failure, advice(after: "nothing was sent here: \(changed(to: state))", "See `bump show \(id)`"))
    case .interrupted(let state):
      return Conclusion("interrupted", .interrupted, "interrupted: \(whereabouts(state, inFlightFor: seconds))")
    }
  }

  /// Returns the state of a claim after an interrupted send, and what to do with the claim.
  private func whereabouts(_ state: HandoverState, inFlightFor seconds: Int64?) -> String {
    switch state {
    case .new:
      advice(after: "\(state.clause(of: id)), and nothing left this machine", "Try again with: \(again(mode))")
    case .lost where claim.state == .lost:
      "\(state.clause(of: id)), and was not sent here. Try again with: \(again(mode))"
    case .linkShown:
      advice(
        after: "claim \(id) was sent to nobody, and can be taken by its link alone", "Show that with: bump link \(id)")
    case .delivered, .lost:
      advice(after: changed(to: state), "See: bump show \(id)")
    default:
      "\(state.clause(of: id)): it may have arrived. \(settling(inFlightFor: seconds))"
    }
  }

  /// Returns what another process did with the claim meanwhile.
  private func changed(to state: HandoverState) -> String {
    if isTakenBack { return "the money of claim \(id) is being taken back by another process" }
    return switch state {
    case .linkShown: "another process has shown the link of claim \(id) meanwhile"
    case .released, .unknown: "another process has sent claim \(id) to a receiver meanwhile"
    case .delivered, .lost: "claim \(id) is \(state.words) by now, through another process"
    case .new: "another process has changed claim \(id) meanwhile"
    }
  }

  /// Shows a link that the user asked for (`--link-only`).
  func conclude(linkOnly link: ClaimLink) -> Conclusion {
    console.say("Whoever has the link can take the \(money).")
    if key != nil { console.say("`bump receive` takes it with the key alone, but the secret in it needs none.") }
    let error = show(link, "linkOnly", note: note(mode))
    return Conclusion("undelivered", error == nil ? .success : .failure, error)
  }

  /// The error if no more digits may be drawn for the claim. A send reserves all attempts that are left, and gives the
  /// unused ones back at its end. So the attempts may also be reserved by a send that is still running, or that was
  /// killed.
  var attemptsSpent: CommandError {
    CommandError(
      .failure,
      "claim \(id) is being sent by another bump here, or its three comparisons of digits are used up",
      remedy: "End that bump first, with Ctrl-C. If none runs: `\(again(["--code"]))`, or `bump link \(id)` for its "
        + "link")
  }

  /// Reports that the port cannot be listened on, and returns the exit status. The claim exists by then.
  func cannotListen(_ error: TransportError) -> ExitStatus {
    end(
      Conclusion(
        "failed", .failure,
        advice(
          after: error.reason,
          "Claim \(id) is kept. Choose another port: "
            + again(mode + (discovery == .none ? ["--discovery", "none"] : []) + ["--port", "PORT"]))))
  }

  func why(_ reason: FallbackReason, _ found: [FailedPeer], besides senders: OtherSenders.Seen) -> String {
    let words = FailedPeerSentence.of(found, in: credential.mode)
    let hint = FailedPeerSentence.remedy(found, in: credential.mode).map { " \($0)." } ?? ""
    let isSaid = console.hasSaid(words) && !json.isOn
    return switch reason {
    case .discoveryTimeout:
      words.map { "No \(isSaid ? "other " : "")receiver was found in time\(isSaid ? "" : ": \($0)").\(hint)" }
        ?? OtherSenders.clause(senders).map { "No receiver was found in time. \($0)." } ?? "Nobody was found in time."
    case .sendTimeout:
      "A receiver came, but the transfer failed\(isSaid ? "" : ": \(words ?? "no answer in time")").\(hint)"
    case .discoveryUnavailable:
      "No receiver can find this sender: discovery is not available."
        + (discovery.alternative(isSimulated: json.isSimulated).map { " \($0)." } ?? "")
    case .declined: refusal(found)
    case .interference where !found.isEmpty && found.allSatisfy(\.isRefusal):
      "\(refusal(found)) Three receivers have seen digits of this claim, and no more are shown."
    case .interference: "Stopped: three receivers failed after they had seen the digits. Somebody may interfere."
    }
  }

  /// Returns the message if all receivers declined.
  private func refusal(_ found: [FailedPeer]) -> String {
    if found.contains(where: { $0.reason == .declinedAtOnce }) {
      let margin = max(0, claim.expiry.unixSeconds - UnixTime.now())
      return
        "Every receiver that connected declined, and one without asking its person. Its clock may be \(margin) s or more "
        + "ahead, so that the offer looks expired there. Compare `date -u` on both machines."
    }
    return "Every receiver that connected declined."
  }

  /// Shows the link, if there is one. Returns an error if it could not be shown.
  private func fallback(
    _ reason: String, _ why: String, _ link: ClaimLink?, besides senders: OtherSenders.Seen
  ) -> String? {
    let options = reason == FallbackReason.interference.rawValue ? ["--code"] : mode
    guard let link else {
      json.write("fallback", ["reason": .string(reason)])
      console.say(json.isSimulated ? why : "\(why) Claim \(id) is kept. \(remedies(options))")
      return nil
    }
    console.say("\(why) \(place)")
    let others = key == nil && !json.isSimulated ? LinkNote.ofNobodys(besides: senders) : nil
    return show(link, reason, note: others ?? note(options))
  }

  /// Says where the link is shown. It is below this message only on a terminal.
  private var place: String {
    if json.isOn { return "The same claim as a link is in the event `fallback`." }
    return isatty(STDOUT_FILENO) == 1 ? "The same claim as a link:" : "The same claim as a link is on stdout."
  }

  /// Says, even with --quiet, that a receiver may have the claim, and shows the link, if there is one. Returns an error
  /// if it could not be shown.
  private func unknown(at name: DisplayName, _ link: ClaimLink?, inFlightFor seconds: Int64?) -> String? {
    let reason = FallbackReason.sendTimeout.rawValue
    let known = "No valid answer from \(name.quoted), who may already have the claim."
    let settle = settling(inFlightFor: seconds)
    // Tell a program that the link is only for this receiver, and when the receiver's answer becomes final.
    let owner: [String: JSONLines.Value?] = ["peerName": .string(name.text), "seconds": seconds.map { .integer($0) }]
    guard let link else {
      json.write("fallback", owner.merging(["reason": .string(reason)]) { $1 })
      console.insist("\(known) \(settle)")
      return nil
    }
    console.insist("\(known) \(json.isSimulated ? "" : "Show the link to nobody else. ")\(settle)")
    let note = json.isSimulated ? LinkNote.ofASimulation : LinkNote.of(id, mayBeWith: name, for: seconds)
    return show(link, reason, of: owner, note: note)
  }

  /// Returns what to do with an unknown claim. `bump settle` asks which of its verdicts is right.
  ///
  /// - Parameter seconds: how long the receiver may still take the claim, before it can be settled; `nil` if the store
  ///   cannot be read.
  func settling(inFlightFor seconds: Int64?) -> String {
    guard !json.isSimulated else {
      return "Outside a simulation you would ask whether the claim is there, and then: bump settle ID"
    }
    let time = seconds.map { $0 > 0 ? ", in \($0) s at the earliest" : "" } ?? ", once the store can be read"
    return "Ask whether the claim is there, and then\(time): bump settle \(id)"
  }

  private func show(
    _ link: ClaimLink, _ reason: String, of owner: [String: JSONLines.Value?] = [:], note: String
  ) -> String? {
    let unnamed = LinkBase.unnamed(vault, in: link)
    let link = link.text(key: key)
    let failure = writeFile(link)
    let file = failure == nil ? qrFile?.path : nil
    let fields: [String: JSONLines.Value?] = [
      "reason": .string(reason), "link": .string(link), "qrFile": file.map { .string($0) },
    ]
    json.write("fallback", fields.merging(owner) { $1 })
    if let file {
      console.say("Its QR code is in \(file)\(json.isSimulated ? "" : ": anybody who sees it can take the money").")
    }
    // With --json, the link is in the event.
    if !json.isOn {
      LinkDisplay.show(
        link, of: id, key: keyFile, vault: unnamed, as: qr, note: note, isSimulated: json.isSimulated)
    }
    guard !Console.hasLostResult else {
      return advice(after: "stdout cannot be written, so the link was not shown", "`bump link \(id)` shows it")
    }
    return failure
  }

  private func writeFile(_ link: String) -> String? {
    do {
      try qrFile?.write(link)
      return nil
    } catch {
      return advice(after: CommandError(error).reason, "Try another: `bump link \(id) --qr-file claim.svg`")
    }
  }

  /// The end of a send, as its last event reports it.
  struct Conclusion: Sendable {
    let outcome: String
    let status: ExitStatus
    let error: String?
    let found: [FailedPeer]
    /// The other senders nearby, if no receiver came.
    let senders: [Neighbour]

    init(
      _ outcome: String, _ status: ExitStatus, _ error: String? = nil, _ found: [FailedPeer] = [],
      besides senders: OtherSenders.Seen = .init()
    ) {
      (self.outcome, self.status, self.error, self.found) = (outcome, status, error, found)
      self.senders = senders.senders
    }
  }

  /// Writes the result, which is the last event for programs, and returns the exit status.
  func end(_ conclusion: Conclusion) -> ExitStatus {
    json.write(
      "result",
      [
        "outcome": .string(conclusion.outcome), "claimId": .init(id), "amount": .init(claim.claim.amount),
        "token": .init(claim.claim.token), "exit": .integer(Int64(conclusion.status.rawValue)),
        "error": conclusion.error.map { .string($0) }, "found": .init(conclusion.found),
        "senders": .init(conclusion.senders),
      ])
    if let error = conclusion.error { Console.standardError(error) }
    return conclusion.status
  }
}

extension FailedPeer {
  /// Whether the transfer did not fail: a person declined or interrupted it, or the receiver left before the offer.
  var isRefusal: Bool {
    [.declinedThere, .declinedAtOnce, .declinedHere, .leftEarly, .failed(.aborted(.shuttingDown))].contains(reason)
  }
}
