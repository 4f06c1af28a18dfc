import Foundation
public import Testing

/// The places that a machine has for the processes of tests. Each scene of a test takes as many as it starts processes,
/// so that as many run at once as the processors carry, and none runs out of time because of the others.
public enum ProcessSlots {
  /// Processes mostly wait: with six for each processor it was idle for 43 % of the time.
  private static let count = 8 * ProcessInfo.processInfo.activeProcessorCount

  private struct Scenes {
    var free: Int
    /// The longest first and then the largest, since small ones fill what they leave free.
    var waiting: [(number: Int, weight: Int, isLong: Bool)] = []
    var numbers = 0
  }

  private static let scenes = ObservedValue(Scenes(free: count))

  /// Whether the places of this scene are taken, by a trait or by what surrounds it.
  @TaskLocal private static var areTaken = false

  /// Runs a scene once there are places for it.
  ///
  /// - Parameters:
  ///   - weight: how many processes it has at work at once.
  ///   - isLong: whether other scenes come after it, one by one.
  public static func take<Result: Sendable>(
    _ weight: Int, isLong: Bool = false, _ scene: @Sendable () async throws -> Result
  ) async throws -> Result {
    if areTaken { return try await scene() }
    let weight = min(weight, count)
    let number = scenes.change { scenes in
      scenes.numbers += 1
      let place = scenes.waiting.firstIndex { isLong ? !$0.isLong : !$0.isLong && $0.weight < weight }
      scenes.waiting.insert((scenes.numbers, weight, isLong), at: place ?? scenes.waiting.endIndex)
      return scenes.numbers
    }
    do {
      try await scenes.wait { scenes -> Void? in
        guard scenes.waiting.first?.number == number, scenes.free >= weight else { return nil }
        scenes.waiting.removeFirst()
        return scenes.free -= weight
      }
    } catch {
      scenes.change { $0.waiting.removeAll { $0.number == number } }
      throw error
    }
    // The next may have a place as well.
    scenes.change { _ in }
    defer { scenes.change { $0.free += weight } }
    return try await $areTaken.withValue(true) { try await scene() }
  }
}

/// Takes places for each case of a test.
public struct ProcessSlotsTrait: TestTrait, SuiteTrait, TestScoping {
  let weight: Int
  let isLong: Bool
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await ProcessSlots.take(weight, isLong: isLong, function)
  }
}

extension Trait where Self == ProcessSlotsTrait {
  /// Each case of the test has so many processes at work at once. A suite is long where its tests run one by one.
  public static func processes(_ weight: Int = 1, isLong: Bool = false) -> Self {
    ProcessSlotsTrait(weight: weight, isLong: isLong)
  }
}
