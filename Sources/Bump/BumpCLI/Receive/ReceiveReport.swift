import BumpClaims
import BumpKit
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpWire

/// Reports a receive: messages on stderr, the result or JSON events on stdout.
struct ReceiveReport: Sendable {
  let console: Console
  let json: JSONLines
  let showSecret: Bool
  let codes = CodeEntry()
  /// The name of the wanted sender (`--from`); `nil` for any sender.
  var from: String?
  /// The wanted sender in words; `nil` for any sender.
  var wanted: String?
  /// The code that the person here gave, or entered last.
  var code: OneTimeCode? {
    get { codes.code }
    nonmutating set { codes.code = newValue }
  }
  /// Whether the person here is asked for a missing or wrong code.
  var asksForCodes = false
  /// This end's mode.
  var mode = Mode.open
  /// The sender's address, if it was given (`--peer`).
  var peer: Endpoint?
  /// How senders are found.
  var discovery = DiscoveryOptions.Backend.auto
  /// The reader of a program's decisions; `nil` if a person or nobody decides. There is only one, since it reads stdin.
  var decisions: Decisions?
  /// Whether offers are accepted without a question, although the person here has not said so.
  var isUnasked = false
  /// Whether a vault is asked about the money of each claim.
  var hasVault = false
  /// The vault that the claim's link names; `nil` for none.
  var linkedVault: VaultURL?
  /// The names whose keys are tried, if neither a code nor a key is used.
  var remembered: [DisplayName] = []
  /// When the claim was stored, in Unix seconds, if it was here before and that is known.
  var since: Int64?
  /// Whether the outcome for programs is that of the payment, as of `bump claim`.
  var isOfPayment = false

  var remembering: RememberReport {
    RememberReport(
      other: "sender", command: ["bump", "receive"], option: "--with", counterpart: ["bump", "send", "1.00", "--to"],
      console: console, json: json)
  }

  func ask(_ question: Receiver.Question) async -> Bool {
    let offer = question.offer
    let name = quoted(offer.from, question.instance)
    let money = "\(name) offers \(offer.amount) \(offer.token)."
    let answer = await Prompt.comparison(
      of: question.digits, with: "sender", to: "Accept \(offer.amount) \(offer.token)", about: money, console)
    guard answer == true else { return false }
    console.say("Accepted. Waiting for \(name) to send it.")
    return true
  }

  /// Asks a program to decide.
  func ask(_ question: Receiver.Question, _ decisions: Decisions) async -> Bool {
    await decisions.ask(
      pairs(question.offer).merging(
        ["digits": .init(question.digits), "remembered": question.remembered.map { .string($0.text) }]
      ) { $1 })
  }

  private func pairs(_ offer: Offer) -> [String: JSONLines.Value?] {
    [
      "claimId": .init(offer.claimID), "amount": .init(offer.amount), "token": .init(offer.token),
      "expiry": .integer(offer.expiry.unixSeconds), "from": .string(offer.from.text),
    ]
  }

  private func pairs(_ sender: QueuedSender, waiting count: Int) -> [String: JSONLines.Value?] {
    [
      "name": sender.name.map { .string($0) }, "peer": .string(sender.peer), "waiting": .integer(Int64(count)),
    ]
  }

  /// Names a sender that waits, as its own screen does.
  private static func subject(_ sender: QueuedSender) -> String {
    let host = PeerHost.of(sender.peer)
    guard let name = sender.name else { return "The sender at \(host)" }
    return "\(QuotedName.ofVisible(InstanceName.shown(name).distinct)) at \(host)"
  }

  /// Asks the person for the code, for another one after a wrong code, or for one in place of the code that bump is
  /// looking for; `nil` for none. In the last case the time limit runs on.
  func enterCode(of sender: String, _ progress: Progress) async -> OneTimeCode? {
    let (before, isLookedFor, start) = (code, codes.isLookedFor, ContinuousClock.now)
    codes.withdrawal = "the time for it is up"
    let typed = await Prompt.code(
      codeQuestion(sender), console, cancelledBecause: { [codes] in codes.withdrawal ?? "bump ends here" })
    codes.withdrawal = nil
    codes.isCodeLacking = typed == nil && !Task.isCancelled
    if let typed, typed != before {
      progress.restart(atLeast: mode == .code ? .zero : Times.withCode)
    } else if !isLookedFor {
      progress.shift(by: start.duration(to: .now))
    }
    if let typed { code = typed }
    return typed
  }

