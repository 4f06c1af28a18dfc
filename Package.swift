// swift-tools-version: 6.2
import PackageDescription

// The map of the house: the products, then the targets of Sources, Tests and Examples, each with what it imports.

let package = Package(
  name: "bump",
  products: [
    .executable(name: "bump", targets: ["BumpCLI"]),
    .executable(name: "bump-clip", targets: ["BumpClipCLI"]),
    .executable(name: "bump-vault", targets: ["BumpVaultServer"]),
  ]
    + [
      ["BumpClaims", "BumpText"], ["BumpSimulator", "BumpFaults", "BumpSimulation"],
      ["BumpVaultClient", "BumpVaultAPI", "BumpWallet"], ["BumpKit"], ["BumpCards"], ["BumpClip"], ["BumpLint"],
      ["BumpMDNS"], ["BumpNostr"], ["BumpSharedCards"], ["BumpTesting"], ["BumpWallet"],
    ].map { .library(name: $0[0], targets: $0) },
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

/// The modules of other packages, and the package of each.
let packages = [
  "ArgumentParser": "swift-argument-parser", "Crypto": "swift-crypto", "GRDB": "GRDB.swift",
  "HTTPTypes": "swift-http-types", "Hummingbird": "hummingbird", "HummingbirdCore": "hummingbird",
  "HummingbirdTLS": "hummingbird", "Logging": "swift-log", "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio",
  "NIOHTTP1": "swift-nio", "NIOHTTPTypes": "swift-nio-extras", "NIOHTTPTypesHTTP1": "swift-nio-extras",
  "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl", "NIOWebSocket": "swift-nio",
  "ServiceLifecycle": "swift-service-lifecycle", "UnixSignals": "swift-service-lifecycle",
]

/// Modules that are imported together: those of a session, of a vault's rules, of the server of a vault, and those that
/// test each store of a vault.
let session = "BumpClaims BumpDiscovery BumpSession BumpWire NIOCore"
let rules = "BumpClaims BumpVault BumpWallet"
let served = "\(rules) BumpVaultAPI BumpVaultHTTP"
let contracts = "ChainContract SignInContract VaultContract"

/// Returns dependencies by the names that `import` has, with spaces between them: ours, then those of other packages.
/// Those of `vault` are neither resolved nor built without the trait Vault.
@MainActor func imports(_ lists: [String], _ vault: [String]) -> [Target.Dependency] {
  [(lists, nil), (vault, TargetDependencyCondition.when(traits: ["Vault"]))].flatMap { lists, condition in
    lists.joined(separator: " ").split(separator: " ").map(String.init).map { name in
      packages[name].map { .product(name: name, package: $0, condition: condition) }
        ?? .target(name: name, condition: condition)
    }
  }
}

@MainActor func module(_ name: String, _ names: String..., vault: String..., embeds: String...) -> Target {
  let files = embeds.map { Resource.embedInCode($0) }
  return .target(name: name, dependencies: imports(names, vault), resources: files, swiftSettings: settings)
}

@MainActor func program(_ name: String, _ names: String..., vault: String..., exclude: [String] = []) -> Target {
  .executableTarget(name: name, dependencies: imports(names, vault), exclude: exclude, swiftSettings: settings)
}

@MainActor func suite(
  _ name: String, _ names: String..., vault: String..., at path: String? = nil, exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: imports(names, vault), path: path, exclude: exclude, swiftSettings: settings)
}

/// Adds targets that are named by their folders below this one: `Core/BumpText` is the target BumpText.
@MainActor func add(below folder: String, _ targets: Target...) {
  for target in targets {
    target.path = target.path ?? "\(folder)/\(target.name)"
    target.name = target.name.split(separator: "/").last.map(String.init) ?? target.name
  }
  package.targets += targets
}

