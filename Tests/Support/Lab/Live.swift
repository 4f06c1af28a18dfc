import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
  /// The test makes namespaces, for which it must be root. Where CI is true it is never skipped: it fails.
  public static var live: Self {
    .enabled(
      if: getuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true",
      "a live test makes network namespaces, and for that it must run as root")
  }
}
