import BumpDiscovery

extension ServiceType {
  /// What the doctor publishes, so that no receiver takes it for a sender.
  static let bumpDoctor = DoctorType.type
}

private enum DoctorType {
  static let type: ServiceType = {
    guard let type = try? ServiceType("bump-doctor") else { preconditionFailure("a name by the rule") }
    return type
  }()
}

/// Publishes a service by one interface, and looks for it as a receiver would.
///
/// One program that both publishes and finds may do so from its memory: that it works says that the whole of
/// discovery does, but not that a packet went anywhere. `MulticastEcho` tells that.
struct Publication: Sendable {
  enum Outcome: Hashable, Sendable {
    /// After so long.
    case seen(Duration)
    case published
    case notPublished
    /// Why nothing can be published or looked for.
    case failed(String)
  }

  let discovery: any Discovery

  private enum Step { case published, seen, failed(String), timeIsUp }

  /// - Parameter limit: publishing takes up to 1.7 s where the name is probed for first (RFC 6762 §8.1).
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
        case .failed(let reason): return .failed(reason)
        case .timeIsUp: return isPublished ? .published : .notPublished
        }
      }
      return .notPublished
    }
  }

  private func advertise(_ name: String, _ feed: AsyncStream<Step>.Continuation) async {
    do {
      // Port 9 discards (RFC 863); nobody is meant to connect.
      let service = Advertisement(name: name, type: .bumpDoctor, port: 9, txt: TXTRecord(bytes: []))
      for try await _ in discovery.advertise(service) { feed.yield(.published) }
    } catch {
      feed.yield(.failed("\(error)"))
    }
  }

  private func find(_ name: String, _ feed: AsyncStream<Step>.Continuation) async {
    do {
      for try await case .found(let instance) in discovery.browse(.bumpDoctor) where instance.name == name {
        feed.yield(.seen)
      }
    } catch {
      feed.yield(.failed("\(error)"))
    }
  }
}
