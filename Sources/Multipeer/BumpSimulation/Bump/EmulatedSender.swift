import BumpClaims
import BumpSession
import BumpWire

/// The sending end of a bump without a driver, for emulations: the state machine of `Sender`, with a claim of TEST that
/// no store contains. Takes inputs with their times, and returns outputs.
struct EmulatedSender: Sendable {
  enum Input: Sendable {
    /// Receivers can find the sender from now on.
    case advertised
    /// Receivers cannot find the sender.
    case discoveryLost
    case opened(Int)
    case received(Int, [UInt8])
    case closed(Int)
    /// The answers to `release` and `releaseForLink`.
    case released(Int)
    case releasedForLink
    case deadline
  }

  enum Output: Sendable {
    case send([UInt8], Int)
    case close(Int)
    case stopListening
    /// Release the claim to the receiver of this connection, durably.
    case release(Int)
    case releaseForLink
    case event(SendEvent)
    case finish(SendOutcome)
  }

  private var bump: SenderBump<ClaimHandover>
  private let random: RandomBytes

  /// Makes a sender of 1.00 TEST that asks nobody.
  ///
  /// - Parameter unixTime: the time of day at the start, in seconds since 1970.
  /// - Throws: never in practice: the values are valid.
  init(random: RandomBytes, unixTime: Int64) throws {
    self.random = random
    let claim = Claim(
      id: ClaimID(drawing: { random.draw(16) }), secret: try ClaimSecret(random.draw(16)), token: try Token("TEST"),
      amount: try Amount("1.00"))
    let lifetime: Int64 = 24 * 3600
    bump = SenderBump(
      ClaimHandover(
        link: try ClaimLink(claim: claim, expiry: Expiry(clamping: unixTime + lifetime)), from: try DisplayName("S"),
        lifetime: .seconds(lifetime), fallsBack: true),
      policy: .init(asks: false, discoveryTimeout: Times.discovery, sendTimeout: Times.sending))
  }

  /// When `deadline` is due; `nil` for never.
  var deadline: Duration? { bump.deadline?.sinceStart }

  /// Handles an input, and returns what to do.
  mutating func handle(_ input: Input, at now: Duration) -> [Output] {
    let now = Moment(now)
    let actions =
      switch input {
      case .advertised: bump.handle(.advertised, at: now)
      case .discoveryLost: bump.handle(.discoveryLost, at: now)
      case .opened(let id): bump.handle(.opened(id, peer: "R", nil, SessionKeys(drawnFrom: random)), at: now)
      case .received(let id, let bytes): bump.handle(.session(id, .received(bytes)), at: now)
      case .closed(let id): bump.handle(.session(id, .closed), at: now)
      case .released(let id): bump.handle(.session(id, .released), at: now)
      case .releasedForLink: bump.handle(.answered(.releasedForLink), at: now)
      case .deadline: bump.handle(.deadline, at: now)
      }
    return actions.compactMap { action in
      switch action {
      case .send(let bytes, let id): .send(bytes, id)
      case .close(let id): .close(id)
      case .stopListening: .stopListening
      case .request(.release(let id, _, _, _)): .release(id)
      case .request(.releaseForLink): .releaseForLink
      case .event(let event): .event(event)
      case .finish(let outcome): .finish(outcome)
      // Nobody is asked, and each release is in time.
      case .ask, .withdrawQuestion, .askToReadmit, .withdrawReadmission, .request(.takeBack), .fail: nil
      }
    }
  }
}
