// swift-tools-version: 6.2
import PackageDescription

// The map of the house: the products, then one room of Sources after the other, each module with what it imports.

let package = Package(
  name: "bump",
  products: [
    .executable(name: "bump", targets: ["BumpCLI"]),
    .executable(name: "bump-clip", targets: ["BumpClipCLI"]),
    .executable(name: "bump-vault", targets: ["BumpVaultServer"]),
    .library(name: "BumpKit", targets: ["BumpKit"]),
    .library(name: "BumpClaims", targets: ["BumpClaims", "BumpText"]),
    .library(name: "BumpCards", targets: ["BumpCards"]),
    .library(name: "BumpClip", targets: ["BumpClip"]),
    .library(name: "BumpLint", targets: ["BumpLint"]),
    .library(name: "BumpTesting", targets: ["BumpTesting"]),
    .library(
      name: "BumpSimulator", targets: ["BumpSimulator", "BumpFaults", "BumpSimulation"]),
    .library(name: "BumpMDNS", targets: ["BumpMDNS"]),
    .library(name: "BumpNostr", targets: ["BumpNostr"]),
    .library(name: "BumpSharedCards", targets: ["BumpSharedCards"]),
    .library(name: "BumpVaultClient", targets: ["BumpVaultClient", "BumpVaultAPI", "BumpWallet"]),
    .library(name: "BumpWallet", targets: ["BumpWallet"]),
  ],
  traits: [.trait(name: "Vault", description: "The server of a vault, bump-vault; in bump-clip, relays of Nostr.")],
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
  ])

/// Swift 6 mode, and the upcoming features of the next one.
/// `.ci/run` sets BUMP_WARNINGS_AS_ERRORS; a user's newer compiler may warn without breaking the build.
let settings: [SwiftSetting] =
  ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
  + (Context.environment["BUMP_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)])

// MARK: - What a module imports

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// Returns what is neither resolved nor built without the trait: the server of a vault, and relays, need it.
func server(_ modules: String..., products: [String] = [], of package: String = "") -> [Target.Dependency] {
  let isServer = TargetDependencyCondition.when(traits: ["Vault"])
  return modules.map { .target(name: $0, condition: isServer) }
    + products.map { .product(name: $0, package: package, condition: isServer) }
}

// MARK: - The kinds of targets

@MainActor func module(_ name: String, _ dependencies: Target.Dependency..., with more: [Target.Dependency] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies + more, swiftSettings: settings)
}

@MainActor func program(
  _ name: String, _ dependencies: Target.Dependency..., with more: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .executableTarget(name: name, dependencies: dependencies + more, exclude: exclude, swiftSettings: settings)
}

@MainActor func suite(
  _ name: String, _ dependencies: Target.Dependency..., with more: [Target.Dependency] = [], at path: String? = nil,
  exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies + more, path: path, exclude: exclude, swiftSettings: settings)
}

/// Adds targets, each in a folder of its name below this one, unless it has a path of its own.
@MainActor func room(_ folder: String, _ targets: Target...) {
  for target in targets where target.path == nil { target.path = "\(folder)/\(target.name)" }
  package.targets += targets
}

// MARK: - Sources

// Values and files; the protocol, pure: no socket, clock or store is within reach.
room(
  "Sources/Core",
  module("BumpText"),
  module("BumpSystem"),
  module("BumpClaims", "BumpText", crypto),
  module("BumpCards", "BumpText"),
  module("BumpNoise", "BumpText", crypto),
  module("BumpWire", "BumpClaims", "BumpText", "BumpNoise", "CSodium", crypto),
  module(
    "BumpSession", "BumpCards", "BumpClaims", "BumpText", "BumpNoise", "BumpWire", "BumpDiscovery",
    crypto))

// Finding services, and bytes between two ends.
room(
  "Sources/Network",
  module("BumpDiscovery", nioCore),
  module("BumpMDNS", "CSystemCalls", nioCore, nioPosix),
  module("BumpDNSSD", "CAvahi", "BumpDiscovery", "BumpMDNS", "BumpSystem", nioCore),
  module("BumpNet", "CSystemCalls", "BumpDiscovery", "BumpSystem", nioCore, nioPosix),
  module("BumpHTTP", "CHTTP", "BumpText", "BumpSystem"),
  module("BumpServing"))

