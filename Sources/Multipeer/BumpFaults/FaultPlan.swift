/// The faults of one run: a profile and a seed. A pure value: the same seed gives the same plan on every machine.
///
/// Each draw comes from the random stream of one peer and one purpose, so that another draw in one place changes
/// nothing elsewhere.
public struct FaultPlan: Hashable, Sendable, CustomStringConvertible {
  /// The profile.
  public let profile: FaultProfile
  /// The seed.
  public let seed: UInt64
  /// The faults of this run, with one list drawn from each `either`.
  public let faults: [Fault]

  /// Draws the plan of a seed.
  public init(_ profile: FaultProfile, seed: UInt64 = 1) {
    self.profile = profile
    self.seed = seed
    var generator = Self.stream(seed, "plan", "either")
    faults = Self.resolve(profile.faults, using: &generator)
  }

  private static func resolve(_ faults: [Fault], using generator: inout SplitMix64) -> [Fault] {
    faults.flatMap { fault -> [Fault] in
      guard case .either(let lists) = fault, !lists.isEmpty else { return [fault] }
      return resolve(lists[generator.draw(0...(lists.count - 1))], using: &generator)
    }
  }

  /// Reads `PROFILE` or `PROFILE:SEED`.
  ///
  /// - Throws: `FaultPlanError`.
  public init(_ text: String) throws(FaultPlanError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let profile = FaultProfile.named(String(parts[0])) else {
      let nearest = FaultProfile.nearest(to: String(parts[0])).map { "Did you mean \($0.name)? " } ?? ""
      throw FaultPlanError("no profile has that name", remedy: "\(nearest)`bump simulate list` lists them")
    }
    guard parts.count == 2 else {
      self.init(profile)
      return
    }
    guard let seed = UInt64(parts[1]), String(seed) == parts[1] else {
      throw FaultPlanError("a seed is a number from 0 to \(UInt64.max)", remedy: "For example: \(profile.name):7")
    }
    self.init(profile, seed: seed)
  }

  /// The text that `init(_:)` reads: `PROFILE:SEED`.
  public var description: String { "\(profile.name):\(seed)" }

  /// Returns the random stream of one peer and purpose.
  package func stream(_ peer: String, _ purpose: String) -> SplitMix64 { Self.stream(seed, peer, purpose) }

  private static func stream(_ seed: UInt64, _ peer: String, _ purpose: String) -> SplitMix64 {
    SplitMix64(seed: SplitMix64.mix(seed) ^ fnv1a("\(peer)/\(purpose)"))
  }

  /// The faults of each kind, in the order of the profile.
  package var discovery: [DiscoveryFault] {
    faults.compactMap { if case .discovery(let fault) = $0 { fault } else { nil } }
  }
  package var invitations: [InvitationFault] {
    faults.compactMap { if case .invitation(let fault) = $0 { fault } else { nil } }
  }
  package var states: [StateFault] { faults.compactMap { if case .state(let fault) = $0 { fault } else { nil } } }
  package var bytes: [ByteFault] { faults.compactMap { if case .bytes(let fault) = $0 { fault } else { nil } } }
  package var traffic: [TrafficFault] { faults.compactMap { if case .traffic(let fault) = $0 { fault } else { nil } } }

  /// Returns the faults of the program of one side.
  package func programs(of side: FaultSide) -> [ProgramFault] {
    faults.compactMap { fault in
      guard case .program(let whose, let fault) = fault, whose == side || whose == .both else { return nil }
      return fault
    }
  }

  /// Returns the faults of the host of one side.
  package func hosts(of side: FaultSide) -> [HostFault] {
    faults.compactMap { fault in
      guard case .host(let whose, let fault) = fault, whose == side || whose == .both else { return nil }
      return fault
    }
  }

  /// Returns a time limit of links, drawn once for a plan; `nil` if the plan does not change it.
  package func time(_ time: LinkTime) -> Duration? {
    let span = faults.lazy.compactMap { fault -> TimeRange? in
      if case .time(time, let span) = fault { span } else { nil }
    }.first
    var generator = stream("plan", "time \(time.rawValue)")
    return span.map { generator.draw($0) }
  }
}

/// The reason why a text does not name a plan.
public struct FaultPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for a person.
  public let reason: String
  /// How to correct the text, as a sentence.
  public let remedy: String

  init(_ reason: String, remedy: String) { (self.reason, self.remedy) = (reason, remedy) }

  /// Returns the error with the name of the variable that holds the text.
  package func named(_ variable: String) -> FaultPlanError { FaultPlanError("\(variable): \(reason)", remedy: remedy) }

  public var description: String { "\(reason). \(remedy)" }
}