add(
  below: "Sources",
  // Values and files; the protocol, pure: no socket, clock or store is within reach.
  module("Core/BumpText"),
  module("Core/BumpSystem"),
  module("Core/BumpClaims", "BumpText Crypto"),
  module("Core/BumpCards", "BumpText"),
  module("Core/BumpNoise", "BumpText Crypto"),
  module("Core/BumpWire", "BumpClaims BumpNoise BumpText CSodium Crypto"),
  module("Core/BumpSession", "BumpCards BumpClaims BumpDiscovery BumpNoise BumpText BumpWire Crypto"),

  // Finding services, and bytes between two ends.
  module("Network/BumpDiscovery", "NIOCore"),
  module("Network/BumpMDNS", "CSystemCalls NIOCore NIOPosix"),
  module("Network/BumpDNSSD", "BumpDiscovery BumpMDNS BumpSystem CAvahi NIOCore"),
  module("Network/BumpNet", "BumpDiscovery BumpSystem CSystemCalls NIOCore NIOPosix"),
  module("Network/BumpHTTP", "BumpSystem BumpText CHTTP"),
  module("Network/BumpNode", "BumpHTTP BumpText"),
  module("Network/BumpMail", "BumpSystem BumpText CHTTP"),
  module("Network/BumpServing"),

  // Claims on the disk; the library, and what its users test with.
  module("Store/BumpSQLite", "BumpSystem BumpText GRDB"),
  module("Store/BumpStore", "BumpClaims BumpSQLite BumpSystem BumpText Crypto GRDB"),
  module("Kit/BumpKit", session, "BumpCards BumpDNSSD BumpNet BumpNoise BumpStore BumpSystem BumpText Logging"),
  module("Kit/BumpTesting", session, "BumpNet BumpNoise Crypto"),

  // The program `bump`.
  module("Bump/BumpTerminal", session, "BumpCards BumpNet BumpSystem BumpText CQREncode CSystemCalls ArgumentParser"),
  module(
    "Bump/BumpDoctor", "BumpClaims BumpDNSSD BumpDiscovery BumpKit BumpSystem BumpText BumpWire CSystemCalls NIOCore",
    "NIOPosix"),
  module("Bump/BumpDirect", "BumpChain BumpClaims BumpNode BumpText BumpWallet"),
  program(
    "Bump/BumpCLI", "BumpChain BumpClaims BumpDirect BumpDiscovery BumpDoctor BumpFaults BumpKit BumpNode",
    "BumpSimulation BumpSystem BumpTerminal BumpText BumpVaultAPI BumpVaultClient BumpWallet BumpWire ArgumentParser",
    "Logging NIOCore"),

  // The vault: keys, rules, its client; its stores and the program `bump-vault`.
  module("Vault/BumpWallet", "BumpClaims BumpSystem BumpText CSecp256k1 Crypto"),
  module("Vault/BumpVault", "BumpClaims BumpWallet Crypto"),
  module("Vault/BumpVaultAPI", "BumpClaims BumpText BumpWallet Crypto"),
  module("Vault/BumpChain", "BumpClaims BumpText BumpVaultAPI BumpWallet", embeds: "Contract"),
  module("Vault/BumpChainVault", rules, "BumpChain BumpNode BumpText BumpVaultAPI"),
  module("Vault/BumpSignIn", "BumpText BumpWallet Crypto"),
  module("Vault/BumpVaultClient", "BumpClaims BumpHTTP BumpStore BumpText BumpVaultAPI BumpWallet"),
  module("Vault/BumpVaultHTTP", rules, "BumpSignIn BumpText BumpVaultAPI Crypto", embeds: "Page/Files"),
  module(
    "Vault/BumpVaultSQLite", rules, "BumpChain BumpSQLite BumpSignIn BumpSystem BumpText CSystemCalls Crypto GRDB"),
  module("Vault/BumpPostgres", "BumpSystem CPostgreSQL CSystemCalls"),
  module("Vault/BumpVaultPostgres", rules, "BumpChain BumpPostgres BumpSignIn"),
  program(
    "Vault/BumpVaultServer", vault: served, "BumpChain BumpChainVault BumpMail BumpNode BumpPostgres BumpSignIn",
    "BumpSystem BumpText BumpVaultPostgres BumpVaultSQLite CSystemCalls ArgumentParser Crypto HTTPTypes Hummingbird",
    "HummingbirdCore HummingbirdTLS Logging NIOCore NIOHTTP1 NIOHTTPTypes NIOHTTPTypesHTTP1 NIOSSL ServiceLifecycle",
    "UnixSignals"),

  // App Clips: their links, their projects, cards that are shared, people on Nostr.
  module("Clip/BumpClip", "BumpClaims BumpNostr BumpSQLite BumpSystem BumpText Crypto GRDB", embeds: "Products"),
  module("Clip/BumpLint", "BumpClip BumpServing BumpText"),
  module("Clip/BumpSharedCards", "BumpClaims BumpHTTP BumpSystem BumpText Crypto"),
  module("Clip/BumpNostr", "CSecp256k1 Crypto"),
  module("Clip/BumpRelays", vault: "BumpDiscovery BumpNostr NIOCore NIOHTTP1 NIOPosix NIOSSL NIOWebSocket"),
  program(
    "Clip/BumpClipCLI", "BumpClaims BumpClip BumpDiscovery BumpHTTP BumpKit BumpLint BumpNostr BumpServing",
    "BumpSharedCards BumpSystem BumpTerminal BumpText ArgumentParser", vault: "BumpRelays"),

  // Apple's MultipeerConnectivity on Linux, below, with what it needs here; and what goes wrong on purpose.
  module("Multipeer/BumpMultipeer", "BumpClaims BumpNoise BumpText Crypto"),
  module("Multipeer/BumpFaults"),
  module("Multipeer/BumpSimulation", session, "BumpFaults BumpKit BumpMultipeer BumpNoise Crypto"),

  // C libraries, the kernel, and what Swift cannot call.
  .systemLibrary(name: "System/CAvahi"), .systemLibrary(name: "System/CPostgreSQL"),
  .systemLibrary(name: "System/CQREncode"), .systemLibrary(name: "System/CSecp256k1"),
  .systemLibrary(name: "System/CSodium"), .target(name: "System/CSystemCalls"),
  .target(name: "System/CHTTP", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]))