  private func codeQuestion(_ sender: String) -> String {
    if codes.isLookedFor { return "Another code:" }
    if codes.isRejected { return "The code:" }
    // Digits that tell a sender from others are at the end of its name. Any other name is cut to leave room for the code.
    let isDistinct = sender == from || codes.listed.contains { $0.shown == sender }
    let name = isDistinct ? QuotedName.ofDistinct(sender) : QuotedName.ofVisible(sender)
    return "\(sender.isEmpty ? "The sender" : name) asks for a code:"
  }

  /// Reports that a sender on the code's channel has another code, and what happens next.
  private func wrongCode(_ name: String?, _ peer: String, left: Int, isSpent: Bool) {
    json.write(
      "wrongCode",
      ["name": name.map { .string($0) }, "peer": .string(peer), "triesLeft": .integer(Int64(left))])
    codes.isRejected = true
    codes.isLookedFor = false
    if left == 0, codes.withdrawal != nil { codes.withdrawal = "no try is left" }
    // For a sender given by address, the final result reports the wrong code.
    if !asksForCodes, self.peer != nil { return }
    let whose = name.map { QuotedName.ofInstance($0, names) } ?? "the sender at \(PeerHost.of(peer))"
    // A person is asked for another code. How many tries are left is not known here: others may have tried too.
    let channel = isSpent ? nil : code?.channel
    let wait = channel.map { " Waiting for another sender whose code begins with \($0)." } ?? ""
    let advice = left > 0 ? " \(Self.tries)" : ""
    console.sayOfStrangers("That is not the code of \(whose).\(asksForCodes ? advice : wait)")
  }

  /// What a person who is asked for another code has to know.
  private static let tries = "A code works for three tries in all. The sender's screen says how many are left."

  private func codeEntered(_ code: EnteredCode) {
    json.write("codeEntered", ["use": .string(code.rawValue)])
    if code != .spent { codes.isLookedFor = true }
    switch code {
    case .new: console.say("Looking for the sender of that code.")
    case .triedBefore: console.say("Waiting for another sender with that code.")
    case .spent: console.say("That code was tried already, and is tried with no other sender.")
    }
  }

  /// Asks the person to choose a sender; `nil` for none.
  func choose(_ candidates: [Receiver.Candidate]) async -> Receiver.Candidate? {
    codes.listed = candidates
    let names = candidates.map { QuotedName.ofDistinct($0.shown) }
    let width = names.map { TextWidth.columns(of: $0) }.max() ?? 0
    let digits = "\(candidates.count)".count
    let list = zip(1..., zip(candidates, names)).map { number, sender in
      let (candidate, name) = sender
      let columns = ["\(number)".indented(to: 2 + digits), name.padded(to: width)]
      return (columns + [Self.proof(of: candidate.mode, remembering: !remembered.isEmpty)]).joined(separator: "  ")
    }
    // Anybody can announce as many senders as the list has room for.
    let isCrowded = candidates.count > 9
    let hint = isCrowded ? " If yours is missing, name it: Ctrl-C, then bump receive --from NAME" : ""
    let number = await Prompt.number(
      "Which?", upTo: candidates.count, about: ["\(heading(candidates)).\(hint)"] + list, console)
    codes.isChoiceLacking = number == nil && !Task.isCancelled
    return number.map { candidates[$0 - 1] }
  }

  /// Returns how many senders there are to choose from.
  private func heading(_ candidates: [Receiver.Candidate]) -> String {
    from.map { "\(candidates.count) senders look like \(QuotedName.of($0)), and a name proves nothing" }
      ?? "\(candidates.count) senders are near"
  }

  /// Returns a sender's mode, and by what a person can know who it is.
  ///
  /// - Parameters:
  ///   - mode: the mode that the sender announces; `nil` if none is known.
  ///   - isRemembering: whether anybody is remembered here.
  static func proof(of mode: Mode?, remembering isRemembering: Bool) -> String {
    switch mode {
    case .open?: "open: compare the digits"
    case .code?: "code: ask for the code"
    case .key?: isRemembering ? "key: perhaps somebody whom you remember" : "key: needs a key (--key)"
    case nil: "?"
    }
  }

  /// Returns the error where nobody can be asked which of several senders is meant.
  func namesakes(_ candidates: [Receiver.Candidate]) -> String {
    let most = 4
    let list = candidates.prefix(most).map {
      "\(QuotedName.ofDistinct($0.shown)) (\(Self.proof(of: $0.mode, remembering: !remembered.isEmpty)))"
    }
    let more = candidates.count > most ? ["and \(candidates.count - most) more"] : []
    let all = (list + more).joined(separator: ", ")
    return "\(heading(candidates)): \(all). Name one of them, as it is shown here, with --from"
  }

