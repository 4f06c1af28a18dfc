import ArgumentParser
import BumpClaims
import BumpFaults
import BumpKit
import BumpSimulation
import BumpTerminal
import BumpText
import BumpWire
import FoundationEssentials
import Glibc
import Synchronization

/// A send or a receive with the faults of a plan, over the real network. It has a service type of its own, so that it
/// meets only other simulated ones, and a store that is deleted afterwards.
struct Simulation: Sendable {
  /// The service type of simulations. Real senders and receivers have another.
  static let serviceType = "irl-bump-sim"
  /// Returns a service type for a simulation whose two ends are in this process. No other program has it.
  static func ownServiceType(random: RandomBytes = .system) -> String { "bump-sim-" + Hex.text(random.draw(3)) }

  /// The token of simulated claims, which no vault holds.
  static let token = "TEST"

  /// The name of the other end, if this process plays it too.
  static let otherName = (try? DisplayName(own: "simulated")) ?? .somebody

  let plan: FaultPlan

  /// The directory with the simulated store of this process.
  private static let folder = Mutex<String?>(nil)

  /// Deletes the simulated store of this process, if there is one.
  static func removeStore() {
    guard let folder = folder.withLock({ $0.take() }) else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The heading that is shown on every screen.
  var heading: String { "SIMULATED: \(plan). No real claim, and no real peer: \(plan.profile.sentence)" }

  /// Runs a command with the path of a store of its own.
  func run(_ console: Console, _ body: (_ store: String) async throws -> ExitStatus) async throws -> ExitStatus {
    console.insist(heading)
    // mkdtemp(3) replaces the six letters, and makes a directory that only its owner can enter.
    var template = Array((FileManager.default.temporaryDirectory.path + "/bump-simulated-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandError(
        .failure, "no temporary directory can be made for the simulated store", remedy: "Is TMPDIR full?")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Self.folder.withLock { $0 = folder }
    defer {
      Self.removeStore()
      console.insist("SIMULATED: \(plan). That was no real claim, and no command finds it now.")
    }
    return try await body(folder + "/bump.sqlite")
  }

  /// Returns whether claims of a token are simulated.
  static func isSimulated(_ token: Token) -> Bool { token.description == Self.token }

  /// How long the person here takes to decide; `nil` if the plan leaves it to them.
  var slowness: Duration? {
    for case .slow(let range) in plan.programs(of: .browser) {
      var generator = plan.stream("R", "times")
      return generator.draw(range)
    }
    return nil
  }
}

extension Arguments {
  /// Reads the plan of a simulation: `PROFILE` or `PROFILE:SEED`.
  static func plan(_ text: String) throws -> FaultPlan {
    let plan: FaultPlan
    do {
      plan = try FaultPlan(text)
    } catch {
      throw ValidationError("\(error)")
    }
    guard plan.profile.wire == .bump else {
      throw ValidationError(
        "\(plan.profile.name) concerns programs on MultipeerConnectivity, not bump. "
          + "`bump simulate \(plan.profile.name) --timeline` shows it")
    }
    return plan
  }
}
