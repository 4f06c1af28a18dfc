import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpWire

struct SettleCommand: AsyncParsableCommand {
  enum Verdict: String, EnumerableFlag {
    case delivered, lost

    var state: HandoverState { self == .delivered ? .delivered : .lost }

    static func help(for value: Verdict) -> ArgumentHelp? {
      value == .delivered ? "The receiver has it." : "The receiver does not have it: it may be offered again."
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "settle", abstract: "Record that an unknown claim was delivered, or that it was lost.",
    usage: "bump settle [<claimid>] [--delivered | --lost] [--store <path>]",
    discussion: """
      bump sent the claim, and no valid answer came: it cannot know. Ask the receiver, and look whether the claim was \
      taken. Without --delivered or --lost you are asked, on a terminal. A claim that is settled as lost may go to \
      somebody else, and whoever takes it first has the money. While the receiver may still take it, nothing is settled. \
      What you settled as delivered you may settle as lost.
      """)

  @OptionGroup var claimID: SentClaimIDArgument

  @Flag(exclusivity: .exclusive)
  var verdict: Verdict?

  @OptionGroup var store: StoreOptions

  func run() async throws {
    guard verdict != nil || Console.canAsk else {
      throw CommandError(.usage, "say what became of the claim: --delivered or --lost")
    }
    let store = try await store.open()
    let found = try await claimID.find(in: store, "claim to settle") { try await store.undecided(limit: $0) }
    let id = found.claim.id
    let funding = try await store.funding(of: found.claim, .outgoing)
    // Ask only if one of the answers is allowed.
    guard verdict != nil || found.canBeSettled(as: .delivered) || found.canBeSettled(as: .lost) else {
      throw Self.refusal(found, funding, at: UnixTime.now())
    }
    guard let verdict = await settled(found, funding) else {
      throw CommandError(.failure, "nothing was settled: \(found.state.clause(of: id))")
    }
    let now = UnixTime.now()
    let claim: OutgoingClaim
    switch try await store.settle(id, as: verdict.state) {
    case .settled(let before): claim = before
    case .refused(let before) where before.state == verdict.state: claim = before
    case .refused(let before):
      throw Self.refusal(before, try await store.funding(of: before.claim, .outgoing), at: now)
    case .missing: throw CommandError.missing(id)
    }
    let isBack = try await store.funding(of: claim.claim, .outgoing)?.forbidsHandover == true
    Console.result(
      "Claim \(id) is \(verdict.state.words)."
        + (verdict == .lost && !isBack ? " " + remains(of: claim, at: now) : ""))
    try Console.checkResult()
  }

  /// Returns what can still be done with a lost claim.
  private func remains(of claim: OutgoingClaim, at now: Int64) -> String {
    claim.expiry.hasPassed(at: now)
      ? "It expired at \(UTCTime.text(claim.expiry.unixSeconds)): nobody can take it any more."
      : "If its link was shown, that still works. Offer it again with: bump send --again \(claim.claim.id)"
  }

  /// Returns the verdict from the arguments or from the person; `nil` for no answer.
  ///
  /// - Parameter funding: what the store has about the claim's money.
  private func settled(_ claim: OutgoingClaim, _ funding: Funding?) async -> Verdict? {
    if let verdict { return verdict }
    let (console, receiver) = (Console(quiet: false), claim.peer?.quoted ?? "the receiver")
    let money = "\(claim.claim.amount) \(claim.claim.token)"
    let about = claim.state == .unknown ? ["\(money) went to \(receiver), and no valid answer came."] : []
    // A claim that anybody with its link can take is not lost. The question is then another one, and a no settles
    // nothing.
    let canBeLost = claim.state == .lost || claim.canBeSettled(as: .lost)
    let question: String
    if canBeLost {
      question = "Does \(receiver) have the \(money)?"
    } else if let end = funding?.end {
      question = "This \(money) \(end). Settle it as delivered?"
    } else if claim.expiry.hasPassed(at: UnixTime.now()) {
      question = "The link of this \(money) has expired. Settle it as delivered?"
    } else {
      question = "The link of this \(money) still works, so it cannot be settled as lost. Settle it as delivered?"
    }
    switch await Prompt.answer(question, about: about, console) {
    case .yes: return .delivered
    case .no: return canBeLost ? .lost : nil
    case .inputEnded, .cancelled: return nil
    }
  }

  /// Returns the error for a claim that cannot be settled, or not in that way.
  ///
  /// - Parameter funding: what the store has about the claim's money.
  static func refusal(_ claim: OutgoingClaim, _ funding: Funding?, at now: Int64) -> CommandError {
    let id = claim.claim.id
    switch claim.state {
    case _ where claim.state.isOfferable && claim.expiry.hasPassed(at: now):
      return .expired(claim)
    case .new:
      return CommandError(
        .failure, "claim \(id) is new: it has not left this machine", remedy: "Try: bump send --again \(id)")
    case .linkShown:
      return notLost(claim, funding)
    case .lost:
      return CommandError(
        .failure, "claim \(id) is lost, and has not been sent since",
        remedy: "Try: bump send --again \(id)")
    case .delivered:
      return CommandError(.failure, "\(claim.peer?.quoted ?? "the receiver") has claim \(id): it was delivered")
    case .released, .unknown:
      return .notOfferable(claim, at: now)
    }
  }

  /// Returns the error for a claim that is not lost: anybody with its link may have it.
  private static func notLost(_ claim: OutgoingClaim, _ funding: Funding?) -> CommandError {
    let id = claim.claim.id
    let settling = "bump settle \(id) --delivered"
    func error(_ obstacle: String, _ remedy: String) -> CommandError {
      CommandError(.failure, "claim \(id) cannot be settled as lost: \(obstacle)", remedy: remedy)
    }
    guard let funding, let end = funding.end else {
      return error(
        "its link still works until \(UTCTime.text(claim.expiry.unixSeconds))",
        "If somebody has it: `\(settling)`. Otherwise: bump send --again \(id)")
    }
    let mayBeWithSomebody = funding.status == .claimed && !funding.isTakenBack
    return error("its money \(end)", mayBeWithSomebody ? "If somebody has it: \(settling)" : "See: bump show \(id)")
  }
}

extension Funding {
  /// What became of the money of a claim made here, as the end of a sentence about it; `nil` if a receiver can still have
  /// it.
  fileprivate var end: String? {
    if forbidsHandover { return "\(isTakenBack ? "was" : "is being") taken back" }
    return switch status {
    case .refunded: "went back to you"
    case .claimed: "was claimed at its vault"
    case .asked, .pending, .refused, .takingBack: nil
    }
  }
}
