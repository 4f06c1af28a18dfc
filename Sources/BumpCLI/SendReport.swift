import BumpChannel
import BumpKit
import BumpWire

/// What is said of a send: sentences on stderr, events on stdout.
struct SendReport: Sendable {
  let claim: OutgoingClaim
  let credential: Credential
  /// The path of the key file, where the credential is its key.
  var keyFile: String?
  /// The name by which the receiver is remembered here, where the credential is its key.
  var to: DisplayName?
  let qr: LinkDisplay.QR
  var qrFile: QRFile?
  var interface: NetworkInterface?
  /// Whether the receiver is asked to remember this end.
  var remembers = false
  /// What this end is called.
  var name = DisplayName.somebody
  /// Whether others are waited for after a no of the person here.
  var waitsOn = true
  let console: Console
  let json: JSONLines

  /// With a key the link's mac is made with it.
  private var key: SharedKey? { if case .key(let key) = credential { key } else { nil } }
  private var id: ClaimID { claim.claim.id }
  private var state: String { claim.state.words }
  /// What is left where the bump came to nothing.
  private var remains: String { "Claim \(id) is still \(state). \(remedies)" }
  /// What can be done with a claim that no receiver was sent.
  private var remedies: String {
    "Try `bump send --again \(id)` for another receiver, or `bump link \(id)` for its link"
  }
  private var money: String { "\(claim.claim.amount) \(claim.claim.token)" }

  var remembering: RememberReport {
    RememberReport(
      other: "receiver", command: ["bump", "send", "\(claim.claim.amount)", "--to"], console: console, json: json)
  }

  func began() {
    console.say("Sending \(money) as \(name.visible).")
    // Even where little is to be said: without the code nobody can receive it.
    if case .code(let code) = credential {
      json.write("code", ["code": .string(code.exposed)])
      console.insist("The code is \(code.exposed): tell it to the receiver alone.")
    }
  }

  /// Says of a claim that is offered again who else may take it.
  func warnOfLink() {
    switch claim.state {
    case .linkShown: console.insist("The link of claim \(id) still works: whoever has it may be quicker.")
    case .lost: console.insist("Claim \(id) was settled as lost. If its link was shown, that still works.")
    default: break
    }
  }

  func ask(_ question: Sender.Question) async -> Bool {
    console.say("\(question.name.quoted) accepts \(money).")
    let answer = await Prompt.yesOrNo("\(question.digits) must be on the receiver's screen too. Send?", console)
    if answer == false, waitsOn {
      console.say("Not sent to \(question.name.quoted). Waiting for another receiver; Ctrl-C ends it.")
    }
    return answer ?? false
  }

  /// Asks the program that decides.
  func ask(_ question: Sender.Question, _ decisions: Decisions) async -> Bool {
    await decisions.ask([
      "digits": .init(question.digits), "peerName": .string(question.name.text), "claimId": .init(id),
      "amount": .init(claim.claim.amount), "token": .init(claim.claim.token),
    ])
  }

  func event(_ event: SendEvent, _ progress: Progress) {
    switch event {
    case .advertising(let name, let port, let backend):
      json.write(
        "advertising",
        ["name": .string(name), "port": .integer(Int64(port)), "backend": .string(backend)])
      if backend == "none" { tellCounterpart(port) }
    case .connected(let peer):
      json.write("connected", ["peer": .string(peer)])
    case .digits(let digits, let peer):
      json.write("digits", ["digits": .init(digits), "peer": .string(peer)])
      progress.secured(peer, digits)
    case .deciding(let peer, let seconds):
      json.write("deciding", ["peer": .string(peer), "seconds": .integer(Int64(seconds))])
      progress.deciding(peer, seconds: seconds)
    case .sessionEnded(let peer):
      progress.ended(peer)
    case .accepted(let name):
      json.write("accepted", ["peerName": .string(name.text)])
    case .stored(let status):
      json.write("stored", ["status": .integer(Int64(status.rawValue))])
    case .notRecorded(let state):
      Console.standardError(
        "the store cannot be written: it still says released, and unknown later, though the claim is \(state)")
    case .remembered(let name):
      remembering.remembered(name)
    case .notRemembered(let name, let why):
      remembering.notRemembered(name, why)
    case .rememberingUnknown(let name):
      remembering.unknown(name)
    case .wrongGuess(let left):
      console.say("Somebody tried a wrong code: \(left == 1 ? "1 try is" : "\(left) tries are") left.")
    case .declined:
      console.sayOfStrangers("A receiver declined.")
    case .sessionFailed(let failure, let peer):
      let sentence = FailureSentence.of(failure, with: peer, in: credential.mode)
      let isLeaving = failure == .aborted(.shuttingDown)
      console.sayOfStrangers(
        isLeaving ? "The receiver at \(PeerHost.of(peer)) left, and has no claim." : "The transfer failed: \(sentence)."
      )
    case .discoveryLost(let error):
      console.say("bump: \(error)")
    }
  }

  /// Says how the other machine reaches a sender that is not advertised.
  private func tellCounterpart(_ port: UInt16) {
    guard let address = OwnAddress.current(on: interface) else { return console.say("Listening on port \(port).") }
    let command = Counterpart.ofListener(
      at: "\(address):\(port)", key: keyFile, remembering: remembers ? name : nil)
    console.say("Listening on port \(port). On the other machine: \(command)")
  }

