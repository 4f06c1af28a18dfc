import Foundation
import Glibc
import NIOCore
import Testing

@testable import BumpDiscovery

/// On a network of its own, with and without a daemon beside it.
@Suite(
  .serialized,
  .enabled(
    if: geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true",
    "a live test makes namespaces, and for that it must run as root"), .timeLimit(.minutes(1)))
struct EmbeddedDiscoveryTests {
  @Test(arguments: DiscoveryRule.all)
  func `it does what every discovery does`(rule: DiscoveryRule) async throws {
    try await PrivateDaemon.with(avahi: false) { host in try await rule.check(embedded(on: host)) }
  }

  private func embedded(on host: PrivateDaemon) -> EmbeddedDiscovery {
    EmbeddedDiscovery { [network = host.network] in network.enter($0) }
  }
}
