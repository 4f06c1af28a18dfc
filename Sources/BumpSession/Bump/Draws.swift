package import BumpChannel
import BumpClaims

/// How many draws of digits there may be in mode open, where a person compares them, at either end. An end that asks
/// nobody counts them too: it cannot know whether the other's person compares with its screen.
///
/// Somebody in the middle has a session with each end, and the six digits of the two agree by chance: 1 in 10⁶. Each key
/// of an honest end that is shown to them is another draw, whatever comes of the session: at the receiver when it writes
/// NOISE_1, since they hold their own key already and hang up where the digits do not suit; at the sender when it opens
/// NOISE_1 and answers with its key. Only sessions that are alive at the same time can be shown to two people, so that in
/// one bump
///
///     P(the digits agree) ≤ drawsR · drawsS · 10⁻⁶ ≤ 3 · 3 · 10⁻⁶ < 10⁻⁵
///
/// over all names, addresses and connections. `drawsR` are those of the receiver that are alive together with one of the
/// sender's: all of one receive, and with a receive that goes on those that `memory` counts together.
package enum Draws {
  /// Draws of one bump, at either end. At the sender they are the claim's: to send it again gives no more.
  package static let maximum = ClaimLimits.draws

  /// How long a receive that goes on counts a draw after its session has ended: as long as the digits of a sender may be
  /// compared, from their draw until CLAIM leaves. ACCEPT comes within `Times.answering`, and CLAIM leaves within
  /// `Times.claim` and `Times.hold` after it, whatever either end was told to wait. So a draw at the sender never meets
  /// more than `maximum` at the receiver.
  static let memory: Duration = Times.answering + Times.claim + Times.hold

  /// How long others may come before a sender, or an address, that had a draw is given another.
  static let patience: Duration = .seconds(1)

  /// Draws of a search that are for none but senders that have had none: a single rogue who hangs up and comes back must
  /// not use up what the honest sender needs.
  static let reserve = 1
}

extension Credential {
  /// Whether people compare digits, and draws of them count: where nothing else tells one end who the other is.
  package var drawsDigits: Bool { self == .none }
}