add(
  below: "Tests",
  // What the suites share: vectors and seeded chance, real processes in namespaces, a vault's contract and its server.
  .target(name: "Support/CLab"),
  module("Support/Lab", "CLab CSystemCalls"),
  module("Support/Measures"),
  module("Support/Samples", "BumpClaims BumpFaults BumpSession BumpStore BumpText BumpWire Crypto GRDB"),
  module("Support/NostrAuthor", "BumpNostr CSecp256k1"),
  module("Support/ChainContract", rules, "BumpChain VaultContract"),
  module("Support/SignInContract", "BumpSignIn BumpWallet Samples Crypto"),
  module("Support/VaultContract", rules, "Samples"),
  module("Support/VaultTestServer", served, "BumpSystem BumpVaultClient Lab VaultContract"),
  module(
    "Support/FuzzTargets", "BumpCards BumpClaims BumpClip BumpKit BumpLint BumpMDNS BumpMultipeer BumpNoise BumpNostr",
    "BumpTesting BumpWallet BumpWire Crypto"),

  suite("BumpTextTests", "BumpText Samples"),
  suite("BumpClaimsTests", "BumpClaims Samples"),
  suite("BumpCardsTests", "BumpCards BumpClaims BumpText Samples"),
  suite("BumpNoiseTests", "BumpNoise Samples Crypto"),
  suite("BumpWireTests", "BumpClaims BumpNoise BumpText BumpWire Samples Crypto"),
  suite("BumpSessionTests", session, "BumpNoise BumpTesting BumpText Measures Samples Crypto"),
  suite("BumpMDNSTests", "BumpMDNS Measures Samples"),
  suite("BumpDiscoveryTests", "BumpDiscovery NIOCore"),
  suite("BumpDNSSDTests", "BumpDNSSD BumpDiscovery BumpMDNS BumpTesting Lab NIOCore"),
  suite("BumpNetTests", "BumpDiscovery BumpNet NIOCore"),
  suite("BumpMailTests", "BumpMail BumpTesting CHTTP Lab Samples"),
  suite("BumpServingTests", "BumpServing"),
  suite("BumpStoreTests", "BumpClaims BumpStore BumpSystem BumpText BumpWire Lab Samples GRDB"),
  suite("BumpKitTests", session, "BumpKit BumpNet BumpStore BumpTesting Lab Measures Samples GRDB"),
  suite("BumpTerminalTests", "BumpClaims BumpDiscovery BumpTerminal BumpText BumpWire Lab Samples NIOCore"),
  suite("BumpDoctorTests", "BumpClaims BumpDiscovery BumpDoctor BumpKit BumpTesting BumpWire Lab NIOCore"),
  suite(
    "BumpCLITests", served, "BumpCLI BumpDiscovery BumpDoctor BumpFaults BumpKit BumpSession BumpStore BumpTerminal",
    "BumpTesting BumpText BumpVaultClient BumpWire Lab Measures VaultContract VaultTestServer ArgumentParser"),
  // The vault.
  suite("BumpWalletTests", "BumpClaims BumpText BumpWallet Samples Crypto"),
  suite("BumpVaultTests", rules, "Measures Samples VaultContract"),
  suite("BumpSignInTests", "BumpSignIn BumpWallet Samples SignInContract Crypto"),
  suite(
    "BumpChainTests",
    "BumpChain BumpClaims BumpText BumpVaultAPI BumpWallet ChainContract Measures Samples VaultContract"),
  suite(
    "BumpChainVaultTests", rules, "BumpChain BumpChainVault BumpNode BumpText BumpVaultAPI BumpVaultSQLite",
    "ChainContract Measures Samples VaultContract GRDB"),
  suite(
    "BumpDirectTests", "BumpChain BumpClaims BumpDirect BumpNode BumpStore BumpSystem BumpText BumpVaultAPI BumpWallet",
    "Lab Measures Samples VaultContract"),
  suite("BumpVaultAPITests", served, "BumpText Samples VaultContract Crypto"),
  suite(
    "BumpVaultClientTests", served, "BumpHTTP BumpStore BumpText BumpVaultClient Lab Samples VaultContract",
    "VaultTestServer"),
  suite("BumpVaultHTTPTests", served, "BumpSignIn BumpText Lab Samples SignInContract VaultContract Crypto"),
  suite("BumpVaultSQLiteTests", rules, contracts, "BumpChain BumpSignIn BumpVaultSQLite Measures Samples Crypto GRDB"),
  suite(
    "BumpVaultServerTests", served, "BumpChain BumpChainVault BumpMail BumpNode BumpPostgres BumpSignIn BumpSystem",
    "BumpText BumpVaultPostgres BumpVaultSQLite Lab Measures Samples VaultContract Crypto NIOCore NIOPosix",
    vault: "BumpVaultServer ArgumentParser HTTPTypes Logging NIOEmbedded NIOHTTPTypes"),
  suite(
    "BumpPostgresTests", rules, contracts, "BumpChain BumpPostgres BumpSignIn BumpVaultPostgres Lab Measures Crypto"),
  // App Clips, cards and Nostr; peers, and faults on purpose.
  suite("BumpClipCLITests", "BumpClaims BumpClipCLI BumpDiscovery BumpKit BumpTerminal BumpText Lab ArgumentParser"),
  suite("BumpClipTests", "BumpClaims BumpClip Measures GRDB"),
  suite("BumpLintTests", "BumpClip BumpLint BumpServing"),
  suite("BumpSharedCardsTests", "BumpSharedCards"),
  suite("BumpNostrTests", "BumpNostr NostrAuthor"),
  suite(
    "BumpRelaysTests", "BumpDiscovery BumpNostr Lab NostrAuthor NIOCore NIOPosix",
    vault: "BumpRelays NIOHTTP1 NIOWebSocket"),
  suite("BumpMultipeerTests", "BumpMultipeer BumpNoise Samples Crypto"),
  suite("BumpFaultsTests", "BumpFaults"),
  suite("BumpSimulationTests", "BumpFaults BumpKit BumpSimulation BumpTesting", exclude: ["Golden"]),
  suite("FuzzCorpusTests", "FuzzTargets"),
  // Real processes: on one host, and with somebody in the middle of them or their death. Those on two hosts are below.
  suite("LoopbackTests", "Lab Measures"),
  suite(
    "HostileTests", "BumpClaims BumpFaults BumpKit BumpNoise BumpSystem BumpTesting BumpText BumpWallet BumpWire Lab",
    "Measures Samples VaultSteps Crypto"),

  // Programs that tests start, and that figures are measured with.
  program("Tools/BumpsInARow", "BumpKit"),
  program("Tools/VaultSteps", rules, "BumpVaultSQLite VaultContract"),
  program("Tools/LinkFigures", "BumpClip", exclude: ["figures.py", "run.sh"]),
  program("Tools/VaultLoad", served, "BumpPostgres BumpSQLite BumpVaultPostgres BumpVaultSQLite VaultContract GRDB"))

