import BumpClaims
import BumpTesting
import BumpWire

@testable import BumpKit

/// A session under test, and what is known of its run.
protocol Scene {
  associatedtype Tested: Session

  var peer: ScriptedPeer { get set }
  var session: Tested { get set }
  var facts: Facts { get set }
  var hasEnded: Bool { get }
  /// Whether time passes for our own side, and not for the peer.
  var isOurTurn: Bool { get }
  /// Whether the session may wait for our own side without an end.
  var isUpToUs: Bool { get }

  /// The peer's first word.
  mutating func greeting() -> [UInt8]
  /// The peer has said this in the channel.
  mutating func noted(_ message: Message)
  mutating func receive(_ bytes: [UInt8])
  /// An input of our own side.
  mutating func act(_ program: inout Program)
  /// Answers what has no end otherwise.
  mutating func answer()
  /// What must hold of an output.
  mutating func take(_ output: Tested.Output)
}

/// What is known of a run, whatever the role.
struct Facts {
  let credential: Credential
  /// That of the peer.
  let otherCredential: Credential
  /// Each bit is a choice of the fuzzer's.
  let traits: UInt8
  var now: Moment = .zero
  private var waited: Duration = .zero

  // What the peer has done.
  var hasShakenHands = false
  /// Whether it has said that we wait in its queue.
  var isQueued = false
  var answers: Set<RememberAnswer> = []

  // What the session has done.
  var digits: VerificationDigits?
  var isChosen = false
  var isAsked = false
  var isApproved = false
  var isKeeping = false
  var answer: RememberAnswer?
  var remembering: Remembering?

  init(_ program: inout Program) {
    credential = program.pick(Fixture.credentials)
    otherCredential = program.pick(Fixture.credentials)
    traits = program.byte()
  }

  /// Whether our person is asked.
  var asks: Bool { traits & 1 != 0 }
  /// Whether our person wants to remember the peer.
  var remembers: Bool { traits & 2 != 0 }
  var isKnown: Bool { otherCredential == credential }

  mutating func move(to moment: Moment, isOurTurn: Bool) {
    if !isOurTurn { waited += moment - now }
    now = moment
    // Eight places of 75 s before NOISE_1, and five seconds more after ACCEPT: waiting in a queue uses none of them up.
    let most = Duration.seconds(isQueued ? 672 : 67)
    check(waited <= most, "a peer that is waited for \(waited)")
  }

  mutating func keep(_ key: SharedKey, of peer: ScriptedPeer) {
    check(remembers && credential.mode == .code && answers.contains(.yes), "a key to keep that nobody wants")
    check(key == peer.channel?.rememberedKey, "a key to keep of another session")
    isKeeping = true
  }

  mutating func remember(_ outcome: Remembering) {
    check(remembers && remembering == nil, "remembered unasked")
    remembering = outcome
  }
}

extension Scene {
  /// The handshake message was made by somebody who knows what the peer knows.
  mutating func shookHands() { facts.hasShakenHands = true }

  /// The peer has said that we wait in its queue.
  mutating func queued() { facts.isQueued = true }

  mutating func pass(_ time: Duration) {
    let end = facts.now + time
    while let deadline = session.deadline, deadline <= end { reach(deadline) }
    move(to: end)
  }

  /// Lets time pass, and answers what is asked, until the session has ended.
  mutating func finish() {
    for _ in 0..<8 where !hasEnded {
      if let deadline = session.deadline { reach(deadline) } else { answer() }
    }
    // A sender that waits here is told so again and again.
    if !hasEnded { answer() }
    check(hasEnded, "a session that does not end")
  }

  mutating func handle(_ input: Tested.Input) {
    for output in session.handle(input, at: facts.now) {
      check(!hasEnded, "an output after the end")
      take(output)
    }
    check((session.deadline == nil) == (hasEnded || isUpToUs), "nothing to wait for, or no end to it")
    check(session.deadline.map { $0 <= facts.now + .seconds(65) } ?? true, "a deadline far away")
  }

  private mutating func reach(_ deadline: Moment) {
    move(to: max(facts.now, deadline))
    handle(.deadline)
  }

  private mutating func move(to moment: Moment) { facts.move(to: moment, isOurTurn: isOurTurn || hasEnded) }
}
