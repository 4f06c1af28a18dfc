// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: Swift 6 mode, and the upcoming features of the next one.
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

/// What only the server of a vault, and relays, need. Without the trait it is neither resolved nor built.
let server = TargetDependencyCondition.when(traits: ["Vault"])

let package = Package(
  name: "bump",
  products: [
    .executable(name: "bump", targets: ["BumpCLI"]),
    .executable(name: "bump-vault", targets: ["BumpVaultServer"]),
    .library(name: "BumpKit", targets: ["BumpKit"]),
    .library(name: "BumpClaims", targets: ["BumpClaims", "BumpText"]),
    .library(name: "BumpCards", targets: ["BumpCards"]),
    .library(name: "BumpClip", targets: ["BumpClip"]),
    .library(name: "BumpLint", targets: ["BumpLint"]),
    .library(name: "BumpTesting", targets: ["BumpTesting"]),
    .library(
      name: "BumpSimulator", targets: ["BumpSimulator", "BumpFaults", "BumpFaultyNetwork", "BumpSimulation"]),
    .library(name: "BumpMDNS", targets: ["BumpMDNS"]),
    .library(name: "BumpNostr", targets: ["BumpNostr"]),
    .library(name: "BumpSharedCards", targets: ["BumpSharedCards"]),
    .library(name: "BumpWallet", targets: ["BumpWallet"]),
  ],
  traits: [.trait(name: "Vault", description: "The server of a vault, bump-vault; in bump, relays of Nostr.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Texts of strangers, made harmless to show. Imports nothing.
    .target(name: "BumpText", swiftSettings: settings),
    // Claims, their parts and links: values and parsers, no I/O.
    .target(name: "BumpClaims", dependencies: ["BumpText", crypto], swiftSettings: settings),
    // Private and durable files and directories. Imports nothing of ours.
    .target(name: "BumpFiles", swiftSettings: settings),
    // Threads for what blocks. Imports nothing of ours.
    .target(name: "BumpThreads", swiftSettings: settings),
    // Databases in private files, whose commits survive a power cut.
    .target(name: "BumpSQLite", dependencies: ["BumpText", "BumpFiles", grdb], swiftSettings: settings),
    // Contact cards and links: readers of what strangers send, no I/O.
    .target(name: "BumpCards", dependencies: ["BumpText"], swiftSettings: settings),
    // Frames and messages of the protocol, no I/O.
    .target(name: "BumpWire", dependencies: ["BumpClaims", "BumpText"], swiftSettings: settings),
    // The Noise Protocol Framework: handshakes NN and NNpsk0, and a channel of bytes; no I/O.
    .target(name: "BumpNoise", dependencies: ["BumpText", crypto], swiftSettings: settings),
    // The messages' protection, on it: CPace, MACs, digits, no I/O.
    .systemLibrary(name: "CSodium"),
    .target(
      name: "BumpChannel", dependencies: ["BumpClaims", "BumpText", "BumpNoise", "BumpWire", "CSodium", crypto],
      swiftSettings: settings),
    // What finding services means: services, addresses, networks. Imports nothing of ours.
    .target(name: "BumpDiscovery", dependencies: [nioCore], swiftSettings: settings),
    // What Glibc's module leaves out of Linux's headers: interfaces and neighbours.
    .systemLibrary(name: "CNetlink"),
    // Multicast DNS without a daemon. Imports none of our Swift modules.
    .target(name: "BumpMDNS", dependencies: ["CNetlink", nioCore, nioPosix], swiftSettings: settings),
    // Finding services for real: by avahi-daemon, or by multicast DNS in this process.
    .systemLibrary(name: "CAvahi"),
    .target(
      name: "BumpDNSSD", dependencies: ["CAvahi", "BumpDiscovery", "BumpMDNS", "BumpThreads", nioCore],
      swiftSettings: settings),
    // The claims that this machine has sent and received.
    .target(
      name: "BumpStore",
      dependencies: ["BumpClaims", "BumpText", "BumpSQLite", "BumpThreads", crypto, grdb], swiftSettings: settings),
    // Sessions and bumps, pure: no socket, clock or store is within reach.
    .target(
      name: "BumpSession",
      dependencies: [
        "BumpCards", "BumpClaims", "BumpText", "BumpNoise", "BumpWire", "BumpChannel", "BumpDiscovery", crypto,
      ],
      swiftSettings: settings),
    // Bytes between two ends, over TCP; timers, and tasks with names.
    .target(
      name: "BumpNet", dependencies: ["CNetlink", "BumpDiscovery", "BumpFiles", nioCore, nioPosix],
      swiftSettings: settings),
    // The drivers of sessions and bumps, and what programs see of them.
    .target(
      name: "BumpKit",
      dependencies: [
        "BumpCards", "BumpClaims", "BumpText", "BumpFiles", "BumpStore", "BumpThreads", "BumpWire", "BumpChannel",
        "BumpDiscovery", "BumpDNSSD", "BumpNet", "BumpNoise", "BumpSession", logging, nioCore,
      ],
      swiftSettings: settings),
    // Keys, hashes and signatures of wallets: no I/O but the wallet's file.
    .systemLibrary(name: "CSecp256k1"),
    .target(
      name: "BumpWallet", dependencies: ["BumpClaims", "BumpText", "BumpFiles", "CSecp256k1", crypto],
      swiftSettings: settings),
    // What a vault and its clients say to each other over HTTP: no I/O.
    .target(
      name: "BumpVaultAPI", dependencies: ["BumpClaims", "BumpText", "BumpWallet", "BumpVault", crypto],
      swiftSettings: settings),
    // Requests over HTTP, by libcurl, which is loaded with the first one.
    .target(name: "CHTTP", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "BumpHTTP", dependencies: ["CHTTP", "BumpText", "BumpThreads"], swiftSettings: settings),
    // A client of a vault: sessions without I/O, and their driver over HTTP.
    .target(
      name: "BumpVaultClient",
      dependencies: ["BumpClaims", "BumpText", "BumpHTTP", "BumpWallet", "BumpVault", "BumpVaultAPI"],
      swiftSettings: settings),
    // The vault that holds the money: decisions without I/O, and what its stores keep.
    .target(name: "BumpVault", dependencies: ["BumpClaims", "BumpWallet", crypto], swiftSettings: settings),
    // What a vault answers over HTTP: routes, limits, streams of events; no sockets.
    .target(
      name: "BumpVaultHTTP", dependencies: ["BumpClaims", "BumpWallet", "BumpVault", "BumpVaultAPI", crypto],
      swiftSettings: settings),
    // A client of PostgreSQL. Imports nothing of ours; nothing of `bump` imports it.
    .systemLibrary(name: "CEpoll"),
    .systemLibrary(name: "CPostgreSQL"),
    .target(name: "BumpPostgres", dependencies: ["BumpThreads", "CEpoll", "CPostgreSQL"], swiftSettings: settings),
    // Its store in a database, for several processes.
    .target(
      name: "BumpVaultPostgres", dependencies: ["BumpClaims", "BumpWallet", "BumpVault", "BumpPostgres"],
      swiftSettings: settings),
    // Its store in a file.
    .target(name: "CInode"),
    .target(
      name: "BumpVaultSQLite",
      dependencies: [
        "CInode", "BumpClaims", "BumpFiles", "BumpSQLite", "BumpText", "BumpThreads", "BumpWallet", "BumpVault", crypto,
        grdb,
      ],
      swiftSettings: settings),
    // Its server over HTTP.
    .executableTarget(
      name: "BumpVaultServer",
      dependencies: [
        .target(name: "CProcess", condition: server), .target(name: "BumpClaims", condition: server),
        .target(name: "BumpPostgres", condition: server), .target(name: "BumpVault", condition: server),
        .target(name: "BumpVaultAPI", condition: server), .target(name: "BumpVaultHTTP", condition: server),
        .target(name: "BumpWallet", condition: server),
        .target(name: "BumpVaultPostgres", condition: server), .target(name: "BumpVaultSQLite", condition: server),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: server),
        .product(name: "Hummingbird", package: "hummingbird", condition: server),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
        .product(name: "HummingbirdTLS", package: "hummingbird", condition: server),
        .product(name: "Logging", package: "swift-log", condition: server),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
      ],
      swiftSettings: settings),
    // The other end of a session, as a test's script has it.
    .target(
      name: "BumpScriptedPeer",
      dependencies: ["BumpClaims", "BumpWire", "BumpChannel", "BumpNoise", "BumpSession", crypto],
      swiftSettings: settings),
    // The network, discovery and the clock in memory, for tests.
    .target(
      name: "BumpTesting", dependencies: ["BumpDiscovery", "BumpNet", "BumpScriptedPeer", nioCore],
      swiftSettings: settings),
    // Sessions of several peers, as MultipeerConnectivity has them: no I/O.
    .target(
      name: "BumpMultipeer", dependencies: ["BumpClaims", "BumpNoise", "BumpText", crypto], swiftSettings: settings),
    // People on Nostr: their keys, their profiles where the signature is theirs, and a relay that is asked; no I/O.
    // Imports none of our Swift modules.
    .target(name: "BumpNostr", dependencies: ["CSecp256k1", crypto], swiftSettings: settings),
    // Relays of Nostr over WebSocket. With the trait alone: TLS and WebSocket in Swift.
    .target(
      name: "BumpRelays",
      dependencies: [
        .target(name: "BumpDiscovery", condition: server), .target(name: "BumpNostr", condition: server),
        .product(name: "NIOCore", package: "swift-nio", condition: server),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOPosix", package: "swift-nio", condition: server),
        .product(name: "NIOWebSocket", package: "swift-nio", condition: server),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
      ],
      swiftSettings: settings),
    // Cards that are shared as ciphertext for a day, and where they are kept.
    .target(
      name: "BumpSharedCards", dependencies: ["BumpClaims", "BumpText", "BumpFiles", crypto], swiftSettings: settings),
    // The same in a bucket of S3.
    .target(
      name: "BumpBuckets", dependencies: ["BumpText", "BumpHTTP", "BumpSharedCards", crypto], swiftSettings: settings),
    // Links that open an App Clip, what is captured of them, and what the clip leaves for its app.
    .target(
      name: "BumpClip", dependencies: ["BumpClaims", "BumpText", "BumpFiles", "BumpNostr", "BumpSQLite", crypto, grdb],
      resources: [.embedInCode("Products")], swiftSettings: settings),
    // One request a connection of HTTP/1.1, as bytes in and bytes out. Imports nothing of ours.
    .target(name: "BumpServing", swiftSettings: settings),
    // What is wrong in a project of an App Clip, and what is right: no I/O but a folder's files.
    .target(name: "BumpLint", dependencies: ["BumpText", "BumpClip", "BumpServing"], swiftSettings: settings),
    // What goes wrong on purpose: profiles, and seeded plans. Imports nothing of ours.
    .target(name: "BumpFaults", swiftSettings: settings),
    // Plans on a real discovery, and on real connections.
    .target(
      name: "BumpFaultyNetwork", dependencies: ["BumpFaults", "BumpDiscovery", nioCore], swiftSettings: settings),
    // For programs: what the environment says is obeyed after one call, and never by `bump`.
    .target(name: "BumpSimulator", dependencies: ["BumpFaults"], swiftSettings: settings),
    // Emulated peers under such a plan, on a clock of their own: no I/O.
    .target(
      name: "BumpSimulation",
      dependencies: [
        "BumpClaims", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpFaults", "BumpFaultyNetwork", "BumpKit",
        "BumpMultipeer", "BumpNoise", "BumpSession", crypto, nioCore,
      ],
      swiftSettings: settings),
    // Texts as QR codes.
    .systemLibrary(name: "CQREncode"),
    .target(name: "BumpQR", dependencies: ["CQREncode"], swiftSettings: settings),
    // Why two machines do not find each other.
    .target(name: "CClock"),
    .target(name: "CProcess"),
    .target(
      name: "BumpDoctor",
      dependencies: [
        "CClock", "CProcess", "BumpClaims", "BumpText", "BumpFiles", "BumpThreads", "BumpWire", "BumpDiscovery",
        "BumpDNSSD", "BumpKit", nioCore, nioPosix,
      ],
      swiftSettings: settings),
    // The command line.
    .executableTarget(
      name: "BumpCLI",
      dependencies: [
        "CProcess", .target(name: "BumpRelays", condition: server), "BumpBuckets", "BumpClaims", "BumpText", "BumpClip",
        "BumpFaults", "BumpFaultyNetwork", "BumpFiles", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpDoctor",
        "BumpHTTP", "BumpKit", "BumpLint", "BumpNostr", "BumpQR", "BumpServing", "BumpSharedCards", "BumpSimulation",
        "BumpThreads", "BumpVault", "BumpVaultAPI", "BumpVaultClient", "BumpWallet", argumentParser, logging, nioCore,
      ],
      swiftSettings: settings),

    // Which of the two measures of tests runs.
    .target(name: "Measures", path: "Tests/Support/Measures", swiftSettings: settings),
    // What several suites test with: vectors, seeded chance.
    .target(
      name: "Samples",
      dependencies: ["BumpClaims", "BumpText", "BumpFaults", "BumpSession", "BumpStore", "BumpWire", crypto, grdb],
      path: "Tests/Support/Samples",
      swiftSettings: settings),
    .testTarget(name: "BumpTextTests", dependencies: ["BumpText", "Samples"], swiftSettings: settings),
    .testTarget(name: "BumpClaimsTests", dependencies: ["BumpClaims", "Samples"], swiftSettings: settings),
    .testTarget(
      name: "BumpCardsTests", dependencies: ["BumpCards", "BumpClaims", "BumpText", "Samples"], swiftSettings: settings),
    .testTarget(name: "BumpWireTests", dependencies: ["BumpClaims", "BumpWire", "Samples"], swiftSettings: settings),
    .testTarget(name: "BumpNoiseTests", dependencies: ["BumpNoise", "Samples", crypto], swiftSettings: settings),
    .testTarget(
      name: "BumpChannelTests",
      dependencies: ["BumpClaims", "BumpText", "BumpNoise", "BumpWire", "BumpChannel", "Samples", crypto],
      swiftSettings: settings),
    .testTarget(
      name: "BumpWalletTests", dependencies: ["BumpClaims", "BumpText", "BumpWallet", "Samples", crypto],
      swiftSettings: settings),
    .testTarget(
      name: "BumpVaultAPITests",
      dependencies: [
        "BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", "VaultContract", "Samples", crypto,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpVaultHTTPTests",
      dependencies: [
        "BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultHTTP", "VaultContract",
        "Samples",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpVaultClientTests",
      dependencies: [
        "BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultClient", "VaultContract",
        "VaultDesk", "Lab",
      ],
      swiftSettings: settings),
    // A vault's server as its clients meet it, whose answers may be lost.
    .target(
      name: "VaultDesk",
      dependencies: [
        "BumpClaims", "BumpThreads", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultClient", "BumpVaultHTTP",
        "VaultContract", "Lab",
      ],
      path: "Tests/Support/VaultDesk", swiftSettings: settings),
    // What every store of a vault does, and one in memory that shows how.
    .target(
      name: "VaultContract", dependencies: ["BumpClaims", "BumpWallet", "BumpVault", "Samples"],
      path: "Tests/Support/VaultContract", swiftSettings: settings),
    .testTarget(
      name: "BumpVaultTests",
      dependencies: ["BumpClaims", "BumpWallet", "BumpVault", "Measures", "Samples", "VaultContract"],
      swiftSettings: settings),
    .testTarget(
      name: "BumpVaultSQLiteTests",
      dependencies: [
        "BumpClaims", "BumpWallet", "BumpVault", "BumpVaultSQLite", "Measures", "Samples", "VaultContract", grdb,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpVaultServerTests",
      dependencies: [
        .target(name: "BumpVaultServer", condition: server), "BumpClaims", "BumpWallet", "BumpPostgres", "BumpVault",
        "BumpVaultAPI", "BumpVaultPostgres", "BumpVaultSQLite", "VaultContract", "Samples", "Lab", "Measures", nioCore,
        nioPosix,
        .product(name: "NIOEmbedded", package: "swift-nio", condition: server),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: server),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpMultipeerTests", dependencies: ["BumpNoise", "BumpMultipeer", "Samples", crypto],
      swiftSettings: settings),
    .testTarget(name: "BumpFaultsTests", dependencies: ["BumpFaults"], swiftSettings: settings),
    .testTarget(
      name: "BumpSimulatorTests", dependencies: ["BumpFaults", "BumpSimulator", "Lab"], swiftSettings: settings),
    .testTarget(
      name: "BumpSimulationTests",
      dependencies: ["BumpFaults", "BumpFaultyNetwork", "BumpKit", "BumpSimulation", "BumpTesting"],
      exclude: ["Golden"],
      swiftSettings: settings),
    .testTarget(name: "BumpMDNSTests", dependencies: ["BumpMDNS", "Measures", "Samples"], swiftSettings: settings),
    .testTarget(
      name: "BumpDiscoveryTests", dependencies: ["BumpDiscovery", nioCore], swiftSettings: settings),
    .testTarget(
      name: "BumpDNSSDTests", dependencies: ["BumpDiscovery", "BumpDNSSD", "BumpMDNS", "BumpTesting", "Lab", nioCore],
      swiftSettings: settings),
    .testTarget(
      name: "BumpNetTests", dependencies: ["BumpDiscovery", "BumpNet", nioCore], swiftSettings: settings),
    .testTarget(
      name: "BumpSessionTests",
      dependencies: [
        "BumpClaims", "BumpText", "BumpNoise", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpScriptedPeer",
        "BumpSession", "Samples", crypto, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpStoreTests",
      dependencies: ["BumpClaims", "BumpFiles", "BumpChannel", "BumpStore", "BumpWire", "Lab", "Samples", grdb],
      swiftSettings: settings),
    .testTarget(
      name: "BumpKitTests",
      dependencies: [
        "BumpClaims", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpKit", "BumpSession", "BumpStore", "BumpTesting",
        "Lab", "Measures", "Samples", grdb, nioCore,
      ],
      swiftSettings: settings),
    .testTarget(name: "BumpClipTests", dependencies: ["BumpClaims", "BumpClip", grdb], swiftSettings: settings),
    .testTarget(name: "BumpLintTests", dependencies: ["BumpClip", "BumpLint", "BumpServing"], swiftSettings: settings),
    .target(
      name: "NostrAuthor", dependencies: ["BumpNostr", "CSecp256k1"], path: "Tests/Support/NostrAuthor",
      swiftSettings: settings),
    .testTarget(
      name: "BumpBucketsTests", dependencies: ["BumpBuckets", "BumpSharedCards"], swiftSettings: settings),
    .testTarget(
      name: "BumpRelaysTests",
      dependencies: [
        .target(name: "BumpRelays", condition: server), "BumpDiscovery", "BumpNostr", "NostrAuthor", "Lab", nioCore,
        nioPosix,
        .product(name: "NIOHTTP1", package: "swift-nio", condition: server),
        .product(name: "NIOWebSocket", package: "swift-nio", condition: server),
      ],
      swiftSettings: settings),
    .testTarget(name: "BumpServingTests", dependencies: ["BumpServing"], swiftSettings: settings),
    .testTarget(name: "BumpSharedCardsTests", dependencies: ["BumpSharedCards"], swiftSettings: settings),
    .testTarget(name: "BumpNostrTests", dependencies: ["BumpNostr", "NostrAuthor"], swiftSettings: settings),
    .testTarget(name: "BumpQRTests", dependencies: ["BumpQR", "Lab", "Samples"], swiftSettings: settings),
    .testTarget(
      name: "BumpCLITests",
      dependencies: [
        "BumpCLI", "BumpClaims", "BumpText", "BumpFaults", "BumpWire", "BumpChannel", "BumpDiscovery", "BumpDoctor",
        "BumpKit", "BumpQR", "BumpStore", "BumpVault", "BumpVaultAPI", "BumpWallet", "Lab", "Measures", "VaultContract",
        "VaultDesk",
        argumentParser,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BumpDoctorTests",
      dependencies: [
        "BumpClaims", "BumpWire", "BumpDiscovery", "BumpDoctor", "BumpKit", "BumpTesting", "Lab", nioCore,
      ],
      swiftSettings: settings),
    // What is fuzzed. The inputs that the fuzzer begins with are a test, too.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "BumpCards", "BumpChannel", "BumpClaims", "BumpClip", "BumpKit", "BumpLint", "BumpMDNS", "BumpMultipeer",
        "BumpNoise", "BumpNostr", "BumpTesting", "BumpWallet", "BumpWire", crypto,
      ],
      path: "Tests/Support/FuzzTargets", swiftSettings: settings),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
    // Real processes on real daemons, in namespaces.
    .target(name: "CLab", path: "Tests/Support/CLab"),
    .target(name: "Lab", dependencies: ["CLab", "CProcess"], path: "Tests/Support/Lab", swiftSettings: settings),
    .testTarget(name: "LoopbackTests", dependencies: ["Lab", "Measures"], swiftSettings: settings),
    .executableTarget(
      name: "BumpsInARow", dependencies: ["BumpKit"], path: "Tests/Tools/BumpsInARow", swiftSettings: settings),
    .testTarget(
      name: "TwoHostTests",
      dependencies: [
        .target(name: "BumpVaultServer", condition: server), "Lab", "BumpMDNS", "BumpsInARow", "Measures",
      ],
      swiftSettings: settings),
    // A real server of PostgreSQL, and its death: the client, and the vault's store.
    .testTarget(
      name: "BumpPostgresTests",
      dependencies: [
        "BumpClaims", "BumpWallet", "BumpPostgres", "BumpVault", "BumpVaultPostgres", "VaultContract", "Lab",
        "Measures",
      ],
      swiftSettings: settings),
    // Real processes, with somebody in the middle of them or their death.
    .executableTarget(
      name: "VaultSteps", dependencies: ["BumpClaims", "BumpWallet", "BumpVault", "BumpVaultSQLite", "VaultContract"],
      path: "Tests/Tools/VaultSteps", swiftSettings: settings),
    // What the figures of routing are measured with.
    .executableTarget(
      name: "LinkFigures", dependencies: ["BumpClip"], path: "Tests/Tools/LinkFigures",
      exclude: ["figures.py", "run.sh"], swiftSettings: settings),
    // What the figures of the vault's server are measured with.
    .executableTarget(
      name: "VaultLoad",
      dependencies: [
        "BumpClaims", "BumpWallet", "BumpPostgres", "BumpSQLite", "BumpVault", "BumpVaultAPI", "BumpVaultHTTP",
        "BumpVaultPostgres", "BumpVaultSQLite", "VaultContract", grdb,
      ],
      path: "Tests/Tools/VaultLoad", swiftSettings: settings),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "Lab", "Measures", "Samples", "VaultSteps", "BumpClaims", "BumpText", "BumpFaults", "BumpFiles", "BumpWire",
        "BumpChannel", "BumpKit", "BumpTesting", "BumpWallet", crypto,
      ],
      swiftSettings: settings),

    // Example programs and an example test on BumpKit.
    .executableTarget(
      name: "SendOne", dependencies: ["BumpKit"], path: "Examples/SendOne", swiftSettings: settings),
    .executableTarget(
      name: "ReceiveAndDecide", dependencies: ["BumpKit"], path: "Examples/ReceiveAndDecide", swiftSettings: settings),
    .testTarget(
      name: "ExampleFlowTests", dependencies: ["BumpKit", "BumpTesting"], path: "Examples/FlowTests",
      swiftSettings: settings),
  ]
)

// Apple's MultipeerConnectivity. Apple's systems have it themselves.
#if os(Linux)
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]))
  package.targets += [
    .target(
      name: "MultipeerConnectivity",
      dependencies: [
        "BumpDiscovery", "BumpDNSSD", "BumpMultipeer", "BumpNoise", crypto, nioCore, nioPosix,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MultipeerConnectivityTests",
      dependencies: [
        "BumpNoise", "BumpDiscovery", "BumpMultipeer", "MultipeerConnectivity", "Lab", crypto, nioCore,
      ],
      swiftSettings: settings),
    // What sessions cost.
    .executableTarget(
      name: "MultipeerFigures", dependencies: ["MultipeerConnectivity", crypto, nioCore, nioPosix],
      path: "Tests/Tools/MultipeerFigures", exclude: ["run.sh"], swiftSettings: settings),
    // A program on it, told what to do on its input.
    .executableTarget(
      name: "MultipeerPeer", dependencies: ["BumpSimulator", "MultipeerConnectivity"],
      path: "Tests/Tools/MultipeerPeer",
      swiftSettings: settings),
  ]
  package.targets.first { $0.name == "TwoHostTests" }?.dependencies.append("MultipeerPeer")
  // An example of an app's model, and of its tests under plans.
  package.targets += [
    .target(
      name: "NearbyPlayers", dependencies: ["MultipeerConnectivity"], path: "Examples/NearbyPlayers",
      swiftSettings: settings),
    .testTarget(
      name: "NearbyPlayersTests",
      dependencies: ["BumpFaults", "BumpSimulator", "MultipeerConnectivity", "NearbyPlayers"],
      path: "Examples/NearbyPlayersTests", swiftSettings: settings),
  ]
  // Its peers under a plan.
  package.targets.first { $0.name == "BumpSimulator" }?.dependencies += [
    "BumpDiscovery", "BumpMultipeer", "MultipeerConnectivity", nioCore,
  ]
  package.targets.first { $0.name == "BumpSimulatorTests" }?.dependencies += [
    "BumpSimulation", "MultipeerConnectivity",
  ]
#else
  // The system has the module. Packages that ask for the product on Linux alone must find it here too.
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivityOfTheSystem"]))
  package.targets.append(
    .target(
      name: "MultipeerConnectivityOfTheSystem", path: "Sources/MultipeerConnectivity", sources: ["OfTheSystem.swift"],
      swiftSettings: settings))
#endif

// Some test targets with what they need, and controls: Tests/Tools/Threads/run.sh builds them with ThreadSanitizer.
if let targets = Context.environment["BUMP_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !targets.contains($0.name) }
  package.targets += [
    .target(name: "CMutex", path: "Tests/Tools/Threads/CMutex"),
    .testTarget(
      name: "RaceTests", dependencies: ["CMutex"], path: "Tests/Tools/Threads/Races", swiftSettings: settings),
  ]
}

if Context.environment["BUMP_FUZZ"] != nil {
  package.products.append(.library(name: "FuzzTargets", targets: ["FuzzTargets"]))
}
