import BumpChannel
import BumpKit
import BumpWire

/// What is said of a receive: sentences on stderr, the result or events on stdout.
struct ReceiveReport: Sendable {
  let console: Console
  let json: JSONLines
  let showSecret: Bool
  private let codes = CodesInSight()
  /// What is said where the sender that was named did not come.
  var absence: String?
  /// The sender that is looked for, in words; `nil` where anybody will do.
  var wanted: String?
  /// The code that the person here has.
  var code: OneTimeCode?
  /// How this end wants to know who is there.
  var mode = Mode.open
  /// Whether one sender was named, by its address.
  var isDirect = false

  var remembering: RememberReport {
    RememberReport(other: "sender", command: ["bump", "receive", "--with"], console: console, json: json)
  }

  func ask(_ question: Receiver.Question) async -> Bool {
    let offer = question.offer
    console.say("\(offer.from.quoted) offers \(offer.amount) \(offer.token).")
    let digits = "\(question.digits) must be on the sender's screen too."
    guard await Prompt.yesOrNo("\(digits) Accept?", console) == true else { return false }
    console.say("Accepted. Waiting for \(offer.from.quoted) to send it.")
    return true
  }

  /// Asks the program that decides.
  func ask(_ question: Receiver.Question, _ decisions: Decisions) async -> Bool {
    await decisions.ask(pairs(question.offer).merging(["digits": .init(question.digits)]) { $1 })
  }

  private func pairs(_ offer: Offer) -> [String: JSONLines.Value?] {
    [
      "claimId": .init(offer.claimID), "amount": .init(offer.amount), "token": .init(offer.token),
      "expiry": .integer(offer.expiry.unixSeconds), "from": .string(offer.from.text),
    ]
  }

  /// The code that the person types; `nil` for none.
  func enterCode(of sender: String, _ progress: Progress) async -> OneTimeCode? {
    progress.stop()
    let name = sender.isEmpty ? "The sender" : QuotedName.ofVisible(sender)
    let code = await typedCode("\(name) asks for a code:")
    if code != nil { console.say("Looking for the sender of that code.") }
    return code
  }

  /// The code that the person types; `nil` for none. A channel on which nobody is in sight is doubted once.
  private func typedCode(_ question: String) async -> OneTimeCode? {
    var doubted: OneTimeCode?
    let code = await Prompt.code(question, console) { code in
      guard code != doubted, let doubt = codes.doubt(of: code) else { return nil }
      doubted = code
      return doubt
    }
    codes.isCodeLacking = code == nil
    return code
  }

  /// The code that the person types in place of a wrong one; `nil` for none.
  ///
  /// - Parameter left: How many tries the sender has left, unless somebody else has tried.
  func enterCodeAgain(left: Int) async -> OneTimeCode? {
    console.say("That is not the sender's code. \(left == 1 ? "1 try is" : "\(left) tries are") left.")
    return await typedCode("The code:")
  }

  /// The sender that the person chooses; `nil` for none.
  func choose(_ candidates: [Receiver.Candidate]) async -> Receiver.Candidate? {
    console.insist("\(candidates.count) senders are near:")
    let names = candidates.map { QuotedName.ofVisible($0.shown) }
    let width = names.map { TextWidth.columns(of: $0) }.max() ?? 0
    let digits = "\(candidates.count)".count
    for (number, (candidate, name)) in zip(1..., zip(candidates, names)) {
      let columns = ["\(number)".indented(to: 2 + digits), name.padded(to: width)]
      console.insist((columns + [candidate.mode?.description ?? "?"]).joined(separator: "  "))
    }
    let number = await Prompt.number("Which?", upTo: candidates.count, console)
    return number.map { candidates[$0 - 1] }
  }

