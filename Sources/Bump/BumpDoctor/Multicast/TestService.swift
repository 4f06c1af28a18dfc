import BumpDiscovery

extension ServiceType {
  /// The type of the doctor's test service. No receiver takes the service for a sender.
  static let bumpDoctor = DoctorType.type
}

private enum DoctorType {
  static let type: ServiceType = {
    guard let type = try? ServiceType("bump-doctor") else { preconditionFailure("a name by the rule") }
    return type
  }()
}

/// Publishes a test service on one interface, and browses for it like a receiver.
///
/// Success shows that the discovery backend works, but not that packets are sent: a backend may find its own service in
/// its memory. `MulticastEcho` checks the packets.
struct TestService: Sendable {
  enum Outcome: Hashable, Sendable {
    /// The service was found after this time.
    case seen(Duration)
    case published
    case notPublished
    /// Publishing or browsing failed.
    case failed(DiscoveryError)
  }

  let discovery: any Discovery

  private enum Step { case published, seen, failed(DiscoveryError), timeIsUp }

  /// Runs the test.
  ///
  /// - Parameter limit: when to give up. Publishing takes up to 1.7 s if the backend probes first (RFC 6762 §8.1).
  func run(within limit: Duration = .seconds(4)) async -> Outcome {
    let start = ContinuousClock.now
    let name = "doctor-\(randomName())"
    let (steps, feed) = AsyncStream.makeStream(of: Step.self)
    return await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { await advertise(name, feed) }
      group.addTask { await find(name, feed) }
      group.addTask {
        try? await Task.sleep(for: limit)
        feed.yield(.timeIsUp)
      }
      var isPublished = false
      for await step in steps {
        switch step {
        case .published: isPublished = true
        case .seen: return .seen(start.duration(to: .now))
        case .failed(let error): return .failed(error)
        case .timeIsUp: return isPublished ? .published : .notPublished
        }
      }
      return .notPublished
    }
  }

  private func advertise(_ name: String, _ feed: AsyncStream<Step>.Continuation) async {
    do {
      // Port 9 is the discard port (RFC 863): nobody should connect.
      let service = Advertisement(name: name, type: .bumpDoctor, port: 9, txt: TXTRecord(bytes: []))
      for try await _ in discovery.advertise(service) { feed.yield(.published) }
    } catch {
      feed.yield(.failed(DiscoveryError(error)))
    }
  }

  private func find(_ name: String, _ feed: AsyncStream<Step>.Continuation) async {
    do {
      for try await case .found(let instance) in discovery.browse(.bumpDoctor) where instance.name == name {
        feed.yield(.seen)
      }
    } catch {
      feed.yield(.failed(DiscoveryError(error)))
    }
  }
}
