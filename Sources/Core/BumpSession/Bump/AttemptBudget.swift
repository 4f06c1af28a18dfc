import BumpClaims

/// The limits on attempts at the digits, which people compare, at either end. An end that does not ask its person
/// counts attempts too: it cannot know whether the other end's person compares the digits. Attempts are counted in
/// every mode: with a code or a key the digits tell apart those who have it.
///
/// An attacker in the middle has a session with each end, and the six digits of the two sessions are equal with
/// probability 10⁻⁶. Each key that an honest end shows to the attacker is another attempt, whatever the result of the
/// session. The receiver shows its key when it writes NOISE_1: the attacker knows its own key already, and can close
/// the connection if the digits do not suit. The sender shows its key when it opens NOISE_1 and answers. Two people can
/// only compare sessions that exist at the same time, so in one bump
///
///     P(the digits agree) ≤ attemptsR · attemptsS · 10⁻⁶ ≤ 3 · 3 · 10⁻⁶ < 10⁻⁵
///
/// over all names, addresses and connections. `attemptsR` counts the receiver's attempts that exist at the same time as
/// one of the sender's: all attempts of one `receive`, and in `keepReceiving` those counted at once (see `memory`).
/// With a code the receiver's attempts are its guesses at the code, and limited as those.
package enum AttemptBudget {
  /// The attempts of one bump, at either end. At a sender in mode open whose person is asked, they belong to the claim:
  /// sending it again gives no more.
  package static let maximum = ClaimLimits.attempts

  /// How long `keepReceiving` counts an attempt after its session has ended: as long as people may compare the digits
  /// of a sender, from their attempt until CLAIM is sent. ACCEPT arrives within `Times.answering`, and CLAIM is sent
  /// within `Times.claim` and `Times.hold` after it, whatever time limits either end was given. So an attempt at the
  /// sender coincides with at most `maximum` attempts at the receiver.
  static let memory: Duration = Times.answering + Times.claim + Times.hold

  /// How long other peers have time to come before a sender or an address that had an attempt gets another.
  static let patience: Duration = .seconds(1)

  /// The attempts that are reserved for senders without an attempt: one attacker that hangs up and comes back must not
  /// use up the attempts that the honest sender needs.
  static let reserve = 1
}
