import Foundation
import Lab
import Measures
import Testing

/// How often the tests try, and with which seeds.
enum Seeds {
  /// Runs a test case once for each seed, as many at once as the machine has places for. What one throws is an issue with
  /// its seed, and the others go on.
  ///
  /// - Parameters:
  ///   - quick: the seeds of the first measure.
  ///   - thorough: how many seeds there are with `--all`, where BUMP_HOSTILE_RUNS does not say how many.
  ///     BUMP_HOSTILE_SEED repeats one alone.
  ///   - isLong: whether the case mostly waits, so that it begins before others.
  static func each(
    quick: some Sequence<UInt64>, thorough: Int, isLong: Bool = false,
    _ run: @escaping @Sendable (UInt64) async throws -> Void
  ) async {
    let environment = ProcessInfo.processInfo.environment
    let seeds: [UInt64] =
      if let seed = environment["BUMP_HOSTILE_SEED"].flatMap(UInt64.init) {
        [seed]
      } else if let runs = environment["BUMP_HOSTILE_RUNS"].flatMap(UInt64.init) {
        Array(0..<runs)
      } else {
        Measure.isThorough ? Array(0..<UInt64(thorough)) : Array(quick)
      }
    await each(seeds, named: { "seed \($0)" }, isLong: isLong, run)
  }

  /// Runs a test case once for each element, as many at once as the machine has places for. What one throws is an issue
  /// with its name.
  static func each<Element: Sendable>(
    _ elements: [Element], named name: @escaping @Sendable (Element) -> String, isLong: Bool = false,
    _ run: @escaping @Sendable (Element) async throws -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for element in elements {
        group.addTask {
          do {
            // A sender and a receiver.
            try await ProcessSlots.take(2, isLong: isLong) { try await run(element) }
          } catch {
            Issue.record(error, "\(name(element))")
          }
        }
      }
    }
  }
}
