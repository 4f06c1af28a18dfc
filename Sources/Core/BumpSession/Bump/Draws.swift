import BumpClaims

/// The limits on draws of digits, which people compare, at either end. An end that does not ask its person counts draws
/// too: it cannot know whether the other end's person compares the digits. Draws are counted in every mode: with a code
/// or a key the digits tell apart those who have it.
///
/// An attacker in the middle has a session with each end, and the six digits of the two sessions are equal with
/// probability 10⁻⁶. Each key that an honest end shows to the attacker is another draw, whatever the result of the
/// session. The receiver shows its key when it writes NOISE_1: the attacker knows its own key already, and can close
/// the connection if the digits do not suit. The sender shows its key when it opens NOISE_1 and answers. Two people can
/// only compare sessions that exist at the same time, so in one bump
///
///     P(the digits agree) ≤ drawsR · drawsS · 10⁻⁶ ≤ 3 · 3 · 10⁻⁶ < 10⁻⁵
///
/// over all names, addresses and connections. `drawsR` counts the receiver's draws that exist at the same time as one
/// of the sender's: all draws of one `receive`, and in `keepReceiving` those counted at once (see `memory`). With a code
/// the receiver's draws are its guesses at the code, and limited as those.
package enum Draws {
  /// The draws of one bump, at either end. At a sender in mode open whose person is asked, they belong to the claim:
  /// sending it again gives no more.
  package static let maximum = ClaimLimits.draws

  /// How long `keepReceiving` counts a draw after its session has ended: as long as people may compare the digits of a
  /// sender, from their draw until CLAIM is sent. ACCEPT arrives within `Times.answering`, and CLAIM is sent within
  /// `Times.claim` and `Times.hold` after it, whatever time limits either end was given. So a draw at the sender
  /// coincides with at most `maximum` draws at the receiver.
  static let memory: Duration = Times.answering + Times.claim + Times.hold

  /// How long other peers have time to come before a sender or an address that had a draw gets another.
  static let patience: Duration = .seconds(1)

  /// The draws that are reserved for senders without a draw: one attacker that hangs up and comes back must not use up
  /// the draws that the honest sender needs.
  static let reserve = 1
}