  func event(_ event: ReceiveEvent, _ progress: Progress?) {
    switch event {
    case .lost(let name):
      json.write("lost", ["name": .string(name)])
      // The cancelled question says so.
      guard codes.withdrawal == nil else { return codes.withdrawal = "its sender is no longer in sight" }
      console.say("\(QuotedName.ofDistinct(names.distinct(name) ?? InstanceName.shown(name).distinct)) went away.")
    case .concluded(let outcome):
      if let claim = StoredClaim(outcome) {
        tell(claim, claim.outcome)
      } else if case .saved(let saved) = outcome {
        tell(saved, saved.outcome)
      } else if let (error, _, word) = failure(outcome) {
        json.write("failed", ["outcome": .string(word), "error": .string(error)])
        switch outcome {
        case .declinedHere: console.say("Declined. Waiting for another sender.")
        case .declinedThere: console.sayOfStrangers("The sender declined. Waiting for another.")
        default: console.sayOfStrangers("bump: \(error)", insisting: true)
        }
      }
    case .browsing(let backend):
      json.write("browsing", ["backend": .string(backend)])
    case .found(let name):
      json.write("found", ["name": .string(name)])
    case .resolved(let name, let mode, let channel, let address):
      json.write(
        "resolved",
        [
          "name": .string(name), "mode": mode.map { .init($0) }, "channel": channel.map { .integer(Int64($0)) },
          "address": address.map { .string($0) },
        ])
    case .passedOver(let name, let mode, let channel):
      json.write(
        "passedOver",
        ["name": .string(name), "mode": mode.map { .init($0) }, "channel": channel.map { .integer(Int64($0)) }])
      if let code {
        let subject = QuotedName.ofInstance(name, names)
        console.sayOfStrangers(FailedPeerSentence.passedOver(subject, mode, channel, insteadOf: code.channel))
      }
    case .otherNames(let others):
      otherNames(others)
    case .wrongCode(let name, let peer, let left, let isSpent):
      wrongCode(name, peer, left: left, isSpent: isSpent)
    case .codeEntered(let code):
      codeEntered(code)
    case .connected(let peer):
      json.write("connected", ["peer": .string(peer)])
      if codes.withdrawal != nil { codes.withdrawal = "the sender of the code was found" }
    case .recognized(let name, let peer):
      json.write("recognized", ["name": .string(name.text), "peer": .string(peer)])
      console.say("The sender at \(PeerHost.of(peer)) is \(name.quoted), whom you remember.")
    case .digits(let digits, let peer):
      json.write("digits", ["digits": .init(digits), "peer": .string(peer)])
      progress?.secured(peer, digits)
    case .deciding(let peer, let seconds):
      json.write("deciding", ["peer": .string(peer), "seconds": .integer(Int64(seconds))])
      progress?.deciding(peer, seconds: seconds)
    case .sessionEnded(let peer):
      progress?.ended(peer)
    case .offer(let offer):
      json.write("offer", pairs(offer))
      sayOffer(of: "\(offer.amount) \(offer.token)", from: offer.from)
    case .documentOffer(let offer):
      json.write("documentOffer", pairs(offer))
      sayOffer(of: Self.what(offer), from: offer.from)
    case .progress(let count, let length):
      json.write("progress", ["bytes": .integer(Int64(count)), "of": .integer(Int64(length))])
      progress?.moved(count, of: length)
    case .stored(let status):
      json.write("stored", ["status": .integer(Int64(status.rawValue))])
      progress?.stop()
    case .remembered(let name):
      remembering.remembered(name)
    case .notRemembered(let name, let why):
      remembering.notRemembered(name, why)
    case .paused(let declined, let failed, let seconds):
      paused(declined: declined, failed: failed, seconds: seconds)
    case .deferred(let name, let peer, let seconds):
      deferred(name, peer, seconds: seconds)
    case .queued(let sender, let count):
      json.write("queued", pairs(sender, waiting: count))
      let senders = count == 1 ? "1 sender waits" : "\(count) senders wait"
      console.sayOfStrangers("\(Self.subject(sender)) waits for its turn: \(senders).")
    case .unqueued(let sender, let count, let hasTurn):
      json.write("unqueued", pairs(sender, waiting: count).merging(["hasTurn": .flag(hasTurn)]) { $1 })
      if !hasTurn { console.sayOfStrangers("\(Self.subject(sender)) no longer waits.") }
    case .declined:
      console.sayOfStrangers("The sender declined.")
    case .sessionFailed(let failure, let peer):
      // For a sender given by address, the final result reports this.
      if self.peer != nil, case .otherMode = failure { break }
      let hint = failure == .otherMode(.key) ? keyHint.map { " \($0)." } ?? "" : ""
      let sentence = FailureSentence.of(failure, with: peer, in: mode)
      console.sayFailure(sentence, more: hint)
      if failure == .takesNoDocuments, console.hasSaid(sentence) { codes.isDocumentSaid = true }
    case .expiredOnArrival(let peer, let seconds):
      console.sayOfStrangers(Self.lateOffer(of: PeerHost.of(peer), seconds))
    case .discoveryLost(let error):
      console.say("bump: \(error)")
    }
  }

