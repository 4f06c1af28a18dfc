import Foundation
public import Testing

/// By what `bump` finds others in these tests: its own choice is tested by itself.
public enum Backend: String, Sendable {
  case daemon
  case embedded

  /// What BUMP_TEST_DISCOVERY says; the daemon where it says nothing.
  public static let current =
    ProcessInfo.processInfo.environment["BUMP_TEST_DISCOVERY"].flatMap(Backend.init) ?? .daemon
}

extension Trait where Self == ConditionTrait {
  /// The test is about the daemon.
  public static var daemon: Self {
    .enabled(if: Backend.current == .daemon, "this is about avahi-daemon, and others are not by it")
  }
}

extension Daemons {
  /// What `bump` needs on a host to find others.
  public static var needed: Daemons {
    switch Backend.current {
    case .daemon: .avahi
    case .embedded: .none
    }
  }
}
