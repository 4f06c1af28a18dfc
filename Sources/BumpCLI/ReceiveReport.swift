import BumpChannel
import BumpKit
import BumpWire

/// What is said of a receive: sentences on stderr, the result or events on stdout.
struct ReceiveReport: Sendable {
  let console: Console
  let json: JSONLines
  let showSecret: Bool

  func ask(_ question: Receiver.Question, _ countdown: Countdown) async -> Bool {
    countdown.pause()
    let offer = question.offer
    console.say("\(offer.from.visible) offers \(offer.amount) \(offer.token).")
    console.say("The digits here are \(question.digits); the sender must see the same.")
    guard await Prompt.yesOrNo("Accept?", console) == true else { return false }
    console.say("Accepted. Waiting for \(offer.from.visible) to send it.")
    return true
  }

  /// The code that the person types; `nil` for none.
  func enterCode(of sender: String, _ countdown: Countdown) async -> OneTimeCode? {
    countdown.stop()
    let code = await Prompt.code("\(sender.isEmpty ? "The sender" : sender) asks for a code:", console)
    if code != nil { console.say("Looking for the sender of that code.") }
    return code
  }

  func event(_ event: ReceiveEvent) {
    switch event {
    case .browsing(let backend):
      json.write("browsing", ["backend": .string(backend)])
    case .found(let name):
      json.write("found", ["name": .string(name)])
    case .connected(let peer):
      json.write("connected", ["peer": .string(peer)])
    case .digits(let digits):
      json.write("digits", ["digits": .init(digits)])
    case .offer(let offer):
      json.write(
        "offer",
        [
          "claimId": .init(offer.claimID), "amount": .init(offer.amount), "token": .init(offer.token),
          "expiry": .integer(offer.expiry.unixSeconds), "from": .string(offer.from.text),
        ])
    case .stored(let status):
      json.write("stored", ["status": .integer(Int64(status.rawValue))])
    case .remembered(let name):
      console.say("\(name.visible) is remembered: bump receive --with \(name.visible)")
    case .declined:
      console.say("The sender declined.")
    case .sessionFailed(let failure):
      console.say("A sender went away: \(failure).")
    case .discoveryLost(let error):
      console.say("bump: \(error)")
    }
  }

  /// Says how it ended, and gives the exit status.
  func result(_ outcome: ReceiveOutcome) -> ExitStatus {
    switch outcome {
    case .received(let verified, let status):
      return received(verified, status)
    case .nobody(let reason, let failure?) where reason != .handshakeLimit:
      return failed("it came to no claim with the sender that was found: \(failure)", .nobody, "nobody")
    case .nobody(let reason, _):
      return failed(why(reason), .nobody, "nobody")
    case .declinedHere:
      return failed("declined; nothing was received", .declined, "declined")
    case .declinedThere:
      return failed("the sender declined; nothing was received", .declined, "declined")
    case .expired:
      return failed("the offer has expired; ask the sender for a new one", .expired, "expired")
    case .unauthenticated:
      return failed("what the sender sent was not authentic; nothing was received", .unauthenticated)
    case .codeWanted:
      return failed("the sender asks for a code; get it and try `bump receive --code`", .unauthenticated)
    case .wrongCode:
      return failed("that is not the sender's code; nothing was received; ask for it again", .unauthenticated)
    case .wrongKey:
      return failed("the sender has another key; nothing was received", .unauthenticated)
    case .interrupted:
      return failed("interrupted; nothing was received", .interrupted, "interrupted")
    }
  }

  func expired(_ claim: Claim) -> ExitStatus {
    failed("the claim \(claim.id) has expired; ask the sender for a new one", .expired, "expired")
  }

  func failed(_ error: String, _ status: ExitStatus, _ outcome: String? = nil) -> ExitStatus {
    let outcome = outcome ?? (status == .unauthenticated ? "unauthenticated" : "failed")
    json.write(
      "result",
      ["outcome": .string(outcome), "exit": .integer(Int64(status.rawValue)), "error": .string(error)])
    Console.standardError(error)
    return status
  }

  private func why(_ reason: NobodyReason) -> String {
    switch reason {
    case .timeout: "nobody was found in time; start `bump send` on the other computer and try again"
    case .discoveryUnavailable: "nobody can be found without discovery"
    case .handshakeLimit: "eight senders in a row came to nothing; somebody may be in the middle"
    }
  }

  private func received(_ verified: VerifiedClaim, _ status: StoredStatus) -> ExitStatus {
    let claim = verified.claim
    let origin =
      switch verified.origin {
      case .session(let from): from.visible
      case .link, .linkOfKeyHolder: "a link"
      }
    switch status {
    case .duplicate: console.say("\(claim.id) is already here.")
    case .storedBesideAnother: console.say("Another claim with this id is here too: bump show \(claim.id)")
    default: break
    }
    switch verified.origin {
    case .session: break
    case .link: console.say("The link is intact; its origin is not proven.")
    case .linkOfKeyHolder: console.say("The link was made by a holder of this key.")
    }
    if !json.isOn {
      Console.result("\(claim.amount) \(claim.token) from \(origin) (\(claim.id))")
      if showSecret { Console.result(Base64.encoded(claim.secret.exposed)) }
    }
    json.write(
      "result",
      [
        "outcome": "received", "claimId": .init(claim.id), "amount": .init(claim.amount), "token": .init(claim.token),
        "exit": .integer(Int64(ExitStatus.success.rawValue)),
        "secret": showSecret ? .string(Base64.encoded(claim.secret.exposed)) : nil,
      ])
    return .success
  }
}
