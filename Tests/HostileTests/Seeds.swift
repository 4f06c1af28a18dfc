import Foundation
import Testing

/// How often the tests try, and with which seeds.
enum Seeds {
  /// Processes spend most of a run waiting for each other.
  private static let atOnce = 8

  /// - Parameters:
  ///   - share: the part of all runs that is one test case's.
  ///   - count: how many runs there are without BUMP_HOSTILE_RUNS. BUMP_HOSTILE_SEED repeats one alone.
  private static func all(share: Int, of count: Int) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["BUMP_HOSTILE_SEED"].flatMap(UInt64.init) { return [seed] }
    let runs = environment["BUMP_HOSTILE_RUNS"].flatMap(Int.init) ?? count
    return (0..<UInt64(max(1, runs / share))).map { $0 }
  }

  /// Runs a test case once for each seed, several at once. What one throws is an issue with its seed, and the others go on.
  static func each(
    share: Int = 1, of count: Int, _ run: @escaping @Sendable (UInt64) async throws -> Void
  ) async {
    await each(all(share: share, of: count), named: { "seed \($0)" }, run)
  }

  /// Runs a test case once for each element, several at once. What one throws is an issue with its name.
  static func each<Element: Sendable>(
    _ elements: [Element], named name: @Sendable (Element) -> String,
    _ run: @escaping @Sendable (Element) async throws -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for (number, element) in elements.enumerated() {
        if number >= atOnce { await group.next() }
        let name = name(element)
        group.addTask {
          do {
            try await run(element)
          } catch {
            Issue.record(error, "\(name)")
          }
        }
      }
    }
  }

  /// Which of many cases are run: all with BUMP_HOSTILE_PART=all; else one in `parts`, others each day, or those of the part
  /// that BUMP_HOSTILE_PART counts from 0.
  static func share<Case>(of cases: [Case], parts: Int) -> (cases: [Case], name: String) {
    let wanted = ProcessInfo.processInfo.environment["BUMP_HOSTILE_PART"]
    if wanted == "all" { return (cases, "all") }
    let days = Int(Date().timeIntervalSince1970) / 86_400
    let part = (wanted.flatMap(Int.init) ?? days) % parts
    return (cases.indices.filter { $0 % parts == part }.map { cases[$0] }, "BUMP_HOSTILE_PART=\(part)")
  }
}
