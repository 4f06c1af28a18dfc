import BumpChain
import BumpClaims
package import BumpDirect
import BumpNode
package import BumpTerminal
import BumpWallet

/// Carries calls to a vault's contract in transactions of one's own, and asks before coins are spent.
struct DirectPayer: Sendable {
  let node: NodeURL
  let feeCap: UInt64?
  /// The wallet that pays.
  let key: PrivateKey
  /// Whether coins are spent without asking.
  let yes: Bool

  private var console: Console { Console(quiet: false) }

  /// Makes sure, before anything else, that somebody can agree.
  ///
  /// - Throws: `CommandError`.
  static func check(yes: Bool) throws {
    guard yes || Console.canAsk else {
      throw CommandError(
        .failure, "there is no terminal to ask on, and nothing was sent",
        remedy: "Run it on a terminal, or with --yes")
    }
  }

  /// Carries a call.
  ///
  /// - Parameters:
  ///   - known: the transactions that were recorded for the claim before.
  ///   - record: records the transaction durably, before it is sent, and returns what takes the record back.
  /// - Throws: `DirectFailure`, `CommandError`; what `record` and the withdrawal throw.
  func carry(
    _ call: DirectCall, of claim: Claim, known: [Bytes32],
    record: @escaping @Sendable (Bytes32) async throws -> DirectRun.Withdrawal
  ) async throws -> DirectPayment {
    let cap = feeCap ?? KnownChain.feeCap(on: call.pinned.vault.chainID)
    let session = DirectSession(
      call, by: key, known: known, FeePolicy(cap: cap, priorityCap: cap, leastPriority: 1_000_000), node: node.shown)
    let run = DirectRun(over: HTTPNodeTransport(url: node.text)) { try? await Task.sleep(for: .seconds(2)) }
    return try await Interrupt.cancels {
      try await run.carry(
        session, agree: { offer in try await agree(to: offer, for: call, of: claim) },
        record: { transaction in
          let withdraw = try await record(transaction)
          console.say("Sending the transaction \(transaction).")
          return withdraw
        })
    }
  }

  private func agree(to offer: DirectOffer, for call: DirectCall, of claim: Claim) async throws {
    let (cost, balance) = (CoinAmount.text(offer.cost), CoinAmount.text(offer.balance))
    let lines = [
      "The transaction costs \(offer.payer) at most \(cost) of its \(balance) on the chain "
        + "\(call.pinned.vault.chainID). A rollup also charges for the data."
    ]
    if yes { return lines.forEach(console.say) }
    let money = "\(claim.amount) \(claim.token)"
    let question =
      switch call.deed {
      case .claim: "Claim \(money) to \(call.receiver.map { "\($0)" } ?? "your wallet")?"
      case .takeBack: "Take \(money) back?"
      case .refund: "Have \(money) refunded?"
      }
    switch await Prompt.answer(question, about: lines, console) {
    case .yes: return
    case .no, .inputEnded: throw CommandError(.declined, "nothing was sent")
    case .cancelled: throw CommandError(.interrupted, "interrupted, and nothing was sent")
    }
  }
}

extension DirectFailure: CommandErrorConvertible {
  package var commandError: CommandError {
    let status: ExitStatus =
      switch code {
      case .expired: .expired
      case .interrupted: .interrupted
      case .perhapsSent: .unknown
      default: .failure
      }
    return CommandError(status, reason, remedy: remedy)
  }
}
