public import BumpVaultAPI

/// One thing that a vault is asked for: which request comes next, and what an answer means. No I/O.
///
/// The driver passes inputs in, one at a time, and does what it is told. An answer that is lost is asked for again, with the
/// same request, which the vault does not carry out twice.
public protocol VaultSession: Sendable {
  associatedtype Outcome: Sendable

  /// - Parameter now: seconds since 1970.
  mutating func handle(_ input: VaultInput, at now: Int64) -> VaultStep<Outcome>
}

/// What a session is told.
public enum VaultInput: Hashable, Sendable {
  case begin
  case reply(VaultReply)
  /// `nil` where the number was not found.
  case solved(SolvedChallenge?)
  /// What was to be recorded is durable.
  case recorded
  /// No more time: the session finishes with what it knows.
  case timeUp
}

/// What a session wants next.
public enum VaultStep<Outcome: Sendable>: Sendable {
  /// Send a request, after a while. Its reply is the next input.
  case ask(VaultRequest, after: Duration = .zero)
  case solve(Challenge)
  /// Write durably that this request will be sent, before it is: its JSON. Then `.recorded` is the next input.
  case record(String)
  case finish(Outcome)
}

extension VaultStep: Equatable where Outcome: Equatable {}

/// How often a request is sent again whose answer was lost, and after which time.
struct Retries: Hashable, Sendable {
  private static let limit = 7
  private var count = 0

  /// How long to wait before the next attempt: 0.1 s, and twice as long each time, 2 s at most. Seven attempts after the first
  /// take some eight seconds.
  ///
  /// - Parameter seconds: what the vault asked for.
  /// - Returns: `nil` where there is no further attempt.
  mutating func next(after seconds: Int64? = nil) -> Duration? {
    guard count < Self.limit, seconds ?? 0 <= 5 else { return nil }
    defer { count += 1 }
    return max(.milliseconds(min(2000, 100 << count)), .seconds(seconds ?? 0))
  }
}

/// What an answer is, before it is read.
enum Verdict {
  /// 2xx, and its body.
  case success([UInt8])
  case problem(ProblemAnswer)
  /// The vault may have carried the request out, now or before, and says nothing of it.
  case lost(VaultFailure, retryAfter: Int64?)
  /// The request did not reach the vault.
  case unsent(VaultFailure)
  /// An answer that no vault gives.
  case untrusted(VaultFailure)
}
