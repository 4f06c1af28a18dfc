import Foundation
public import Testing

/// The two measures of Tests/run.sh: what a change must pass, and with `--all` everything.
public enum Measure {
  /// Whether tests run that are slow by design. `--all` sets BUMP_TEST_ALL.
  public static let isThorough = ProcessInfo.processInfo.environment["BUMP_TEST_ALL"] == "1"
}

extension Trait where Self == ConditionTrait {
  /// The test is slow by design, or leans on what a machine may lack. A shorter one stands for it in the first measure.
  public static var thorough: Self { .enabled(if: Measure.isThorough, "only with Tests/run.sh --all") }
}