// Claims on the disk.
room(
  "Sources/Store",
  module("BumpSQLite", "BumpText", "BumpSystem", grdb),
  module("BumpStore", "BumpClaims", "BumpText", "BumpSQLite", "BumpSystem", crypto, grdb))

// The library, and what its users test with.
room(
  "Sources/Kit",
  module(
    "BumpKit", "BumpCards", "BumpClaims", "BumpText", "BumpSystem", "BumpStore", "BumpWire", "BumpDiscovery",
    "BumpDNSSD", "BumpNet", "BumpNoise", "BumpSession", logging, nioCore),
  module(
    "BumpTesting", "BumpClaims", "BumpDiscovery", "BumpNet", "BumpNoise", "BumpSession", "BumpWire", crypto, nioCore))

// The program `bump`.
room(
  "Sources/Bump",
  module("BumpQR", "CQREncode"),
  module(
    "BumpTerminal", "BumpCards", "BumpClaims", "BumpDiscovery", "BumpNet", "BumpQR", "BumpSession", "BumpSystem",
    "BumpText", "BumpWire", "CSystemCalls", argumentParser, nioCore),
  module(
    "BumpDoctor", "CSystemCalls", "BumpClaims", "BumpText", "BumpSystem", "BumpWire",
    "BumpDiscovery", "BumpDNSSD", "BumpKit", nioCore, nioPosix),
  program(
    "BumpCLI", "BumpClaims", "BumpDiscovery", "BumpDoctor", "BumpFaults", "BumpKit", "BumpQR", "BumpSimulation",
    "BumpSystem", "BumpTerminal", "BumpText", "BumpVaultAPI", "BumpVaultClient", "BumpWallet", "BumpWire",
    argumentParser, logging, nioCore))

// The vault: keys, rules, its client; its stores and the program `bump-vault`.
room(
  "Sources/Vault",
  module("BumpWallet", "BumpClaims", "BumpText", "BumpSystem", "CSecp256k1", crypto),
  module("BumpVault", "BumpClaims", "BumpWallet", crypto),
  module("BumpVaultAPI", "BumpClaims", "BumpText", "BumpWallet", crypto),
  module("BumpVaultClient", "BumpClaims", "BumpText", "BumpHTTP", "BumpStore", "BumpWallet", "BumpVaultAPI"),
  .target(
    name: "BumpVaultHTTP", dependencies: ["BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", crypto],
    resources: [.embedInCode("Page/Files")], swiftSettings: settings),
  module(
    "BumpVaultSQLite", "CSystemCalls", "BumpClaims", "BumpSystem", "BumpSQLite", "BumpText", "BumpWallet",
    "BumpVault", crypto, grdb),
  module("BumpPostgres", "BumpSystem", "CSystemCalls", "CPostgreSQL"),
  module("BumpVaultPostgres", "BumpClaims", "BumpWallet", "BumpVault", "BumpPostgres"),
  program(
    "BumpVaultServer",
    with: server(
      "CSystemCalls", "BumpClaims", "BumpPostgres", "BumpSystem", "BumpText", "BumpVault", "BumpVaultAPI",
      "BumpVaultHTTP", "BumpVaultPostgres", "BumpVaultSQLite", "BumpWallet")
      + server(products: ["ArgumentParser"], of: "swift-argument-parser")
      + server(products: ["Hummingbird", "HummingbirdCore", "HummingbirdTLS"], of: "hummingbird")
      + server(products: ["Logging"], of: "swift-log") + server(products: ["HTTPTypes"], of: "swift-http-types")
      + server(products: ["NIOHTTPTypes", "NIOHTTPTypesHTTP1"], of: "swift-nio-extras")
      + server(products: ["NIOSSL"], of: "swift-nio-ssl")
      + server(products: ["ServiceLifecycle", "UnixSignals"], of: "swift-service-lifecycle")
      + server(products: ["NIOCore", "NIOHTTP1"], of: "swift-nio")))

