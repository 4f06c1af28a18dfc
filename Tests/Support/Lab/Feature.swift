import Foundation
public import Testing

/// What some tests need beyond namespaces, and a machine may lack.
public enum Feature: String, Sendable {
  case loopDevices = "loop devices"
  case fuse = "FUSE"
  case systemdAnalyze = "systemd-analyze"
  case systemdResolved = "systemd-resolved"
  case testChain = "a test chain's node, which Tests/Tools/Chain/python.sh installs"

  /// The folder that systemd-resolved is unpacked in, which BUMP_TEST_RESOLVED names; `nil` where it is not there.
  public static let resolvedFolder = ProcessInfo.processInfo.environment["BUMP_TEST_RESOLVED"].flatMap { folder in
    FileManager.default.isExecutableFile(atPath: "\(folder)/lib/systemd/systemd-resolved") ? folder : nil
  }

  /// Those without which a run may pass where CI=true: they come from outside each time.
  static let mayBeMissing: Set<Feature> = [.systemdResolved, .testChain]

  var isThere: Bool {
    switch self {
    case .loopDevices: Self.text("/proc/devices").contains(" loop\n")
    case .fuse: Self.text("/proc/filesystems").contains("\tfuse\n")
    case .systemdAnalyze: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")
    case .systemdResolved: Self.resolvedFolder != nil
    case .testChain: FileManager.default.isExecutableFile(atPath: TestChain.python)
    }
  }

  private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

extension Trait where Self == ConditionTrait {
  /// The test does not run where the machine lacks something, which the end of a run reports. Where CI=true it fails
  /// instead, but for what `Feature.mayBeMissing` lists.
  public static func needs(_ feature: Feature) -> Self {
    let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
    return .enabled(
      if: feature.isThere || isCI && !Feature.mayBeMissing.contains(feature),
      "this machine lacks \(feature.rawValue)")
  }
}