  /// Reports why no sender is tried for a while: three comparisons of digits ended without a claim.
  private func paused(declined: Int, failed: Int, seconds: Int) {
    json.write(failed == 0 ? "paused" : "interference", ["seconds": .integer(Int64(seconds))])
    let next = "The next sender is tried in \(seconds) s."
    switch (declined, failed) {
    case (_, 0):
      console.sayOfStrangers(
        "Three offers were declined, and each comparison of digits is a chance for a stranger. \(next) "
          + Self.unlimited)
    case (0, _):
      console.sayOfStrangers(
        "Paused: three transfers failed after the digits were shown. Somebody may interfere. \(next)")
    default:
      console.sayOfStrangers(
        "Somebody may interfere: of three transfers \(declined) \(declined == 1 ? "was" : "were") declined, and "
          + "\(failed) failed. \(next)")
    }
  }

  private static let unlimited = "With a key (--key) on both sides there is no such wait."

  private func deferred(_ name: String?, _ peer: String, seconds: Int) {
    json.write(
      "heldBack",
      ["name": name.map { .string($0) }, "peer": .string(peer), "seconds": .integer(Int64(seconds))])
    let subject = name.map { "\(QuotedName.ofInstance($0, names)) at \(peer)" } ?? "The sender at \(peer)"
    console.sayOfStrangers(
      "\(subject) waits \(seconds) s: digits were compared twice without a claim, and the third comparison is reserved "
        + "for another sender. \(Self.unlimited)")
  }

  /// Reports the outcome, and returns the exit status.
  ///
  /// - Parameters:
  ///   - maker: the remembered name of the key that made a link.
  ///   - funding: the result for the claim's money; `nil` if no vault was asked yet.
  func result(
    _ outcome: ReceiveOutcome, madeBy maker: DisplayName? = nil, _ funding: ReceivedFunding? = nil
  ) -> ExitStatus {
    if let claim = StoredClaim(outcome) {
      let status = funding?.status ?? .success
      var end: [String: JSONLines.Value?] = ["exit": .integer(Int64(status.rawValue))]
      if isOfPayment, let funding { end["outcome"] = .string(funding.outcome) }
      tell(claim, "result", end.merging(funding?.pairs ?? [:]) { $1 }, madeBy: maker)
      guard Console.hasLostResult else { return status }
      Console.standardError("stdout cannot be written, but the claim is here: bump show \(claim.verified.claim.id)")
      return .failure
    }
    if case .saved(let saved) = outcome {
      tell(saved, "result", ["exit": .integer(Int64(ExitStatus.success.rawValue))])
      guard Console.hasLostResult else { return .success }
      Console.standardError("stdout cannot be written, but it is here: \(saved.path)")
      return .failure
    }
    guard let (error, status, word) = failure(outcome) else { return .failure }
    let found: [FailedPeer] = if case .nobody(_, let found) = outcome { found } else { [] }
    return failed(error, status, word, found)
  }

  /// Reports the result for the money of a received claim.
  func funded(_ funding: ReceivedFunding) {
    json.write("funding", funding.pairs.merging(["claimId": .init(funding.claim.id)]) { $1 })
    if case .notPaid = funding.result {
      Console.standardError(funding.message)
    } else if funding.isGood {
      console.say(funding.message)
    } else {
      console.insist(funding.message)
    }
  }

