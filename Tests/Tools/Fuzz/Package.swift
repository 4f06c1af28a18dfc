// swift-tools-version: 6.2
import PackageDescription

/// A program per target. `run.sh` builds them, with flags that must reach BumpKit's modules too.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["BUMP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

let cards = Target.Dependency.product(name: "BumpCards", package: "bump")
let kit = Target.Dependency.product(name: "BumpKit", package: "bump")
let lint = Target.Dependency.product(name: "BumpLint", package: "bump")
let multipeer = Target.Dependency.product(name: "MultipeerConnectivity", package: "bump")
let mdns = Target.Dependency.product(name: "BumpMDNS", package: "bump")
let wallet = Target.Dependency.product(name: "BumpWallet", package: "bump")
let nostr = Target.Dependency.product(name: "BumpNostr", package: "bump")
let testing = Target.Dependency.product(name: "BumpTesting", package: "bump")

let package = Package(
  name: "bump-fuzz",
  dependencies: [.package(name: "bump", path: "../../..")],
  targets: [
    // What all share: how a finding is told, and how input is read.
    .systemLibrary(name: "CLibFuzzer"),
    .target(name: "Checks", dependencies: ["CLibFuzzer"], swiftSettings: settings),
    .target(name: "Scenes", dependencies: [kit], swiftSettings: settings),

    .executableTarget(name: "FuzzFrames", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzHandshake", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzMessages", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzLinks", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzTXTRecords", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzNames", dependencies: ["Checks", kit], swiftSettings: settings),
    .executableTarget(name: "FuzzDNSMessages", dependencies: ["Checks", mdns], swiftSettings: settings),
    .executableTarget(name: "FuzzMulticast", dependencies: ["Checks", mdns], swiftSettings: settings),
    .executableTarget(name: "FuzzMultipeerFrames", dependencies: ["Checks", multipeer], swiftSettings: settings),
    .executableTarget(name: "FuzzMultipeerLink", dependencies: ["Checks", multipeer], swiftSettings: settings),
    .executableTarget(name: "FuzzVCards", dependencies: ["Checks", cards], swiftSettings: settings),
    .executableTarget(name: "FuzzWallet", dependencies: ["Checks", wallet], swiftSettings: settings),
    .executableTarget(name: "FuzzPropertyLists", dependencies: ["Checks", lint], swiftSettings: settings),
    .executableTarget(name: "FuzzAssociations", dependencies: ["Checks", lint], swiftSettings: settings),
    .executableTarget(name: "FuzzNostr", dependencies: ["Checks", nostr], swiftSettings: settings),
    .executableTarget(name: "FuzzSession", dependencies: ["Checks", "Scenes", kit, testing], swiftSettings: settings),
    .executableTarget(name: "FuzzDuet", dependencies: ["Checks", "Scenes", kit], swiftSettings: settings),
  ]
)
