/// Gives a test hosts, not yet connected and without daemons, and removes them when it is done.
///
/// Two persons of a bump are at work on one host, too.
public func withHosts<Result: Sendable>(
  _ names: [String], _ body: @Sendable ([Host]) async throws -> Result
) async throws -> Result {
  try await ProcessSlots.take(max(2, names.count)) {
    var hosts: [Host] = []
    do {
      for name in names { hosts.append(try await Host.start(name)) }
      let result = try await body(hosts)
      for host in hosts { try await host.stop() }
      return result
    } catch {
      for host in hosts { try? await host.stop() }
      throw error
    }
  }
}

/// Gives a test one host with nothing but `lo`.
public func withHost<Result: Sendable>(
  daemons: Daemons = .needed, _ body: @Sendable (Host) async throws -> Result
) async throws -> Result {
  try await withHosts(["here"]) { hosts in
    try await hosts[0].start(daemons)
    return try await body(hosts[0])
  }
}

/// Gives a test two hosts, `left` and `right`, with a cable between them.
public func withTwoHosts<Result: Sendable>(
  _ addressing: Addressing = .all, daemons: Daemons = .needed,
  _ body: @Sendable (_ left: Host, _ right: Host, Link) async throws -> Result
) async throws -> Result {
  try await withHosts(["left", "right"]) { hosts in
    let link = try await Link.join(hosts[0], hosts[1], addressing)
    async let left: Void = hosts[0].start(daemons)
    async let right: Void = hosts[1].start(daemons)
    _ = try await (left, right)
    return try await body(hosts[0], hosts[1], link)
  }
}
