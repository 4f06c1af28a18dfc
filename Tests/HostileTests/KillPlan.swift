import BumpClaims
import BumpWire
import Glibc
import Lab
import Samples

/// Which process is killed, and when, as a seed decides.
struct KillPlan: Sendable, CustomStringConvertible {
  enum Victim: CaseIterable, Sendable { case sender, receiver }

  let kind: SessionKind
  let victim: Victim
  let place: InterceptedFrame.Position
  /// Whether the frame had gone on already.
  let isAfter: Bool
  let microseconds: UInt32

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    kind = SessionKind.allCases[Int(seed % UInt64(SessionKind.allCases.count))]
    // Half of them about a durable step: the release that ACCEPT brings about, the store that CLAIM does, their answers.
    let steps: [InterceptedFrame.Position] = [.accept(in: kind), .claim(in: kind), .stored(in: kind)]
    let isStep = Bool.random(using: &random)
    let place = (isStep ? steps : InterceptedFrame.Position.all(in: kind)).randomElement(using: &random) ?? steps[0]
    let isAfter = isStep || .random(using: &random)
    victim = Victim.allCases.randomElement(using: &random) ?? .sender
    // A disk takes longer than a network.
    microseconds = .random(in: 0...(isStep ? 12_000 : 3000), using: &random)
    (self.place, self.isAfter) = (place, isAfter)
  }

  func fate(of frame: InterceptedFrame, _ processes: InterceptedBump.Processes) -> Fate {
    guard frame.connection == 0, frame.place == place else { return .forward }
    let strike: @Sendable () -> Void = {
      usleep(microseconds)
      (victim == .sender ? processes.sending : processes.receiving).signal(SIGKILL)
    }
    if isAfter { return .forwardThen(strike) }
    strike()
    return .forward
  }

  var description: String {
    "\(kind), \(victim) killed \(microseconds) µs \(isAfter ? "after" : "at") \(place)"
  }
}