add(
  below: "Examples",
  program("SendOne", "BumpKit"),
  program("ReceiveAndDecide", "BumpKit"),
  program("SendWithVault", "BumpKit BumpVaultAPI BumpVaultClient BumpWallet"),
  suite("ExampleFlowTests", "BumpKit BumpTesting", at: "Examples/FlowTests"))

// MultipeerConnectivity, and the tests that need it.
#if os(Linux)
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]))
  add(
    below: "Sources/Multipeer",
    module("MultipeerConnectivity", "BumpDNSSD BumpDiscovery BumpMultipeer BumpNoise Crypto NIOCore NIOPosix"),
    module("BumpSimulator", "BumpDiscovery BumpFaults BumpMultipeer MultipeerConnectivity NIOCore"))
  add(
    below: "Tests",
    suite(
      "MultipeerConnectivityTests", "BumpDiscovery BumpMultipeer BumpNoise Lab MultipeerConnectivity Crypto NIOCore",
      "NIOPosix"),
    suite("BumpSimulatorTests", "BumpFaults BumpSimulation BumpSimulator Lab MultipeerConnectivity"),
    suite("TwoHostTests", "BumpMDNS BumpsInARow Lab Measures MultipeerPeer", vault: "BumpVaultServer"),
    program("Tools/MultipeerFigures", "MultipeerConnectivity Crypto NIOCore NIOPosix", exclude: ["run.sh"]),
    program("Tools/MultipeerPeer", "BumpSimulator MultipeerConnectivity"))
  add(
    below: "Examples",
    module("NearbyPlayers", "MultipeerConnectivity"),
    suite("NearbyPlayersTests", "BumpFaults BumpSimulator MultipeerConnectivity NearbyPlayers"))
#else
  // Apple's systems have the module themselves. Packages that ask for the product on Linux alone must find it here too.
  package.products.append(.library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivityOfTheSystem"]))
  add(
    below: "Sources/Multipeer",
    .target(
      name: "MultipeerConnectivityOfTheSystem", path: "Sources/Multipeer/MultipeerConnectivity",
      sources: ["OfTheSystem.swift"], swiftSettings: settings),
    module("BumpSimulator", "BumpFaults"))
#endif

// Some suites with what they need, and controls: Tests/Tools/Threads/run.sh builds them with ThreadSanitizer.
if let targets = Context.environment["BUMP_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !targets.contains($0.name) }
  add(below: "Tests/Tools/Threads", .target(name: "CMutex"), suite("RaceTests", "CMutex"))
}

if Context.environment["BUMP_FUZZ"] != nil {
  package.products.append(.library(name: "FuzzTargets", targets: ["FuzzTargets"]))
}
