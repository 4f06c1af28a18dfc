public import BumpVaultAPI
public import BumpWallet

/// One task at a vault: decides which request comes next, and what an answer means. No I/O.
///
/// The driver passes inputs in, one at a time, and carries out the returned steps. If an answer was lost, the session
/// sends the same request again, which the vault does not carry out twice.
public protocol VaultSession: Sendable {
  /// The result with which the session ends.
  associatedtype Outcome: Sendable

  /// Takes an input, and returns the next step.
  ///
  /// - Parameter now: the time in seconds since 1970.
  mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<Outcome>
}

/// An input of a session.
public enum VaultInput: Hashable, Sendable {
  /// The first input of every session: 32 bytes that were drawn for it, for which the vault proves who it is.
  case begin(nonce: Bytes32)
  /// The reply to the last request.
  case reply(VaultReply)
  /// The solution of the challenge; `nil` if none was found.
  case solved(SolvedChallenge?)
  /// The request to be recorded is durable.
  case recorded
  /// The time is up: the session finishes with the outcome that it knows.
  case timeUp
}

/// The next step of a session.
public enum VaultStep<Outcome: Sendable>: Sendable {
  /// Send a request, after a while. Its reply is the next input.
  case ask(VaultRequest, after: Duration = .zero)
  /// Solve this challenge. `.solved` is the next input.
  case solve(Challenge)
  /// Store this request, JSON, durably before it is sent, and with a payout the vault's time at which it held the amount,
  /// if it said so. Then `.recorded` is the next input.
  case record(String, heldAt: Int64? = nil)
  /// End the session with this outcome. There is no next input.
  case finish(Outcome)
}

extension VaultStep: Equatable where Outcome: Equatable {}

/// Counts how often a request was sent again after a lost answer, and returns the time before the next attempt.
struct Retries: Hashable, Sendable {
  private static let limit = 7
  private var count = 0

  /// Returns how long to wait before the next attempt: 0.1 s, then twice as long each time, at most 2 s. The waits
  /// before the seven attempts after the first add up to 7.1 s.
  ///
  /// - Parameter seconds: the time that the vault asked for.
  /// - Returns: `nil` if there is no further attempt, also if the vault asked for more than five seconds.
  mutating func next(after seconds: Int64? = nil) -> Duration? {
    guard count < Self.limit, seconds ?? 0 <= 5 else { return nil }
    defer { count += 1 }
    return max(.milliseconds(min(2000, 100 << count)), .seconds(seconds ?? 0))
  }
}

/// The kind of a reply, before its body is read.
enum Verdict {
  /// 2xx, with the body.
  case success([UInt8])
  case problem(ProblemResponse)
  /// The vault may have carried the request out, now or before, but its answer does not say so.
  case lost(VaultFailure, retryAfter: Int64?)
  /// A transaction carries the request to the chain, which has not confirmed it yet.
  case submitted(Bytes32, retryAfter: Int64?)
  /// The request did not reach the vault.
  case unsent(VaultFailure)
  /// An answer that a vault would not give.
  case untrusted(VaultFailure)
}
