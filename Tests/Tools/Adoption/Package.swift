// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Nearby",
  platforms: [.iOS(.v17), .macOS(.v14)],
  dependencies: [.package(path: "bump")],
  targets: [
    .executableTarget(
      name: "Nearby",
      dependencies: [
        .product(name: "MultipeerConnectivity", package: "bump", condition: .when(platforms: [.linux]))
      ])
  ]
)
