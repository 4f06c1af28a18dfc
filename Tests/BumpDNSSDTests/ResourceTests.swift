import BumpDiscovery
import Foundation
import Testing

@testable import BumpDNSSD

extension LiveTests {
  /// In processes of their own, where no other test opens and closes anything.
  @Suite struct ResourceTests {
    @Test func `what is cancelled on a daemon leaves no descriptor and no thread`() async {
      await #expect(processExitsWith: .success) {
        try await PrivateDaemon.with { _ in
          let discovery = PrivateDaemon.discovery()
          try await Self.expectNoLeak(rounds: 40, on: discovery) { await discovery.settle() }
        }
      }
    }

    @Test func `what is cancelled without a daemon leaves no descriptor and no thread`() async {
      await #expect(processExitsWith: .success) {
        try await PrivateDaemon.with(avahi: false) { host in
          let discovery = EmbeddedDiscovery { [network = host.network] in network.enter($0) }
          try await Self.expectNoLeak(rounds: 40, on: discovery) { await discovery.settle() }
        }
      }
    }

    /// What is closing may take its time, and threads wait a while for more to do: not one for each round.
    private static let slack = 16

    private static func expectNoLeak(
      rounds: Int, on discovery: some Discovery, settling: () async -> Void = {}
    ) async throws {
      let type = try ServiceType("live")
      let alice = Advertisement(name: "alice", type: type, port: 4242, txt: try TXTRecord(["v": "1"]))
      let nobody = ServiceInstance(name: "nobody", type: type.description, interface: 0)
      func round() async throws {
        try await DiscoveryContract.announced(alice, on: discovery) { name in
          let instance = try await DiscoveryContract.found(name, type, on: discovery)
          _ = discovery.browse(type)
          let question = Task { try await discovery.resolve(nobody) }
          _ = try await DiscoveryContract.first(discovery.addresses(of: discovery.resolve(instance)))
          question.cancel()
        }
        await settling()
      }
      for _ in 0..<8 { try await round() }
      let before = try openResources()
      for _ in 0..<rounds { try await round() }
      let after = try openResources()
      #expect(after.descriptors - before.descriptors < slack)
      #expect(after.threads - before.threads < slack)
    }

    private static func openResources() throws -> (descriptors: Int, threads: Int) {
      let files = FileManager.default
      return (
        try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
        try files.contentsOfDirectory(atPath: "/proc/self/task").count
      )
    }
  }
}