// App Clips: their links, their projects, cards that are shared, people on Nostr.
room(
  "Sources/Clip",
  .target(
    name: "BumpClip",
    dependencies: ["BumpClaims", "BumpText", "BumpSystem", "BumpNostr", "BumpSQLite", crypto, grdb],
    resources: [.embedInCode("Products")], swiftSettings: settings),
  module("BumpLint", "BumpText", "BumpClip", "BumpServing"),
  module("BumpSharedCards", "BumpClaims", "BumpText", "BumpHTTP", "BumpSystem", crypto),
  module("BumpNostr", "CSecp256k1", crypto),
  module(
    "BumpRelays",
    with: server("BumpDiscovery", "BumpNostr")
      + server(products: ["NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"], of: "swift-nio")
      + server(products: ["NIOSSL"], of: "swift-nio-ssl")),
  program(
    "BumpClipCLI", "BumpClaims", "BumpClip", "BumpDiscovery", "BumpHTTP", "BumpKit", "BumpLint", "BumpNostr", "BumpQR",
    "BumpServing", "BumpSharedCards", "BumpSystem", "BumpTerminal", "BumpText", argumentParser,
    with: server("BumpRelays")))

// Apple's MultipeerConnectivity, which Apple's systems have themselves; and what goes wrong on purpose.
room(
  "Sources/Multipeer",
  module("BumpMultipeer", "BumpClaims", "BumpNoise", "BumpText", crypto),
  module("BumpFaults"),
  module(
    "BumpSimulation", "BumpClaims", "BumpWire", "BumpDiscovery", "BumpFaults",
    "BumpKit", "BumpMultipeer", "BumpNoise", "BumpSession", crypto, nioCore))
#if os(Linux)
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]))
  room(
    "Sources/Multipeer",
    module(
      "MultipeerConnectivity", "BumpDiscovery", "BumpDNSSD", "BumpMultipeer", "BumpNoise", crypto, nioCore, nioPosix),
    module("BumpSimulator", "BumpFaults", "BumpDiscovery", "BumpMultipeer", "MultipeerConnectivity", nioCore))
#else
  // Packages that ask for the product on Linux alone must find it here too.
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivityOfTheSystem"]))
  room(
    "Sources/Multipeer",
    .target(
      name: "MultipeerConnectivityOfTheSystem", path: "Sources/Multipeer/MultipeerConnectivity",
      sources: ["OfTheSystem.swift"], swiftSettings: settings),
    module("BumpSimulator", "BumpFaults"))
#endif

