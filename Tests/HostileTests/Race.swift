import BumpClaims
import BumpWire
import Samples

/// Three that were not invited, and when they act, as a seed decides.
struct Race: Sendable, CustomStringConvertible {
  enum Pretence: CaseIterable, Sendable {
    /// Connects and says nothing.
    case mute
    /// Tries another code, or another key.
    case guesser
    /// Goes on in mode open, whatever WELCOME says.
    case downgrader
  }

  let mode: Mode
  let pretences: [Pretence]
  /// Whether they have done what they do before the honest receiver starts; they are connected by then in any case.
  let isOver: Bool

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    mode = seed % 2 == 0 ? .code : .key
    isOver = seed / 2 % 2 == 0
    pretences =
      seed / 4 % 3 == 0 ? [.guesser, .guesser, .guesser] : Pretence.allCases.shuffled(using: &random)
  }

  /// Whether they can use the code up.
  var canBurn: Bool { mode == .code && pretences.allSatisfy { $0 == .guesser } }

  var description: String { "mode \(mode), \(pretences), \(isOver ? "before" : "beside") the receiver" }

  /// One of them, and what it pretends.
  struct Runner: Sendable {
    let pretence: Pretence
    var rogue: RogueReceiver

    /// What is left to it, to the end of its connection.
    func finished() throws -> Runner {
      var runner = self
      if pretence != .mute { try runner.rogue.knock() }
      runner.rogue.listen()
      return runner
    }
  }

  /// All of them, connected one after the other, and as far as each comes before its NOISE_1.
  ///
  /// - Parameter credential: what the receiver was given.
  func runners(to port: UInt16, _ credential: [String]) throws -> [Runner] {
    try pretences.enumerated().map { number, pretence in
      var rogue = try RogueReceiver(to: port, claiming: pretence == .guesser ? guess(number, credential) : .none)
      if pretence != .mute { try rogue.approach(downgrading: pretence == .downgrader) }
      return Runner(pretence: pretence, rogue: rogue)
    }
  }

  private func guess(_ number: Int, _ credential: [String]) throws -> Credential {
    if mode == .code { return .code(try OneTimeCode(credential[1]).wrong(number + 1)) }
    guard let key = SharedKey([UInt8](repeating: UInt8(number), count: SharedKey.length)) else {
      throw RogueReceiver.Refused()
    }
    return .key(key)
  }
}
