import ArgumentParser
import BumpKit
import BumpWire

struct SettleCommand: AsyncParsableCommand {
  enum Verdict: String, EnumerableFlag {
    case delivered, lost

    var state: ClaimState { self == .delivered ? .delivered : .lost }

    static func help(for value: Verdict) -> ArgumentHelp? {
      value == .delivered ? "The receiver has it." : "The receiver does not have it: it may be offered again."
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "settle", abstract: "Write down what became of an unknown claim of ours.",
    usage: "bump settle <claimid> [--delivered | --lost] [--store <path>]",
    discussion: """
      bump sent the claim, and no valid answer came: it cannot know. Ask the receiver, and look whether the claim was \
      taken. Without --delivered or --lost you are asked, on a terminal. A claim that is settled as lost may go to \
      somebody else, and whoever takes it first has the money. While the receiver may still take it, nothing is settled. \
      What you settled as delivered you may settle as lost.
      """)

  @Argument(
    help: ArgumentHelp("The claim's id, as `bump history` shows it, or its beginning.", valueName: "claimid"),
    completion: Completions.sentClaims, transform: Arguments.claimID)
  var id: ClaimID

  @Flag(exclusivity: .exclusive)
  var verdict: Verdict?

  @OptionGroup var store: StoreOptions

  func run() async throws {
    guard verdict != nil || Console.canAsk else {
      throw CommandError(.usage, "say what became of the claim: --delivered or --lost")
    }
    let store = try await store.open()
    let found = try await ClaimLookup.outgoing(id, in: store)
    let id = found.claim.id
    // What may not be settled is not asked about.
    guard verdict != nil || found.canBeSettled(as: .delivered) || found.canBeSettled(as: .lost) else {
      throw refusal(found, at: UnixTime.now())
    }
    guard let verdict = await settled(found) else {
      throw CommandError(.failure, "nothing was settled; claim \(id) is \(found.state.words)")
    }
    let now = UnixTime.now()
    guard let claim = try await store.settle(id, as: verdict.state, at: now) else {
      throw CommandError(.failure, "claim \(id) is not here any more; `bump history` lists them")
    }
    guard claim.state == verdict.state || claim.canBeSettled(as: verdict.state) else { throw refusal(claim, at: now) }
    Console.result(
      "Claim \(id) is \(verdict.state.words)." + (verdict == .lost ? " " + remains(of: claim, at: now) : ""))
    try Console.checkResult()
  }

  /// What a lost claim is still good for.
  private func remains(of claim: OutgoingClaim, at now: Int64) -> String {
    claim.expiry.hasPassed(at: now)
      ? "It expired at \(Moments.text(claim.expiry.unixSeconds)): nobody can take it any more."
      : "If its link was shown, that still works. Offer it again with: bump send --again \(claim.claim.id)"
  }

  /// What became of the claim: as it was said, or as the person answers; `nil` for no answer.
  private func settled(_ claim: OutgoingClaim) async -> Verdict? {
    if let verdict { return verdict }
    let (console, receiver) = (Console(quiet: false), claim.peer?.quoted ?? "the receiver")
    let money = "\(claim.claim.amount) \(claim.claim.token)"
    if claim.state == .unknown { console.say("\(money) went to \(receiver), and no valid answer came.") }
    switch await Prompt.answer("Does \(receiver) have the \(money)?", console) {
    case .yes: return .delivered
    case .no: return .lost
    case .inputEnded, .cancelled: return nil
    }
  }

  private func refusal(_ claim: OutgoingClaim, at now: Int64) -> CommandError {
    let id = claim.claim.id
    switch claim.state {
    case _ where claim.state.isOfferable && claim.expiry.hasPassed(at: now):
      return .expired(claim)
    case .new:
      return CommandError(.failure, "claim \(id) is new: it has not left this machine. Try: bump send --again \(id)")
    case .linkShown:
      return CommandError(
        .failure, "the link of claim \(id) still works; offer the claim all the same with: bump send --again \(id)")
    case .lost:
      return CommandError(.failure, "claim \(id) is lost, and has not been sent since. Try: bump send --again \(id)")
    case .delivered:
      return CommandError(.failure, "\(claim.peer?.quoted ?? "the receiver") has claim \(id): it was delivered")
    case .released, .unknown:
      return .notOfferable(claim, at: now)
    }
  }
}
