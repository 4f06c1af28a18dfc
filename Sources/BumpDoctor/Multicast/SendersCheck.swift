import BumpDiscovery
import BumpKit
import BumpWire

/// Who offers something just now. They are only looked at: to connect would begin a session with them.
enum SendersCheck {
  struct Sender: Hashable, Sendable {
    /// The instance name as it came: a stranger chose it.
    var name: String
    /// `nil` where it does not resolve.
    var address: String?
  }

  /// A handful is enough to see that others are seen.
  static let limit = 8

  /// - Returns: `nil` where nobody can be looked for, which is said of the publication.
  static func gather(
    _ discovery: any Discovery, _ type: ServiceType, within limit: Duration = .milliseconds(1500),
    resolvingWithin resolving: Duration = .seconds(1)
  ) async -> [Sender]? {
    guard let instances = try? await browse(discovery, type, within: limit) else { return nil }
    return await withTaskGroup(of: Sender.self) { group in
      for instance in instances {
        group.addTask {
          Sender(name: instance.name, address: await address(of: instance, discovery, within: resolving))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.name < $1.name }
    }
  }

  private static func browse(
    _ discovery: any Discovery, _ type: ServiceType, within limit: Duration
  ) async throws -> [ServiceInstance] {
    let (sightings, feed) = AsyncThrowingStream.makeStream(of: ServiceInstance.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do {
          for try await case .found(let instance) in discovery.browse(type) { feed.yield(instance) }
        } catch {
          feed.finish(throwing: error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        feed.finish()
      }
      var instances: [ServiceInstance] = []
      // Two interfaces may show one sender.
      for try await instance in sightings where !instances.contains(where: { $0.name == instance.name }) {
        instances.append(instance)
        if instances.count == Self.limit { break }
      }
      return instances
    }
  }

  private static func address(
    of instance: ServiceInstance, _ discovery: any Discovery, within limit: Duration
  ) async -> String? {
    let address = await BumpDoctor.within(limit) { () async -> String? in
      do {
        let service = try await discovery.resolve(instance)
        for try await address in discovery.addresses(of: service) { return address.text }
        return nil
      } catch {
        return nil
      }
    }
    return address ?? nil
  }

  static func judge(_ senders: [Sender]) -> [Finding] {
    guard !senders.isEmpty else {
      return [
        .note(
          .senders, "no sender is in sight",
          cause: "nobody sends just now, or what lies between keeps machines apart, as guest networks do",
          mend: "run `bump send` on the other machine, and this again meanwhile")
      ]
    }
    return senders.map { sender in
      let name = InstanceName.shown(sender.name).distinct
      guard let address = sender.address else {
        return .note(
          .senders, "\(name) is in sight, but its address is not",
          cause: "it has gone, or its answers do not come through", mend: "run `bump doctor` there too")
      }
      return .ok(.senders, "\(name) is in sight; bump doctor --peer \(address) tries the way there")
    }
  }
}