  func event(_ event: ReceiveEvent, _ progress: Progress?) {
    switch event {
    case .lost(let name):
      json.write("lost", ["name": .string(name)])
      console.say("\(QuotedName.ofVisible(InstanceName.shown(name).distinct)) went away.")
    case .concluded(let outcome):
      if let claim = StoredClaim(outcome) {
        tell(claim, claim.outcome)
      } else if let (error, _, outcome) = failure(outcome) {
        json.write("failed", ["outcome": .string(outcome), "error": .string(error)])
        console.sayOfStrangers("bump: \(error)", insisting: true)
      }
    case .browsing(let backend):
      json.write("browsing", ["backend": .string(backend)])
    case .found(let name):
      json.write("found", ["name": .string(name)])
    case .resolved(let name, let mode, let channel, let address):
      codes.resolved(name, mode, channel)
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
        console.sayOfStrangers(FailedPeerSentence.passedOver(name, mode, channel, insteadOf: code.channel))
      }
    case .connected(let peer):
      json.write("connected", ["peer": .string(peer)])
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
    case .stored(let status):
      json.write("stored", ["status": .integer(Int64(status.rawValue))])
    case .remembered(let name):
      remembering.remembered(name)
    case .notRemembered(let name, let why):
      remembering.notRemembered(name, why)
    case .interference(let seconds):
      json.write("interference", ["seconds": .integer(Int64(seconds))])
      console.sayOfStrangers("Somebody interferes: three senders came to nothing. The next is met in \(seconds) s.")
    case .declined:
      console.sayOfStrangers("The sender declined.")
    case .sessionFailed(let failure, let peer):
      // Of the only sender there is, it is said at the end, or a remembered key is tried.
      guard !isDirect || failure != .dismissed(.mode) else { break }
      console.sayOfStrangers("The transfer failed: \(FailureSentence.of(failure, with: peer, in: mode)).")
    case .discoveryLost(let error):
      console.say("bump: \(error)")
    }
  }

  /// Says how it ended, and gives the exit status.
  ///
  /// - Parameter maker: The name under which the key of a link is remembered.
  func result(_ outcome: ReceiveOutcome, madeBy maker: DisplayName? = nil) -> ExitStatus {
    if let claim = StoredClaim(outcome) {
      tell(claim, "result", ["exit": .integer(Int64(ExitStatus.success.rawValue))], madeBy: maker)
      guard Console.hasLostResult else { return .success }
      Console.standardError("stdout cannot be written, but the claim is here: bump show \(claim.verified.claim.id)")
      return .failure
    }
    guard let (error, status, word) = failure(outcome) else { return .failure }
    let found: [FailedPeer] = if case .nobody(_, let found) = outcome { found } else { [] }
    return failed(error, status, word, found)
  }

  /// Says how a receive of many claims ended, and gives the exit status.
  func keptResult(_ outcome: ReceiveOutcome, received count: Int) -> ExitStatus {
    if Console.hasLostResult {
      return failed("stdout cannot be written any more; `bump history` shows what was received", .failure)
    }
    // Told to go on until Ctrl-C, it has done what it should.
    let (error, status, word) =
      outcome == .interrupted ? (nil, .success, "ended") : failure(outcome) ?? (nil, ExitStatus.failure, "failed")
    console.say("\(count) \(count == 1 ? "claim was" : "claims were") received.")
    json.write(
      "result",
      [
        "outcome": .string(word), "received": .integer(Int64(count)), "exit": .integer(Int64(status.rawValue)),
        "error": error.map { .string($0) },
      ])
    if let error { Console.standardError(error) }
    return status
  }

  /// What is said where no claim came; `nil` where one did.
  private func failure(_ outcome: ReceiveOutcome) -> (error: String, ExitStatus, outcome: String)? {
    switch outcome {
    case .received, .duplicate, .conflicting:
      nil
    case .nobody(let reason, let found):
      (why(reason, found), .nobody, "nobody")
    case .declinedHere:
      ("declined; nothing was received", .declined, "declined")
    case .declinedThere:
      ("the sender declined; nothing was received", .declined, "declined")
    case .expired:
      ("the offer has expired; ask the sender for a new one", .expired, "expired")
    case .ownClaim:
      (
        "the sender uses this very store, so the claim is your own; to try both sides on one machine, give one another "
          + "--store", .failure, "failed"
      )
    case .unauthenticated:
      ("what the sender sent was not authentic; nothing was received", .unauthenticated, "unauthenticated")
    case .codeWanted where codes.isCodeLacking, .wrongCode where codes.isCodeLacking:
      ("no code was entered; nothing was received", .unauthenticated, "unauthenticated")
    case .codeWanted:
      (
        "the sender asks for a code. Ask its person, then try with that, such as: bump receive 27-482915",
        .unauthenticated, "unauthenticated"
      )
    case .wrongCode:
      (
        "that is not the sender's code; nothing was received. The third wrong code burns it: ask for it again, "
          + "or for a new one", .unauthenticated, "unauthenticated"
      )
    case .olderSender:
      ("the sender's bump is older and cannot remember you; try again without --remember", .nobody, "nobody")
    case .wrongKey:
      ("the sender has another key; nothing was received", .unauthenticated, "unauthenticated")
    case .interrupted:
      ("interrupted; nothing was received", .interrupted, "interrupted")
    }
  }

  func expired(_ claim: Claim) -> ExitStatus {
    failed("the claim \(claim.id) has expired; ask the sender for a new one", .expired, "expired")
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

  /// What is said where it came to a session with a sender, and to no claim; `nil` where it did not.
  private func transferFailure(_ found: [FailedPeer]) -> String? {
    guard let first = found.first, case .failed = first.reason else { return nil }
    return "found a sender, but the transfer failed: \(FailedPeerSentence.of(first, in: mode))"
  }

  /// What is said where no claim came in time. That nobody was found is said only where that is so.
  private func lack(_ found: [FailedPeer]) -> String {
    if let failure = transferFailure(found) { return failure }
    if let absence { return absence }
    let words = FailedPeerSentence.of(found, in: mode)
    if let wanted {
      return "\(wanted) was not found in time\(words.map { "; \($0)" } ?? ""); `bump browse` tells who is near"
    }
    if let words { return "\(words); `bump doctor` tells what is in the way" }
    return
      "nobody was found in time; start `bump send 1.00` there and try again; `bump doctor` tells what is in the way"
  }

  private func why(_ reason: NobodyReason, _ found: [FailedPeer]) -> String {
    switch reason {
    case .timeout: lack(found)
    case .discoveryUnavailable: transferFailure(found) ?? "nobody can be found without discovery"
    case .interference:
      "somebody interferes: three senders came to nothing; use a code, `bump send 1.00 --code` there, or the link"
    }
  }

  /// Says that a claim came, as the result or as one event of many.
  ///
  /// - Parameter maker: The name under which the key of a link is remembered.
  private func tell(
    _ stored: StoredClaim, _ event: String, _ more: [String: JSONLines.Value?] = [:], madeBy maker: DisplayName? = nil
  ) {
    let (claim, origin) = (stored.verified.claim, stored.verified.origin)
    let name: DisplayName? = if case .session(let from) = origin { from } else { nil }
    switch origin {
    case .session: break
    case .link: console.say("The link is intact; its origin is not proven.")
    case .linkOfKeyHolder where maker == nil: console.say("The link was made by a holder of this key.")
    case .linkOfKeyHolder:
      console.say("The link was made by \(maker?.quoted ?? ""), who is remembered, or by yourself.")
    }
    if stored.status == .storedBesideAnother {
      console.say("Another claim with this id is here too: bump show \(claim.id)")
    }
    if !json.isOn {
      Console.result(stored.mark + "\(claim.amount) \(claim.token) from \(name?.quoted ?? "a link") (\(claim.id))")
      if showSecret { Console.result(Base64.encoded(claim.secret.exposed)) }
      // What a person wants to know next; a program knows.
      if Console.canAsk, stored.status == .stored {
        console.say(
          "It is kept here until you redeem it with its issuer, by its secret: bump show \(claim.id) --show-secret")
      }
    }
    let pairs: [String: JSONLines.Value?] = [
      "outcome": .string(stored.outcome), "status": .integer(Int64(stored.status.rawValue)),
      "claimId": .init(claim.id), "amount": .init(claim.amount), "token": .init(claim.token),
      "from": name.map { .string($0.text) }, "secret": showSecret ? .string(Base64.encoded(claim.secret.exposed)) : nil,
    ]
    json.write(event, pairs.merging(more) { $1 })
  }
}

/// A claim that a receive left in the store, with the words for how it came to be there.
private struct StoredClaim {
  let verified: VerifiedClaim
  let status: StoredStatus

  /// `nil` where nothing was stored.
  init?(_ outcome: ReceiveOutcome) {
    switch outcome {
    case .received(let claim): (verified, status) = (claim, .stored)
    case .duplicate(let claim): (verified, status) = (claim, .duplicate)
    case .conflicting(let claim): (verified, status) = (claim, .storedBesideAnother)
    default: return nil
    }
  }

  /// For programs.
  var outcome: String {
    switch status {
    case .duplicate: "duplicate"
    case .storedBesideAnother: "conflicting"
    default: "received"
    }
  }

  /// What the line of the result begins with: a claim that must not be credited does not look like one that may.
  var mark: String {
    switch status {
    case .duplicate: "already here: "
    case .storedBesideAnother: "conflicting: "
    default: ""
    }
  }
}
