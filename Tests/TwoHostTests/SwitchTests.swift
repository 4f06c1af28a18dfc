import Lab
import Testing

/// Several people at once, on three hosts of one network.
@Suite(.live) struct SwitchTests {
  /// Who waits for the others.
  private enum First: CaseIterable { case senders, receivers, nobody }

  @Test func `two senders and two receivers at once part as two pairs, and no claim is lost or doubled`() async throws {
    try await withHosts(["one", "two", "three", "switch"]) { hosts in
      let hub = try await Switch(at: hosts[3])
      for (index, host) in hosts.dropLast().enumerated() { try await hub.join(host, number: index + 1) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for host in hosts.dropLast() { group.addTask { try await host.start(.needed) } }
        try await group.waitForAll()
      }
      for round in 1...2 {
        for first in First.allCases {
          // Dave's host is alice's too.
          let people = try [("alice", 0), ("carol", 1), ("bob", 2), ("dave", 0)].map { name, host in
            try BumpCommand("\(name)-\(first)-\(round)", on: hosts[host])
          }
          try await expectPairs(Array(people[..<2]), Array(people[2...]), first)
        }
      }
    }
  }

  private func expectPairs(_ senders: [BumpCommand], _ receivers: [BumpCommand], _ first: First) async throws {
    var (sending, receiving): ([RunningProcess], [RunningProcess]) = ([], [])
    if first != .receivers { sending = try await start(senders, "send", "--amount", "1.00") }
    if first == .senders { for process in sending { try await process.event("advertising") } }
    receiving = try await start(receivers, "receive")
    if first == .receivers {
      for process in receiving { try await process.event("browsing") }
      sending = try await start(senders, "send", "--amount", "1.00")
    }
    let sent = try await finish(sending)
    let received = try await finish(receiving)
    #expect((sent + received).map(\.status) == [0, 0, 0, 0], "\(sent)\n\(received)")

    let given = try sent.map { try $0.result.string("claimId") }
    let taken = try received.map { try $0.result.string("claimId") }
    #expect(Set(given).count == 2 && Set(given) == Set(taken), "\(sent)\n\(received)")
    for (sender, claim) in zip(senders, given) {
      let history = try await sender.history()
      #expect(history.map { $0.string("claimId") } == [claim] && history.map { $0.string("state") } == ["delivered"])
    }
    for (receiver, claim) in zip(receivers, taken) {
      #expect(try await receiver.history().map { $0.string("claimId") } == [claim])
    }
  }

  /// Starts the same command of each at the same time.
  private func start(_ people: [BumpCommand], _ arguments: String...) async throws -> [RunningProcess] {
    async let other = people[1].start(arguments + ["--json"])
    return [try await people[0].start(arguments + ["--json"]), try await other]
  }

  private func finish(_ processes: [RunningProcess]) async throws -> [ProcessResult] {
    var finished: [ProcessResult] = []
    for process in processes { finished.append(try await process.finish()) }
    return finished
  }
}
