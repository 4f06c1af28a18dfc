// swift-tools-version: 6.2
import PackageDescription

/// One dialect for every target: Swift 6 mode, and what the next language mode will ask for.
/// `.ci/run` sets BUMP_WARNINGS_AS_ERRORS; a user's newer compiler may warn without breaking the build.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["BUMP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "bump",
  products: [
    .executable(name: "bump", targets: ["BumpCLI"]),
    .library(name: "BumpKit", targets: ["BumpKit"]),
    .library(name: "BumpTesting", targets: ["BumpTesting"]),
    .library(name: "BumpMDNS", targets: ["BumpMDNS"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // The wire: values and parsers, no I/O.
    .target(name: "BumpWire", dependencies: [crypto], swiftSettings: settings),
    // Their protection: Noise, MACs, digits, no I/O.
    .systemLibrary(name: "CSodium"),
    .target(name: "BumpChannel", dependencies: ["BumpWire", "CSodium", crypto], swiftSettings: settings),
    // Who is near. Imports nothing of ours.
    .systemLibrary(name: "CAvahi"),
    .systemLibrary(name: "CNetlink"),
    // Multicast DNS without a daemon. Imports nothing of ours.
    .target(name: "BumpMDNS", dependencies: ["CNetlink", nioCore, nioPosix], swiftSettings: settings),
    .target(
      name: "BumpDiscovery", dependencies: ["CAvahi", "BumpMDNS", nioCore], swiftSettings: settings),
    // Who says what when, over TCP, and the store.
    .target(
      name: "BumpKit",
      dependencies: [
        "BumpWire", "BumpChannel", "BumpDiscovery", crypto, grdb, logging, nioCore, nioPosix,
      ],
      swiftSettings: settings),
    // Twins of the network and the clock for tests of flows.
    .target(
      name: "BumpTesting",
      dependencies: ["BumpWire", "BumpChannel", "BumpDiscovery", "BumpKit", crypto, nioCore],
      swiftSettings: settings),
    // A link as a picture.
    .systemLibrary(name: "CQREncode"),
    .target(name: "BumpQR", dependencies: ["CQREncode"], swiftSettings: settings),
    // Why two machines do not find each other.
    .target(name: "CClock"),
    .target(name: "CProcess"),
    .target(
      name: "BumpDoctor",
      dependencies: ["CClock", "CProcess", "BumpWire", "BumpDiscovery", "BumpKit", nioCore, nioPosix],
      swiftSettings: settings),
    // The command line.
    .executableTarget(
      name: "BumpCLI",
      dependencies: [
        "CProcess",
        "BumpWire", "BumpChannel", "BumpDiscovery", "BumpDoctor", "BumpKit", "BumpQR", argumentParser, logging, nioCore,
      ],
      swiftSettings: settings),

    .testTarget(name: "BumpWireTests", dependencies: ["BumpWire"], swiftSettings: settings),
    .testTarget(
      name: "BumpChannelTests", dependencies: ["BumpWire", "BumpChannel", crypto],
      swiftSettings: settings),
    .testTarget(name: "BumpMDNSTests", dependencies: ["BumpMDNS"], swiftSettings: settings),
    .testTarget(
      name: "BumpDiscoveryTests", dependencies: ["BumpDiscovery", "BumpTesting", "Lab", nioCore],
      swiftSettings: settings),
    .testTarget(
      name: "BumpKitTests",
      dependencies: [
        "BumpWire", "BumpChannel", "BumpDiscovery", "BumpKit", "BumpTesting", "Lab", crypto, grdb, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(name: "BumpQRTests", dependencies: ["BumpQR", "Lab"], swiftSettings: settings),
    .testTarget(
      name: "BumpCLITests",
      dependencies: ["BumpCLI", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpKit", "Lab"],
      swiftSettings: settings),
    .testTarget(
      name: "BumpDoctorTests",
      dependencies: [
        "BumpWire", "BumpChannel", "BumpDiscovery", "BumpDoctor", "BumpKit", "BumpTesting", nioCore,
      ],
      swiftSettings: settings),
    // Real processes on real daemons, in namespaces.
    .target(name: "CLab", path: "Tests/CLab"),
    .target(name: "Lab", dependencies: ["CLab"], path: "Tests/Lab", swiftSettings: settings),
    .testTarget(name: "LoopbackTests", dependencies: ["Lab"], swiftSettings: settings),
    .executableTarget(
      name: "BumpsInARow", dependencies: ["BumpKit"], path: "Tests/BumpsInARow", swiftSettings: settings),
    .testTarget(name: "TwoHostTests", dependencies: ["Lab", "BumpMDNS", "BumpsInARow"], swiftSettings: settings),
    // Real processes, with somebody in the middle of them or their death.
    .testTarget(
      name: "HostileTests", dependencies: ["Lab", "BumpWire", "BumpChannel", "BumpKit", "BumpTesting"],
      swiftSettings: settings),

    // Programs and a test as somebody writes them who builds on BumpKit.
    .executableTarget(
      name: "SendOne", dependencies: ["BumpKit"], path: "Examples/SendOne", swiftSettings: settings),
    .executableTarget(
      name: "ReceiveAndDecide", dependencies: ["BumpKit"], path: "Examples/ReceiveAndDecide", swiftSettings: settings),
    .testTarget(
      name: "ExampleFlowTests", dependencies: ["BumpKit", "BumpTesting"], path: "Examples/FlowTests",
      swiftSettings: settings),
  ]
)