  /// Says how it ended, and gives the exit status.
  ///
  /// - Parameter seconds: for which a receiver may still take the claim, and nothing is settled.
  func result(_ outcome: SendOutcome, inFlightFor seconds: Int64 = 0) -> ExitStatus {
    switch outcome {
    case .delivered(let name, _):
      console.say("Delivered \(money) to \(name.quoted) (\(id)).")
      return result("delivered", .success)
    case .undelivered(let reason, let link, let found):
      return result("undelivered", .nobody, fallback(reason.rawValue, why(reason, found), link), found)
    case .unknown(let name, let link):
      return result("unknown", .unknown, unknown(at: name, link, inFlightFor: seconds))
    case .codeBurnt:
      return result(
        "unauthenticated", .unauthenticated,
        "three wrong codes were tried, and the code is burnt. \(remains)")
    case .declinedHere(let name):
      return result("declined", .declined, "not sent to \(name.quoted). \(remains)")
    case .expired:
      return result(
        "expired", .expired, "claim \(id) has expired before it was handed over; send again, with more --expires")
    case .changedElsewhere(let state):
      return result("failed", .failure, "nothing was sent here: \(changed(to: state)); see `bump show \(id)`")
    case .interrupted(let state):
      return result("interrupted", .interrupted, "interrupted; claim \(id) \(whereabouts(state, inFlightFor: seconds))")
    }
  }

  /// Where a claim is after a bump that was broken off, and what to do with it.
  private func whereabouts(_ state: ClaimState, inFlightFor seconds: Int64) -> String {
    switch state {
    case .new, .lost: "is \(state.words): nothing left this machine. Try again with: bump send --again \(id)"
    case .linkShown: "is out by its link alone. Show that again with: bump link \(id)"
    default:
      "is \(state.words): it may have arrived. Ask the receiver. \(LinkNote.moment(in: seconds)): bump settle \(id)"
    }
  }

  /// What another process did with a claim that was being sent here.
  private func changed(to state: ClaimState) -> String {
    switch state {
    case .linkShown: "another process has shown the link of claim \(id) meanwhile"
    case .released, .unknown: "another process has sent claim \(id) to a receiver meanwhile"
    case .delivered, .lost: "claim \(id) is \(state.words) by now, through another process"
    case .new: "another process has changed claim \(id) meanwhile"
    }
  }

  /// The link that was asked for in place of a bump.
  func linkOnly(_ outcome: SendOutcome) -> ExitStatus {
    guard case .undelivered(_, let link?, _) = outcome else { return result(outcome) }
    console.say("\(money) as a link: whoever has it can take the money.")
    let error = show(link, "linkOnly", note: LinkNote.ofNobodys)
    return result("undelivered", error == nil ? .success : .failure, error)
  }

  private func why(_ reason: FallbackReason, _ found: [FailedPeer]) -> String {
    let words = FailedPeerSentence.of(found, in: credential.mode)
    return switch reason {
    case .discoveryTimeout: words.map { "No receiver was found in time: \($0)." } ?? "Nobody was found in time."
    case .sendTimeout: "A receiver came, but the transfer failed: \(words ?? "no answer in time")."
    case .discoveryUnavailable: "Nobody can be found without discovery."
    case .declined: "Whoever came declined."
    case .interference: "Somebody interferes: three receivers came to nothing, and the digits are not drawn again."
    }
  }

  /// Shows the link, if there is one. What could not be shown is returned, as a sentence.
  private func fallback(_ reason: String, _ why: String, _ link: ClaimLink?) -> String? {
    guard let link else {
      json.write("fallback", ["reason": .string(reason)])
      console.say("\(why) Claim \(id) is kept. \(remedies)")
      return nil
    }
    console.say("\(why) The same claim as a link:")
    return show(link, reason, note: LinkNote.ofNobodys)
  }

  /// Says, even where to be quiet, that a receiver may have the claim, and shows its link, if there is one. What could not
  /// be shown is returned, as a sentence.
  private func unknown(at name: DisplayName, _ link: ClaimLink?, inFlightFor seconds: Int64) -> String? {
    let reason = FallbackReason.sendTimeout.rawValue
    let known = "No valid answer from \(name.quoted), who may have the claim already."
    let settle = "\(LinkNote.moment(in: seconds)): `bump settle \(id) --delivered`, or `bump settle \(id) --lost`"
    guard let link else {
      json.write("fallback", ["reason": .string(reason)])
      console.insist("\(known) Ask whether it is there. \(settle)")
      return nil
    }
    console.insist("\(known) Its link is for \(name.quoted) alone. \(settle)")
    return show(link, reason, note: LinkNote.of(id, mayBeWith: name, for: seconds))
  }

  private func show(_ link: ClaimLink, _ reason: String, note: String) -> String? {
    let link = link.text(key: key)
    let failure = writeFile(link)
    let file = failure == nil ? qrFile?.path : nil
    json.write("fallback", ["reason": .string(reason), "link": .string(link), "qrFile": file.map { .string($0) }])
    if let file { console.say("Its QR code is in \(file): whoever sees it can take the money.") }
    // With --json, stdout holds JSON and nothing else; the link is in the event.
    if !json.isOn { LinkDisplay.show(link, of: id, key: keyFile, as: qr, note: note) }
    guard !Console.hasLostResult else {
      return "stdout cannot be written, so the link was not shown; `bump link \(id)` shows it"
    }
    return failure
  }

  private func writeFile(_ link: String) -> String? {
    do {
      try qrFile?.write(link)
      return nil
    } catch {
      return "\(CommandError(error).message); try another: `bump link \(id) --qr-file claim.svg`"
    }
  }

  private func result(
    _ outcome: String, _ status: ExitStatus, _ error: String? = nil, _ found: [FailedPeer] = []
  ) -> ExitStatus {
    json.write(
      "result",
      [
        "outcome": .string(outcome), "claimId": .init(id), "amount": .init(claim.claim.amount),
        "token": .init(claim.claim.token), "exit": .integer(Int64(status.rawValue)), "error": error.map { .string($0) },
        "found": .init(found),
      ])
    if let error { Console.standardError(error) }
    return status
  }
}