  /// Reports the end of a receive of many claims, and returns the exit status.
  func keptResult(_ outcome: ReceiveOutcome, received count: KeptCount) -> ExitStatus {
    if Console.hasLostResult {
      return keptEnd(
        "failed", .failure, "stdout cannot be written any more. `bump history` shows what was received", count)
    }
    // With --keep, Ctrl-C is the normal end.
    let (error, status, word) =
      outcome == .interrupted ? (nil, .success, "ended") : failure(outcome) ?? (nil, ExitStatus.failure, "failed")
    return keptEnd(word, status, error, count)
  }

  /// Reports an error that ended a receive of many claims, and returns the exit status.
  func keptFailure(_ error: CommandError, received count: KeptCount) -> ExitStatus {
    keptEnd("failed", error.status, error.message, count)
  }

  private func keptEnd(_ outcome: String, _ status: ExitStatus, _ error: String?, _ count: KeptCount) -> ExitStatus {
    console.say(count.sentence)
    json.write(
      "result",
      [
        "outcome": .string(outcome), "received": .integer(Int64(count.claims)),
        "saved": count.documents > 0 ? .integer(Int64(count.documents)) : nil, "exit": .integer(Int64(status.rawValue)),
        "error": error.map { .string($0) },
      ])
    if let error { Console.standardError(error) }
    return status
  }

  /// Returns the error for an outcome without a claim; `nil` for one with a claim.
  private func failure(_ outcome: ReceiveOutcome) -> (error: String, ExitStatus, outcome: String)? {
    switch outcome {
    case .received, .duplicate, .conflicting, .saved:
      nil
    case .nobody(let reason, let found):
      (why(reason, found), .nobody, "nobody")
    case .declinedHere where codes.isChoiceLacking:
      ("nothing was received: no sender was chosen", .nobody, "nobody")
    case .declinedHere:
      ("nothing was received: declined here", .declined, "declined")
    case .declinedThere:
      ("nothing was received: the sender declined", .declined, "declined")
    case .expired:
      ("the offer has expired. Ask the sender for a new one", .expired, "expired")
    case .expiredOnArrival(let seconds):
      (
        "the offer had expired \(LargestUnit.text(seconds: seconds)) before it came, by the clock here, so one of the "
          + "two clocks is wrong. "
          + "Compare `date -u` on both machines\(mode == .open ? ", and run `bump doctor` beside the sender" : "")",
        .expired, "expired"
      )
    case .unauthenticated:
      (
        "nothing was received: the sender's message was not authentic, or not valid. "
          + (mode == .open ? "Somebody may be in the middle. Try a code: bump send 1.00 --code" : "Try again"),
        .unauthenticated, "unauthenticated"
      )
    case .codeWanted where codes.isCodeLacking, .wrongCode where codes.isCodeLacking,
      .codeUnanswered where codes.isCodeLacking:
      ("nothing was received: no code was entered", .unauthenticated, "unauthenticated")
    case .codeWanted:
      (
        "the sender asks for a code. Ask its person, then try with that, such as: bump receive 27-482915",
        .unauthenticated, "unauthenticated"
      )
    case .wrongCode:
      (
        "that is not the sender's code, and nothing was received. A code works for three tries. Ask the sender for the code, "
          + "or, after the third, for a new one", .unauthenticated, "unauthenticated"
      )
    case .codeUnanswered:
      (
        "nothing was received: the code was tried with three senders, and not all of them answered, so it may be "
          + "right. Somebody may interfere. Ask the sender for a new code", .unauthenticated, "unauthenticated"
      )
    case .otherVersion:
      (
        "the sender speaks another version of the protocol. Use the same version of bump on both sides", .nobody,
        "nobody"
      )
    case .documentOffered where codes.isDocumentSaid && !json.isOn:
      ("nothing was received", .nobody, "nobody")
    case .documentOffered:
      ("the sender offers a card or a link. Receive it with: bump receive --save DIR", .nobody, "nobody")
    case .wrongKey:
      (
        "nothing was received: the sender has another key. Name the same key on both sides", .unauthenticated,
        "unauthenticated"
      )
    case .notStored(let error):
      (error.description, .failure, "failed")
    case .notSaved(let error):
      (error.description, .failure, "failed")
    case .interrupted:
      ("nothing was received: interrupted", .interrupted, "interrupted")
    }
  }

  /// Returns what is said at once of an offer that had expired when it came.
  static func lateOffer(of host: String, _ seconds: Int64) -> String {
    "The offer of \(host) had expired \(LargestUnit.text(seconds: seconds)) ago by the clock here, so one of the two "
      + "clocks is wrong. Compare `date -u` on both machines."
  }

  func expired(_ claim: Claim) -> ExitStatus {
    failed(
      "the claim \(claim.id) has expired. Ask the sender for a new one", .expired, isOfPayment ? "failed" : "expired")
  }

