import BumpDiscovery
import Lab
import Testing

/// Discovery on networks of its own. Serial, because a process has one system bus.
@Suite(.live, .serialized, .processes(2, isLong: true)) enum LiveTests {
  /// A name that is announced unprobed is ours, whoever had it: who probes for his (RFC 6762 §9) takes another.
  static func expectNeighbourGivesWay(_ discovery: any Discovery, _ host: PrivateDaemon) async throws {
    let type = try ServiceType("clash")
    try host.addNeighbour(announcing: "alice", type.description)
    try await withTimeout {
      _ = try await discovery.resolve(DiscoveryContract.found("alice", type, on: discovery))
      // The neighbour announces its records three times, a second or two apart (§8.3). One of these that crosses ours is a
      // conflict for both ends, and ours is withdrawn: then we announce once more.
      while try await !hasNeighbourGivenWay(discovery, type) {}
    }
  }

  /// Returns `false` where our name was withdrawn.
  private static func hasNeighbourGivenWay(_ discovery: any Discovery, _ type: ServiceType) async throws -> Bool {
    let ours = Advertisement(name: "alice", type: type, port: 4242, txt: try TXTRecord([:]))
    let (names, feed) = AsyncStream.makeStream(of: String.self)
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        do {
          for try await name in discovery.advertise(ours) { feed.yield(name) }
          throw CancellationError()
        } catch let error as DiscoveryError where error.code == .nameTaken {
          return false
        }
      }
      group.addTask {
        for await name in names {
          #expect(name == "alice")
          let renamed = try await discovery.resolve(DiscoveryContract.found("alice #2", type, on: discovery))
          #expect(renamed.port == 1)
          let own = try await discovery.resolve(DiscoveryContract.found("alice", type, on: discovery))
          #expect(own.port == 4242)
          return true
        }
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }
}
