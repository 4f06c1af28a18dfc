// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["BUMP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// The fuzzer. `run.sh` builds it, with flags that must reach the modules of bump too, and with BUMP_FUZZ, by which bump
/// gives out its targets.
let package = Package(
  name: "bump-fuzz",
  dependencies: [.package(name: "bump", path: "../../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CLibFuzzer", .product(name: "FuzzTargets", package: "bump")],
      swiftSettings: settings),
  ]
)