  func failed(
    _ error: String, _ status: ExitStatus, _ outcome: String? = nil, _ found: [FailedPeer] = []
  ) -> ExitStatus {
    let outcome = outcome ?? (status == .unauthenticated ? "unauthenticated" : "failed")
    json.write(
      "result",
      [
        "outcome": .string(outcome), "exit": .integer(Int64(status.rawValue)), "error": .string(error),
        "found": .init(found),
      ])
    Console.standardError(error)
    return status
  }

  /// That a sender with a key is nobody who is remembered here, if anybody is.
  var keyHint: String? { remembered.isEmpty ? nil : "Nobody whom you remember has that key" }

  /// Returns what a received claim is worth as far as it is known, if no vault is asked.
  func worth(of id: ClaimID) -> String {
    guard let vault = linkedVault else {
      return "Nothing proves that anybody will pay it. If its sender names a vault: bump claim \(id) --vault URL"
    }
    return "Its link says that it is backed by the vault \(vault), which was not asked. "
      + "Claim it there with: bump claim \(id) --vault \(vault)"
  }

  /// Returns the answer to whether money came, for a claim that was here before.
  ///
  /// - Parameters:
  ///   - since: when it was stored, in Unix seconds; `nil` if that is not known.
  ///   - now: the current time, in Unix seconds.
  static func standing(since: Int64?, at now: Int64) -> String {
    let time = since.map { " since \(LocalTime.short($0, now: now))" } ?? " already"
    return "You have had this claim\(time). Nothing new was received."
  }

  /// Reports a received claim, as the result or as one event of many.
  ///
  /// - Parameter maker: the remembered name of the key that made a link.
  private func tell(
    _ stored: StoredClaim, _ event: String, _ more: [String: JSONLines.Value?] = [:], madeBy maker: DisplayName? = nil
  ) {
    let (claim, origin) = (stored.verified.claim, stored.verified.origin)
    let name: DisplayName? = if case .session(let from) = origin { from } else { nil }
    switch origin {
    case .session: break
    case .link: console.say("The link is complete, but nothing proves who made it.")
    case .linkOfKeyHolder where maker == nil: console.say("The link was made by a holder of this key.")
    case .linkOfKeyHolder:
      console.say("The link was made by \(maker?.quoted ?? ""), who is remembered, or by yourself.")
    }
    if stored.result == .storedBesideAnother {
      console.say("Another claim with this id is here too: bump show \(claim.id)")
    }
    if !json.isOn {
      Console.result(stored.mark + "\(claim.amount) \(claim.token) from \(name?.quoted ?? "a link") (\(claim.id))")
      if showSecret { Console.result(Base64.encoded(claim.secret.exposed)) }
      // Tell a person what the claim is worth. Programs know.
      if Console.canAsk, stored.result == .stored, !hasVault, !json.isSimulated { console.say(worth(of: claim.id)) }
      if stored.result == .duplicate { console.say(Self.standing(since: since, at: UnixTime.now())) }
    }
    let pairs: [String: JSONLines.Value?] = [
      "outcome": .string(stored.outcome), "status": .integer(Int64(StoredStatus(stored.result).rawValue)),
      "claimId": .init(claim.id), "amount": .init(claim.amount), "token": .init(claim.token),
      "from": name.map { .string($0.text) }, "secret": showSecret ? .string(Base64.encoded(claim.secret.exposed)) : nil,
    ]
    json.write(event, pairs.merging(more) { $1 })
  }
}

/// A claim that a receive has stored, now or before.
struct StoredClaim {
  let verified: VerifiedClaim
  let result: StoreResult

  /// Returns `nil` for an outcome without a stored claim.
  init?(_ outcome: ReceiveOutcome) {
    switch outcome {
    case .received(let claim): (verified, result) = (claim, .stored)
    case .duplicate(let claim): (verified, result) = (claim, .duplicate)
    case .conflicting(let claim): (verified, result) = (claim, .storedBesideAnother)
    default: return nil
    }
  }

  /// The outcome for programs.
  var outcome: String {
    switch result {
    case .duplicate: "duplicate"
    case .storedBesideAnother: "conflicting"
    case .stored: "received"
    }
  }

  /// The beginning of the result's line, which marks a claim that must not be credited.
  var mark: String {
    switch result {
    case .duplicate: "already here: "
    case .storedBesideAnother: "conflicting: "
    case .stored: ""
    }
  }
}
