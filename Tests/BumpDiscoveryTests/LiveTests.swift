import BumpDiscovery
import Foundation
import Glibc
import Testing

/// Discovery on networks of its own. Serial, because a process has one system bus.
@Suite(
  .serialized,
  .enabled(
    if: geteuid() == 0 || ProcessInfo.processInfo.environment["CI"] == "true",
    "a live test makes namespaces, and for that it must run as root"), .timeLimit(.minutes(5)))
enum LiveTests {
  /// A name that is announced unprobed is ours, whoever had it: who probes for his (RFC 6762 §9) takes another.
  static func expectNeighbourGivesWay(_ discovery: any Discovery, _ host: PrivateDaemon) async throws {
    let type = try ServiceType("clash")
    try host.addNeighbour(announcing: "alice", type.description)
    try await within {
      _ = try await discovery.resolve(DiscoveryContract.found("alice", type, on: discovery))
      let ours = Advertisement(name: "alice", type: type, port: 4242, txt: try TXTRecord([:]))
      try await DiscoveryContract.announced(ours, on: discovery) { name in
        #expect(name == "alice")
        let renamed = try await discovery.resolve(DiscoveryContract.found("alice #2", type, on: discovery))
        #expect(renamed.port == 1)
        let own = try await discovery.resolve(DiscoveryContract.found("alice", type, on: discovery))
        #expect(own.port == 4242)
      }
    }
  }
}
