import BumpClaims
import BumpWire
import Glibc
import Lab
import Samples

/// Which process is killed, and when, as a seed decides.
struct Death: Sendable, CustomStringConvertible {
  enum Victim: CaseIterable, Sendable { case sender, receiver }

  let course: Course
  let victim: Victim
  let place: Passage.Place
  /// Whether the frame had gone on already.
  let isAfter: Bool
  let microseconds: UInt32

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    course = Course.allCases[Int(seed % UInt64(Course.allCases.count))]
    // Half of them about a durable step: the release that ACCEPT brings about, the store that CLAIM does, their answers.
    let steps: [Passage.Place] = [.accept(in: course), .claim(in: course), .stored(in: course)]
    let isStep = Bool.random(using: &random)
    let place = (isStep ? steps : Passage.Place.all(in: course)).randomElement(using: &random) ?? steps[0]
    let isAfter = isStep || .random(using: &random)
    victim = Victim.allCases.randomElement(using: &random) ?? .sender
    // A disk takes longer than a network.
    microseconds = .random(in: 0...(isStep ? 12_000 : 3000), using: &random)
    (self.place, self.isAfter) = (place, isAfter)
  }

  func fate(of passage: Passage, _ processes: Encounter.Processes) -> Fate {
    guard passage.connection == 0, passage.place == place else { return .forward }
    let strike: @Sendable () -> Void = {
      usleep(microseconds)
      (victim == .sender ? processes.sending : processes.receiving).signal(SIGKILL)
    }
    if isAfter { return .forwardThen(strike) }
    strike()
    return .forward
  }

  var description: String {
    "\(course), \(victim) killed \(microseconds) µs \(isAfter ? "after" : "at") \(place)"
  }
}