// C libraries, the kernel, and what Swift cannot call.
room(
  "Sources/System",
  .systemLibrary(name: "CAvahi"),
  .target(name: "CHTTP", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  .systemLibrary(name: "CPostgreSQL"),
  .systemLibrary(name: "CQREncode"),
  .systemLibrary(name: "CSecp256k1"),
  .systemLibrary(name: "CSodium"),
  .target(name: "CSystemCalls"))

// MARK: - Tests

// What the suites share: vectors and seeded chance, real processes in namespaces, a vault's contract and its server.
room(
  "Tests/Support",
  .target(name: "CLab"),
  module("Lab", "CLab", "CSystemCalls"),
  module("Measures"),
  module("Samples", "BumpClaims", "BumpText", "BumpFaults", "BumpSession", "BumpStore", "BumpWire", crypto, grdb),
  module("NostrAuthor", "BumpNostr", "CSecp256k1"),
  module("VaultContract", "BumpClaims", "BumpWallet", "BumpVault", "Samples"),
  module(
    "VaultTestServer", "BumpClaims", "BumpSystem", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultClient",
    "BumpVaultHTTP", "VaultContract", "Lab"),
  // What is fuzzed. The inputs that the fuzzer begins with are a suite, too.
  module(
    "FuzzTargets", "BumpCards", "BumpWire", "BumpClaims", "BumpClip", "BumpKit", "BumpLint", "BumpMDNS",
    "BumpMultipeer", "BumpNoise", "BumpNostr", "BumpTesting", "BumpWallet", crypto))

room(
  "Tests",
  suite("BumpTextTests", "BumpText", "Samples"),
  suite("BumpClaimsTests", "BumpClaims", "Samples"),
  suite("BumpCardsTests", "BumpCards", "BumpClaims", "BumpText", "Samples"),
  suite("BumpNoiseTests", "BumpNoise", "Samples", crypto),
  suite("BumpWireTests", "BumpClaims", "BumpText", "BumpNoise", "BumpWire", "Samples", crypto),
  suite(
    "BumpSessionTests", "BumpClaims", "BumpText", "BumpNoise", "BumpWire", "BumpDiscovery",
    "BumpTesting", "BumpSession", "Samples", crypto, nioCore),
  suite("BumpMDNSTests", "BumpMDNS", "Measures", "Samples"),
  suite("BumpDiscoveryTests", "BumpDiscovery", nioCore),
  suite("BumpDNSSDTests", "BumpDiscovery", "BumpDNSSD", "BumpMDNS", "BumpTesting", "Lab", nioCore),
  suite("BumpNetTests", "BumpDiscovery", "BumpNet", nioCore),
  suite("BumpServingTests", "BumpServing"),
  suite("BumpStoreTests", "BumpClaims", "BumpSystem", "BumpWire", "BumpStore", "Lab", "Samples", grdb),
  suite(
    "BumpKitTests", "BumpClaims", "BumpWire", "BumpDiscovery", "BumpKit", "BumpNet", "BumpSession", "BumpStore",
    "BumpTesting", "Lab", "Measures", "Samples", grdb, nioCore),
  suite("BumpQRTests", "BumpQR", "Lab", "Samples"),
  suite(
    "BumpDoctorTests", "BumpClaims", "BumpWire", "BumpDiscovery", "BumpDoctor", "BumpKit", "BumpTesting", "Lab", nioCore
  ),
  suite(
    "BumpCLITests", "BumpCLI", "BumpClaims", "BumpTerminal", "BumpText", "BumpFaults", "BumpWire", "BumpDiscovery",
    "BumpDoctor", "BumpKit", "BumpQR", "BumpStore", "BumpVault", "BumpVaultAPI", "BumpVaultClient", "BumpVaultHTTP",
    "BumpWallet", "Lab",
    "Measures", "VaultContract", "VaultTestServer", argumentParser))

// The vault.
room(
  "Tests",
  suite("BumpWalletTests", "BumpClaims", "BumpText", "BumpWallet", "Samples", crypto),
  suite("BumpVaultTests", "BumpClaims", "BumpWallet", "BumpVault", "Measures", "Samples", "VaultContract"),
  suite(
    "BumpVaultAPITests", "BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultHTTP",
    "VaultContract", "Samples", crypto),
  suite(
    "BumpVaultClientTests", "BumpClaims", "BumpHTTP", "BumpStore", "BumpText", "BumpWallet", "BumpVault",
    "BumpVaultAPI",
    "BumpVaultClient", "BumpVaultHTTP", "Samples", "VaultContract", "VaultTestServer", "Lab"),
  suite(
    "BumpVaultHTTPTests", "BumpClaims", "BumpText", "BumpWallet", "BumpVault", "BumpVaultAPI", "BumpVaultHTTP",
    "Lab", "VaultContract", "Samples"),
  suite(
    "BumpVaultSQLiteTests", "BumpClaims", "BumpWallet", "BumpVault", "BumpVaultSQLite", "Measures", "Samples",
    "VaultContract", grdb),
  suite(
    "BumpVaultServerTests", "BumpClaims", "BumpText", "BumpWallet", "BumpPostgres", "BumpVault", "BumpVaultAPI",
    "BumpVaultPostgres", "BumpVaultSQLite", "VaultContract", "Samples", "Lab", "Measures", nioCore, nioPosix,
    with: server("BumpVaultServer") + server(products: ["ArgumentParser"], of: "swift-argument-parser")
      + server(products: ["NIOEmbedded"], of: "swift-nio")
      + server(products: ["HTTPTypes"], of: "swift-http-types")
      + server(products: ["NIOHTTPTypes"], of: "swift-nio-extras")),
  // A real server of PostgreSQL, and its death: the client, and the vault's store.
  suite(
    "BumpPostgresTests", "BumpClaims", "BumpWallet", "BumpPostgres", "BumpVault", "BumpVaultPostgres", "VaultContract",
    "Lab", "Measures"))

// App Clips, cards and Nostr; peers, and faults on purpose.
room(
  "Tests",
  suite(
    "BumpClipCLITests", "BumpClipCLI", "BumpClaims", "BumpClip", "BumpDiscovery", "BumpKit", "BumpLint", "BumpServing",
    "BumpTerminal", "BumpText", "Lab", argumentParser),
  suite("BumpClipTests", "BumpClaims", "BumpClip", grdb),
  suite("BumpLintTests", "BumpClip", "BumpLint", "BumpServing"),
  suite("BumpSharedCardsTests", "BumpSharedCards"),
  suite("BumpNostrTests", "BumpNostr", "NostrAuthor"),
  suite(
    "BumpRelaysTests", "BumpDiscovery", "BumpNostr", "NostrAuthor", "Lab", nioCore, nioPosix,
    with: server("BumpRelays") + server(products: ["NIOHTTP1", "NIOWebSocket"], of: "swift-nio")),
  suite("BumpMultipeerTests", "BumpNoise", "BumpMultipeer", "Samples", crypto),
  suite("BumpFaultsTests", "BumpFaults"),
  suite(
    "BumpSimulationTests", "BumpFaults", "BumpSimulation", "BumpKit", "BumpTesting",
    exclude: ["Golden"]),
  suite("FuzzCorpusTests", "FuzzTargets"))

// Real processes: on one host, on two, and with somebody in the middle of them or their death.
var twoHosts: [Target.Dependency] = ["Lab", "BumpMDNS", "BumpsInARow", "Measures"] + server("BumpVaultServer")
var simulator: [Target.Dependency] = ["BumpFaults", "BumpSimulator", "Lab"]
#if os(Linux)
  twoHosts.append("MultipeerPeer")
  simulator += ["BumpSimulation", "MultipeerConnectivity"]
  room(
    "Tests",
    suite(
      "MultipeerConnectivityTests", "BumpNoise", "BumpDiscovery", "BumpMultipeer", "MultipeerConnectivity", "Lab",
      crypto, nioCore))
#endif
room(
  "Tests",
  suite("BumpSimulatorTests", with: simulator),
  suite("LoopbackTests", "Lab", "Measures"),
  suite("TwoHostTests", with: twoHosts),
  suite(
    "HostileTests", "Lab", "Measures", "Samples", "VaultSteps", "BumpClaims", "BumpText", "BumpFaults", "BumpSystem",
    "BumpWire", "BumpKit", "BumpTesting", "BumpWallet", crypto))

// Programs that tests start, and that figures are measured with.
room(
  "Tests/Tools",
  program("BumpsInARow", "BumpKit"),
  program("VaultSteps", "BumpClaims", "BumpWallet", "BumpVault", "BumpVaultSQLite", "VaultContract"),
  program("LinkFigures", "BumpClip", exclude: ["figures.py", "run.sh"]),
  program(
    "VaultLoad", "BumpClaims", "BumpWallet", "BumpPostgres", "BumpSQLite", "BumpVault", "BumpVaultAPI", "BumpVaultHTTP",
    "BumpVaultPostgres", "BumpVaultSQLite", "VaultContract", grdb))
#if os(Linux)
  room(
    "Tests/Tools",
    program("MultipeerFigures", "MultipeerConnectivity", crypto, nioCore, nioPosix, exclude: ["run.sh"]),
    program("MultipeerPeer", "BumpSimulator", "MultipeerConnectivity"))
#endif

// MARK: - Examples

room(
  "Examples",
  program("SendOne", "BumpKit"),
  program("ReceiveAndDecide", "BumpKit"),
  program("SendWithVault", "BumpKit", "BumpVaultAPI", "BumpVaultClient", "BumpWallet"),
  suite("ExampleFlowTests", "BumpKit", "BumpTesting", at: "Examples/FlowTests"))
#if os(Linux)
  room(
    "Examples",
    module("NearbyPlayers", "MultipeerConnectivity"),
    suite("NearbyPlayersTests", "BumpFaults", "BumpSimulator", "MultipeerConnectivity", "NearbyPlayers"))
#endif

// Some suites with what they need, and controls: Tests/Tools/Threads/run.sh builds them with ThreadSanitizer.
if let targets = Context.environment["BUMP_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !targets.contains($0.name) }
  room("Tests/Tools/Threads", .target(name: "CMutex"), suite("RaceTests", "CMutex", at: "Tests/Tools/Threads/Races"))
}

if Context.environment["BUMP_FUZZ"] != nil {
  package.products.append(.library(name: "FuzzTargets", targets: ["FuzzTargets"]))
}
